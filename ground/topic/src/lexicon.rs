//! Terms and their weights, learned from the pages shown so far.
//!
//! ```text
//! idf(t) = 1 + ln((1 + N) / (1 + n(t)))      N pages shown so far, n(t) of them with the term t
//! w(t, d) = (1 + ln tf(t, d)) * idf(t)
//! ```
//!
//! Source: Salton and Buckley 1988; the smoothing is the usual one that keeps weights above 0. A page is learned before it is
//! judged, and what was judged stays: numbers are a function of the pages and their order.
//!
//! Cost: a look into a table per word; a stem per new word. Memory: about 60 bytes per different word, bounded by `MOST`; words beyond
//! that count as one rare term.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::Language;
use crate::words::for_each_word;

/// Different words that are remembered.
const MOST: usize = 1 << 20;
/// The term of all words beyond that.
const RARE: u32 = 0;
/// The term of words that do not count.
const LITTLE: u32 = u32::MAX;

/// Words, terms, and in how many pages each term was.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// By a hash of word and language.
    words: HashMap<u64, u32>,
    /// By a hash of the stem.
    terms: HashMap<u64, u32>,
    pages_with: Vec<u32>,
    pages: u32,
}

impl Default for Lexicon {
    fn default() -> Lexicon {
        Lexicon { words: HashMap::new(), terms: HashMap::new(), pages_with: vec![0], pages: 0 }
    }
}

impl Lexicon {
    /// Appends the terms of a text, in order; little words are left out.
    pub fn read(&mut self, text: &str, language: Language, out: &mut Vec<u32>) {
        for_each_word(text, |word| {
            let term = self.term(word, language);
            if term != LITTLE {
                out.push(term);
            }
        });
    }

    fn term(&mut self, word: &str, language: Language) -> u32 {
        let key = xxh3_64_with_seed(word.as_bytes(), language.code());
        if let Some(&term) = self.words.get(&key) {
            return term;
        }
        let term = if language.is_little(word) {
            LITTLE
        } else {
            // Numbers and single letters have no endings.
            let stems = word.len() > 2 && !word.as_bytes()[0].is_ascii_digit();
            let stem = language.stemmer().filter(|_| stems).map(|stemmer| stemmer.stem(word).into_owned());
            self.number(xxh3_64(stem.as_deref().unwrap_or(word).as_bytes()))
        };
        if self.words.len() < MOST {
            self.words.insert(key, term);
        }
        term
    }

    /// The term of two terms in a row.
    pub(crate) fn pair(&mut self, first: u32, second: u32) -> u32 {
        self.number(xxh3_64_with_seed(&(u64::from(first) << 32 | u64::from(second)).to_le_bytes(), 1))
    }

    fn number(&mut self, key: u64) -> u32 {
        if let Some(&term) = self.terms.get(&key) {
            return term;
        }
        if self.terms.len() >= MOST {
            return RARE;
        }
        let term = self.pages_with.len() as u32;
        self.terms.insert(key, term);
        self.pages_with.push(0);
        term
    }

    /// One more page, with these different terms.
    pub fn learn(&mut self, terms: impl Iterator<Item = u32>) {
        self.pages = self.pages.saturating_add(1);
        for term in terms {
            if let Some(pages) = self.pages_with.get_mut(term as usize) {
                *pages = pages.saturating_add(1);
            }
        }
    }

    /// How many pages it has learned from.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// The inverse document frequency of a term: at least 1.
    pub fn idf(&self, term: u32) -> f64 {
        let with = self.pages_with.get(term as usize).copied().unwrap_or_default().min(self.pages);
        1.0 + ((1.0 + f64::from(self.pages)) / (1.0 + f64::from(with))).ln()
    }

    /// The weight of a term that occurs so often.
    pub fn weight(&self, term: u32, times: u32) -> f64 {
        (1.0 + f64::from(times.max(1)).ln()) * self.idf(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(lexicon: &mut Lexicon, text: &str) -> Vec<u32> {
        let mut out = Vec::new();
        lexicon.read(text, Language::UNKNOWN, &mut out);
        out
    }

    #[test]
    fn forms_of_a_word_are_one_term_and_little_words_none() {
        let mut lexicon = Lexicon::default();
        let one = terms(&mut lexicon, "Translating the sentences");
        assert_eq!(one, terms(&mut lexicon, "translated sentence"));
        assert_eq!(one.len(), 2);
    }

    #[test]
    fn weights_by_hand() {
        let mut lexicon = Lexicon::default();
        let found = terms(&mut lexicon, "common rare");
        lexicon.learn([found[0], found[1]].into_iter());
        lexicon.learn([found[0]].into_iter());
        assert_eq!(lexicon.pages(), 2);
        assert!((lexicon.idf(found[0]) - 1.0).abs() < 1e-12);
        assert!((lexicon.idf(found[1]) - (1.0 + 1.5f64.ln())).abs() < 1e-12);
        assert!((lexicon.idf(777) - (1.0 + 3f64.ln())).abs() < 1e-12);
        assert!((lexicon.weight(found[0], 3) - (1.0 + 3f64.ln())).abs() < 1e-12);
    }
}
