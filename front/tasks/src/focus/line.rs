//! What is told of each page a focused crawl went to, and at its end.

use std::collections::BTreeMap;

use groma_strategy::focus::FocusVisit;
use serde::{Deserialize, Serialize};

/// A page that was fetched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// Its place, from 1.
    pub n: u32,
    #[serde(alias = "address")]
    pub url: String,
    /// What came of it.
    pub state: String,
    /// What it is: article, book, list, other; empty if there was no page to read.
    pub r#type: String,
    /// How sure we are of that, 0 to 1.
    pub confidence: f64,
    /// R: how near it is to the topic.
    pub r: f64,
    /// R of its content parts.
    pub content: f64,
    /// R of its link parts.
    pub links: f64,
    /// The cosines of its parts.
    pub cosines: BTreeMap<String, f64>,
    /// The share of the topic's words that it is about; 0 where the topic is no words.
    pub cover: f64,
    /// Its weight when its turn came.
    pub weight: f64,
    /// The page whose link spoke for it most.
    pub parent: Option<String>,
    /// The kind of link it was reached by, where the strategy learns about those.
    pub arm: Option<String>,
    /// It meets the demand.
    pub relevant: bool,
    /// Why it was fetched.
    pub why: String,
}

/// A number people and programs can read: at most five digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1e5).round() / 1e5
}

impl Line {
    /// Of a step; `parent` is the URL of its parent.
    pub(super) fn from_visit(n: u32, step: &FocusVisit, parent: Option<String>) -> Line {
        let mut line = Line {
            n,
            url: step.address.clone(),
            state: step.reason.name().to_owned(),
            weight: rounded(step.weight),
            parent,
            arm: step.arm.clone(),
            why: step.why.to_owned(),
            ..Line::default()
        };
        if let Some(found) = &step.relevance {
            line.r#type = found.page_type.name().to_owned();
            line.confidence = f64::from(found.confidence) / 100.0;
            (line.r, line.content, line.links) = (rounded(found.r), rounded(found.content), rounded(found.links));
            line.cosines = found.cosines.iter().map(|(kind, cos)| (kind.name().to_owned(), rounded(*cos))).collect();
            line.cover = rounded(found.about.cover);
            line.relevant = found.relevant;
        }
        line
    }
}

/// What is told at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Closing {
    /// The number of the focused crawl in its survey.
    pub id: u64,
    pub topic: String,
    pub strategy: String,
    /// Pages that were fetched.
    pub fetched: u32,
    /// Pages among them that could be read.
    pub read: u32,
    /// Relevant pages among them.
    pub relevant: u32,
    /// Relevant pages by pages fetched: the harvest rate.
    pub harvest: f64,
    /// Why it ended, for programs: budget, frontier-exhausted, weight-too-low, interrupted.
    pub end: String,
    /// The same for people.
    pub says: String,
}

impl Closing {
    /// The harvest rate of so many relevant pages among so many.
    pub fn rate(relevant: u32, fetched: u32) -> f64 {
        if fetched == 0 { 0.0 } else { rounded(f64::from(relevant) / f64::from(fetched)) }
    }
}
