//! Are two pages the same text, or nearly?
//!
//! The visible text is the words of all blocks in order, except the page's own description and keywords, which nobody
//! sees. A word is a run of anything but white space.
//!
//! - **Same**: `text_fp` = xxh3-128 of the words joined by one space. Markup, addresses and spacing do not count.
//! - **Near**: `near_fp` = simhash (Charikar 2002; Manku, Jain, Das Sarma 2007) of 64 bits over 3-shingles. Let `w_i` =
//!   xxh3-64 of word i; the shingle is `s_i = mix(w_i + rotl(w_{i-1}, 21) + rotl(w_{i-2}, 42))`, mix being the finalizer
//!   of splitmix64; bit b of the result is set where more than half of the `s_i` have bit b set. A text of one or two words
//!   has one shingle of what there is. A character of U+3000 to U+9FFF (CJK, written without spaces) is a word here.
//!
//! What a distance means: two texts whose shares of common shingles is p differ in about 64 * acos(p') / pi bits, with
//! p' the cosine of their shingle counts. [`NEAR`] bits or fewer (cosine above 0.98, about one word in 150 changed) is
//! called near. Cost: one pass over the text, about 10 ns per word.
//!
//! Not guaranteed: that texts made to collide do not; that short texts (under some 50 words) that differ in one word
//! are near; a good shingle for scripts without spaces other than CJK.

use groma_model::{Block, BlockKind, Fp};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Two texts whose `near_fp` differ in at most this many bits are near-duplicates.
pub const NEAR: u32 = 3;

/// In how many bits two `near_fp` differ.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// What the visible text of a page comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// Fingerprint of the text; nothing if there is no text.
    pub text_fp: Option<Fp>,
    /// Similarity hash of the text; 0 if there is none.
    pub near_fp: u64,
    /// Words, as white space divides them.
    pub words: u32,
}

/// The likeness of a page with these blocks.
pub fn of(blocks: &[Block]) -> Likeness {
    let mut text = Text::default();
    for block in blocks {
        if !matches!(block.kind, BlockKind::Description | BlockKind::Keywords) {
            text.block(block);
        }
    }
    text.finish()
}

#[derive(Default)]
struct Text {
    hash: Xxh3,
    words: u32,
    shingles: Shingles,
}

impl Text {
    fn block(&mut self, block: &Block) {
        let bytes = block.text.as_bytes();
        let before = self.words;
        if block.kind == BlockKind::Preformatted {
            for word in bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                self.join(word);
                self.words = self.words.saturating_add(1);
                self.shingles.word(word);
            }
            return;
        }
        // Any other block is folded already: its words are joined as they must be.
        let plain = bytes.is_ascii();
        for word in bytes.split(|b| *b == b' ').filter(|word| !word.is_empty()) {
            self.words = self.words.saturating_add(1);
            if plain {
                self.shingles.token(xxh3_64(word));
            } else {
                self.shingles.word(word);
            }
        }
        if self.words > before {
            let after = std::mem::replace(&mut self.words, before);
            self.join(bytes);
            self.words = after;
        }
    }

    fn join(&mut self, words: &[u8]) {
        if self.words > 0 {
            self.hash.update(b" ");
        }
        self.hash.update(words);
    }

    fn finish(mut self) -> Likeness {
        let text_fp = (self.words > 0).then(|| Fp(self.hash.digest128()));
        Likeness { text_fp, near_fp: self.shingles.finish(), words: self.words }
    }
}

/// Counts, for each of 64 bits, in how many shingles it is set.
///
/// The counts are kept on end: plane p holds bit p of all 64 counts, so that adding a shingle is a few word operations
/// instead of 64 additions. Before the planes can overflow they are emptied into plain counts.
struct Shingles {
    before: [u64; 2],
    words: usize,
    planes: [u64; PLANES],
    held: u32,
    ones: [u32; 64],
    total: u32,
}

const PLANES: usize = 8;

