//! Reads pages and says how near they, and texts on them, are to the topic.
//!
//! A page is first learned from (every different term once), then judged by the formulas of `relevance`. Cost: linear in its text.

use std::collections::HashMap;

use groma_model::{BlockKind, PageType, ParsedPage, PartKind, Parts};

use crate::relevance::{CONTENT, COVER, NEAR};
use crate::sense::Sense;
use crate::{Bag, Language, Lexicon, LinkMean, Near, Relevance, Topic, Weights};

/// A topic, and what was learned about words so far.
#[derive(Clone, Debug)]
pub struct Judge {
    topic: Topic,
    weights: Weights,
    lexicon: Lexicon,
    senses: HashMap<Language, Sense>,
}

/// A page as the judge read it.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Scores of the page.
    pub relevance: Relevance,
    /// The language its words were stemmed by.
    pub language: Language,
    /// The terms of its blocks, one after another.
    terms: Vec<u32>,
    /// Where those of each block end.
    ends: Vec<usize>,
}

impl Reading {
    /// The terms of some blocks in a row.
    pub fn terms(&self, blocks: std::ops::Range<usize>) -> &[u32] {
        let end = |at: usize| if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or(self.terms.len()) };
        self.terms.get(end(blocks.start)..end(blocks.end)).unwrap_or_default()
    }
}

impl Default for Language {
    fn default() -> Language {
        Language::UNKNOWN
    }
}

impl Judge {
    /// A judge for this topic.
    pub fn new(topic: Topic, weights: Weights) -> Judge {
        let mut judge = Judge { topic, weights, lexicon: Lexicon::default(), senses: HashMap::new() };
        if !judge.topic.is_words {
            // What the topic's own texts say is learned from like pages.
            let texts = judge.sense(Language::UNKNOWN).texts().to_vec();
            texts.iter().for_each(|text| judge.lexicon.learn(text.iter().map(|(term, _)| term)));
        }
        judge
    }

