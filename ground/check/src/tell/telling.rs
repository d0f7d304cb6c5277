//! What all forms have in common: how they are told, how texts are cut, and the last words about a finding.

use std::io;

use groma_model::wording::plain;

use crate::closing::Closing;
use crate::finding::Finding;

/// Takes findings one by one, in the order of a check, and writes them.
pub trait Teller {
    /// Writes the next finding.
    fn tell(&mut self, finding: &Finding) -> io::Result<()>;

    /// There are no more.
    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()>;
}

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What the eye should find first.
    Heading,
    /// An error.
    Bad,
    Warning,
    /// Of less weight.
    Faint,
}

/// Puts what a terminal needs around a piece of text.
pub type Painter = fn(Tone, &str) -> String;

/// No colors.
pub fn unpainted(_: Tone, text: &str) -> String {
    text.to_owned()
}

/// A stranger's text without control characters, cut where it is too long to be read.
pub(super) fn short(text: &str, characters: usize) -> String {
    let mut shown = plain(&text.chars().take(characters).collect::<String>());
    if text.chars().nth(characters).is_some() {
        shown.push('\u{2026}');
    }
    shown
}

/// Since when, as a day; nothing if it is not known.
pub(super) fn day(since: i64) -> Option<String> {
    (since > 0).then(|| {
        let (year, month, day) = groma_model::moment::date(since.div_euclid(86_400));
        format!("{year:04}-{month:02}-{day:02}")
    })
}

/// Why, since when and what else: the last part of a finding for people. Made of our own words and numbers but for the detail.
pub(super) fn why(finding: &Finding) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(finding.reason.map(|reason| reason.says().to_owned()));
    parts.extend(day(finding.since).map(|day| format!("since {day}")));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(short("gr\u{fc}\u{df}e", 4), "gr\u{fc}\u{df}\u{2026}");
        assert_eq!(short("a\nb", 4), "a b");
        assert_eq!([day(0), day(86_400)], [None, Some("1970-01-02".to_owned())]);
    }
}
