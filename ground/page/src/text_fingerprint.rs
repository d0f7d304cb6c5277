//! Are two pages the same text, or nearly?
//!
//! The visible text is the words of all blocks in order, except the page's own description and keywords, which nobody
//! sees. A word is a run of anything but white space.
//!
//! - **Same**: `text_fp` = xxh3-128 of the words joined by one space. Markup, URLs and spacing do not count.
//! - **Near**: `near_fp` = simhash (Charikar 2002; Manku, Jain, Das Sarma 2007) of 64 bits over 3-shingles. Let `w_i` be
//!   the hash of word i, one multiplication per eight bytes; the shingle is
//!   `s_i = mix(w_i + rotl(w_{i-1}, 21) + rotl(w_{i-2}, 42))`, mix being the finalizer of splitmix64; bit b of the result
//!   is set where more than half of the `s_i` have bit b set. A text of one or two words has one shingle of what there is.
//!   A character of U+3000 to U+9FFF (CJK, written without spaces) is a word here.
//!
//! What a distance means: two texts whose shares of common shingles is p differ in about 64 * acos(p') / pi bits, with
//! p' the cosine of their shingle counts. [`NEAR`] bits or fewer (cosine above 0.98, about one word in 150 changed) is
//! called near. Cost: one pass over a copy of the text.
//!
//! Not guaranteed: that texts made to collide do not; that short texts (under some 50 words) that differ in one word
//! are near; a good shingle for scripts without spaces other than CJK.

use groma_model::{Block, BlockKind, Fp};
use xxhash_rust::xxh3::xxh3_64;

use crate::fold;

/// Two texts whose `near_fp` differ in at most this many bits are near-duplicates.
pub const NEAR: u32 = 3;

/// In how many bits two `near_fp` differ.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// What the visible text of a page comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFingerprint {
    /// Fingerprint of the text; nothing if there is no text.
    pub text_fp: Option<Fp>,
    /// Similarity hash of the text; 0 if there is none.
    pub near_fp: u64,
    /// Words, as white space divides them.
    pub words: u32,
}

/// Fingerprints the text of a page: exact, near, and its number of words.
pub fn fingerprint_blocks(blocks: &[Block]) -> TextFingerprint {
    let text = joined(blocks);
    let mut shingles = Shingles::default();
    let words = each_word(&text, |bytes, hash, ascii| {
        if ascii || !bytes.iter().any(|b| is_ideograph(*b)) {
            shingles.token(hash);
        } else {
            shingles.ideographs(bytes);
        }
    });
    TextFingerprint { text_fp: (words > 0).then(|| Fp::hash_bytes(&text)), near_fp: shingles.finish(), words }
}

/// The words of all blocks that are seen, with one space between two.
fn joined(blocks: &[Block]) -> Vec<u8> {
    let seen = || blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Description | BlockKind::Keywords));
    let mut text: Vec<u8> = Vec::with_capacity(seen().map(|block| block.text.len() + 1).sum());
    for block in seen() {
        let bytes = block.text.as_bytes();
        if block.kind == BlockKind::Preformatted {
            fold_into(bytes, &mut text);
        } else if bytes.iter().any(|b| *b != b' ') {
            // Any other block is folded already: its words are joined as they must be.
            text.extend_from_slice(bytes);
            text.push(b' ');
        }
    }
    text.pop();
    text
}

/// Adds words with a space after each.
fn fold_into(mut bytes: &[u8], text: &mut Vec<u8>) {
    let from = text.len();
    let mut gap = false;
    while let Some(first) = bytes.first() {
        if first.is_ascii_whitespace() {
            gap = true;
            bytes = &bytes[1..];
            continue;
        }
        // Runs end before U+00A0 too, which is part of a word here.
        let end = fold::run(bytes).max(1);
        if gap && text.len() > from {
            text.push(b' ');
        }
        gap = false;
        text.extend_from_slice(&bytes[..end]);
        bytes = &bytes[end..];
    }
    if text.len() > from {
        text.push(b' ');
    }
}

/// Calls for each word: its bytes, its hash, whether it is ASCII. Gives their number.
///
/// Eight bytes at a time: the first space among them is the lowest byte that is zero after an exclusive or with spaces
/// (Lamport's test), and what stands before it goes into the hash by one multiplication.
fn each_word(text: &[u8], mut word: impl FnMut(&[u8], u64, bool)) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    let (mut words, mut start, mut at, mut hash, mut high) = (0u32, 0, 0, SEED, 0);
    while start < text.len() {
        let eight = eight(text, at);
        let others = eight ^ (ONES * u64::from(b' '));
        let spaces = others.wrapping_sub(ONES) & !others & HIGHS;
        // How many bytes before the first space; the last eight of a text are filled up with spaces.
        let length = (spaces.trailing_zeros() / 8) as usize;
        let part = if length < 8 { eight & !(u64::MAX << (8 * length)) } else { eight };
        if length > 0 {
            hash = stir(hash, part);
            high |= part & HIGHS;
        }
        at += length;
        if length == 8 {
            continue;
        }
        if at > start {
            words = words.saturating_add(1);
            word(&text[start..at], hash, high == 0);
        }
        at += 1;
        (start, hash, high) = (at, SEED, 0);
    }
    words
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Eight bytes from a place on, the first one lowest; beyond the end are spaces.
#[inline]
fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let mut bytes = [b' '; 8];
            let rest = text.get(at..).unwrap_or_default();
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(bytes)
        }
    }
}