    /// The topic that pages are compared with.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn sense(&mut self, language: Language) -> &mut Sense {
        let Judge { topic, weights, lexicon, senses } = self;
        senses.entry(language).or_insert_with(|| Sense::from_topic(topic, language, weights.phrases, lexicon))
    }

    /// How near a text is.
    pub fn text(&mut self, text: &str, language: Language) -> Near {
        let mut terms = Vec::new();
        self.lexicon.read(text, language, &mut terms);
        self.terms(terms, language)
    }

    /// How near a run of terms is.
    pub fn terms(&mut self, mut terms: Vec<u32>, language: Language) -> Near {
        self.sense(language);
        let Some(sense) = self.senses.get_mut(&language) else { return Near::default() };
        sense.add_pairs(&mut terms);
        sense.weigh(&self.lexicon);
        sense.near(&Bag::from_terms(terms), &self.lexicon)
    }

    /// Learns from a page and judges it.
    pub fn read(&mut self, page: &ParsedPage) -> Reading {
        self.read_as(page, page.parts.as_deref())
    }

    /// Learns from a page and judges it by these parts instead of its own.
    pub fn read_as(&mut self, page: &ParsedPage, parts: Option<&Parts>) -> Reading {
        let language = Language::from_code(page.language.as_deref());
        let mut reading = Reading { language, ..Reading::default() };
        for block in &page.blocks {
            self.lexicon.read(&block.text, language, &mut reading.terms);
            reading.ends.push(reading.terms.len());
        }
        let mut all = reading.terms.clone();
        self.sense(language).add_pairs(&mut all);
        self.lexicon.learn(Bag::from_terms(all).iter().map(|(term, _)| term));
        reading.relevance = self.judge(page, parts, &reading);
        reading
    }

    fn judge(&mut self, page: &ParsedPage, parts: Option<&Parts>, reading: &Reading) -> Relevance {
        let language = reading.language;
        let of_blocks = |chosen: &mut dyn FnMut(usize) -> bool| {
            let chosen = (0..page.blocks.len()).filter(|at| chosen(*at));
            chosen.flat_map(|at| reading.terms(at..at + 1).iter().copied()).collect::<Vec<u32>>()
        };
        let is_text = |at: usize| page.blocks.get(at).is_some_and(|block| block.kind != BlockKind::Navigation);
        let whole = self.terms(of_blocks(&mut |at| is_text(at)), language);
        let mut found = Relevance { whole, about: whole, ..Relevance::default() };
        let Some(parts) = parts else {
            (found.content, found.r) = (whole.cosine, whole.cosine);
            found.relevant = self.is_about(&found, language);
            return found;
        };
        (found.page_type, found.confidence, found.has_parts) = (parts.page_type, parts.confidence, true);
        for kind in CONTENT {
            let Some(near) = self.part(parts, &[kind], language) else { continue };
            found.cosines.push((kind, near.cosine));
            found.content += self.weights.part_weight(kind) * near.cosine;
            found.structure += self.weights.part_weight(kind);
        }
        self.link_parts(page, parts, language, &mut found);
        found.r = self.weights.together(found.content, found.links);
        let has = |kind| parts.content.iter().any(|part| part.kind == kind);
        if has(PartKind::Abstract) || has(PartKind::Keywords) {
            let about = [PartKind::Title, PartKind::Abstract, PartKind::Keywords];
            found.about = self.part(parts, &about, language).unwrap_or_default();
        } else if !parts.main.is_empty() {
            let mut terms = Vec::new();
            self.lexicon.read(&page.title, language, &mut terms);
            terms.extend(parts.main.iter().flat_map(|at| reading.terms(*at as usize..*at as usize + 1)));
            found.about = self.terms(terms, language);
        }
        let is_article = found.page_type == PageType::Article && found.confidence >= self.weights.sure;
        let is_right_type = self.weights.any_type || is_article;
        found.relevant = is_right_type && self.is_about(&found, language);
        found
    }

    /// How near the content parts of these kinds are, taken together; nothing if there is none.
    fn part(&mut self, parts: &Parts, kinds: &[PartKind], language: Language) -> Option<Near> {
        let mut terms = Vec::new();
        let mut any = false;
        for part in parts.content.iter().filter(|part| kinds.contains(&part.kind)) {
            self.lexicon.read(&part.text, language, &mut terms);
            any = true;
        }
        any.then(|| self.terms(terms, language))
    }

    /// Formula (2): the score of the texts of links.
    fn link_parts(&mut self, page: &ParsedPage, parts: &Parts, language: Language, found: &mut Relevance) {
        let mut cosines = Vec::new();
        for kind in [PartKind::Sequence, PartKind::Related] {
            let mut terms = Vec::new();
            let mut any = false;
            for (link, _) in page.links.iter().zip(&parts.links).filter(|(_, part)| part.kind == kind) {
                self.lexicon.read(&link.text, language, &mut terms);
                any = true;
            }
            if any {
                cosines.push((kind, self.terms(terms, language).cosine));
            }
        }
        let sum: f64 = cosines.iter().map(|(_, cosine)| cosine).sum();
        found.links = match self.weights.link_mean {
            LinkMean::Mean => sum / cosines.len().max(1) as f64,
            LinkMean::Sum => sum.min(1.0),
            LinkMean::Max => cosines.iter().map(|(_, cosine)| *cosine).fold(0.0, f64::max),
        };
        found.cosines.extend(cosines);
    }

    /// Is a page about the topic?
    fn is_about(&self, found: &Relevance, language: Language) -> bool {
        if let Some(threshold) = self.weights.threshold {
            return found.r >= threshold;
        }
        if self.topic.is_words {
            let words = self.senses.get(&language).map_or(0, Sense::count);
            let least = if words <= 3 { 1.0 - 1e-9 } else { COVER };
            return words > 0 && found.about.cover >= least;
        }
        found.about.cosine >= NEAR
            || found.cosines.iter().any(|(kind, cosine)| CONTENT.contains(kind) && *cosine >= NEAR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::{Block, Link, LinkKind, LinkPart, Part, Rel, Target};

    fn part(kind: PartKind, text: &str) -> Part {
        Part { kind, text: text.into(), confidence: 90 }
    }

    fn link(text: &str) -> Link {
        let target = Target::Malformed(String::new());
        Link { target, kind: LinkKind::Anchor, text: text.into(), rel: Rel::default(), block: BlockKind::Paragraph }
    }

    fn article(title: &str, abstracts: &str) -> ParsedPage {
        let content = vec![part(PartKind::Title, title), part(PartKind::Abstract, abstracts)];
        let parts = Parts { page_type: PageType::Article, confidence: 80, content, ..Parts::default() };
        let blocks = vec![Block { kind: BlockKind::Paragraph, text: format!("{title} {abstracts}") }];
        ParsedPage { blocks, parts: Some(Box::new(parts)), ..ParsedPage::default() }
    }

    fn judge() -> Judge {
        Judge::new(Topic::words("machine translation"), Weights { phrases: false, ..Weights::default() })
    }

    #[test]
    fn formulas_one_to_three_by_hand() {
        let mut page = article("machine translation", "machine learning");
        page.links = vec![link("translation"), link("next"), link("machine translation")];
        if let Some(parts) = page.parts.as_deref_mut() {
            let of = |kind| LinkPart { kind, confidence: 90, path: 0 };
            parts.links = vec![of(PartKind::Related), of(PartKind::Sequence), of(PartKind::Noise)];
        }
        // After the one page every term's idf is the same, so that cosines are those of counted words.
        let found = judge().read(&page).relevance;
        assert!((found.content - (0.25 * 1.0 + 0.40 * 0.5)).abs() < 1e-9, "{found:?}");
        // "next" was on no page, but shares nothing with the topic either; the noise link does not count.
        assert!((found.links - 0.5f64.sqrt() / 2.0).abs() < 1e-9, "{found:?}");
        assert!((found.r - (0.7 * found.content + 0.3 * found.links)).abs() < 1e-12);
        assert!((found.structure - 0.65).abs() < 1e-12);
        assert!(found.relevant);
        assert_eq!(found.cosines.len(), 4);
    }

    #[test]
    fn relevant_is_article_and_topic() {
        assert!(judge().read(&article("Translating", "by machines")).relevance.relevant);
        assert!(!judge().read(&article("Translating", "by hand")).relevance.relevant);
        let mut book = article("machine translation", "x");
        if let Some(parts) = book.parts.as_deref_mut() {
            parts.page_type = PageType::Book;
        }
        assert!(!judge().read(&book).relevance.relevant);
        let any = Weights { any_type: true, ..Weights::default() };
        assert!(Judge::new(Topic::words("machine translation"), any).read(&book).relevance.relevant);
        book.parts = None;
        assert!(judge().read(&book).relevance.relevant);
        let high = Weights { threshold: Some(0.99), any_type: true, ..Weights::default() };
        assert!(!Judge::new(Topic::words("machine translation"), high).read(&book).relevance.relevant);
    }

    #[test]
    fn odd_pages_give_zeros() {
        for topic in [Topic::words(""), Topic::text(""), Topic::pages(&[]), Topic::words("a of the")] {
            let mut judge = Judge::new(topic, Weights::default());
            for page in [ParsedPage::default(), article("", ""), article(&"x".repeat(100_000), "\u{0}\u{ffff}")] {
                let found = judge.read(&page).relevance;
                assert_eq!((found.r, found.relevant), (0.0, false));
            }
        }
    }

    #[test]
    fn example_pages_find_their_like() {
        let examples =
            [article("parsing trees", "grammar of dependency trees"), article("parser", "dependency grammar")];
        let mut judge = Judge::new(Topic::pages(&examples), Weights::default());
        let near = judge.read(&article("dependency parsing", "trees and grammar for parsers")).relevance;
        let far = judge.read(&article("speech", "sound waves in rooms")).relevance;
        assert!(near.relevant && !far.relevant && near.r > far.r);
    }

    #[test]
    fn the_same_pages_give_the_same_numbers() {
        let run = || {
            let mut judge = Judge::new(Topic::text("statistical machine translation of sentences"), Weights::default());
            let pages =
                (0..50).map(|n| article(&format!("word{n} machine"), &format!("sentence {} translation", n % 7)));
            pages.map(|page| judge.read(&page).relevance.r.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(run(), run());
    }
}
