//! Which rows have been seen, how often, and under which question do they count?
//!
//! ```text
//! home(key)   the deepest question, on one line of the tree, whose answer showed the row, and as often as any above it
//! copies      the most equal rows on one page of that answer
//! lower(q)    sum of the copies whose home is q or a part of q  <=  records that match q
//! ```
//!
//! A row counts in one home only, so overlapping questions and folded letters cannot make `lower` too large. Equal rows on
//! different pages of an answer may be one row that moved while we turned the page, hence "on one page".
//! Cost: O(depth) per row and answer. Memory: a digest and four small numbers per distinct row.

use std::collections::HashMap;

/// What is known about a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) home: u32,
    pub(super) copies: u32,
    /// Answers that showed it.
    pub(super) sightings: u32,
    /// One of them showed no sign of a cut.
    pub(super) in_leaf: bool,
    /// One of them was the first answer that was cut.
    pub(super) in_first: bool,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    pub(super) rows: HashMap<u128, Entry>,
    /// Rows in the first answer that was cut.
    pub(super) first: u64,
}

/// An answer as a set: copies per key, and whether a key came on two pages.
pub(super) fn tally(pages: &[Vec<super::space::Row>]) -> (HashMap<u128, u32>, bool) {
    let mut all: HashMap<u128, u32> = HashMap::new();
    let mut moved = false;
    for page in pages {
        let mut here: HashMap<u128, u32> = HashMap::with_capacity(page.len());
        for row in page {
            *here.entry(row.key).or_insert(0) += 1;
        }
        for (key, copies) in here {
            let most = all.entry(key).or_insert(0);
            moved |= *most > 0;
            *most = copies.max(*most);
        }
    }
    (all, moved)
}

impl Ledger {
    /// Distinct rows.
    pub(super) fn distinct(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Rows seen once, twice, in answers that show no cut, and in those and the first cut one.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for entry in self.rows.values() {
            counts.once += u64::from(entry.sightings == 1);
            counts.twice += u64::from(entry.sightings == 2);
            counts.leaves += u64::from(entry.in_leaf);
            counts.both += u64::from(entry.in_leaf && entry.in_first);
        }
        counts
    }
}

/// See [`Ledger::counts`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) once: u64,
    pub(super) twice: u64,
    pub(super) leaves: u64,
    pub(super) both: u64,
}
