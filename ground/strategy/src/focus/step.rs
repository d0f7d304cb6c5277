//! What a focused crawl did, page by page, and how it ended.

use std::fmt;

use groma_model::{PageId, Reason};
use groma_topic::Relevance;

/// One page that was asked for, in the order of the crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct FocusVisit {
    pub page: PageId,
    pub address: String,
    /// What came of it.
    pub reason: Reason,
    /// Did a server have a say about it? Only then it counts as fetched.
    pub fetched: bool,
    /// Type, R and its parts, whether it is relevant; nothing if there was no page to read.
    pub relevance: Option<Relevance>,
    /// Its weight (or score) when its turn came.
    pub weight: f64,
    /// The page whose link spoke for it most; none for start pages.
    pub parent: Option<PageId>,
    /// Its arm, if the strategy has arms.
    pub arm: Option<String>,
    /// Why it was fetched, in plain words.
    pub why: &'static str,
}

impl FocusVisit {
    /// Is it relevant, by our own judgement?
    pub fn is_relevant(&self) -> bool {
        self.relevance.as_ref().is_some_and(|found| found.relevant)
    }
}

/// Why a focused crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All pages that it was allowed to fetch were fetched.
    Budget,
    /// No known page was left.
    FrontierExhausted,
    /// The pages left weigh too little.
    WeightTooLow {
        /// How many are left.
        left: usize,
    },
}

impl End {
    /// A short name for programs.
    pub fn name(self) -> &'static str {
        match self {
            End::Budget => "budget",
            End::FrontierExhausted => "frontier-exhausted",
            End::WeightTooLow { .. } => "weight-too-low",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Budget => write!(out, "the page budget is used up"),
            End::FrontierExhausted => write!(out, "frontier exhausted: no known page is left to fetch"),
            End::WeightTooLow { left } => {
                write!(out, "the {left} pages left have too little weight, even with the lowest threshold")
            }
        }
    }
}

/// What is known about one page.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Its step, if it was asked for.
    pub step: Option<FocusVisit>,
    /// Its URL, as far as it was told.
    pub address: String,
    /// Pages known to link to it, in the order in which they were read; the first sixteen.
    pub parents: Vec<PageId>,
    /// Its weight (or score) by now.
    pub weight: f64,
}
