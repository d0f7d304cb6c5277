//! Focused crawls and their steps, in the words of the house.

use groma_model::PageId;

/// The number of a focused crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FocusId(pub u64);

/// A focused crawl to be begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFocus {
    /// All that makes it this crawl and no other, as text.
    pub key: String,
    /// The topic as people see it.
    pub topic: String,
    /// The name of the strategy.
    pub strategy: String,
    /// Everything that was asked for, as JSON.
    pub asked: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A focused crawl as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FocusRow {
    /// Never given out twice: people name it.
    pub id: FocusId,
    /// All that makes it this crawl and no other.
    pub key: String,
    /// The topic as people see it.
    pub topic: String,
    /// The name of the strategy.
    pub strategy: String,
    /// Everything that was asked for, as JSON.
    pub asked: String,
    /// When it was begun.
    pub begun: i64,
    /// When it was last at work.
    pub last: i64,
    /// Pages it went to.
    pub steps: u32,
    /// Relevant pages among them.
    pub relevant: u32,
    /// Why it ended; empty if it has not.
    pub end: String,
}

/// A page a focused crawl went to.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// Its place, from 0.
    pub order: u32,
    /// The page of the survey that it went to.
    pub page: PageId,
    /// The page's canonical form, so that steps can be shown without the survey.
    pub address: String,
    /// How near it is to the topic, 0 to 1.
    pub score: f64,
    /// It meets the demand.
    pub relevant: bool,
    /// Relevant pages up to and with this step.
    pub found: u32,
    /// All that is to be said about it, as JSON.
    pub said: String,
}
