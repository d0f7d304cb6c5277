//! The terms of a text, one after another, for the engine that writes them down.
//!
//! A text begins with the mark of its language; its blocks are parted by [`BREAK`](super::BREAK). Every thread remembers the
//! terms of the words it met, and how often it met them: that is the vocabulary. Words are looked up a handful at a time, because
//! what a lookup costs is waiting for memory, and one can wait for many at once.

use std::cell::Cell;
use std::sync::Arc;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::keys::Keys;
use super::memory::{Memory, Met};
use super::scan::is_han;
use super::{Language, Run, Scan, Tally, sign};

/// Positions between the last word of a block and the first of the next.
const GAP: usize = 8;
/// Words looked up at a time.
const HANDFUL: usize = 64;

thread_local! {
    static BENCH: Cell<Bench> = Cell::default();
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
        let mut bench = BENCH.take();
        bench.memory.count_into(&self.tally);
        bench.seen.clear();
        let mark = text.chars().next().filter(|c| ('\u{e000}'..='\u{e0ff}').contains(c));
        let language = mark.map_or(Language::UNKNOWN, Language::of_mark);
        let keys = bench.memory.keys(language);
        let text = &text[mark.map_or(0, char::len_utf8)..];
        Stream { text, scan: Scan::new(text), language, keys, bench, at: 0, solid: (0, 0), next: 0 }
    }
}

/// What a thread works with; used again for the next text.
#[derive(Default)]
struct Bench {
    memory: Memory,
    /// Words whose turn comes.
    seen: Vec<Seen>,
    token: Token,
    /// Another term at the same place; empty if there is none.
    more: String,
}

/// A word that was seen and not looked up yet.
#[derive(Clone, Copy)]
struct Seen {
    key: u64,
    from: usize,
    to: usize,
    /// Where the signs behind it end, or else the word.
    end: usize,
    position: usize,
}

/// A text on its way into terms.
pub(crate) struct Stream<'a> {
    text: &'a str,
    scan: Scan<'a>,
    language: Language,
    keys: Keys,
    bench: Bench,
    /// The next of the words seen.
    at: usize,
    /// What is left of a run without spaces.
    solid: (usize, usize),
    /// The position of the next word to be seen.
    next: usize,
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        BENCH.set(std::mem::take(&mut self.bench));
    }
}

impl Stream<'_> {
    /// Finds the next handful of words; a run without spaces comes after them. False at the end of the text.
    fn see(&mut self) -> bool {
        self.at = 0;
        let seen = &mut self.bench.seen;
        seen.clear();
        while seen.len() < HANDFUL {
            let (from, to, end) = match self.scan.next() {
                None => break,
                Some(Run::Break) => {
                    self.next += GAP;
                    continue;
                }
                Some(Run::Solid(from, to)) => {
                    self.solid = (from, to);
                    break;
                }
                Some(Run::Word(from, to)) => (from, to, to),
                Some(Run::Signed(from, to, end)) => (from, to, end),
            };
            let key = self.keys.key(self.text, from, to);
            seen.push(Seen { key, from, to, end, position: self.next });
            self.next += 1;
        }
        self.bench.memory.glance(seen.iter().map(|word| word.key));
        !seen.is_empty() || self.solid.0 < self.solid.1
    }

    fn put(&mut self, from: usize, to: usize, position: usize) {
        let token = &mut self.bench.token;
        (token.offset_from, token.offset_to, token.position) = (from, to, position);
    }

    fn word(&mut self, Seen { key, from, to, end, position }: Seen) {
        let Bench { memory, token, more, .. } = &mut self.bench;
        let word = &self.text[from..to];
        token.text.clear();
        match memory.meet(key, word, self.language) {
            Met::Start(length, capitals) => {
                token.text.push_str(&word[..length]);
                if capitals {
                    token.text.make_ascii_lowercase();
                }
            }
            Met::Terms(terms) => {
                token.text.push_str(&terms.first);
                more.push_str(terms.second.as_deref().unwrap_or_default());
            }
        }
        if end > to {
            *more = sign(&self.text[from..end]);
        }
        self.put(from, to, position);
    }

    /// The next letter of a run without spaces: with its neighbor, and alone if it may be a word.
    fn letter(&mut self) {
        let (from, end) = self.solid;
        let mut letters = self.text[from..end].char_indices();
        let first = letters.next().map(|(_, c)| c);
        let second = letters.next();
        let after = letters.next().map_or(end, |(at, _)| from + at);
        let Bench { token, more, .. } = &mut self.bench;
        token.text.clear();
        token.text.push_str(&self.text[from..after]);
        if second.is_some() {
            more.extend(first.filter(|c| is_han(*c)));
        }
        self.solid.0 = second.map_or(end, |(at, _)| from + at);
        self.put(from, after, self.next);
        self.next += 1;
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let Bench { token, more, .. } = &mut self.bench;
        if !more.is_empty() {
            std::mem::swap(&mut token.text, more);
            more.clear();
            return true;
        }
        loop {
            if let Some(word) = self.bench.seen.get(self.at) {
                self.at += 1;
                self.word(*word);
                return true;
            }
            if self.solid.0 < self.solid.1 {
                self.letter();
                return true;
            }
            if !self.see() {
                return false;
            }
        }
    }

    fn token(&self) -> &Token {
        &self.bench.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.bench.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, language: &str) -> Vec<(usize, String)> {
        let text = format!("{}{text}", Language::from_code(language).mark());
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