impl Default for Shingles {
    fn default() -> Self {
        Shingles { before: [0; 2], words: 0, planes: [0; PLANES], held: 0, ones: [0; 64], total: 0 }
    }
}

impl Shingles {
    fn word(&mut self, word: &[u8]) {
        if !word.iter().any(|b| is_ideograph(*b)) {
            return self.token(xxh3_64(word));
        }
        let mut rest = word;
        while !rest.is_empty() {
            let plain = rest.iter().position(|b| is_ideograph(*b)).unwrap_or(rest.len());
            let end = if plain > 0 { plain } else { rest.len().min(3) };
            self.token(xxh3_64(&rest[..end]));
            rest = &rest[end..];
        }
    }

    fn token(&mut self, word: u64) {
        let [two, one] = self.before;
        self.before = [one, word];
        self.words += 1;
        if self.words >= 3 {
            self.add(mix(shingle(two, one, word)));
        }
    }

    fn add(&mut self, shingle: u64) {
        let mut carry = shingle;
        for plane in &mut self.planes {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
        self.held += 1;
        if self.held == (1 << PLANES) - 1 {
            self.empty();
        }
    }

    fn empty(&mut self) {
        for (bit, ones) in self.ones.iter_mut().enumerate() {
            let counts = self.planes.iter().enumerate();
            *ones += counts.map(|(p, plane)| ((plane >> bit & 1) as u32) << p).sum::<u32>();
        }
        self.total += self.held;
        self.planes = [0; PLANES];
        self.held = 0;
    }

    fn finish(&mut self) -> u64 {
        if (1..3).contains(&self.words) {
            self.add(mix(shingle(0, self.before[0], self.before[1])));
        }
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
        let one = of(&paragraphs(&["one two", "three"]));
        assert_eq!(one.text_fp, Some(Fp::of(b"one two three")));
        assert_eq!(one.words, 3);
        let mut blocks = paragraphs(&["one"]);
        blocks.push(Block { kind: BlockKind::Preformatted, text: "two \n\n  three".to_owned() });
        assert_eq!(of(&blocks), one);
    }

    #[test]
    fn titles_count_and_descriptions_do_not() {
        let mut blocks = paragraphs(&["body"]);
        blocks.insert(0, Block { kind: BlockKind::Title, text: "head".to_owned() });
        blocks.push(Block { kind: BlockKind::Description, text: "unseen".to_owned() });
        blocks.push(Block { kind: BlockKind::Keywords, text: "unseen".to_owned() });
        assert_eq!(of(&blocks).text_fp, Some(Fp::of(b"head body")));
    }

    #[test]
    fn no_text_has_no_fingerprint() {
        assert_eq!(of(&[]), Likeness { text_fp: None, near_fp: 0, words: 0 });
        assert_eq!(of(&paragraphs(&[" "])).text_fp, None);
    }

    #[test]
    fn a_changed_word_is_near_and_another_text_is_far() {
        let long = words(0..1500);
        let changed = long.replacen("w4562", "other", 1);
        assert_ne!(long, changed);
        let near = |text: &str| of(&paragraphs(&[text])).near_fp;
        assert!(distance(near(&long), near(&changed)) <= NEAR);
        assert!(distance(near(&long), near(&words(9000..10500))) > 16);
    }

    #[test]
    fn characters_without_spaces_are_words_of_their_own() {
        let text = "漢字かな交じり文".repeat(30);
        let like = of(&paragraphs(&[&text]));
        let other = of(&paragraphs(&[&format!("{text}終")]));
        assert_eq!(like.words, 1);
        assert!(distance(like.near_fp, other.near_fp) <= 6);
        assert_ne!(like.text_fp, other.text_fp);
    }

    proptest! {
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
            let whole = of(&paragraphs(&[&words.join(" ")]));
            let parts = of(&paragraphs(&[&words[..at].join(" "), &words[at..].join(" ")]));
            prop_assert_eq!(whole, parts);
        }
    }
}
