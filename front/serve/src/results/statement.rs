//! What does a gathering say of itself? Its statement and the report of its last run, as they are kept.

use serde::{Deserialize, Serialize};

use groma_store::gathers::GatherRow;

/// What a gathering came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct Statement {
    /// How far the keeper of the database helped: cooperative, described or unaided; nothing if it never got so far.
    pub(crate) degree: Option<String>,
    /// Everything the form can show has been seen, and that is proved.
    pub(crate) certified: bool,
    /// Distinct records.
    pub(crate) rows: u64,
    /// Distinct values over all attributes.
    pub(crate) values: u64,
    /// Where it is not certified: how much of the whole it is, as far as that can be said.
    pub(crate) estimated: Option<Share>,
    /// Questions asked.
    pub(crate) queries: u64,
    /// Answer pages read.
    pub(crate) pages: u64,
    /// Requests in all: forms, answers, redirects, retries.
    pub(crate) requests: u64,
    /// No method needs fewer questions.
    pub(crate) least_queries: Option<u64>,
    /// No method needs fewer pages.
    pub(crate) least_pages: Option<u64>,
    /// Why it is not certified.
    pub(crate) reasons: Vec<String>,
    /// What the user should know besides.
    pub(crate) notes: Vec<String>,
    /// certified, estimated, unknown, budget, interrupted, planned or failed.
    pub(crate) end: String,
    /// The same in a sentence.
    pub(crate) says: String,
    /// A summarizer said that nothing is new.
    pub(crate) unchanged: bool,
}

/// A list or a box that stayed as it was.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct LeftOut {
    /// Its internal name.
    pub(crate) name: String,
    /// What people read beside it.
    pub(crate) label: String,
}

/// A share of the whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct Share {
    /// Per cent of the whole.
    pub(crate) percent: f64,
    /// Not less, in 19 of 20 cases.
    pub(crate) low: f64,
    /// Not more, in 19 of 20 cases.
    pub(crate) high: f64,
    /// How it was estimated.
    pub(crate) method: String,
}

/// What would be asked, and what it would cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct Plan {
    /// Which form of the page, from 1.
    pub(crate) form: u64,
    /// Where it is sent.
    pub(crate) action: String,
    /// How it is sent: get or post.
    pub(crate) method: String,
    /// Fields that are varied.
    pub(crate) fields: Vec<PlanField>,
    /// Questions, at least and at most about.
    pub(crate) questions: Option<[u64; 2]>,
    /// Pages, at least and at most about.
    pub(crate) pages: Option<[u64; 2]>,
    /// Records, by the total that the first answer showed.
    pub(crate) total: Option<u64>,
    /// The form is fetched anew before each question.
    pub(crate) tokens: bool,
    /// Requests at which it stops by itself; nothing in the plans of older versions.
    pub(crate) budget: Option<u64>,
    /// How long that takes at least and at most, in seconds.
    pub(crate) seconds: Option<[u64; 2]>,
}

/// A field that is varied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct PlanField {
    /// What it is called.
    pub(crate) name: String,
    /// choice, range, beginning or words.
    pub(crate) kind: String,
    /// Its values, where they can be counted.
    pub(crate) values: Option<u64>,
}

/// What the last run of a gathering said, whether it came to the end or not.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    pub(crate) closing: Option<Statement>,
    pub(crate) planned: Option<Plan>,
    /// Lists and boxes whose values no question varied; `vary` does.
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) fault: Option<String>,
}

impl Statement {
    /// About the records that are shown: that of the last end, or of the last run where there was none yet.
    pub(crate) fn shown(row: &GatherRow) -> Option<Statement> {
        let ended = serde_json::from_str(&row.statement).ok();
        ended.or_else(|| Report::last_run(row).closing)
    }
}

impl Report {
    /// Of a gathering; what cannot be read is as good as nothing said.
    pub(crate) fn last_run(row: &GatherRow) -> Report {
        serde_json::from_str(&row.report).unwrap_or_default()
    }
}
