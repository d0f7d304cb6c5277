//! A large site that reads like prose: what does a search over it cost, and does it find the right page?
//!
//! Truth: [`Library::pages`] pages answer 200, page 0 at `/`, page `i` at `/p/i.html`, all reachable along a tree of
//! [`Library::BRANCHES`] branches; a page also leads to two others, early ones more often, so that ranks differ. Each
//! page has a title of three words, two headings, about [`Library::words`] words and one [word](Library::own_word)
//! that no other page has. Words follow Zipf's law: the `r`-th most frequent of [`Library::VOCABULARY`] has a share of
//! nearly `1 / r` of the most frequent one. The tenth part of the pages also has a word of its
//! [edition](Library::edition_word). There is no robots.txt. Cost of an answer: its size.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::number_in;
use crate::prose::{Page, mix, word};
use crate::{Answer, Ask, Web};

#[derive(Clone, Debug)]
pub struct Library {
    /// How many pages there are, the home page included; at least one.
    pub pages: usize,
    /// How many words of text a page has.
    pub words: usize,
    /// Which edition it is: another one changes the tenth part of the pages.
    pub edition: Arc<AtomicU64>,
}

impl Library {
    /// How many pages the tree leads to from each page.
    pub const BRANCHES: usize = 20;
    /// How many words there are besides the own ones.
    pub const VOCABULARY: u64 = 50_000;
    /// Every so many-th page changes with the edition.
    pub const EDITED: usize = 10;

    /// Own words begin behind the vocabulary, words of editions behind all own words.
    const OWN: u64 = 1 << 20;
    const OF_EDITIONS: u64 = 1 << 28;

    /// A site of so many pages of 200 words, in its first edition.
    pub fn new(pages: usize) -> Library {
        Library { pages: pages.max(1), words: 200, edition: Arc::default() }
    }

    /// The path of a page.
    pub fn path(&self, page: usize) -> String {
        if page == 0 { "/".into() } else { format!("/p/{page}.html") }
    }

    /// The word that only this page has.
    pub fn own_word(page: usize) -> String {
        word(Library::OWN + page as u64)
    }

    /// Does a page change with the edition?
    pub fn is_edited(page: usize) -> bool {
        page % Library::EDITED == 3
    }

    /// The word that only this page has, in this edition only.
    pub fn edition_word(&self, page: usize, edition: u64) -> String {
        word(Library::OF_EDITIONS + edition * self.pages as u64 + page as u64)
    }

    /// The title of a page: three words, not of the most frequent.
    pub fn title(page: usize) -> String {
        let one = |n: u64| word(100 + mix(page as u64, 1000 + n) % (Library::VOCABULARY - 100));
        format!("{} {} {}", one(0), one(1), one(2))
    }

    /// The `n`-th word of a text by a seed, by Zipf's law.
    pub fn zipf(seed: u64, n: u64) -> String {
        // The logarithm of the rank is evenly spread: the chance of rank r is nearly 1 / (r ln V).
        let even = (mix(seed, n) >> 11) as f64 / (1u64 << 53) as f64;
        let rank = (even * (Library::VOCABULARY as f64).ln()).exp() as u64;
        word(rank.clamp(1, Library::VOCABULARY) - 1)
    }

    fn text(seed: u64, from: u64, count: usize) -> String {
        let mut out = String::with_capacity(count * 8);
        for n in 0..count as u64 {
            out.push_str(if n == 0 {
                ""
            } else if n.is_multiple_of(12) {
                ". "
            } else {
                " "
            });
            out.push_str(&Library::zipf(seed, from + n));
        }
        out
    }

    fn page(&self, i: usize) -> Answer {
        let (seed, half) = (i as u64, self.words / 2);
        let heading = |n: u64| format!("{} {}", Library::zipf(seed, 5000 + n), Library::zipf(seed, 6000 + n));
        let mut page = Page::new(&Library::title(i))
            .says(&format!("{} is written here only. {}.", Library::own_word(i), Library::text(seed, 0, half)))
            .heading(&heading(0))
            .says(&format!("{}.", Library::text(seed, half as u64, self.words - half)));
        if Library::is_edited(i) {
            let edition = self.edition.load(Ordering::Relaxed);
            page = page.heading(&heading(1)).says(&format!("News: {}.", self.edition_word(i, edition)));
        }
        let first = i.saturating_mul(Library::BRANCHES).saturating_add(1);
        for to in first..first.saturating_add(Library::BRANCHES).min(self.pages) {
            page.add_link(&self.path(to), &Library::title(to));
        }
        for n in 0..2 {
            let range = self.pages >> (mix(seed, 7000 + n) % 8);
            let to = (mix(seed, 8000 + n) % range.max(1) as u64) as usize;
            page.add_link(&self.path(to), &Library::title(to));
        }
        page.link("/", "home").answer()
    }
}

impl Web for Library {
    fn answer(&self, ask: &Ask) -> Answer {
        let page = if ask.path == "/" { Some(0) } else { number_in(&ask.path, "/p/", ".html").filter(|i| *i > 0) };
        match page {
            Some(i) if i < self.pages => self.page(i),
            _ => Answer::status(404),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;
    use std::collections::BTreeMap;

    fn body(site: &Library, page: usize) -> String {
        String::from_utf8_lossy(&site.answer(&Ask::get(&site.path(page))).body).into_owned()
    }

    #[test]
    fn all_pages_are_reached_and_differ() {
        for pages in [1, 2, 700] {
            let walk = naive(&Library::new(pages), 5000);
            assert_eq!((walk.count(200), walk.contents, walk.count(404), walk.left), (pages, pages, 0, 0));
        }
    }

    #[test]
    fn own_words_are_their_pages_alone() {
        let site = Library::new(300);
        let bodies: Vec<String> = (0..300).map(|page| body(&site, page)).collect();
        for page in [0, 7, 299] {
            let word = Library::own_word(page);
            let holders = bodies.iter().enumerate().filter(|(_, text)| text.contains(&format!("{word} ")));
            assert_eq!(holders.map(|(at, _)| at).collect::<Vec<_>>(), [page]);
        }
    }

    #[test]
    fn an_edition_changes_a_tenth_of_the_pages() {
        let site = Library::new(100);
        let before: Vec<String> = (0..100).map(|page| body(&site, page)).collect();
        site.edition.store(1, Ordering::Relaxed);
        let changed: Vec<usize> = (0..100).filter(|page| body(&site, *page) != before[*page]).collect();
        assert_eq!(changed, (0..10).map(|n| n * 10 + 3).collect::<Vec<_>>());
        assert!(body(&site, 13).contains(&site.edition_word(13, 1)) && before[13].contains(&site.edition_word(13, 0)));
    }

    #[test]
    fn words_follow_the_law_of_zipf() {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for n in 0..200_000 {
            *counts.entry(Library::zipf(1, n)).or_insert(0) += 1;
        }
        let of = |rank: u64| f64::from(counts.get(&word(rank - 1)).copied().unwrap_or(0));
        // Ranks are cut to whole numbers: rank r has the share ln(1 + 1/r) / ln V.
        for rank in [1u64, 10, 100] {
            let wanted = 200_000.0 * (1.0 + 1.0 / rank as f64).ln() / (Library::VOCABULARY as f64).ln();
            assert!((of(rank) / wanted - 1.0).abs() < 0.2, "{rank}: {} of {wanted}", of(rank));
        }
        assert!(counts.len() > 20_000, "{}", counts.len());
    }
}
