//! Which words do the pages use? For corrections and for completing what is being typed.
//!
//! The words of all pages as they are spoken, not stemmed, with how often they were met while writing. Pages that are written again
//! count again, and words that left the pages stay until the index is made anew: whoever corrects a question asks it before he
//! proposes it.

use std::collections::HashMap;
use std::path::Path;

use crate::{SearchError, sealed};

/// Words kept at most.
const WORDS: usize = 300_000;
/// A word met less often may be a slip itself.
const OFTEN: u32 = 2;
/// Letters of a word that is kept.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=32;
pub(crate) const NAME: &str = "words";

/// The words, in order.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    words: Vec<Word>,
    text: String,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    from: u32,
    length: u8,
    /// Length in letters, `length` is in bytes.
    letters: u8,
    /// Which letters occur, for a quick look.
    bag: u32,
    count: u32,
}

/// Which letters a word has, as bits.
fn bag(word: &str) -> u32 {
    word.chars().fold(0, |bits, c| bits | 1 << (c as u32 % 32))
}

impl Vocabulary {
    fn push(&mut self, word: &str, count: u32) {
        let letters = word.chars().count() as u8;
        let from = self.text.len() as u32;
        self.words.push(Word { from, length: word.len() as u8, letters, bag: bag(word), count });
        self.text.push_str(word);
    }

    fn text(&self, word: &Word) -> &str {
        &self.text[word.from as usize..word.from as usize + usize::from(word.length)]
    }

    /// Reads the file in this folder; no words if there is none.
    pub(crate) fn load(folder: &Path) -> Result<Vocabulary, SearchError> {
        let bytes = sealed::read(&folder.join(NAME))?.unwrap_or_default();
        let mut all = Vocabulary::default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            if let Some((word, count)) = line.rsplit_once(' ') {
                all.push(word, count.parse().unwrap_or(0));
            }
        }
        Ok(all)
    }

    /// Is its file missing? An index that was ever committed has one.
    pub(crate) fn is_missing(folder: &Path) -> bool {
        !folder.join(NAME).exists()
    }

    /// Adds what was counted and writes the file.
    pub(crate) fn add(folder: &Path, counts: HashMap<String, u32>) -> Result<(), SearchError> {
        if counts.is_empty() && !Vocabulary::is_missing(folder) {
            return Ok(());
        }
        let mut counts = counts;
        let old = Vocabulary::load(folder)?;
        for word in &old.words {
            let count = counts.entry(old.text(word).to_owned()).or_default();
            *count = count.saturating_add(word.count);
        }
        let sensible = |word: &str| {
            LETTERS.contains(&word.chars().count()) && word.len() < 200 && word.chars().any(char::is_alphabetic)
        };
        // Once rare words no longer fit, they go first.
        let mut kept: Vec<(String, u32)> = counts.into_iter().filter(|(word, _)| sensible(word)).collect();
        if kept.len() > WORDS {
            kept.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            kept.truncate(WORDS);
        }
        kept.sort_unstable();
        let lines: String = kept.iter().map(|(word, count)| format!("{word} {count}\n")).collect();
        Ok(sealed::write(&folder.join(NAME), lines.as_bytes())?)
    }

    /// How often a word was met.
    pub(crate) fn count(&self, word: &str) -> u32 {
        let found = self.words.binary_search_by(|of| self.text(of).cmp(word));
        found.map_or(0, |at| self.words[at].count)
    }

    /// Words that begin like this, most frequent first.
    pub(crate) fn completions(&self, start: &str, most: usize) -> Vec<&str> {
        let first = self.words.partition_point(|word| self.text(word) < start);
        let mut found: Vec<&Word> =
            self.words[first..].iter().take_while(|word| self.text(word).starts_with(start)).collect();
        found.retain(|word| word.count >= OFTEN);
        found.sort_by_key(|word| std::cmp::Reverse(word.count));
        found.into_iter().take(most).map(|word| self.text(word)).collect()
    }

    /// Words that are written almost like this one and met more often, the best first.
    pub(crate) fn alike(&self, word: &str, most: usize) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        let edits = match letters.len() {
            0..=2 => return Vec::new(),
            3..=5 => 1,
            _ => 2,
        };
        let known = self.count(word);
        let mine = bag(word);
        let mut found: Vec<(u8, std::cmp::Reverse<u32>, &str)> = Vec::new();
        let mut rows = Rows::default();
        for other in &self.words {
            let near = usize::from(other.letters).abs_diff(letters.len()) <= usize::from(edits);
            let often = other.count >= OFTEN && other.count > known.saturating_mul(4);
            if !near || !often || (mine ^ other.bag).count_ones() > 2 * u32::from(edits) {
                continue;
            }
            let text = self.text(other);
            if let Some(distance) = rows.distance(&letters, text, edits).filter(|distance| *distance > 0) {
                // People rarely miss the first letter.
                let first = u8::from(!text.starts_with(letters[0]));
                found.push((distance * 2 + first, std::cmp::Reverse(other.count), text));
            }
        }
        found.sort_unstable();
        found.into_iter().take(most).map(|(.., text)| text.to_owned()).collect()
    }
}

