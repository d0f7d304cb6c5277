//! Which languages have a stemmer, and which little words do not count.

use frostem::{Algorithm, Stemmer};
use groma_page::is_function_word;

/// The languages with a stemmer, by the codes pages declare. Their places are written into full-text indexes: append only.
pub const STEMMED: [(&str, Algorithm); 36] = [
    ("en", Algorithm::English),
    ("de", Algorithm::German),
    ("fr", Algorithm::French),
    ("cs", Algorithm::Czech),
    ("es", Algorithm::Spanish),
    ("it", Algorithm::Italian),
    ("pt", Algorithm::Portuguese),
    ("nl", Algorithm::Dutch),
    ("sv", Algorithm::Swedish),
    ("no", Algorithm::Norwegian),
    ("nb", Algorithm::Norwegian),
    ("nn", Algorithm::Norwegian),
    ("da", Algorithm::Danish),
    ("fi", Algorithm::Finnish),
    ("hu", Algorithm::Hungarian),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("tr", Algorithm::Turkish),
    ("ar", Algorithm::Arabic),
    ("el", Algorithm::Greek),
    ("ca", Algorithm::Catalan),
    ("eu", Algorithm::Basque),
    ("hy", Algorithm::Armenian),
    ("ga", Algorithm::Irish),
    ("hi", Algorithm::Hindi),
    ("id", Algorithm::Indonesian),
    ("lt", Algorithm::Lithuanian),
    ("ne", Algorithm::Nepali),
    ("ta", Algorithm::Tamil),
    ("yi", Algorithm::Yiddish),
    ("pl", Algorithm::Polish),
    ("uk", Algorithm::Ukrainian),
    ("sr", Algorithm::Serbian),
    ("et", Algorithm::Estonian),
    ("fa", Algorithm::Persian),
    ("eo", Algorithm::Esperanto),
];

/// How the words of a text are stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

impl Language {
    /// No stemmer and no little words.
    pub const NONE: Language = Language(u8::MAX);
    /// Short texts whose language nobody could tell are mostly English.
    pub const UNKNOWN: Language = Language(0);

    /// `code` is what a page declares: `de`, `de-at`, nothing.
    pub fn from_code(code: Option<&str>) -> Language {
        let code = code.unwrap_or_default().split(['-', '_']).next().unwrap_or_default();
        if code.is_empty() || code == "und" {
            return Language::UNKNOWN;
        }
        let place = STEMMED.iter().position(|(known, _)| known.eq_ignore_ascii_case(code));
        place.map_or(Language::NONE, |place| Language(place as u8))
    }

    /// A number for it.
    pub(crate) fn code(self) -> u64 {
        u64::from(self.0)
    }

    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        STEMMED.get(usize::from(self.0)).map(|(_, algorithm)| Stemmer::new(*algorithm))
    }

    /// Is a word, in lower case, one of its little words?
    pub(crate) fn is_little(self, word: &str) -> bool {
        STEMMED.get(usize::from(self.0)).is_some_and(|(name, _)| is_function_word(word, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        assert_eq!(Language::from_code(Some("de-AT")), Language::from_code(Some("de")));
        assert_eq!(Language::from_code(None), Language::from_code(Some("en")));
        assert_eq!(Language::from_code(Some("zh")), Language::NONE);
        assert!(Language::NONE.stemmer().is_none());
        assert!(Language::from_code(Some("de")).is_little("und") && !Language::UNKNOWN.is_little("und"));
    }
}
