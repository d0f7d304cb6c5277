//! The topic as a vector, in the terms of one language.
//!
//! ```text
//! v_T = mean over its texts d of v_d / |v_d|,   cos(v, v_T) = v . v_T / (|v| |v_T|)
//! cover(x) = sum of idf over the topic's words that x has / sum of idf over the topic's words
//! ```
//!
//! A topic of a few words also has their pairs as terms of their own ("machine translation"): a text that has the pair has
//! one dimension more in common with the topic than a text that has both words apart. Texts and examples are cut to
//! their `LARGEST` heaviest terms. Cost: O(terms of the topic) when idf has changed, O(terms of the text) per cosine.

use std::collections::HashMap;

use crate::{Bag, Language, Lexicon, Near, Topic};

/// Terms of a topic at most.
const LARGEST: usize = 512;

/// A topic in one language.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sense {
    texts: Vec<Bag>,
    /// The words of a topic of words, each once.
    words: Vec<u32>,
    pairs: HashMap<(u32, u32), u32>,
    weights: HashMap<u32, f64>,
    length: f64,
    /// The number of pages the weights come from.
    as_of: Option<u32>,
}

impl Sense {
    /// The topic in the terms of a language.
    pub(crate) fn from_topic(topic: &Topic, language: Language, phrases: bool, lexicon: &mut Lexicon) -> Sense {
        let mut sense = Sense::default();
        for (text, own) in &topic.texts {
            let mut terms = Vec::new();
            lexicon.read(text, own.unwrap_or(language), &mut terms);
            if topic.is_words {
                sense.words.clone_from(&terms);
                sense.words.sort_unstable();
                sense.words.dedup();
                if phrases {
                    for two in terms.clone().windows(2) {
                        let pair = lexicon.pair(two[0], two[1]);
                        sense.pairs.insert((two[0], two[1]), pair);
                        terms.push(pair);
                    }
                }
            }
            sense.texts.push(Bag::from_terms(terms));
        }
        sense
    }

    /// The texts of the topic as bags.
    pub(crate) fn texts(&self) -> &[Bag] {
        &self.texts
    }

    /// How many different words a topic of words has.
    pub(crate) fn count(&self) -> usize {
        self.words.len()
    }

    /// Appends the pairs of the topic that occur in a run of terms.
    pub(crate) fn add_pairs(&self, terms: &mut Vec<u32>) {
        if self.pairs.is_empty() {
            return;
        }
        for at in 1..terms.len() {
            if let Some(&pair) = self.pairs.get(&(terms[at - 1], terms[at])) {
                terms.push(pair);
            }
        }
    }

    /// Weighs the topic by what is known of terms by now.
    pub(crate) fn weigh(&mut self, lexicon: &Lexicon) {
        if self.as_of == Some(lexicon.pages()) {
            return;
        }
        self.as_of = Some(lexicon.pages());
        let mut weights: HashMap<u32, f64> = HashMap::new();
        for text in &self.texts {
            let length = length(text, lexicon);
            if length > 0.0 {
                text.iter().for_each(|(term, times)| {
                    *weights.entry(term).or_default() += lexicon.weight(term, times) / length;
                });
            }
        }
        if weights.len() > LARGEST {
            let mut by_weight: Vec<(u32, f64)> = weights.into_iter().collect();
            by_weight.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            by_weight.truncate(LARGEST);
            weights = by_weight.into_iter().collect();
        }
        // Summed in one order, so that it is the same number every time.
        let mut squares: Vec<f64> = weights.values().map(|weight| weight * weight).collect();
        squares.sort_by(f64::total_cmp);
        self.length = squares.iter().sum::<f64>().sqrt();
        self.weights = weights;
    }

    /// How near a text is to the topic.
    pub(crate) fn near(&self, bag: &Bag, lexicon: &Lexicon) -> Near {
        let (mut dot, mut square) = (0.0, 0.0);
        for (term, times) in bag.iter() {
            let weight = lexicon.weight(term, times);
            square += weight * weight;
            if let Some(of) = self.weights.get(&term) {
                dot += weight * of;
            }
        }
        let lengths = square.sqrt() * self.length;
        let cosine = if lengths > 0.0 { (dot / lengths).clamp(0.0, 1.0) } else { 0.0 };
        Near { cosine, cover: self.cover(bag, lexicon) }
    }

    fn cover(&self, bag: &Bag, lexicon: &Lexicon) -> f64 {
        let all: f64 = self.words.iter().map(|word| lexicon.idf(*word)).sum();
        let had: f64 = self.words.iter().filter(|word| bag.has(**word)).map(|word| lexicon.idf(*word)).sum();
        if all > 0.0 { (had / all).clamp(0.0, 1.0) } else { 0.0 }
    }
}

fn length(bag: &Bag, lexicon: &Lexicon) -> f64 {
    bag.iter().map(|(term, times)| lexicon.weight(term, times).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(topic: &Topic, text: &str, phrases: bool) -> Near {
        let mut lexicon = Lexicon::default();
        let mut sense = Sense::from_topic(topic, Language::UNKNOWN, phrases, &mut lexicon);
        sense.weigh(&lexicon);
        let mut terms = Vec::new();
        lexicon.read(text, Language::UNKNOWN, &mut terms);
        sense.add_pairs(&mut terms);
        sense.near(&Bag::from_terms(terms), &lexicon)
    }

    #[test]
    fn cosines_by_hand() {
        // No page seen: every idf is 1.
        let topic = Topic::words("machine translation");
        assert!((near(&topic, "machine translation", false).cosine - 1.0).abs() < 1e-12);
        assert!((near(&topic, "machine learning", false).cosine - 0.5).abs() < 1e-12);
        assert!((near(&topic, "translation of speech", false).cosine - 0.5).abs() < 1e-12);
        assert_eq!(near(&topic, "parsing", false), Near { cosine: 0.0, cover: 0.0 });
        assert_eq!(near(&topic, "", false), Near { cosine: 0.0, cover: 0.0 });
        assert!((near(&topic, "Machines learn", false).cover - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_phrase_is_nearer_than_its_words() {
        let topic = Topic::words("machine translation");
        let (phrase, apart) =
            (near(&topic, "a machine translation day", true), near(&topic, "a translation machine day", true));
        assert!(phrase.cosine > apart.cosine);
        assert_eq!(phrase.cover, 1.0);
        assert_eq!(apart.cover, 1.0);
    }

    #[test]
    fn examples_are_a_mean() {
        let texts = vec![("alpha".to_owned(), None), ("beta".to_owned(), None)];
        let topic = Topic { texts, is_words: false };
        let cosine = near(&topic, "alpha", false).cosine;
        assert!((cosine - 0.5f64.sqrt()).abs() < 1e-12, "{cosine}");
        assert_eq!(near(&topic, "alpha", false).cover, 0.0);
    }

    #[test]
    fn a_large_text_is_cut_and_an_empty_one_is_near_nothing() {
        let text: String = (0..5000).map(|n| format!("w{n} ")).collect();
        let found = near(&Topic::text(&text), &text, false);
        assert!(found.cosine > 0.2 && found.cosine < 1.0);
        assert_eq!(near(&Topic::text(""), "anything", false).cosine, 0.0);
        assert_eq!(near(&Topic::words("the of"), "the of", true).cosine, 0.0);
    }
}
