//! Traps: calendars without end, facets in every combination, paths that repeat themselves, sessions that never end.
//!
//! What no one can know is whether a site is endless; what can be seen is that its pages stop saying anything new. For each
//! [`Shape`] we watch, once it has some pages, which texts and words its pages have shown so far. A page is
//!
//! ```text
//! dry    if its text is that of an earlier page of its shape, or, where the shape has been seen with 8 or more different sets
//!        of query parameters, if it has no word that its shape had not; and it leads to no new URL of another shape
//! stale  if it has no word that its shape had not, numbers not counting, and leads to no new URL of another shape
//! echo   if its text is that of an earlier page of its host and all the new URLs it leads to lie below its own path
//! run(p) = echo(parent(p))  ? run(parent(p)) + trap_run / 4
//!        : stale(parent(p)) ? run(parent(p)) + 1 : 0
//! ```
//!
//! (8 sets of parameters, because a shop's filters combine and a page's id does not: texts made of few words are no trap yet)
//! and a trap is suspected
//!
//! ```text
//! of a shape   after `trap_dry` dry pages in a row: what its own pages lead to    (facets, sessions, the same page at any path)
//! of a chain   where run(p) reaches `trap_run`       (calendars: each page leads only to the next; a relative link gone wrong)
//! of a shape   after `trap_stale` stale pages in a row, more than 50 links deep  (calendars with a page for every day)
//! of a shape, or of all below one first path segment, after `pattern_fetches` pages, whatever they say    (babble)
//! ```
//!
//! Source: our own. Cost: one hash per word (at most 2,000) for pages of shapes with more than 50 pages; 48 KiB for each of at
//! most 256 shapes watched closely. Not guaranteed: a site whose pages differ in nothing but numbers, linked in a chain longer
//! than `trap_run`, is taken for a calendar; the finding says so, and the limit can be raised.

use std::collections::HashMap;

use groma_url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::shape::{Shape, shape};
use crate::wording::grouped;
use crate::{Fp, Limits};

const WATCH_AFTER: u32 = 50;
const WATCHED_AT_MOST: usize = 256;
const SHAPES_AT_MOST: usize = 100_000;
const WORDS_AT_MOST: usize = 2_000;
const DEEP: u32 = 50;
/// Different sets of query parameters that make a shape one whose parameters combine.
const COMBINES: usize = 8;

/// Why a trap is suspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// Nothing new on any of the last pages of this shape.
    Dry,
    /// A chain of pages that lead only to the next.
    Chain,
    /// Many pages deep in the site that differ in numbers only.
    Stale,
    /// More pages of one shape than the limit.
    Many,
}

impl Suspicion {
    /// The sentence people see.
    pub fn says(self) -> &'static str {
        match self {
            Suspicion::Dry => "its pages stopped saying anything new",
            Suspicion::Chain => "a chain of pages, each leading only to the next and saying nothing new",
            Suspicion::Stale => "very many pages, deep in the site, that differ in numbers alone",
            Suspicion::Many => "more pages of one pattern than the limit",
        }
    }

    /// How many pages it is about, in words that follow the sentence.
    pub fn counted(self, pages: u32) -> String {
        let in_a_row = if matches!(self, Suspicion::Dry | Suspicion::Stale) { " in a row" } else { "" };
        format!("{} page{}{in_a_row}", grouped(pages.into()), if pages == 1 { "" } else { "s" })
    }

    /// The key of the limit that was reached.
    pub fn limit(self) -> &'static str {
        match self {
            Suspicion::Dry => "trap_dry",
            Suspicion::Chain => "trap_run",
            Suspicion::Stale => "trap_stale",
            Suspicion::Many => "pattern_fetches",
        }
    }
}

/// What the watch is told of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub url: &'a Url,
    /// Clicks from the start page.
    pub depth: u32,
    /// It led to a new URL of another shape.
    pub leads_elsewhere: bool,
    /// It led to new URLs, all of them below its own path.
    pub leads_below_only: bool,
    /// The fingerprint of its text.
    pub text_fp: Option<Fp>,
}

/// What a page told the watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// How much longer the run of its children is; nothing if the page ends the run.
    pub step: Option<u16>,
    /// A trap is suspected from now on; said once per shape.
    pub suspicion: Option<Suspicion>,
}

#[derive(Default)]
struct Watched {
    fetched: u32,
    dry: u32,
    stale: u32,
    words: Option<Box<WordSet>>,
    queries: Vec<u64>,
    rich: bool,
    suspected: Option<Suspicion>,
    chain_told: bool,
}

