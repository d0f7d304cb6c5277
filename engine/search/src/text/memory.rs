//! The words a thread has met, and what each comes to: stemming is dear, and words repeat.
//!
//! ```text
//! slot = hash of the letters and the language | how often | what it comes to           16 bytes, linear probing, at most 3/4 full
//! ```
//!
//! Most terms are the beginning of their word, so a slot says how much of it ("connections": 7 letters) and no letter has to be
//! read from anywhere else: a word costs one line of the processor's cache. Two words with the same 64-bit hash would be taken for
//! one; of a million words, that befalls one survey in thirty million. How words are hashed: `keys.rs`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::keys::Keys;
use super::{Language, Terms, lower};

/// Words a thread remembers at most: three quarters of a power of two.
const REMEMBERED: usize = 3 << 15;
/// Slots of a thread that has met nothing yet.
const FIRST_SLOTS: usize = 1 << 10;

/// How often words occur, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<HashMap<String, u32>>);

impl Tally {
    /// What was counted so far; counting begins anew.
    pub(crate) fn take(&self) -> HashMap<String, u32> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, words: impl Iterator<Item = (Box<str>, u32)>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (word, count) in words {
            let sum = counts.entry(word.into_string()).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}

/// What a word comes to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Met<'a> {
    /// The beginning of the word, so many bytes; `true`: in lower case.
    Start(usize, bool),
    /// The word is known; these are its terms.
    Terms(&'a Terms),
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0: nobody is here.
    key: u64,
    count: u32,
    what: What,
}

/// The place of the word in the list, the length of its term if that is its beginning, and whether it has capitals.
#[derive(Clone, Copy, Debug, Default)]
struct What(u32);

impl What {
    const PLACE: u32 = (1 << 20) - 1;
    const CAPITALS: u32 = 1 << 31;

    fn pack(place: usize, word: &str, terms: &Terms) -> What {
        let start = word.get(..terms.first.len()).filter(|start| start.is_ascii() && terms.second.is_none());
        let length = match start {
            Some(start) if start.eq_ignore_ascii_case(&terms.first) => terms.first.len() as u32,
            _ => 0,
        };
        let capitals = if start.is_some_and(|start| start != terms.first) { What::CAPITALS } else { 0 };
        What(place as u32 | length << 20 | capitals)
    }

    fn place(self) -> usize {
        (self.0 & What::PLACE) as usize
    }

    fn length(self) -> usize {
        (self.0 >> 20 & 0x7ff) as usize
    }
}

/// What is rarely looked at of a word.
#[derive(Debug)]
struct Known {
    terms: Terms,
    lower: Box<str>,
}

/// Words met so far, with their terms, so that each is stemmed once.
#[derive(Debug, Default)]
pub(super) struct Memory {
    slots: Vec<Slot>,
    known: Vec<Known>,
    tally: Option<Arc<Tally>>,
    keys: Keys,
}

impl Memory {
    /// What words of this language are known by.
    pub(super) fn keys(&self, language: Language) -> Keys {
        self.keys.for_language(language)
    }

    /// Counts into this tally from now on; what was counted for another is told to it.
    pub(super) fn count_into(&mut self, tally: &Arc<Tally>) {
        if !self.tally.as_ref().is_some_and(|of| Arc::ptr_eq(of, tally)) {
            self.tell();
            self.tally = Some(tally.clone());
        }
    }

    /// Looks where these keys belong, all at once: what is far away in memory is on its way together, not one after another.
    pub(super) fn glance(&self, keys: impl Iterator<Item = u64>) {
        let mask = self.slots.len().wrapping_sub(1);
        let seen = keys.fold(0, |seen, key| seen ^ self.slots.get(key as usize & mask).map_or(0, |slot| slot.key));
        std::hint::black_box(seen);
    }

    /// Meets a word by its key.
    pub(super) fn meet(&mut self, key: u64, word: &str, language: Language) -> Met<'_> {
        let mut at = self.slot(key);
        if self.slots.get(at).is_none_or(|slot| slot.key != key) {
            at = self.learn(key, word, language);
        }
        let slot = &mut self.slots[at];
        slot.count = slot.count.saturating_add(1);
        match slot.what.length() {
            0 => Met::Terms(&self.known[slot.what.place()].terms),
            length => Met::Start(length, slot.what.0 & What::CAPITALS != 0),
        }
    }

    /// The slot of a key, or the empty one where it belongs.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = key as usize & mask;
        while self.slots.get(at).is_some_and(|slot| slot.key != key && slot.key != 0) {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn learn(&mut self, key: u64, word: &str, language: Language) -> usize {
        if self.known.len() == REMEMBERED {
            self.tell();
        }
        if self.known.len() * 4 >= self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(FIRST_SLOTS);
            let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
            for slot in old.into_iter().filter(|slot| slot.key != 0) {
                let at = self.slot(slot.key);
                self.slots[at] = slot;
            }
        }
        let lower = lower(word);
        let terms = Terms::from_word(&lower, language);
        let at = self.slot(key);
        self.slots[at] = Slot { key, count: 0, what: What::pack(self.known.len(), word, &terms) };
        self.known.push(Known { terms, lower: lower.into_boxed_str() });
        at
    }

    /// Tells what was counted and forgets it.
    fn tell(&mut self) {
        let mut counts = vec![0; self.known.len()];
        for slot in self.slots.iter().filter(|slot| slot.key != 0) {
            counts[slot.what.place()] = slot.count;
        }
        self.slots.fill(Slot::default());
        let words = std::mem::take(&mut self.known).into_iter().map(|known| known.lower).zip(counts);
        if let Some(tally) = &self.tally {
            tally.add(words);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn term(memory: &mut Memory, word: &str, language: Language) -> String {
        let key = memory.keys(language).key(word, 0, word.len());
        match memory.meet(key, word, language) {
            Met::Start(length, true) => word[..length].to_ascii_lowercase(),
            Met::Start(length, false) => word[..length].to_owned(),
            Met::Terms(terms) => terms.first.clone(),
        }
    }

    #[test]
    fn more_words_than_are_remembered() {
        let tally = Arc::new(Tally::default());
        let mut memory = Memory::default();
        memory.count_into(&tally);
        for _ in 0..2 {
            for n in 0..REMEMBERED + 10 {
                let word = format!("Word{n}");
                assert_eq!(term(&mut memory, &word, Language::NONE), word.to_lowercase());
            }
        }
        drop(memory);
        let counts = tally.take();
        assert_eq!(counts.len(), REMEMBERED + 10);
        assert!(counts.values().all(|count| *count == 2));
    }

    proptest! {
        #[test]
        fn remembered_terms_are_those_of_the_word(words in proptest::collection::vec("[A-Za-zěŠ0-9ß]{1,80}", 1..40)) {
            let mut memory = Memory::default();
            for code in ["en", "cs", "zh"] {
                let language = Language::from_code(code);
                for word in words.iter().chain(&words) {
                    let terms = Terms::from_word(&lower(word), language);
                    prop_assert_eq!(term(&mut memory, word, language), terms.first);
                    let key = memory.keys(language).key(word, 0, word.len());
                    let met = memory.meet(key, word, language);
                    let second = if let Met::Terms(terms) = met { terms.second.clone() } else { None };
                    prop_assert_eq!(second, terms.second);
                }
            }
        }
    }
}
