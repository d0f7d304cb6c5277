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
//! Cost: O(depth) per row and answer. Memory: a digest and three small numbers per distinct row.

use std::collections::HashMap;

/// What is known about a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) home: u32,
    pub(super) copies: u32,
    /// An answer without any sign of a cut showed it.
    pub(super) in_leaf: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    pub(super) rows: HashMap<u128, Entry>,
}

/// An answer as a set: copies per key, and whether a key came on two pages.
pub(super) fn tally(pages: &[Vec<super::space::AnswerRecord>]) -> (HashMap<u128, u32>, bool) {
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
    pub(super) fn distinct(&self) -> u64 {
        self.rows.len() as u64
    }
}
