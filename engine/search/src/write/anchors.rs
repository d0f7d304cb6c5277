//! What other pages call a page: the texts of the links that point at it.
//!
//! Of each page at most [`CANDIDATES`] different texts are counted, those met first, and the [`KEPT`] most frequent of them are
//! taken. Every text of a page is kept once, however many links bear it, so memory grows with pages, not with links. Texts are
//! told apart by their hashes: a link that says what others said before costs one hash and a glance at the list of its target.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

/// Different texts counted for a page.
const CANDIDATES: usize = 24;
/// Texts that go into the document.
const KEPT: usize = 12;
/// Letters of a text that count.
const LETTERS: usize = 120;

/// The texts, by the place of the page they point at.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    /// All texts, one behind the other.
    texts: String,
    of: Vec<Vec<Candidate>>,
}

/// A text of a page.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    hash: u64,
    /// How many links bear it.
    count: u32,
    /// Offset of the text.
    from: u32,
    length: u16,
}

impl Anchors {
    /// For so many pages.
    pub(crate) fn of_pages(count: usize) -> Anchors {
        Anchors { texts: String::new(), of: vec![Vec::new(); count] }
    }

    /// A link from another page.
    pub(crate) fn add(&mut self, target: usize, text: &str) {
        let text = text.trim();
        let (Some(list), false) = (self.of.get_mut(target), text.is_empty()) else { return };
        // There are no more letters than bytes.
        let end = match text.len() {
            0..=LETTERS => text.len(),
            _ => text.char_indices().nth(LETTERS).map_or(text.len(), |(at, _)| at),
        };
        let text = &text[..end];
        let hash = xxh3_64(text.as_bytes());
        if let Some(known) = list.iter_mut().find(|candidate| candidate.hash == hash) {
            known.count = known.count.saturating_add(1);
        } else if let Ok(from) = u32::try_from(self.texts.len())
            && list.len() < CANDIDATES
        {
            self.texts.push_str(text);
            list.push(Candidate { hash, count: 1, from, length: end as u16 });
        }
    }

    /// Looks at the lists of these pages, all at once: what is far away in memory is on its way together.
    pub(crate) fn glance(&self, targets: impl Iterator<Item = usize>) {
        let first = |target: usize| self.of.get(target)?.first().map(|candidate| candidate.hash);
        std::hint::black_box(targets.fold(0, |seen, target| seen ^ first(target).unwrap_or(0)));
    }

    /// The link texts of a page that are indexed.
    pub(crate) fn taken(&self, target: usize) -> Taken<'_> {
        let list = self.of.get(target).map_or(&[][..], Vec::as_slice);
        // The texts lie far apart: all are asked for before the first is read.
        let first = |candidate: &Candidate| self.texts.as_bytes().get(candidate.from as usize);
        std::hint::black_box(list.iter().fold(0, |seen, candidate| seen ^ first(candidate).unwrap_or(&0)));
        if list.len() <= KEPT {
            return Taken { list: Cow::Borrowed(list), texts: &self.texts };
        }
        let mut list = list.to_vec();
        let text = |candidate: &Candidate| text_of(&self.texts, candidate);
        list.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| text(a).cmp(text(b))));
        list.truncate(KEPT);
        Taken { list: Cow::Owned(list), texts: &self.texts }
    }
}

fn text_of<'a>(texts: &'a str, candidate: &Candidate) -> &'a str {
    let from = candidate.from as usize;
    &texts[from..from + usize::from(candidate.length)]
}

/// The texts of a page that are taken.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    list: Cow<'a, [Candidate]>,
    texts: &'a str,
}

impl Taken<'_> {
    /// One by one, in no order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|candidate| text_of(self.texts, candidate))
    }

    /// A digest of them; their order does not matter.
    pub(crate) fn digest(&self) -> u64 {
        self.list.iter().fold(0, |sum, candidate| sum.wrapping_add(candidate.hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(anchors: &Anchors, target: usize) -> Vec<String> {
        let mut all: Vec<String> = anchors.taken(target).texts().map(str::to_owned).collect();
        all.sort();
        all
    }

    #[test]
    fn frequent_texts_are_kept_and_each_once() {
        let mut anchors = Anchors::of_pages(11);
        for text in ["rare", "often", " often ", "", "  "] {
            anchors.add(7, text);
        }
        assert_eq!(texts(&anchors, 7), ["often", "rare"]);
        assert!(texts(&anchors, 8).is_empty());
        let before = anchors.taken(7).digest();
        anchors.add(7, "rare");
        assert_eq!(anchors.taken(7).digest(), before, "the same texts");
        anchors.add(7, "new");
        assert_ne!(anchors.taken(7).digest(), before);
        for n in 0..100 {
            anchors.add(9, &format!("text {n:02}"));
        }
        (0..3).for_each(|_| anchors.add(9, "text 23"));
        let kept = texts(&anchors, 9);
        assert_eq!(kept.len(), KEPT);
        assert_eq!((&*kept[0], &*kept[KEPT - 1]), ("text 00", "text 23"), "the most frequent, then by letters");
        anchors.add(10, &"ž".repeat(1000));
        assert_eq!(texts(&anchors, 10)[0].chars().count(), LETTERS);
        anchors.add(11, "nobody");
        assert!(texts(&anchors, 11).is_empty());
    }
}