/// Watches the shapes of one survey.
pub struct TrapWatch {
    shapes: HashMap<Shape, Watched>,
    texts: TextSet,
    watched: usize,
    dry: u32,
    run: u16,
    stale: u32,
    many: u32,
}

impl TrapWatch {
    /// With the limits of the survey.
    pub fn new(limits: &Limits) -> TrapWatch {
        let small = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
        TrapWatch {
            shapes: HashMap::new(),
            texts: TextSet::default(),
            watched: 0,
            dry: small(limits.trap_dry),
            run: u16::try_from(limits.trap_run).unwrap_or(u16::MAX),
            stale: small(limits.trap_stale),
            many: small(limits.pattern_fetches),
        }
    }

    /// How many pages of a shape have been seen that a suspicion is about; of a chain the watch does not know.
    pub fn seen(&self, shape: Shape, suspicion: Suspicion) -> u32 {
        self.shapes.get(&shape).map_or(0, |watched| match suspicion {
            Suspicion::Dry => watched.dry,
            Suspicion::Stale => watched.stale,
            Suspicion::Many => watched.fetched,
            Suspicion::Chain => 0,
        })
    }

    /// Takes up a suspicion from an earlier run of the same survey.
    pub fn remember(&mut self, shape: Shape, suspicion: Suspicion) {
        let watched = self.shapes.entry(shape).or_default();
        match suspicion {
            Suspicion::Chain => watched.chain_told = true,
            other => watched.suspected = Some(other),
        }
    }

    /// A page was fetched in this quarter; `Some` when there have been too many.
    pub fn count(&mut self, quarter: Shape) -> Option<Suspicion> {
        if self.shapes.len() >= SHAPES_AT_MOST && !self.shapes.contains_key(&quarter) {
            return None;
        }
        let watched = self.shapes.entry(quarter).or_default();
        watched.fetched += 1;
        if watched.fetched <= self.many || watched.suspected.is_some() {
            return None;
        }
        watched.suspected = Some(Suspicion::Many);
        watched.suspected
    }

    /// May a URL of this shape, so far along a run, be fetched? `run` is at least 1 if a page of its own shape led to it.
    pub fn admits(&self, shape: Shape, run: u16) -> bool {
        let suspected = self.shapes.get(&shape).and_then(|w| w.suspected);
        // A dry pattern is stopped from breeding; what others list is a list, however dull.
        let bred = run > 0;
        run < self.run && suspected.is_none_or(|s| s == Suspicion::Dry && !bred)
    }

    /// Notes that the run limit kept a URL of this shape out; true the first time.
    pub fn tell_chain(&mut self, shape: Shape) -> bool {
        let watched = self.shapes.entry(shape).or_default();
        !std::mem::replace(&mut watched.chain_told, true)
    }

    /// A page was fetched. `text` is looked at only if needed.
    pub fn see<'t>(&mut self, page: &Page<'_>, text: impl IntoIterator<Item = &'t str>) -> Sighting {
        let echo = self.texts.is_known(page) && page.leads_below_only;
        let step = echo.then_some((self.run / 4).max(1));
        let nothing = Sighting { step, suspicion: None };
        let shape = shape(page.url);
        if self.shapes.len() >= SHAPES_AT_MOST && !self.shapes.contains_key(&shape) {
            return nothing;
        }
        let watched = self.shapes.entry(shape).or_default();
        watched.fetched += 1;
        if watched.fetched > self.many && watched.suspected.is_none() {
            watched.suspected = Some(Suspicion::Many);
            return Sighting { step, suspicion: watched.suspected };
        }
        watched.note_query(page.url);
        if watched.fetched <= WATCH_AFTER || watched.rich {
            return nothing;
        }
        if watched.words.is_none() {
            if self.watched >= WATCHED_AT_MOST {
                return nothing;
            }
            self.watched += 1;
            watched.words = Some(Box::default());
        }
        let Some(words) = watched.words.as_mut() else { return nothing };
        let new_text = words.add_text(page.text_fp);
        let (new_word, new_plain) = words.add(text);
        if words.is_full() {
            watched.rich = true;
            watched.words = None;
            self.watched -= 1;
            return nothing;
        }
        let combines = watched.queries.len() >= COMBINES;
        let new = page.leads_elsewhere || if combines { new_word } else { new_text };
        watched.dry = if new { 0 } else { watched.dry + 1 };
        watched.stale = if new_plain || page.leads_elsewhere { 0 } else { watched.stale + 1 };
        let step = step.or((watched.stale > 0).then_some(1));
        if watched.suspected.is_some() {
            return Sighting { step, suspicion: None };
        }
        if watched.dry >= self.dry {
            watched.suspected = Some(Suspicion::Dry);
        } else if watched.stale >= self.stale && page.depth > DEEP {
            watched.suspected = Some(Suspicion::Stale);
        }
        Sighting { step, suspicion: watched.suspected }
    }
}

