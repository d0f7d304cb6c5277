//! Which bits stand for what in a compressed body: codes that were found once over many pages, instead of anew for each.
//!
//! ```text
//! the code of a byte, a length or a distance:  as long as Huffman's with at most 12 bits makes it, by how often it came up in
//!                                              the pages of several sites (examples/codes.rs); then in order (RFC 1951, 3.2.2)
//! ```
//!
//! A block with codes of its own says their lengths in front (RFC 1951, 3.2.7): 108 bytes here, always the same, which a few thousand
//! bytes of a page win back. Shorter things and what is no text have the codes that need no words (3.2.6). Cost: looked up. Not
//! guaranteed: that they suit the page at hand.
//!
//! The sites: documentation of Debian, Node.js, Python and Rust (packages debian-handbook in its languages, debian-policy, installation-guide-amd64,
//! python3.11-doc, the manuals that come with the other two), and half as much each of Russian, of Japanese and Chinese (developers-reference-ru, debian-faq-ru,
//! debian-reference-ja, debian-faq-zh-cn), of scripts, of data and styles, and of pages with tabs, long runs of spaces and line ends of two bytes.

use std::sync::LazyLock;

/// Bytes, the end of a block, and lengths, in the order of their symbols: the length of each code, as a hexadecimal digit.
const WORDS: &str = "\
    ccccccccca7ccacccccccccccccccccc4b6accba99cb766676777778889a676c\
    c9a999aba9cc9aaa9ca99abbcccacac9c576547765a856556a55467887abcacc\
    9889aabbabbaabbabbbcbbcbbbbbabcbaacbbbbaabbbbbaa9aaaa9ba9a99999a\
    cca9bccccccccc9a67ccccccabcccccccbb8a9aaabcbaccccccccccccccccccc\
    cccccc7787788889999aa9abcbcccb";
/// Code lengths of distances, written in the same way.
const BACKS: &str = "ccccbb987656454544444444454556";
/// And the codes in which the lengths of these are said.
const SAID: &str = "0000444443233000400";

/// Symbols for bytes, the end and lengths; those for distances.
pub const SYMBOLS: (usize, usize) = (286, 30);
/// The symbol for the end of a block.
pub const END: usize = 256;
/// No reference is longer.
pub(crate) const LONGEST: usize = 258;
/// No code is longer: four of bytes, and a reference whole, fit into 57 bits, which are taken at once.
pub const MOST_BITS: u32 = 12;

/// Codes for everything that stands in a block.
pub(crate) struct Codes {
    /// What a block with these codes begins with: whole bytes, and some bits.
    pub(crate) opening: (Vec<u8>, Code),
    pub(crate) bytes: [Code; 256],
    /// With the bits that tell which of several lengths it is.
    pub(crate) lengths: [Code; LONGEST + 1],
    pub(crate) backs: [Code; 32],
    pub(crate) end: Code,
}

/// Some bits, and how many.
#[derive(Clone, Copy, Default)]
pub(crate) struct Code(u32);

impl Code {
    const fn new(bits: u32, count: u32) -> Code {
        Code(bits | count << 27)
    }

    #[inline]
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0 & ((1 << 27) - 1))
    }

    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.0 >> 27
    }
}

/// Codes for the text of web pages.
pub(crate) static TEXT: LazyLock<Codes> = LazyLock::new(|| {
    let (words, backs) = (lengths(WORDS), lengths(BACKS));
    let opening = said(&words, &backs);
    Codes::new(opening, &words, &backs)
});

/// For everything else: those that are always the same.
pub(crate) static PLAIN: LazyLock<Codes> = LazyLock::new(|| {
    let mut words = [8; 288];
    words[144..256].fill(9);
    words[256..280].fill(7);
    Codes::new((Vec::new(), Code::new(0b011, 3)), &words, &[5; 32])
});

impl Codes {
    fn new(opening: (Vec<u8>, Code), words: &[u8], backs: &[u8]) -> Codes {
        let (words, backs) = (in_order(words), in_order(backs));
        let length = |length: usize| {
            let (symbol, extra, value) = length_symbol(length);
            let code = words[symbol];
            Code::new(code.0 & 0xffff | value << code.count(), code.count() + extra)
        };
        Codes {
            opening,
            bytes: std::array::from_fn(|byte| words[byte]),
            lengths: std::array::from_fn(|n| if n < 3 { Code::default() } else { length(n) }),
            backs: std::array::from_fn(|symbol| backs.get(symbol).copied().unwrap_or_default()),
            end: words[END],
        }
    }
}

