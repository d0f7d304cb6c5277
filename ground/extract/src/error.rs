//! What is wrong with a selector, and where.

use std::fmt;

/// A selector that is none, with the place where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    /// The selector as it was written.
    pub text: String,
    /// The byte where it goes wrong.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

impl SelectorError {
    pub(crate) fn new(text: &str, at: usize, what: impl Into<String>) -> SelectorError {
        SelectorError { text: text.to_owned(), at: at.min(text.len()), what: what.into() }
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen: String = self.text.get(self.at..).unwrap_or_default().chars().take(20).collect();
        match (self.at, seen.is_empty()) {
            (0, _) => f.write_str(&self.what),
            (_, true) => write!(f, "{} at its end", self.what),
            (_, false) => write!(f, "{} at `{seen}`", self.what),
        }
    }
}

impl std::error::Error for SelectorError {}
