//! Which terms a word is written down as, and asked by.
//!
//! ```text
//! terms(word) = { fold(stem(lower(word))), stem(fold(lower(word))) }      one term, unless the word has accents
//! ```
//!
//! Pages and questions use the same formula, so a question finds a word with or without its accents, and stemming sees the
//! accents it was made for.

use std::borrow::Cow;

use frostem::Stemmer;

use super::{Language, fold};

/// Letters of a word that count.
const LETTERS: usize = 64;

/// The terms of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) first: String,
    /// For words with accents.
    pub(crate) second: Option<String>,
}

impl Terms {
    /// `lower` is in lower case.
    pub(crate) fn from_word(lower: &str, language: Language) -> Terms {
        Terms::by(lower, language.stemmer().as_ref())
    }

    pub(crate) fn by(lower: &str, stemmer: Option<&Stemmer>) -> Terms {
        let stemmed = stem(lower, stemmer);
        // Serbian in plain letters gets its accents by stemming: adj, ađ.
        if lower.is_ascii() && stemmed.is_ascii() {
            return Terms { first: stemmed.into_owned(), second: None };
        }
        let mut first = String::new();
        fold(&stemmed, &mut first);
        let mut plain = String::new();
        fold(lower, &mut plain);
        let second = stem(&plain, stemmer).into_owned();
        let second = (second != first).then_some(second);
        Terms { first, second }
    }
}

fn stem<'a>(word: &'a str, stemmer: Option<&Stemmer>) -> Cow<'a, str> {
    match stemmer {
        // Numbers and single letters have no endings.
        Some(stemmer) if word.len() > 2 && !word.as_bytes()[0].is_ascii_digit() => stemmer.stem(word),
        _ => Cow::Borrowed(word),
    }
}

/// A word in lower case, without what is not seen of it, cut to the letters that count.
pub(crate) fn lower(word: &str) -> String {
    if word.is_ascii() {
        return word.get(..LETTERS).unwrap_or(word).to_ascii_lowercase();
    }
    let seen = |c: &char| !matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}');
    word.chars().filter(seen).take(LETTERS).flat_map(char::to_lowercase).collect()
}

/// The term of a word with its signs, `c++`.
pub(crate) fn sign(word: &str) -> String {
    lower(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(word: &str, language: &str) -> Vec<String> {
        let terms = Terms::from_word(&lower(word), Language::from_code(language));
        [Some(terms.first), terms.second].into_iter().flatten().collect()
    }

    #[test]
    fn with_and_without_accents_meet() {
        for (accents, plain, language) in
            [("Příliš", "prilis", "cs"), ("Übungen", "ubung", "de"), ("Übung", "Uebung", "de"), ("étés", "ete", "fr")]
        {
            let (one, other) = (terms(accents, language), terms(plain, language));
            assert!(one.iter().any(|term| other.contains(term)), "{one:?} {other:?}");
        }
        assert_eq!(terms("connections", "en"), ["connect"]);
        assert_eq!(terms("2026", "en"), ["2026"]);
    }

    #[test]
    fn long_words_are_cut_between_letters() {
        assert_eq!(lower(&"Ž".repeat(500)).chars().count(), LETTERS);
        assert_eq!(lower(&"A".repeat(500)), "a".repeat(LETTERS));
        assert_eq!(lower("Wör\u{ad}ter"), "wörter");
    }
}