/// Codes of these lengths, the shorter ones first and those of one length in the order of their symbols. Codes are written with their
/// first bit in front, everything else with its last.
fn in_order(lengths: &[u8]) -> Vec<Code> {
    let mut next = [0u32; 17];
    lengths.iter().for_each(|&length| next[usize::from(length) + 1] += 1);
    next[1] = 0;
    for length in 1..16 {
        next[length + 1] = (next[length] + next[length + 1]) << 1;
    }
    let code = |&length: &u8| match u32::from(length) {
        0 => Code::default(),
        count => {
            let code = next[usize::from(length)];
            next[usize::from(length)] += 1;
            Code::new(code.reverse_bits() >> (32 - count), count)
        }
    };
    lengths.iter().map(code).collect()
}

fn lengths(digits: &str) -> Vec<u8> {
    digits.chars().filter_map(|digit| Some(digit.to_digit(16)? as u8)).collect()
}

/// The symbol of a length, how many bits tell which one of those with this symbol it is, and those bits.
pub(crate) fn length_symbol(length: usize) -> (usize, u32, u32) {
    match length - 3 {
        255 => (285, 0, 0),
        past @ 0..8 => (257 + past, 0, 0),
        past => {
            let extra = past.ilog2() - 2;
            (257 + 4 * extra as usize + (past >> extra), extra, past as u32 & ((1 << extra) - 1))
        }
    }
}

/// The symbol of a distance, less one, and how many bits tell which one of those with this symbol it is.
#[inline]
pub(crate) fn back_symbol(back: u32) -> (u32, u32) {
    match back {
        0 | 1 => (back, 0),
        _ => {
            let top = back.ilog2();
            (2 * top + (back >> (top - 1) & 1), top - 1)
        }
    }
}

/// The order in which the lengths of the codes for lengths are said.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// How a last block begins whose codes have these lengths.
fn said(words: &[u8], backs: &[u8]) -> (Vec<u8>, Code) {
    let how = lengths(SAID);
    let codes = in_order(&how);
    let (mut bytes, mut waiting, mut count) = (Vec::new(), 0u64, 0);
    let mut put = |bits: u32, some: u32| {
        waiting |= u64::from(bits) << count;
        count += some;
        while count >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            count -= 8;
        }
    };
    put(0b101, 3);
    put(SYMBOLS.0 as u32 - 257, 5);
    put(SYMBOLS.1 as u32 - 1, 5);
    put(ORDER.len() as u32 - 4, 4);
    ORDER.iter().for_each(|&symbol| put(u32::from(how[symbol]), 3));
    for (symbol, more) in spelled(words, backs) {
        put(codes[symbol].bits() as u32, codes[symbol].count());
        if symbol == AGAIN {
            put(more, 2);
        }
    }
    (bytes, Code::new(waiting as u32, count))
}

/// The symbol for the last length once more, three to six times.
const AGAIN: usize = 16;

/// How lengths of codes are said: each as its symbol, or that the last one comes so many times more than three.
pub fn spelled(words: &[u8], backs: &[u8]) -> Vec<(usize, u32)> {
    let all = [words, backs].concat();
    let mut symbols = Vec::new();
    for run in all.chunk_by(|one, next| one == next) {
        let mut left = run.len();
        while left > 0 {
            symbols.push((usize::from(run[0]), 0));
            left -= 1;
            while left >= 3 {
                let some = left.min(6);
                symbols.push((AGAIN, some as u32 - 3));
                left -= some;
            }
        }
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_leave_nothing_over() {
        for (digits, count) in [(WORDS, SYMBOLS.0), (BACKS, SYMBOLS.1), (SAID, ORDER.len())] {
            let lengths = lengths(digits);
            let taken: u32 = lengths.iter().filter(|&&length| length > 0).map(|&length| 1 << (16 - length)).sum();
            assert_eq!((lengths.len(), taken), (count, 1 << 16));
            assert!(lengths.iter().all(|&length| u32::from(length) <= MOST_BITS));
        }
        assert!(!WORDS.contains('0') && !BACKS.contains('0'), "whatever there is has a code");
    }

    #[test]
    fn lengths_and_distances_have_the_symbols_of_the_standard() {
        let seen: Vec<_> = [3, 10, 11, 12, 13, 18, 19, 130, 131, 257, 258].map(length_symbol).into();
        let wanted =
            [(257, 0, 0), (264, 0, 0), (265, 1, 0), (265, 1, 1), (266, 1, 0), (268, 1, 1), (269, 2, 0), (280, 4, 15)];
        assert_eq!(seen[..8], wanted);
        assert_eq!(seen[8..], [(281, 5, 0), (284, 5, 30), (285, 0, 0)]);
        let seen: Vec<_> = [1, 4, 5, 6, 7, 24_577, 32_768].map(|back: u32| back_symbol(back - 1)).into();
        assert_eq!(seen, [(0, 0), (3, 0), (4, 1), (4, 1), (5, 1), (29, 13), (29, 13)]);
    }
}
