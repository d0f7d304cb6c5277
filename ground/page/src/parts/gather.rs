//! Head and body held together: where both say the same, it is surer; where the head says less, the body completes it.

use groma_model::{PageType, PartKind};

use super::declared::{self, Declared};
use super::keywords::{self, About};
use super::masthead;
use super::outline::NONE;
use super::sections::Sections;
use super::spot::Spot;
use super::summary;
use super::view::View;

/// How sure we are of what the head alone says, and of what both say.
const HEAD: u8 = 86;
const BOTH: u8 = 96;
/// How sure we are at least of what the page announces by a word.
const SHOWN: u8 = 80;
/// How sure we are of words that the head loosely calls keywords and that are about the work.
const LOOSE: u8 = 60;

/// The content parts of a page.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) title: Option<Spot>,
    pub(crate) authors: Vec<Spot>,
    pub(crate) affiliations: Vec<Spot>,
    pub(crate) summary: Option<Spot>,
    pub(crate) keywords: Vec<Spot>,
    pub(crate) declared: Declared,
}

pub(crate) fn gather_parts(view: &View<'_>, sections: &Sections) -> Gathered {
    let declared = declared::read_declared(view.page, &view.outline.data);
    let mut body_summary = summary::summary(view, sections);
    let shown = body_summary.as_ref().map(|spot| spot.text.as_str());
    let texts = [shown, declared.summary.as_deref(), declared.title.as_deref(), Some(view.page.title.as_str())];
    let about = About::new(texts.into_iter().flatten(), &declared.loose);
    let sure = body_summary.as_ref().filter(|spot| spot.confidence >= 60);
    let keywords = keywords::find_keywords(view, sections, &about, sure.map_or(&[], |spot| &spot.blocks));
    let none = keywords.is_empty() && declared.keywords.is_empty();
    let loose = if none { loose_words(&declared, &about) } else { Vec::new() };
    let first = body_summary.as_ref().and_then(|spot| spot.blocks.first().copied()).map(|block| block as usize);
    let masthead = masthead::find_masthead(view, sections, first, declared.title.as_deref());
    let scholarly =
        declared.page_type == Some(PageType::Article) || !masthead.affiliations.is_empty() || !keywords.is_empty();
    if body_summary.is_none() && scholarly && !masthead.authors.is_empty() {
        let last =
            masthead.authors.iter().chain(&masthead.affiliations).flat_map(|spot| spot.blocks.iter().copied()).max();
        body_summary = last.and_then(|block| summary::by_place(view, sections, block as usize));
    }
    let title = one(declared.title.as_deref(), masthead.title);
    let authors = many(&declared.authors, masthead.authors);
    let affiliations = many(&declared.affiliations, masthead.affiliations);
    let told = declared.summary.as_deref().filter(|_| {
        // A description may be of anything: an abstract that the page calls so is surer.
        let shown = body_summary.as_ref().is_some_and(|spot| spot.confidence >= SHOWN);
        declared.is_abstract || !shown
    });
    let summary = one(told, body_summary);
    let keywords = shown_words(&declared.keywords, keywords);
    let keywords = if keywords.is_empty() { loose } else { keywords };
    Gathered { title, authors, affiliations, summary, keywords, declared }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// One text from both.
fn one(head: Option<&str>, body: Option<Spot>) -> Option<Spot> {
    let Some(head) = head.filter(|text| !text.is_empty()) else { return body };
    let plain = letters(head);
    let Some(mut body) = body else { return Some(Spot { text: head.to_owned(), confidence: HEAD, ..Spot::default() }) };
    let shown = letters(&body.text);
    let start = |text: &str| text.chars().take(60).collect::<String>();
    if shown == plain
        || (shown.len() >= 8 && (plain.starts_with(&shown) || shown.starts_with(&plain)))
        || (shown.len() > 120 && start(&shown) == start(&plain))
    {
        // The longer one is whole, unless a title has the site's name behind it, or the page announces its text and shows all of it.
        let whole = body.confidence >= SHOWN && body.text.ends_with(['.', '。', '!', '?', ')', '”', '"']);
        if plain.len() > shown.len() && plain.len() > 200 && !whole {
            body.text = head.to_owned();
        }
        body.confidence = BOTH;
        return Some(body);
    }
    if plain.contains(&shown) && shown.len() > 12 {
        body.confidence = body.confidence.max(HEAD);
        return Some(body);
    }
    Some(Spot { text: head.to_owned(), confidence: HEAD - 6, ..Spot::default() })
}

/// A list from both: the head's, unless the body has all of it and more.
fn many(head: &[String], mut body: Vec<Spot>) -> Vec<Spot> {
    if head.is_empty() {
        return body;
    }
    let key = |text: &str| {
        let mut words: Vec<String> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        words.sort();
        words.concat()
    };
    let known: std::collections::HashMap<String, usize> =
        body.iter().enumerate().map(|(at, spot)| (key(&spot.text), at)).collect();
    let common: Vec<Option<usize>> = head.iter().map(|text| known.get(&key(text)).copied()).collect();
    let agreed = common.iter().flatten().count();
    if body.len() > head.len() && agreed == head.len() {
        body.iter_mut().for_each(|spot| spot.confidence = spot.confidence.max(HEAD));
        common.iter().flatten().for_each(|at| body[*at].confidence = BOTH);
        return body;
    }
    let merged = head.iter().zip(&common).map(|(text, at)| match at {
        Some(at) => Spot { text: text.clone(), confidence: BOTH, ..body[*at].clone() },
        None => Spot { text: text.clone(), confidence: HEAD, ..Spot::default() },
    });
    merged.collect()
}

/// Keywords from both. Heads often name a subject or cut words at other signs than the page does: a list that the page announces
/// is taken if the two have nothing in common, or the same letters.
fn shown_words(head: &[String], body: Vec<Spot>) -> Vec<Spot> {
    let whole = |texts: &mut dyn Iterator<Item = &str>| texts.map(letters).collect::<String>();
    let (said, shown) =
        (whole(&mut head.iter().map(String::as_str)), whole(&mut body.iter().map(|word| word.text.as_str())));
    let announced = body.len() >= 2 && body.iter().all(|word| word.confidence >= SHOWN);
    let known: std::collections::HashSet<String> = body.iter().map(|word| letters(&word.text)).collect();
    let strange = !head.iter().any(|word| known.contains(&letters(word)));
    if announced && (strange || said == shown) { many(&[], body) } else { many(head, body) }
}

/// What the head loosely calls keywords, if most of it is about the work.
fn loose_words(declared: &Declared, about: &About<'_>) -> Vec<Spot> {
    let words: Vec<Spot> =
        declared.loose.iter().map(|word| Spot { text: word.clone(), confidence: LOOSE, ..Spot::default() }).collect();
    let own = declared.cited && (3..=25).contains(&words.len()) && about.told(&words) * 2 > words.len();
    if own { words } else { Vec::new() }
}

impl Gathered {
    /// Which links are content parts.
    pub(crate) fn links(&self, count: usize) -> Vec<bool> {
        let mut taken = vec![false; count];
        for (_, spot) in self.spots() {
            spot.links.iter().filter(|link| **link != NONE).for_each(|link| taken[*link as usize] = true);
        }
        taken
    }

    /// All of them with their kinds.
    pub(crate) fn spots(&self) -> Vec<(PartKind, &Spot)> {
        let title = self.title.iter().map(|spot| (PartKind::Title, spot));
        let authors = self.authors.iter().map(|spot| (PartKind::Authors, spot));
        let places = self.affiliations.iter().map(|spot| (PartKind::Affiliation, spot));
        let summary = self.summary.iter().map(|spot| (PartKind::Abstract, spot));
        let keywords = self.keywords.iter().map(|spot| (PartKind::Keywords, spot));
        title.chain(authors).chain(places).chain(summary).chain(keywords).collect()
    }

    /// The type of the page is known: a list has no authors of its own, a book no abstract.
    pub(crate) fn settle(&mut self, page_type: PageType) {
        match page_type {
            PageType::Article => {}
            PageType::Book => {
                if self.summary.as_ref().is_some_and(|spot| spot.confidence < 80) {
                    self.summary = None;
                }
            }
            PageType::List | PageType::Other => {
                let bar = if page_type == PageType::List { HEAD } else { 70 };
                self.authors.retain(|spot| spot.confidence >= bar);
                self.affiliations.retain(|spot| spot.confidence >= bar);
                self.keywords.retain(|spot| spot.confidence >= bar);
                if self.summary.as_ref().is_some_and(|spot| spot.confidence < bar) {
                    self.summary = None;
                }
            }
        }
    }
}
