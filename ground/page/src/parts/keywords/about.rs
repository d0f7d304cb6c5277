//! Are these words about what the work is about?
//!
//! Formula: a word is *told* if all its pieces of three letters or more (endings of the plural left out) occur in title or abstract. A list
//! is about the work if at least two of its words and a third of them are told. Authors choose most keywords from what they wrote;
//! a site's own subjects and what is searched for most seldom meet there twice. Cost: linear in title and abstract once, then in
//! the words asked about.
//!
//! Not guaranteed: keywords in another language than the abstract are never told.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::super::spot::Spot;

/// Bytes of title and abstract that are looked at.
const LOOKED_AT: usize = 20_000;
/// Pieces of titles alone that would meet by chance.
const FEWEST: usize = 12;

/// What title and abstract say.
#[derive(Debug, Default)]
pub(crate) struct About<'a> {
    texts: Vec<&'a str>,
    /// Cut when somebody asks: most pages announce their keywords, or have none.
    pieces: OnceCell<HashSet<String>>,
    /// What the head calls keywords without saying of what.
    loose: &'a [String],
    /// The same in small letters.
    known: OnceCell<HashSet<String>>,
}

impl<'a> About<'a> {
    /// From titles and abstract, and from what the head loosely calls keywords.
    pub(crate) fn new(texts: impl Iterator<Item = &'a str>, loose: &'a [String]) -> About<'a> {
        About { texts: texts.collect(), pieces: OnceCell::new(), loose, known: OnceCell::new() }
    }

    fn pieces(&self) -> &HashSet<String> {
        self.pieces.get_or_init(|| {
            let mut room = LOOKED_AT;
            let mut found = HashSet::new();
            for text in &self.texts {
                let text = crate::fold::cut(text, room);
                room -= text.len();
                found.extend(pieces(text));
            }
            found
        })
    }

    /// Does the work's own text have all of this word?
    pub(crate) fn has(&self, word: &str) -> bool {
        let mut some = false;
        pieces(word).all(|piece| {
            some = true;
            self.pieces().contains(&piece)
        }) && some
    }

    /// How many of the words are told.
    pub(crate) fn told(&self, words: &[Spot]) -> usize {
        words.iter().filter(|word| self.has(&word.text)).count()
    }

    /// Is the list about the work?
    pub(crate) fn tells(&self, words: &[Spot]) -> bool {
        let told = self.told(words);
        told >= 2 && self.pieces().len() >= FEWEST && told * 3 >= words.len()
    }

    /// Is it the list that the head loosely calls keywords?
    pub(crate) fn lists(&self, words: &[Spot]) -> bool {
        if self.loose.is_empty() {
            return false;
        }
        let known = self.known.get_or_init(|| self.loose.iter().map(|word| word.to_lowercase()).collect());
        let listed = words.iter().filter(|word| known.contains(&word.text.to_lowercase())).count();
        listed >= 2 && listed * 5 >= words.len() * 4
    }
}

/// The pieces of a text by which it is compared.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|piece| piece.chars().count() >= 3 || is_wide(piece)).map(
        |piece| {
            let lower = piece.to_lowercase();
            let bare =
                lower.strip_suffix("ies").or_else(|| lower.strip_suffix('s')).or_else(|| lower.strip_suffix('y'));
            bare.filter(|bare| bare.len() >= 3).unwrap_or(&lower).to_owned()
        },
    )
}

fn is_wide(piece: &str) -> bool {
    piece.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7a3}').contains(&c))
}