/// Optimal string alignment: insertions, deletions, changes and swaps of neighbors; rows used again.
#[derive(Default)]
struct Rows {
    letters: Vec<char>,
    before: Vec<u8>,
    last: Vec<u8>,
    this: Vec<u8>,
}

impl Rows {
    /// The distance, if it is not above `most`. O(product of the lengths), which are small.
    fn distance(&mut self, from: &[char], to: &str, most: u8) -> Option<u8> {
        self.letters.clear();
        self.letters.extend(to.chars());
        let width = self.letters.len() + 1;
        self.last.clear();
        self.last.extend((0..width).map(|n| n as u8));
        self.before.clear();
        self.before.resize(width, 0);
        for (row, a) in from.iter().enumerate() {
            self.this.clear();
            self.this.push(row as u8 + 1);
            let mut least = row as u8 + 1;
            for (column, b) in self.letters.iter().enumerate() {
                let change = self.last[column] + u8::from(a != b);
                let mut best = change.min(self.last[column + 1] + 1).min(self.this[column] + 1);
                if row > 0 && column > 0 && *a == self.letters[column - 1] && from[row - 1] == *b {
                    best = best.min(self.before[column - 1] + 1);
                }
                least = least.min(best);
                self.this.push(best);
            }
            if least > most {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.this);
        }
        self.last.last().copied().filter(|distance| *distance <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vocabulary {
        let mut all = Vocabulary::default();
        for (word, count) in
            [("database", 50), ("databases", 9), ("datum", 1), ("index", 30), ("indexes", 20), ("příliš", 4)]
        {
            all.push(word, count);
        }
        all
    }

    #[test]
    fn slips_are_mended() {
        assert_eq!(words().alike("databsae", 1), ["database"]);
        assert_eq!(words().alike("idnex", 1), ["index"]);
        assert!(words().alike("zebra", 1).is_empty());
        assert!(words().alike("database", 1).is_empty(), "what is common is no slip");
        assert!(words().alike("", 1).is_empty());
    }

    #[test]
    fn completions_are_the_common_ones() {
        assert_eq!(words().completions("data", 9), ["database", "databases"]);
        assert_eq!(words().completions("indexe", 9), ["indexes"]);
        assert!(words().completions("x", 9).is_empty());
    }

    #[test]
    fn words_are_kept_and_added_up() {
        let folder = std::env::temp_dir().join(format!("groma-words-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let counts = || HashMap::from([("one".to_owned(), 2), ("a b".to_owned(), 1), ("12".to_owned(), 7)]);
        Vocabulary::add(&folder, counts()).unwrap();
        Vocabulary::add(&folder, counts()).unwrap();
        let back = Vocabulary::load(&folder).unwrap();
        assert_eq!((back.count("one"), back.count("a b"), back.count("12"), back.count("two")), (4, 2, 0, 0));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
