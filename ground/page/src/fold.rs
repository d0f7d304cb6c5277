//! White space: what counts as such, and how runs of it become one space.
//!
//! Folded are the HTML standard's white space (tab, line feed, form feed, carriage return, space) and U+00A0, which
//! authors use to lay out, not to mean something.

/// Text that is being folded, up to a number of bytes.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// What there is so far: no space at either end, no two in a row.
    pub(crate) text: String,
    /// White space came after the last word.
    pub(crate) gap: bool,
}

/// 1: white space; 2: may begin U+00A0.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    table[b' ' as usize] = 1;
    table[b'\t' as usize] = 1;
    table[b'\n' as usize] = 1;
    table[b'\r' as usize] = 1;
    table[0x0c] = 1;
    table[0xc2] = 2;
    table
};

/// How long the white space at the start of some bytes is.
fn white(bytes: &[u8]) -> usize {
    match CLASS[usize::from(bytes[0])] {
        1 => 1,
        2 if bytes.get(1) == Some(&0xa0) => 2,
        _ => 0,
    }
}

/// How long the run of words at the start of some bytes is: words with one space between two of them, which can be taken as
/// they are.
pub(crate) fn run(text: &[u8]) -> usize {
    let mut end = 0;
    while end < text.len() {
        while text.get(end..).and_then(<[u8]>::first_chunk).is_some_and(is_plain) {
            end += WINDOW - 1;
        }
        // Something is not plain here, or the end is near: look closer.
        let stop = text.len().min(end + WINDOW - 1);
        while end < stop {
            if CLASS[usize::from(text[end])] != 0 {
                let one_space = text[end] == b' ' && text.get(end + 1).is_some_and(|b| CLASS[usize::from(*b)] == 0);
                if !one_space && white(&text[end..]) > 0 {
                    return end;
                }
            }
            end += 1;
        }
    }
    end
}

/// Bytes looked at together, the last one only as the next of the one before it.
const WINDOW: usize = 17;

/// Surely no white space but single spaces. Written for the compiler to make it a few vector instructions.
#[inline]
fn is_plain(window: &[u8; WINDOW]) -> bool {
    let mut odd = 0;
    for at in 0..WINDOW - 1 {
        let (b, next) = (window[at], window[at + 1]);
        let ends = u8::from(next <= b' ') | u8::from(next == 0xc2);
        odd |= u8::from(b < b' ') | u8::from(b == 0xc2) | (u8::from(b == b' ') & ends);
    }
    odd == 0
}

impl Folded {
    /// Adds text; words beyond `room` bytes in all are left out. False if any were.
    pub(crate) fn push(&mut self, mut text: &str, room: usize) -> bool {
        while !text.is_empty() {
            let space = white(text.as_bytes());
            if space > 0 {
                self.gap = true;
                text = &text[space..];
                continue;
            }
            let end = run(text.as_bytes());
            let space = usize::from(self.gap && !self.text.is_empty());
            let left = room.saturating_sub(self.text.len() + space);
            // What fits of a run that does not is cut between two words.
            let fits = if end <= left { Some(end) } else { memchr::memrchr(b' ', &text.as_bytes()[..left + 1]) };
            let Some(fits) = fits.filter(|_| self.text.len() + space <= room) else { return false };
            if space > 0 {
                self.text.push(' ');
            }
            self.gap = false;
            self.text.push_str(&text[..fits]);
            if fits < end {
                return false;
            }
            text = &text[end..];
        }
        true
    }

    /// The text, leaving an empty one that keeps its room.
    pub(crate) fn take(&mut self) -> String {
        let text = self.text.as_str().to_owned();
        self.text.clear();
        self.gap = false;
        text
    }
}

/// A text folded, cut before the first word that goes beyond `room` bytes.
pub(crate) fn folded(text: &str, room: usize) -> String {
    let mut folded = Folded::default();
    folded.push(text, room);
    folded.take()
}

/// The longest start of a text that has at most `room` bytes and ends between two characters.
pub(crate) fn cut(text: &str, room: usize) -> &str {
    let end = (0..=room.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn runs_become_one_space_and_ends_none() {
        assert_eq!(folded(" a \t\r\n b\u{a0}\u{a0}c ", 100), "a b c");
        assert_eq!(folded("\u{a0}", 100), "");
        assert_eq!(folded("\u{c2}\u{e9}t\u{e9}", 100), "\u{c2}\u{e9}t\u{e9}");
    }

    proptest! {
        #[test]
        fn room_is_kept_and_words_stay_whole(text in "[ab\u{a0}\u{e9} \n]{0,30}", room in 0usize..30) {
            let words: Vec<&str> = text.split([' ', '\n', '\u{a0}']).filter(|word| !word.is_empty()).collect();
            let fits = |n: &usize| words[..*n].join(" ").len() <= room;
            let most = (0..=words.len()).rev().find(fits).unwrap_or(0);
            let mut folded = Folded::default();
            let all = folded.push(&text, room);
            prop_assert_eq!(folded.take(), words[..most].join(" "));
            prop_assert_eq!(all, most == words.len());
        }
    }

    #[test]
    fn words_beyond_the_room_are_left_out_whole() {
        let mut folded = Folded::default();
        assert!(folded.push("ab cd", 7));
        assert!(!folded.push(" efg", 7));
        assert_eq!(folded.take(), "ab cd");
    }

    proptest! {
        #[test]
        fn pieces_fold_like_the_whole(text in "[ab\u{a0}\u{c2} \n]{0,80}|[abcde\u{e9}\u{c2}]{0,9}( [abcd]{1,9}){0,12}[ \u{a0}\n]{0,2}", at in 0usize..80) {
            let at = cut(&text, at).len();
            let mut pieces = Folded::default();
            pieces.push(&text[..at], 1000);
            pieces.push(&text[at..], 1000);
            let words: Vec<&str> = text.split(|c: char| c == '\u{a0}' || c.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
            prop_assert_eq!(pieces.take(), words.join(" "));
        }
    }
}
