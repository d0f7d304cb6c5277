//! Where words begin and end, in any script, in one pass.
//!
//! A word is a run of letters, digits and the marks that stand on letters; everything else parts words. So `pg_stat_activity`,
//! `std::vector` and `3.14` are several words in a row, found by each of them and, asked for in one piece, by their order.
//! `c++` and `c#` are words. Scripts that put no spaces between words give runs that are cut into pairs of letters.

/// Parts the blocks of a text: words on both sides are no neighbors.
pub(crate) const BREAK: char = '\u{1e}';

/// What was found, by where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    Word(usize, usize),
    /// A word with the signs that belong to it: `c++`, `c#`, with the end of the word itself.
    Signed(usize, usize, usize),
    /// Letters of a script without spaces.
    Solid(usize, usize),
    /// A new block begins.
    Break,
}

/// Walks through a text.
#[derive(Clone, Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// Goes on with a word, but begins none.
    Mark,
    Solid,
    Break,
    Other,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0 }
    }

    /// The class of the character at `at`, and its length in bytes.
    fn class(&self, at: usize) -> Option<(Class, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte < 0x80 {
            let class = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Letter,
                0x1e => Class::Break,
                _ => Class::Other,
            };
            return Some((class, 1));
        }
        let c = self.text[at..].chars().next()?;
        Some((class_of(c), c.len_utf8()))
    }

    fn end_of(&self, class: Class, mut at: usize) -> usize {
        if class == Class::Letter {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            for eight in rest.as_chunks::<8>().0 {
                let plain = plain_letters(*eight);
                at += plain;
                match eight.get(plain) {
                    None => {}
                    Some(byte) if byte.is_ascii() => return at,
                    Some(_) => break,
                }
            }
        }
        while let Some((of, length)) = self.class(at) {
            if of != class && (class, of) != (Class::Letter, Class::Mark) {
                break;
            }
            at += length;
        }
        at
    }
}

impl Iterator for Scan<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            if rest.first() == Some(&b' ') {
                self.at += 1;
                continue;
            }
            let from = self.at;
            // Most words are plain, and short enough to be seen whole.
            if let Some(eight) = rest.first_chunk::<8>()
                && let plain @ 1..8 = plain_letters(*eight)
                && !matches!(eight[plain], b'+' | b'#' | 0x80..)
            {
                self.at = from + plain;
                return Some(Run::Word(from, self.at));
            }
            let (class, length) = self.class(from)?;
            self.at = from + length;
            match class {
                Class::Other | Class::Mark => {}
                Class::Break => return Some(Run::Break),
                Class::Solid => {
                    self.at = self.end_of(Class::Solid, self.at);
                    return Some(Run::Solid(from, self.at));
                }
                Class::Letter => {
                    let end = self.end_of(Class::Letter, self.at);
                    let signs = signs(&self.text.as_bytes()[end..]);
                    self.at = end + signs;
                    return Some(if signs == 0 { Run::Word(from, end) } else { Run::Signed(from, end, self.at) });
                }
            }
        }
    }
}

/// How many of eight bytes are ASCII letters and digits, up to the first that is not; all at once, by sums that carry into the top
/// bit of each byte (H. S. Warren, Hacker's Delight, chapter 6).
fn plain_letters(eight: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    let bytes = u64::from_le_bytes(eight);
    // The top bit of each byte that is at least `least`; of bytes below 0x80.
    let at_least = |bytes: u64, least: u8| bytes + u64::from(0x80 - least) * EACH;
    let low = bytes & !TOP;
    let lower = low | (0x20 * EACH);
    let letters = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let others = !((letters | digits) & !bytes) & TOP;
    others.trailing_zeros() as usize / 8
}

/// How many of these bytes belong to the word before them: `++` or `#`, with no word behind.
fn signs(rest: &[u8]) -> usize {
    let length = match rest {
        [b'+', b'+', ..] => 2,
        [b'#', ..] => 1,
        _ => return 0,
    };
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#') || *byte >= 0x80;
    if rest.get(length).is_some_and(goes_on) { 0 } else { length }
}

fn class_of(c: char) -> Class {
    match c {
        _ if c >= '\u{e00}' && is_solid(c) => Class::Solid,
        '\u{300}'..='\u{36f}' => Class::Mark,
        // Soft hyphens and joiners are written inside words and are not seen.
        '\u{ad}' | '\u{200c}' | '\u{200d}' => Class::Mark,
        _ if c.is_alphanumeric() => Class::Letter,
        // Full stops of Indian scripts.
        '\u{964}' | '\u{965}' | '\u{970}' => Class::Other,
        // Vowel signs of Indian scripts and points of Hebrew and Arabic stand inside words.
        '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{d7f}' => Class::Mark,
        _ => Class::Other,
    }
}

/// A letter of a script that puts no spaces between words (or, in Korean, sticks particles to them).
pub(super) fn is_solid(c: char) -> bool {
    is_han(c)
        || matches!(c,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
            | '\u{ac00}'..='\u{d7af}' | '\u{ff66}'..='\u{ff9f}')
}

/// A Chinese character: one letter may be a word.
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let piece = |run| match run {
            Run::Word(from, to) | Run::Solid(from, to) | Run::Signed(from, _, to) => &text[from..to],
            Run::Break => "|",
        };
        Scan::new(text).map(piece).collect()
    }

    #[test]
    fn eight_letters_at_once() {
        for byte in 0..=255u8 {
            let expected = if byte.is_ascii_alphanumeric() { 8 } else { 3 };
            assert_eq!(plain_letters([b'a', b'Z', b'9', byte, b'0', b'q', b'A', b'z']), expected, "{byte}");
        }
        assert_eq!((plain_letters([0; 8]), plain_letters([0xff; 8])), (0, 0));
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(words("Don't panic, 3.14!"), ["Don", "t", "panic", "3", "14"]);
        assert_eq!(words("pg_stat_activity std::vector"), ["pg", "stat", "activity", "std", "vector"]);
        assert_eq!(words("C++ and C# but a+b c+++d x#y"), ["C++", "and", "C#", "but", "a", "b", "c", "d", "x", "y"]);
        assert_eq!(words("Příliš žluťoučký"), ["Příliš", "žluťoučký"]);
        assert_eq!(words("Rust言語は速い。yes"), ["Rust", "言語は速い", "yes"]);
        assert_eq!(words("a\u{1e}b"), ["a", "|", "b"]);
        assert_eq!(words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(words("यह शब्द है।"), ["यह", "शब्द", "है"], "a full stop is no part of a word");
        assert_eq!(words("e\u{301}t=\u{301} \u{ad}b"), ["e\u{301}t", "b"], "an accent alone is no word");
        assert_eq!(words(" \n\t"), [""; 0]);
    }
}
