//! A number for a word, the same wherever the word stands: to look it up by.
//!
//! ```text
//! word of at most 16 bytes = low, high      eight bytes each, zeros behind the end (no word has a zero in it)
//! key = upper half ^ lower half of (low ^ a) * (high ^ b)            a, b: drawn anew for every thread, another pair per language
//! ```
//!
//! The multiplication of wyhash (Wang Yi, 2019), on words that are read where they stand: most have fewer letters than a register has
//! bytes. Longer ones go through XXH3. Cost: two loads and two multiplications.
//! Not guaranteed: that keys differ (64 bits, see `memory.rs`). Who writes pages does not know `a` and `b`, so he cannot make words
//! fall together.

use std::hash::{BuildHasher, RandomState};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Language;

/// Bytes of a word that is read at once.
const SHORT: usize = 16;

/// Gives words their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    low: u64,
    high: u64,
}

impl Default for Keys {
    fn default() -> Keys {
        let state = RandomState::new();
        Keys { low: state.hash_one(0), high: state.hash_one(1) }
    }
}

impl Keys {
    /// The same letters may give other terms in another language.
    pub(super) fn for_language(self, language: Language) -> Keys {
        let mark = u64::from(language.mark() as u32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Keys { low: self.low ^ mark, high: self.high ^ mark.rotate_left(32) }
    }

    /// The number of the word that stands there in a text; never 0.
    pub(super) fn key(self, text: &str, from: usize, to: usize) -> u64 {
        let bytes = text.as_bytes();
        let length = to - from;
        if length > SHORT {
            return xxh3_64_with_seed(&bytes[from..to], self.low).max(1);
        }
        let (low, high) = match bytes.get(from..).and_then(<[u8]>::first_chunk::<SHORT>) {
            Some(here) => {
                let whole = u128::from_le_bytes(*here);
                let whole = if length < SHORT { whole & ((1 << (length * 8)) - 1) } else { whole };
                (whole as u64, (whole >> 64) as u64)
            }
            // The end of the text is near.
            None => {
                let mut here = [0; SHORT];
                here[..length].copy_from_slice(&bytes[from..to]);
                let whole = u128::from_le_bytes(here);
                (whole as u64, (whole >> 64) as u64)
            }
        };
        let product = u128::from(low ^ self.low) * u128::from(high ^ self.high);
        ((product >> 64) as u64 ^ product as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_differ() {
        let keys = Keys::default();
        let mut seen = HashSet::new();
        for number in 0..200_000u32 {
            let word = format!("w{number:x}");
            assert!(seen.insert(keys.key(&word, 0, word.len())), "{word}");
        }
        // Their slots are spread, too: of as many slots as words, about 1/e stay empty.
        let slots: HashSet<u64> = seen.iter().map(|key| key % (1 << 17)).collect();
        assert!(slots.len() > 95_000, "{}", slots.len());
        let (english, german) =
            (keys.for_language(Language::from_code("en")), keys.for_language(Language::from_code("de")));
        assert_ne!(english.key("die", 0, 3), german.key("die", 0, 3));
    }

    proptest! {
        #[test]
        fn what_stands_around_a_word_does_not_matter(
            before in "[ a-z\u{17e}]{0,20}", word in "[a-z\u{17e}]{1,24}", after in "[ a-z\u{17e}]{0,20}",
        ) {
            let text = format!("{before}{word}{after}");
            let keys = Keys::default();
            let there = keys.key(&text, before.len(), before.len() + word.len());
            prop_assert_eq!(there, keys.key(&word, 0, word.len()));
            let longer = format!("{word}x");
            prop_assert_ne!(there, keys.key(&longer, 0, longer.len()));
        }
    }
}
