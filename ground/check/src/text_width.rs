//! How wide is a line of text in a search result?
//!
//! Widths of Arial in thousandths of its size, for ASCII; letters of other alphabets count as an `n`, those of Chinese, Japanese and Korean
//! as a whole size. Not guaranteed: kerning, other fonts.

/// From the blank to the tilde.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// Of other letters.
const LETTER: u64 = 556;
const IDEOGRAPH: u64 = 1000;

/// The width of a text at a size of the font, in pixels.
pub(crate) fn pixels(text: &str, size: u64) -> u64 {
    let width = |c: char| match c as u32 {
        code @ 0x20..=0x7e => u64::from(ASCII[code as usize - 0x20]),
        0x1100..=0x11ff | 0x2e80..=0xd7af | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x20000..=0x3ffff => IDEOGRAPH,
        _ => LETTER,
    };
    text.chars().map(width).sum::<u64>() * size / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_follow_the_letters() {
        assert_eq!((pixels("", 20), pixels("iii", 20), pixels("WWW", 20)), (0, 13, 56));
        assert!(pixels("\u{5730}\u{56fe}", 20) == 40 && pixels("\u{10d}", 20) == 11);
    }
}