/// The texts of all hosts in 2^20 bits; it knows nothing any more when a quarter of it is used.
struct TextSet {
    bits: Vec<u64>,
    used: usize,
}

impl Default for TextSet {
    fn default() -> Self {
        TextSet { bits: vec![0; 1 << 14], used: 0 }
    }
}

impl TextSet {
    /// Was this text seen on this host before? It is from now on.
    fn is_known(&mut self, page: &Page<'_>) -> bool {
        let Some(text) = page.text_fp.filter(|_| self.used < 1 << 18) else { return false };
        let host = xxh3_64(page.url.host_str().unwrap_or_default().as_bytes());
        let hash = (text.0 as u64 ^ host) % (1 << 20);
        let (at, bit) = ((hash / 64) as usize, 1 << (hash % 64));
        let known = self.bits[at] & bit != 0;
        self.used += usize::from(!known);
        self.bits[at] |= bit;
        known
    }
}

impl Watched {
    /// Remembers which parameters a URL has, whatever their order and values.
    fn note_query(&mut self, url: &Url) {
        let Some(query) = url.query() else { return };
        let name = |piece: &str| xxh3_64(piece.split('=').next().unwrap_or_default().as_bytes());
        let set = query.split('&').map(name).fold(0u64, |sum, hash| sum.wrapping_add(hash));
        if self.queries.len() < COMBINES && !self.queries.contains(&set) {
            self.queries.push(set);
        }
    }
}

/// Sets of texts, words, and words without digits, in 2^17 bits each: a word may be taken for known wrongly (the
/// page then looks drier than it is), so the set gives up when a quarter of it is used.
struct WordSet {
    all: Vec<u64>,
    plain: Vec<u64>,
    texts: Vec<u64>,
    used: usize,
}

const BITS: u64 = 1 << 17;

impl Default for WordSet {
    fn default() -> Self {
        let empty = || vec![0; (BITS / 64) as usize];
        WordSet { all: empty(), plain: empty(), texts: empty(), used: 0 }
    }
}

impl WordSet {
    fn add<'t>(&mut self, text: impl IntoIterator<Item = &'t str>) -> (bool, bool) {
        let (mut new_word, mut new_plain) = (false, false);
        let words = text.into_iter().flat_map(|block| block.split(|c: char| !c.is_alphanumeric()));
        for word in words.filter(|w| !w.is_empty()).take(WORDS_AT_MOST) {
            let hash = xxh3_64(word.as_bytes());
            if set(&mut self.all, hash) {
                new_word = true;
                self.used += 1;
                if !word.bytes().any(|b| b.is_ascii_digit()) && set(&mut self.plain, hash) {
                    new_plain = true;
                }
            }
        }
        (new_word, new_plain)
    }

    /// Notes a text; true if it was not there before.
    fn add_text(&mut self, text: Option<Fp>) -> bool {
        text.is_some_and(|fp| set(&mut self.texts, fp.0 as u64))
    }

    fn is_full(&self) -> bool {
        self.used as u64 > BITS / 4
    }
}

