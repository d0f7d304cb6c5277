//! What other pages call a page: the texts of the links that point at it.
//!
//! Of each page at most [`CANDIDATES`] different texts are counted, those met first, and the [`KEPT`] most frequent of them are
//! taken. Every text is kept once, however many links bear it, so memory grows with pages, not with links.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

/// Different texts counted for a page.
const CANDIDATES: usize = 24;
/// Texts that go into the document.
const KEPT: usize = 12;
/// Letters of a text that count.
const LETTERS: usize = 120;

/// The texts, by the page they point at.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    texts: Vec<Box<str>>,
    numbers: HashMap<u64, u32>,
    /// The number of a text and how many links bear it.
    of: HashMap<u32, Vec<(u32, u32)>>,
}

impl Anchors {
    /// A link from another page.
    pub(crate) fn add(&mut self, target: u32, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let end = text.char_indices().nth(LETTERS).map_or(text.len(), |(at, _)| at);
        let text = &text[..end];
        let texts = &mut self.texts;
        let number = *self.numbers.entry(xxh3_64(text.as_bytes())).or_insert_with(|| {
            texts.push(text.into());
            (texts.len() - 1) as u32
        });
        let counts = self.of.entry(target).or_default();
        match counts.iter().position(|(of, _)| *of == number) {
            Some(at) => counts[at].1 = counts[at].1.saturating_add(1),
            None if counts.len() < CANDIDATES => counts.push((number, 1)),
            None => {}
        }
    }

    /// The texts of a page, most frequent first.
    pub(crate) fn of(&self, target: u32) -> Vec<&str> {
        let Some(counts) = self.of.get(&target) else { return Vec::new() };
        let mut list: Vec<(u32, &str)> =
            counts.iter().map(|(number, count)| (*count, &*self.texts[*number as usize])).collect();
        list.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        list.truncate(KEPT);
        list.into_iter().map(|(_, text)| text).collect()
    }

    /// A digest of the texts of a page; their order does not matter.
    pub(crate) fn digest(&self, target: u32) -> u64 {
        let sums = self.of(target).into_iter().map(|text| xxh3_64(text.as_bytes()));
        sums.fold(0, u64::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_texts_come_first_and_each_once() {
        let mut anchors = Anchors::default();
        for text in ["rare", "often", " often ", "", "  "] {
            anchors.add(7, text);
        }
        assert_eq!(anchors.of(7), ["often", "rare"]);
        assert!(anchors.of(8).is_empty());
        let before = anchors.digest(7);
        anchors.add(7, "rare");
        assert_eq!(anchors.digest(7), before, "the same texts");
        anchors.add(7, "new");
        assert_ne!(anchors.digest(7), before);
        for n in 0..100 {
            anchors.add(9, &format!("text {n}"));
        }
        assert_eq!(anchors.of(9).len(), KEPT);
        anchors.add(10, &"ž".repeat(1000));
        assert_eq!(anchors.of(10)[0].chars().count(), LETTERS);
    }
}