/// Takes the next eight bytes into the hash of a word.
#[inline]
fn stir(hash: u64, part: u64) -> u64 {
    let hash = (hash ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ hash >> 32
}

/// Counts, for each of 64 bits, in how many shingles it is set.
///
/// The counts are kept on end: plane p holds bit p of all 64 counts, so that adding shingles is a few word operations
/// instead of 64 additions each. Eight at a time go through seven full adders (Harley and Seal's population count), which
/// leaves one carry for the planes from the fourth on. Before those can overflow all are emptied into plain counts.
struct Shingles {
    before: [u64; 2],
    words: usize,
    waiting: [u64; 8],
    wait: usize,
    planes: [u64; PLANES],
    /// How many eights the planes hold.
    eights: u32,
    ones: [u32; 64],
    total: u32,
}

const PLANES: usize = 12;

impl Default for Shingles {
    fn default() -> Self {
        let (waiting, planes, ones) = ([0; 8], [0; PLANES], [0; 64]);
        Shingles { before: [0; 2], words: 0, waiting, wait: 0, planes, eights: 0, ones, total: 0 }
    }
}

/// Sum and carry of three bits, 64 times.
#[inline]
fn sum(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

impl Shingles {
    /// A word with characters that are words of their own.
    fn ideographs(&mut self, word: &[u8]) {
        let mut rest = word;
        while !rest.is_empty() {
            let plain = rest.iter().position(|b| is_ideograph(*b)).unwrap_or(rest.len());
            let end = if plain > 0 { plain } else { rest.len().min(3) };
            self.token(xxh3_64(&rest[..end]));
            rest = &rest[end..];
        }
    }

    #[inline]
    fn token(&mut self, word: u64) {
        let [two, one] = self.before;
        self.before = [one, word];
        self.words += 1;
        if self.words >= 3 {
            self.add(mix(shingle(two, one, word)));
        }
    }

    #[inline]
    fn add(&mut self, shingle: u64) {
        self.waiting[self.wait] = shingle;
        self.wait += 1;
        if self.wait == self.waiting.len() {
            self.total += 8;
            self.take();
        }
    }

    /// Eight shingles into the planes.
    fn take(&mut self) {
        let [a, b, c, d, e, f, g, h] = std::mem::take(&mut self.waiting);
        self.wait = 0;
        let [ones, twos, fours, rest @ ..] = &mut self.planes;
        let (sum1, two1) = sum(*ones, a, b);
        let (sum2, two2) = sum(sum1, c, d);
        let (sum3, two3) = sum(sum2, e, f);
        let (sum4, two4) = sum(sum3, g, h);
        let (sum5, four1) = sum(*twos, two1, two2);
        let (sum6, four2) = sum(sum5, two3, two4);
        let (sum7, mut carry) = sum(*fours, four1, four2);
        (*ones, *twos, *fours) = (sum4, sum6, sum7);
        for plane in rest {
            if carry == 0 {
                break;
            }
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
        self.eights += 1;
        if self.eights == (1 << (PLANES - 3)) - 1 {
            self.empty();
        }
    }

    fn empty(&mut self) {
        for (bit, ones) in self.ones.iter_mut().enumerate() {
            let counts = self.planes.iter().enumerate();
            *ones += counts.map(|(p, plane)| ((plane >> bit & 1) as u32) << p).sum::<u32>();
        }
        self.planes = [0; PLANES];
        self.eights = 0;
    }

    fn finish(&mut self) -> u64 {
        if (1..3).contains(&self.words) {
            self.add(mix(shingle(0, self.before[0], self.before[1])));
        }
        // What is not there to fill up the last eight sets no bit.
        self.total += self.wait as u32;
        self.take();
        self.empty();
        let set = |(bit, ones): (usize, &u32)| u64::from(u64::from(*ones) * 2 > u64::from(self.total)) << bit;
        self.ones.iter().enumerate().map(set).sum()
    }
}

fn shingle(two: u64, one: u64, word: u64) -> u64 {
    word.wrapping_add(one.rotate_left(21)).wrapping_add(two.rotate_left(42))
}

fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The first byte of a character of U+3000 to U+9FFF.
fn is_ideograph(byte: u8) -> bool {
    matches!(byte, 0xe3..=0xe9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paragraphs(texts: &[&str]) -> Vec<Block> {
        texts.iter().map(|text| Block { kind: BlockKind::Paragraph, text: (*text).to_owned() }).collect()
    }

    fn words(range: std::ops::Range<u32>) -> String {
        range.map(|n| format!("w{}", n.wrapping_mul(2_654_435_761) % 5000)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_fingerprint_is_of_the_words_joined_by_one_space() {
        let one = fingerprint_blocks(&paragraphs(&["one two", "three"]));
        assert_eq!(one.text_fp, Some(Fp::hash_bytes(b"one two three")));
        assert_eq!(one.words, 3);
        let mut blocks = paragraphs(&["one"]);
        blocks.push(Block { kind: BlockKind::Preformatted, text: "two \n\n  three".to_owned() });
        assert_eq!(fingerprint_blocks(&blocks), one);
    }

    #[test]
    fn titles_count_and_descriptions_do_not() {
        let mut blocks = paragraphs(&["body"]);
        blocks.insert(0, Block { kind: BlockKind::Title, text: "head".to_owned() });
        blocks.push(Block { kind: BlockKind::Description, text: "unseen".to_owned() });
        blocks.push(Block { kind: BlockKind::Keywords, text: "unseen".to_owned() });
        assert_eq!(fingerprint_blocks(&blocks).text_fp, Some(Fp::hash_bytes(b"head body")));
    }

    #[test]
    fn no_text_has_no_fingerprint() {
        assert_eq!(fingerprint_blocks(&[]), TextFingerprint { text_fp: None, near_fp: 0, words: 0 });
        assert_eq!(fingerprint_blocks(&paragraphs(&[" "])).text_fp, None);
    }

    #[test]
    fn a_changed_word_is_near_and_another_text_is_far() {
        let long = words(0..1500);
        let changed = long.replacen("w4562", "other", 1);
        assert_ne!(long, changed);
        let near = |text: &str| fingerprint_blocks(&paragraphs(&[text])).near_fp;
        assert!(distance(near(&long), near(&changed)) <= NEAR);
        assert!(distance(near(&long), near(&words(9000..10500))) > 16);
    }

    #[test]
    fn characters_without_spaces_are_words_of_their_own() {
        let text = "漢字かな交じり文".repeat(30);
        let like = fingerprint_blocks(&paragraphs(&[&text]));
        let other = fingerprint_blocks(&paragraphs(&[&format!("{text}終")]));
        assert_eq!(like.words, 1);
        assert!(distance(like.near_fp, other.near_fp) <= 6);
        assert_ne!(like.text_fp, other.text_fp);
    }

    proptest! {
        #[test]
        fn preformatted_words_are_what_white_space_divides(text in "([ab\u{a0}\u{c2}é]{0,9}[ \n\t\u{a0}]{0,2}){0,9}") {
            let words: Vec<&str> = text.split(|c: char| c.is_ascii_whitespace()).filter(|word| !word.is_empty()).collect();
            let like = fingerprint_blocks(&[Block { kind: BlockKind::Preformatted, text: text.clone() }]);
            prop_assert_eq!(like.text_fp, (!words.is_empty()).then(|| Fp::hash_bytes(words.join(" ").as_bytes())));
            prop_assert_eq!(like.words as usize, words.len());
        }

        #[test]
        fn words_are_what_spaces_divide(text in "[ab\u{e9}\u{f8} ]{0,40}|([a-f]{6,10} ){0,4}") {
            let mut found = Vec::new();
            let mut hashes = Vec::new();
            let number = each_word(text.as_bytes(), |word, hash, ascii| {
                assert_eq!(ascii, word.is_ascii());
                found.push(word.to_vec());
                hashes.push(hash);
            });
            let words: Vec<&[u8]> = text.as_bytes().split(|b| *b == b' ').filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(&found, &words);
            prop_assert_eq!(number as usize, words.len());
            // The hash is of the word alone, wherever it stands.
            for (word, hash) in words.iter().zip(hashes) {
                each_word(word, |_, alone, _| assert_eq!(alone, hash));
            }
        }

        #[test]
        fn planes_count_like_plain_counters(shingles in proptest::collection::vec(any::<u64>(), 0..700)) {
            let mut counted = Shingles::default();
            shingles.iter().for_each(|s| counted.add(*s));
            let majority = (0..64).map(|bit| {
                let ones = shingles.iter().filter(|s| *s >> bit & 1 == 1).count();
                u64::from(ones * 2 > shingles.len()) << bit
            });
            prop_assert_eq!(counted.finish(), majority.sum::<u64>());
        }

        #[test]
        fn how_words_fall_into_blocks_does_not_matter(words in proptest::collection::vec("[a-zé漢]{1,5}", 0..20), at in 0usize..20) {
            let at = at.min(words.len());
            let whole = fingerprint_blocks(&paragraphs(&[&words.join(" ")]));
            let parts = fingerprint_blocks(&paragraphs(&[&words[..at].join(" "), &words[at..].join(" ")]));
            prop_assert_eq!(whole, parts);
        }
    }
}
