//! A fixed set of words that nearly every word of a page is held against, and is not in.
//!
//! Formula: the words stand in a table of slots, each at the hash of its length and five of its bytes or in the next slot that is free; a word
//! is in the set if it is met before a free slot. The compiler builds the table. Cost: one hash of six bytes; with three slots in four
//! free, seldom a comparison for words that are not in the set.

use std::borrow::Cow;

/// Bytes of a word that is made small without memory of its own.
pub(crate) const WORD: usize = 64;

/// A set of words in `SLOTS` slots.
pub(crate) struct Lexicon<const SLOTS: usize> {
    words: &'static [&'static str],
    /// The number of the word in a slot, from one on; zero for none.
    slots: [u16; SLOTS],
}

impl<const SLOTS: usize> Lexicon<SLOTS> {
    /// The set of these words.
    pub(crate) const fn new(words: &'static [&'static str]) -> Lexicon<SLOTS> {
        assert!(SLOTS.is_power_of_two() && words.len() * 4 <= SLOTS, "three slots in four have to be free");
        let mut slots = [0; SLOTS];
        let mut number = 0;
        while number < words.len() {
            let mut slot = hash(words[number].as_bytes()) & (SLOTS - 1);
            while slots[slot] != 0 {
                slot = (slot + 1) & (SLOTS - 1);
            }
            number += 1;
            slots[slot] = number as u16;
        }
        Lexicon { words, slots }
    }

    /// Is the word in it?
    pub(crate) fn has(&self, word: &str) -> bool {
        let mut slot = hash(word.as_bytes()) & (SLOTS - 1);
        while let Some(number) = (self.slots[slot] as usize).checked_sub(1) {
            if self.words[number] == word {
                return true;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        false
    }
}

/// Endings are alike, and so are the first bytes of letters that are not Latin: of each a little.
const fn hash(word: &[u8]) -> usize {
    let length = word.len();
    if length < 2 {
        return 0;
    }
    let ends =
        word[0] as u64 | (word[1] as u64) << 8 | (word[length - 2] as u64) << 16 | (word[length - 1] as u64) << 24;
    let key = ends | (word[length / 2] as u64) << 32 | (length as u64) << 40;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// A word in small letters. Most are ASCII and short: `room` is enough for them.
pub(crate) fn lower<'a>(word: &'a str, room: &'a mut [u8; WORD]) -> Cow<'a, str> {
    match room.get_mut(..word.len()) {
        Some(room) if word.is_ascii() => {
            room.copy_from_slice(word.as_bytes());
            room.make_ascii_lowercase();
            std::str::from_utf8(room).map_or_else(|_| Cow::Owned(word.to_lowercase()), Cow::Borrowed)
        }
        _ => Cow::Owned(word.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WORDS: Lexicon<32> = Lexicon::new(&["a", "b", "univ", "école", "лаборатория", "school", "schoolhouse"]);

    #[test]
    fn words_are_found_whole_and_only_those() {
        for word in WORDS.words {
            assert!(WORDS.has(word), "{word}");
        }
        for word in ["", "c", "uni", "univers", "ecole", "School", "лаборатории"] {
            assert!(!WORDS.has(word), "{word}");
        }
    }

    #[test]
    fn small_letters_are_those_of_the_language() {
        let long = "LONG".repeat(WORD);
        for word in ["", "Word", "ÉCOLE", "İ", "ΟΔΟΣ", &long] {
            assert_eq!(lower(word, &mut [0; WORD]), word.to_lowercase());
        }
    }
}
