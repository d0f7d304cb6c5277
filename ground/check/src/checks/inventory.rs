//! Inventory: what is there, by type, size and distance, and what is largest and slowest?
//!
//! Counted are indexed pages of the survey. Not findings: a table. Cost: one pass over the URLs; types beyond a
//! thousand are counted together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io;

use groma_model::State;
use serde::Serialize;

use crate::evidence::{Evidence, PageFacts};

/// Different media types that are told apart; nobody has so many in earnest.
const TYPES_AT_MOST: usize = 1_000;
/// Characters of a media type that are shown.
const TYPE_CHARS: usize = 80;
/// What types beyond [`TYPES_AT_MOST`] are counted as.
const OTHERS: &str = "(others)";
/// The server did not say.
const UNKNOWN: &str = "(unknown)";

/// A page and an amount.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Amount {
    /// Bytes, or milliseconds.
    pub amount: u64,
    pub url: String,
}

/// Pages of one media type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeRow {
    pub media_type: String,
    pub pages: u64,
    /// Of all of them together.
    pub bytes: u64,
    /// The largest page of the type.
    pub largest: Amount,
}

/// What a survey holds: types, sizes, depths, the largest and slowest pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inventory {
    /// By media type, the most pages first.
    pub types: Vec<TypeRow>,
    /// Upper bound in bytes (exclusive; nothing for the last) and pages below it and not below the one before.
    pub sizes: Vec<(Option<u64>, u64)>,
    /// Pages by link distance.
    pub depths: BTreeMap<u32, u64>,
    /// Pages that links from the start page do not lead to.
    pub loose: u64,
    /// The largest pages, the largest first.
    pub largest: Vec<Amount>,
    /// The slowest pages, the slowest first.
    pub slowest: Vec<Amount>,
}

/// Where sizes are divided.
const SIZES: [u64; 6] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Takes stock of a survey; `most` pages in each list of extremes.
pub fn take(evidence: &mut dyn Evidence, most: usize) -> io::Result<Inventory> {
    let mut types: BTreeMap<String, TypeRow> = BTreeMap::new();
    let mut sizes = [0u64; SIZES.len() + 1];
    let mut inventory = Inventory::default();
    let (mut largest, mut slowest) = (Extremes::new(most), Extremes::new(most));
    evidence.pages(&mut |page| {
        if page.reason.state() != State::Fetched || !page.in_scope {
            return;
        }
        count_type(&mut types, page);
        sizes[SIZES.iter().filter(|bound| page.size >= **bound).count()] += 1;
        match page.depth.known() {
            Some(depth) => *inventory.depths.entry(depth).or_default() += 1,
            None => inventory.loose += 1,
        }
        largest.take(page.size, page.url);
        slowest.take(u64::from(page.elapsed_ms), page.url);
    })?;
    inventory.types = types.into_values().collect();
    inventory.types.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.media_type.cmp(&b.media_type)));
    let bounds = SIZES.iter().map(|bound| Some(*bound)).chain([None]);
    inventory.sizes = bounds.zip(sizes).collect();
    (inventory.largest, inventory.slowest) = (largest.sorted(), slowest.sorted());
    Ok(inventory)
}

fn count_type(types: &mut BTreeMap<String, TypeRow>, page: &PageFacts<'_>) {
    let bare = page.media_type.split(';').next().unwrap_or_default().trim();
    let shown = bare.chars().take(TYPE_CHARS).map(|c| c.to_ascii_lowercase());
    let name = if bare.is_empty() { UNKNOWN.to_owned() } else { shown.collect() };
    let full = types.len() >= TYPES_AT_MOST && !types.contains_key(&name);
    let name = if full { OTHERS.to_owned() } else { name };
    let row = types.entry(name).or_insert_with_key(|name| TypeRow {
        media_type: name.clone(),
        pages: 0,
        bytes: 0,
        largest: Amount { amount: 0, url: String::new() },
    });
    row.pages += 1;
    row.bytes = row.bytes.saturating_add(page.size);
    if row.largest.url.is_empty() || page.size > row.largest.amount {
        row.largest = Amount { amount: page.size, url: page.url.to_owned() };
    }
}

/// The largest of many amounts.
struct Extremes {
    most: usize,
    /// The smallest on top. Of equal amounts the one that came first stays.
    kept: BinaryHeap<Reverse<(u64, Reverse<u64>, String)>>,
    seen: u64,
}

impl Extremes {
    fn new(most: usize) -> Extremes {
        Extremes { most, kept: BinaryHeap::new(), seen: 0 }
    }

    fn take(&mut self, amount: u64, url: &str) {
        self.seen += 1;
        let full = self.kept.len() >= self.most;
        if full && self.kept.peek().is_none_or(|Reverse((least, ..))| amount <= *least) {
            return;
        }
        if full {
            self.kept.pop();
        }
        self.kept.push(Reverse((amount, Reverse(self.seen), url.to_owned())));
    }

    fn sorted(self) -> Vec<Amount> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse((amount, _, url))| Amount { amount, url }).collect()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, Reason};

    use super::*;
    use crate::memory::Survey;

    #[test]
    fn pages_are_counted_by_type_size_and_depth() {
        let mut survey = Survey::default();
        for (n, (media_type, size, depth)) in [
            ("text/html", 500, Depth(0)),
            ("Text/HTML; charset=x", 5_000, Depth(1)),
            ("image/png", 2_000_000, Depth(1)),
            ("", 1_000, Depth::LOOSE),
        ]
        .into_iter()
        .enumerate()
        {
            let id = survey.indexed(&format!("https://a.org/{n}"));
            let page = survey.page(id);
            (page.media_type, page.size, page.depth, page.elapsed_ms) = (media_type.into(), size, depth, n as u32);
        }
        survey.add("https://a.org/gone", Reason::NotFound);
        let inventory = take(&mut survey, 2).unwrap();
        let types: Vec<_> = inventory.types.iter().map(|t| (t.media_type.as_str(), t.pages, t.bytes)).collect();
        assert_eq!(types, [("text/html", 2, 5_500), ("(unknown)", 1, 1_000), ("image/png", 1, 2_000_000)]);
        assert_eq!(inventory.types[0].largest.url, "https://a.org/1");
        let sizes: Vec<u64> = inventory.sizes.iter().map(|(_, pages)| *pages).collect();
        assert_eq!(sizes, [1, 2, 0, 0, 1, 0, 0]);
        assert_eq!((inventory.depths[&0], inventory.depths[&1], inventory.loose), (1, 2, 1));
        let urls = |list: &[Amount]| list.iter().map(|a| a.url.clone()).collect::<Vec<_>>();
        assert_eq!(urls(&inventory.largest), ["https://a.org/2", "https://a.org/1"]);
        assert_eq!(urls(&inventory.slowest), ["https://a.org/3", "https://a.org/2"]);
        assert_eq!(take(&mut survey, 0).unwrap().largest, []);
    }

    #[test]
    fn made_up_types_do_not_fill_memory() {
        let mut survey = Survey::default();
        for n in 0..1_100 {
            let id = survey.indexed("https://a.org/");
            survey.page(id).media_type = format!("x/{n}{}", "\u{e9}".repeat(500));
        }
        let inventory = take(&mut survey, 1).unwrap();
        assert_eq!(inventory.types.len(), TYPES_AT_MOST + 1);
        assert_eq!((inventory.types[0].media_type.as_str(), inventory.types[0].pages), (OTHERS, 100));
    }
}
