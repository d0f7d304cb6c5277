//! What does an answer say? Values and records by the rules of a description, how many there are in all, whether the list was
//! cut, and where it goes on.
//!
//! [`read`] puts it together: records (`rows.rs`), totals (`total.rs`), signs (`signs.rs`), further pages (`next.rs`).
//! [`Navigator`] walks the pages of one answer. [`propose`] finds the records of a page that nobody has described.
//! Cost: linear in the page, plus what the rules cost, which is bounded.

mod lines;
mod navigator;
mod next;
mod number;
mod propose;
mod repeat;
mod rows;
mod signs;
mod total;

use std::collections::BTreeMap;

use groma_hel::{Bounds, Tree};
use groma_model::Request;
use serde::Serialize;
use url::Url;

use crate::description::Description;

pub use navigator::{Ended, Navigator};
pub use propose::propose;
pub use total::Total;

/// What an answer page says.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// By attribute: its distinct values, in order of first sight.
    pub values: BTreeMap<String, Vec<String>>,
    /// The rows, where rules belong together.
    pub records: Vec<Record>,
    /// How many there are in all, if the page says so.
    pub total: Option<Total>,
    /// Which of them the page shows, counted from 1.
    pub shown: Option<(u64, u64)>,
    /// `page 2 of 7`: which page, and how many.
    pub page_of: Option<(u64, u64)>,
    /// The words that say that not all are shown.
    pub cut: Option<String>,
    /// Further pages of the same answer, the next one first.
    pub next: Vec<Request>,
    /// The page that a link calls `1`: further only on a first page whose number is 0.
    pub one: Option<Request>,
    /// Does it say that there is nothing?
    pub none: bool,
    /// What went wrong with the rules.
    pub complaints: Vec<String>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Record {
    /// Attributes and values; an attribute may have several.
    pub values: Vec<(String, String)>,
    /// Where more about it is: an address.
    pub link: Option<String>,
}

/// Reads an answer page. `page` is its address, `charset` its character set, `asked` what was filled in.
pub fn read(tree: &Tree, page: &Url, charset: &str, description: &Description, asked: &[(&str, &str)]) -> Answer {
    let bounds = Bounds::default();
    let mut answer = Answer::default();
    let rows = rows::read(tree, page, description.metadata(), &bounds, &mut answer);
    let lines = lines::lines(tree, &rows);
    let count = total::read(&lines, asked);
    (answer.total, answer.shown, answer.page_of) = (count.total, count.shown, count.page_of);
    // A total below what stands there is a number of something else.
    let records = answer.records.len() as u64;
    answer.total = answer.total.filter(|total| total.number >= records);
    answer.cut = signs::cut(&lines);
    let is_zero = answer.total.is_some_and(|total| total.number == 0);
    answer.none = answer.records.is_empty() && (is_zero || signs::none(&lines));
    (answer.next, answer.one) = next::next(tree, page, charset, description, asked);
    answer
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
