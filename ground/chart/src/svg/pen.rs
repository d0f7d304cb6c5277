//! Text in a picture: written so that no title becomes markup, and cut where its column ends.

use std::io::{self, Write};

use groma_model::escape::Xml;
use unicode_width::UnicodeWidthChar;

/// Writes a text at a place; each is isolated, so that one written from right to left does not turn its neighbors.
pub(crate) fn text(out: &mut dyn Write, class: &str, x: u32, y: u32, words: &str) -> io::Result<()> {
    write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", Xml(words))
}

/// As much of a text as fits into so many pixels, if a letter of usual width takes `letter` of them.
pub(crate) fn fitting(words: &str, pixels: u32, letter: u32) -> String {
    let room = (pixels / letter.max(1)) as usize;
    let mut used = 0;
    for (at, c) in words.char_indices() {
        used += c.width().unwrap_or(0);
        if used > room {
            let kept = &words[..at];
            let shorter = kept.char_indices().next_back().map_or(kept, |(last, _)| &kept[..last]);
            return format!("{}…", shorter.trim_end());
        }
    }
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_their_width() {
        assert_eq!(fitting("abcdef", 42, 7), "abcdef");
        assert_eq!(fitting("abcdefg", 42, 7), "abcde…");
        assert_eq!(fitting("測量測量", 42, 7), "測量…");
        assert_eq!(fitting("ab", 7, 7), "…");
        assert_eq!(fitting("", 0, 0), "");
    }
}
