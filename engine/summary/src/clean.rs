//! What does a value look like in a list with a line each?
//!
//! Line ends and zero octets become blanks; octets that are no UTF-8 become the sign for that; a value that is longer than
//! allowed is cut between two characters. What is empty or white space only is no value.

use std::borrow::Cow;

/// A value, ready to be written; none if there is nothing in it. The flag says whether it was cut.
pub(crate) fn clean(octets: &[u8], letters: u32) -> Option<(Cow<'_, str>, bool)> {
    let mut text = String::from_utf8_lossy(octets);
    let mut was_cut = false;
    // No need to count where even single octets would fit.
    if text.len() > letters as usize
        && let Some((end, _)) = text.char_indices().nth(letters as usize)
    {
        was_cut = true;
        match &mut text {
            Cow::Borrowed(text) => *text = &text[..end],
            Cow::Owned(text) => text.truncate(end),
        }
    }
    if text.bytes().any(is_break) {
        text = Cow::Owned(text.chars().map(|c| if c.is_ascii() && is_break(c as u8) { ' ' } else { c }).collect());
    }
    if text.trim().is_empty() { None } else { Some((text, was_cut)) }
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | 0x0b | 0x0c | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_on_their_line() {
        let text = |octets: &'static [u8], letters| clean(octets, letters).map(|(text, cut)| (text.into_owned(), cut));
        assert_eq!(text(b"Rostock", 7), Some(("Rostock".into(), false)));
        assert_eq!(text(b"a\r\nb\0c", 10), Some(("a  b c".into(), false)));
        assert_eq!(text("\u{e4}\u{f6}\u{fc}".as_bytes(), 2), Some(("\u{e4}\u{f6}".into(), true)));
        assert_eq!(text("\u{e4}\u{f6}\u{fc}".as_bytes(), 3), Some(("\u{e4}\u{f6}\u{fc}".into(), false)));
        assert_eq!(text(b"a\xffb", 10), Some(("a\u{fffd}b".into(), false)));
        assert_eq!(text(b" x ", 10), Some((" x ".into(), false)));
        for empty in [&b""[..], b"  ", b"\n", b"\0"] {
            assert_eq!(clean(empty, 10), None);
        }
    }
}
