//! The terms of a text, one after another, for the engine that writes them down.
//!
//! A text begins with the mark of its language; its blocks are parted by [`BREAK`]. Stemming is dear and words repeat, so every
//! thread remembers the terms of the words it met, and how often it met them: that is the vocabulary.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::scan::is_han;
use super::{Language, Run, Scan, Terms, lower, sign};

/// Words a thread remembers at most.
const REMEMBERED: usize = 100_000;
/// Positions between the last word of a block and the first of the next.
const GAP: usize = 8;

/// How often words occur, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<HashMap<String, u32>>);

impl Tally {
    /// What was counted so far; counting begins anew.
    pub(crate) fn take(&self) -> HashMap<String, u32> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, words: impl Iterator<Item = (String, u32)>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (word, count) in words {
            *counts.entry(word).or_default() += count;
        }
    }
}

/// A word met before.
struct Met {
    terms: Terms,
    lower: Box<str>,
    count: u32,
}

/// Words met before, by a hash of their letters and language.
#[derive(Default)]
struct Memory {
    met: HashMap<u64, Met, BuildHasherDefault<Same>>,
    tally: Option<Arc<Tally>>,
}

/// The keys are hashes already.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Memory {
    fn meet(&mut self, word: &str, language: Language) -> &Met {
        let key = xxh3_64_with_seed(word.as_bytes(), u64::from(language.mark() as u32));
        if self.met.len() >= REMEMBERED && !self.met.contains_key(&key) {
            self.tell();
        }
        let met = self.met.entry(key).or_insert_with(|| {
            let lower = lower(word);
            Met { terms: Terms::of(&lower, language), lower: lower.into_boxed_str(), count: 0 }
        });
        met.count = met.count.saturating_add(1);
        met
    }

    /// Tells what was counted and forgets it.
    fn tell(&mut self) {
        let met = std::mem::take(&mut self.met);
        if let Some(tally) = &self.tally {
            tally.add(met.into_values().map(|met| (met.lower.into_string(), met.count)));
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.tell();
    }
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Cuts texts into terms for the engine.
#[derive(Clone, Default)]
pub(crate) struct Words {
    tally: Arc<Tally>,
}

impl Words {
    /// Counts the words into this tally.
    pub(crate) fn counting(tally: Arc<Tally>) -> Words {
        Words { tally }
    }
}

impl Tokenizer for Words {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        let mut memory = MEMORY.with_borrow_mut(std::mem::take);
        if !memory.tally.as_ref().is_some_and(|tally| Arc::ptr_eq(tally, &self.tally)) {
            memory.tell();
            memory.tally = Some(self.tally.clone());
        }
        let mark = text.chars().next().filter(|c| ('\u{e000}'..='\u{e0ff}').contains(c));
        let language = mark.map_or(Language::UNKNOWN, Language::of_mark);
        let text = &text[mark.map_or(0, char::len_utf8)..];
        Stream {
            text,
            scan: Scan::new(text),
            language,
            memory,
            token: Token::default(),
            next: 0,
            more: None,
            solid: (0, 0),
        }
    }
}

/// A text on its way into terms.
pub(crate) struct Stream<'a> {
    text: &'a str,
    scan: Scan<'a>,
    language: Language,
    memory: Memory,
    token: Token,
    /// The position of the next word.
    next: usize,
    /// Another term at the same place.
    more: Option<String>,
    /// What is left of a run without spaces.
    solid: (usize, usize),
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        MEMORY.with_borrow_mut(|kept| *kept = memory);
    }
}

impl Stream<'_> {
    fn put(&mut self, from: usize, to: usize) {
        (self.token.offset_from, self.token.offset_to, self.token.position) = (from, to, self.next);
        self.next += 1;
    }

    fn word(&mut self, from: usize, to: usize) {
        let met = self.memory.meet(&self.text[from..to], self.language);
        self.token.text.clear();
        self.token.text.push_str(&met.terms.first);
        self.more.clone_from(&met.terms.second);
        self.put(from, to);
    }

    /// The next letter of a run without spaces: with its neighbour, and alone if it may be a word.
    fn letter(&mut self) {
        let (from, end) = self.solid;
        let mut letters = self.text[from..end].char_indices();
        let first = letters.next().map(|(_, c)| c);
        let second = letters.next();
        let after = letters.next().map_or(end, |(at, _)| from + at);
        self.token.text.clear();
        match second {
            Some((at, _)) => {
                self.token.text.push_str(&self.text[from..after]);
                self.more = first.filter(|c| is_han(*c)).map(String::from);
                self.put(from, after);
                self.solid.0 = from + at;
            }
            None => {
                self.token.text.push_str(&self.text[from..end]);
                self.put(from, end);
                self.solid.0 = end;
            }
        }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if let Some(more) = self.more.take() {
            self.token.text = more;
            return true;
        }
        loop {
            if self.solid.0 < self.solid.1 {
                self.letter();
                return true;
            }
            match self.scan.next() {
                None => return false,
                Some(Run::Break) => self.next += GAP,
                Some(Run::Solid(from, to)) => self.solid = (from, to),
                Some(Run::Word(from, to)) => {
                    self.word(from, to);
                    return true;
                }
                Some(Run::Signed(from, end, to)) => {
                    self.word(from, end);
                    self.more = Some(sign(&self.text[from..to]));
                    return true;
                }
            }
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, language: &str) -> Vec<(usize, String)> {
        let text = format!("{}{text}", Language::of(language).mark());
        let mut words = Words::default();
        let mut stream = words.token_stream(&text);
        let mut all = Vec::new();
        while let Some(token) = stream.next() {
            all.push((token.position, token.text.clone()));
        }
        all
    }

    fn pairs(list: &[(usize, &str)]) -> Vec<(usize, String)> {
        list.iter().map(|(at, term)| (*at, (*term).to_owned())).collect()
    }

    #[test]
    fn terms_have_places() {
        assert_eq!(terms("Two words\u{1e}C++", "en"), pairs(&[(0, "two"), (1, "word"), (10, "c"), (10, "c++")]));
        assert_eq!(
            terms("数据库 x", "zh"),
            pairs(&[(0, "数据"), (0, "数"), (1, "据库"), (1, "据"), (2, "库"), (3, "x")])
        );
        assert_eq!(terms("カタ", "ja"), pairs(&[(0, "カタ"), (1, "タ")]));
    }

    #[test]
    fn words_are_counted_once_per_meeting() {
        let tally = Arc::new(Tally::default());
        let mut words = Words::counting(tally.clone());
        std::thread::spawn(move || {
            for _ in 0..3 {
                let mut stream = words.token_stream("Apple apple pear");
                while stream.advance() {}
            }
        })
        .join()
        .unwrap();
        let counts = tally.take();
        assert_eq!((counts["apple"], counts["pear"]), (6, 3));
    }
}
