//! What does an answer say? Values and records by the rules of a description, how many there are in all, whether the list was
//! cut, and where it goes on.
//!
//! [`read`] puts it together: records (`rows.rs`), totals (`total.rs`), signs (`signs.rs`), further pages (`next.rs`), what looks like
//! records and is not read (`passed_over.rs`). [`KnownPages`] says
//! whether it is an answer at all.
//! [`Navigator`] walks the pages of one answer. [`propose`] finds the records of a page that nobody has described.
//! Cost: linear in the page, plus what the rules cost, which is bounded.

mod json;
mod kind;
mod lines;
mod naming;
mod navigator;
mod next;
mod number;
mod outsiders;
mod page_shape;
mod passed_over;
mod pieces;
mod place;
mod propose;
mod refusal;
mod repeat;
mod rows;
mod signs;
mod total;
mod total_nouns;
mod total_words;

use std::collections::BTreeMap;

use groma_hel::{Tree, with_parts};
use groma_model::Request;
use groma_url::Url;
use serde::Serialize;

use crate::description::Description;
use crate::meta::Navigation;

pub use json::as_page;
pub use json::path as json_path;
pub use kind::{AnswerKind, KnownPages};
pub use navigator::{Absorbed, Ended, Navigator};
pub use page_shape::PageShape;
pub use propose::propose;
pub use refusal::NoAnswerWhy;
pub use total::{Total, TotalKind};

/// What an answer page says.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// By attribute: its distinct values, in order of first sight.
    pub values: BTreeMap<String, Vec<String>>,
    /// The rows, where rules belong together.
    pub records: Vec<Record>,
    /// Rows beside them that look like records and that the rules do not read.
    pub passed_over: u64,
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
    /// What the page is built of, for the question whether it is an answer at all ([`KnownPages`]).
    pub shape: PageShape,
    /// What went wrong with the rules.
    pub complaints: Vec<String>,
}

impl Answer {
    /// Is there more of it than this page?
    fn goes_on(&self) -> bool {
        !self.next.is_empty() || self.one.is_some() || self.cut.is_some()
    }
}

/// A row of an answer, as attributes and values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Record {
    /// Attributes and values; an attribute may have several.
    pub values: Vec<(String, String)>,
    /// Where more about it is: a URL.
    pub link: Option<String>,
}

/// Reads an answer page. `page` is its URL, `charset` its character set, `asked` what was filled in.
pub fn read(tree: &Tree, page: &Url, charset: &str, description: &Description, asked: &[(&str, &str)]) -> Answer {
    let parted = description.names_parts().then(|| with_parts(tree));
    let tree = parted.as_ref().unwrap_or(tree);
    let mut answer = Answer::default();
    // What nobody asks for is not parsed.
    let is_json = json::block::is_whole(tree);
    let blocks = if is_json || description.names_json() { json::block::blocks(tree) } else { Vec::new() };
    let rows = rows::read(tree, page, description.metadata(), &blocks, &mut answer);
    answer.passed_over = passed_over::passed_over(tree, &rows.nodes);
    let lines = lines::lines(tree, &rows.nodes);
    let count = total::read(&lines, asked);
    (answer.next, answer.one) = next::next(tree, page, charset, description, asked);
    let rule = rows.json.as_ref().or_else(|| description.json_rule());
    let around = rule.map(|rule| json::around::around(rule, &blocks, page)).unwrap_or_default();
    if answer.next.is_empty() && *description.navigation() == Navigation::Auto {
        answer.next.extend(around.next);
    }
    answer.cut = signs::cut(&lines);
    let records = answer.records.len() as u64;
    (answer.total, answer.shown, answer.page_of) =
        (count.borne_out(records, answer.goes_on()), count.shown, count.page_of);
    answer.total = around.total.or(answer.total);
    // A total below what stands there is a number of something else.
    answer.total = answer.total.filter(|total| total.number >= records);
    if let Navigation::Counted(counted) = description.navigation() {
        let rows = records.max(answer.values.values().map(Vec::len).max().unwrap_or(0) as u64);
        let total = answer.total.filter(Total::is_exact).map(|total| total.number);
        answer.next.extend(counted.after(page, rows, total).map(Request::get));
    }
    let is_zero = answer.total.is_some_and(|total| total.number == 0);
    answer.shape = PageShape::from_lines(tree, &lines, asked);
    if is_json {
        answer.shape.add_json(&blocks);
    }
    let says_none = is_zero || around.is_empty || signs::none(&lines) || (is_json && json::around::says_none(&blocks));
    answer.none = answer.records.is_empty() && says_none;
    answer
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;

#[cfg(test)]
mod kind_tests;
#[cfg(test)]
mod shape_tests;
#[cfg(test)]
mod total_tests;
