//! What is told of a site, for people and programs alike; and how it is kept beside the survey.

use groma_bounds::content_similarity::Compared;
use serde::{Deserialize, Serialize};

use super::Nearby;

/// One member of the family of sites: at a lower price of a page, a larger site.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceStep {
    /// The price of a page.
    pub epsilon: f64,
    /// In pages.
    pub size: u32,
    /// Capacity of the links that leave it.
    pub boundary: f64,
    /// Capacity of the links within it.
    pub inside: f64,
}

/// How many pages are on which side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages that take part.
    pub pages: u32,
    /// Those that belong to the site.
    pub r#in: u32,
    /// Pages that may belong to the site.
    pub undecided: u32,
    /// Those that do not.
    pub out: u32,
    /// Hosts that hold pages of the site.
    pub hosts: u32,
}

/// A word that characterises the site, from texts of links that come from outside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The word, or two.
    pub word: String,
    /// How much it says.
    pub score: f64,
    /// How often it occurs.
    pub count: u64,
}

/// What stands at the head of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always "bounds": so that a line tells what it is.
    pub kind: String,
    /// What it was found from: a URL, `keyword:WORD`, `list:NAME`.
    pub start: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Name of the method that found it.
    pub method: String,
    /// The width of the similarity of URLs.
    pub sigma: f64,
    /// What of linked pages was compared beside their URLs: `words`, or `none` (as the survey has it, and as was asked for).
    #[serde(alias = "likeness", default = "not_compared")]
    pub similarity: String,
    /// The price of a page; 0 where there was no cut.
    pub epsilon: f64,
    /// Which way links count.
    pub direction: String,
    /// The inflation of the clustering, if there was one.
    pub inflation: Option<f64>,
    /// Which member of the family is the site.
    pub chosen: usize,
    /// Why this member of the family was chosen.
    pub why: String,
    /// What makes it doubtful.
    pub warnings: Vec<String>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// The family, the smallest first.
    pub family: Vec<PriceStep>,
    /// Why the search ended.
    pub stop: String,
    /// Pages that were fetched for it.
    pub fetches: u64,
    /// How many start pages there were.
    pub seeds: u32,
    /// Decisions of people that hold.
    pub decisions: u32,
    /// How many pages are on which side.
    pub counts: Counts,
    /// How sure the verdicts on its own pages are, on average.
    pub confidence: f32,
    /// Words that characterise it.
    pub keywords: Vec<Keyword>,
}

/// Sites that were found before pages were compared do not say so.
fn not_compared() -> String {
    Compared::Nothing.name().to_owned()
}

/// A part of the URL space, and what is said of it. A page gets its verdict from the longest one it begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prefix {
    /// What URLs begin with; of a single page its URL.
    pub prefix: String,
    /// It is one page, and not all that begins like it.
    pub single: bool,
    /// in, undecided or out.
    pub verdict: String,
    /// Pages whose URLs begin with it.
    pub pages: u32,
    /// Those of them that are in.
    pub inside: u32,
    /// Those of them that are undecided.
    pub undecided: u32,
    /// Pages that have their verdict from it, and not from a longer one.
    pub decides: u32,
    /// How sure these verdicts are, on average.
    pub confidence: f32,
    /// What speaks for them.
    pub reason: String,
    /// It lies beside the site and is told for people: without it, its pages would be out just the same.
    pub beside: bool,
}

/// All that is kept of a site besides its pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) header: Header,
    pub(super) prefixes: Vec<Prefix>,
    pub(super) nearby: Option<Nearby>,
}