fn set(bits: &mut [u64], hash: u64) -> bool {
    let (at, bit) = ((hash % BITS / 64) as usize, 1 << (hash % 64));
    let new = bits[at] & bit == 0;
    bits[at] |= bit;
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> TrapWatch {
        TrapWatch::new(&Limits {
            trap_dry: 20,
            trap_run: 10,
            trap_stale: 60,
            pattern_fetches: 1000,
            ..Limits::default()
        })
    }

    fn see(watch: &mut TrapWatch, url: &str, depth: u32, leads_elsewhere: bool, text: &str) -> Sighting {
        let url = Url::parse(url).unwrap();
        let text_fp = Some(Fp::hash_bytes(text.as_bytes()));
        let page = Page { url: &url, depth, leads_elsewhere, leads_below_only: false, text_fp };
        watch.see(&page, [text])
    }

    fn here() -> Shape {
        shape(&Url::parse("http://h/p/1").unwrap())
    }

    #[test]
    fn pages_that_repeat_each_other_are_a_trap() {
        let mut watch = watch();
        let told: Vec<_> = (0..200)
            .filter_map(|i| see(&mut watch, &format!("http://h/p/{i}"), 3, false, "always the same").suspicion)
            .collect();
        assert_eq!(told, [Suspicion::Dry]);
        assert!(watch.seen(here(), Suspicion::Dry) >= 20);
        assert_eq!(Suspicion::Dry.counted(1200), "1,200 pages in a row");
        assert!(!watch.admits(here(), 1));
        assert!(watch.admits(here(), 0), "what another page lists is no trap");
        assert!(watch.admits(Shape(8), 1));
    }

    #[test]
    fn different_texts_of_few_words_are_no_trap() {
        let mut watch = watch();
        for i in 0..900u32 {
            let text: String = (0..10).map(|bit| if i >> bit & 1 == 1 { "one " } else { "nil " }).collect();
            assert_eq!(see(&mut watch, &format!("http://h/p?id={i}"), 3, false, &text).suspicion, None, "{i}");
        }
    }

    #[test]
    fn filters_that_combine_are_a_trap() {
        let mut watch = watch();
        let mut told = None;
        for i in 0..900u32 {
            let chosen: Vec<String> = (0..10).filter(|bit| i >> bit & 1 == 1).map(|bit| format!("f{bit}=on")).collect();
            let url = format!("http://h/shop?{}", chosen.join("&"));
            told = told.or(see(&mut watch, &url, 3, false, &chosen.join(" ")).suspicion);
        }
        assert_eq!(told, Some(Suspicion::Dry));
    }

    #[test]
    fn numbered_pages_near_the_top_are_no_trap() {
        let mut watch = watch();
        for i in 0..900 {
            let seen = see(&mut watch, &format!("http://h/p/{i}"), 4, false, &format!("this is page {i}"));
            assert_eq!(seen.suspicion, None);
        }
        assert!(watch.admits(here(), 0));
    }

    #[test]
    fn numbered_pages_without_end_are_a_trap() {
        let mut watch = watch();
        let mut told = None;
        for i in 0..300u32 {
            let text = format!("may {i} no events");
            told = told.or(see(&mut watch, &format!("http://h/p/{i}"), 40 + i, false, &text).suspicion);
        }
        assert_eq!(told, Some(Suspicion::Stale));
    }

    #[test]
    fn pages_that_lead_elsewhere_are_no_trap() {
        let mut watch = watch();
        for i in 0..500 {
            let seen = see(&mut watch, &format!("http://h/p/{i}"), 100, true, "next page of the list");
            assert_eq!(seen, Sighting { step: None, suspicion: None });
        }
    }

    #[test]
    fn a_long_run_is_kept_out_and_told_once() {
        let mut watch = watch();
        assert!(watch.admits(here(), 9));
        assert!(!watch.admits(here(), 10));
        assert!(watch.tell_chain(here()));
        assert!(!watch.tell_chain(here()));
        assert!(watch.admits(here(), 0), "a chain does not condemn its shape");
    }

    #[test]
    fn a_page_that_answers_at_any_path_is_an_echo() {
        let mut watch = watch();
        let url = |n: usize| Url::parse(&format!("http://h/{}", "shop/".repeat(n))).unwrap();
        let text_fp = Some(Fp::hash_bytes(b"welcome"));
        let mut see = |n: usize, below: bool| {
            let url = url(n);
            watch
                .see(
                    &Page { url: &url, depth: 1, leads_elsewhere: true, leads_below_only: below, text_fp },
                    ["welcome"],
                )
                .step
        };
        assert_eq!(see(0, true), None, "the first of its kind");
        assert_eq!(see(1, true), Some(2));
        assert_eq!(see(2, false), None, "it leads elsewhere");
    }

    #[test]
    fn more_than_the_limit_is_a_trap_whatever_is_said() {
        let mut watch = TrapWatch::new(&Limits { pattern_fetches: 100, ..Limits::default() });
        let told: Vec<_> = (0..150)
            .filter_map(|i| see(&mut watch, &format!("http://h/p/{i}"), 1, true, &format!("w{i} o{i}")).suspicion)
            .collect();
        assert_eq!(told, [Suspicion::Many]);
        let quarters: Vec<_> = (0..150).filter_map(|_| watch.count(Shape(5))).collect();
        assert_eq!(quarters, [Suspicion::Many]);
    }
}
