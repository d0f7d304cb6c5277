//! URLs with an empty step in their path.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "url-double-slash",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "URLs with an empty step in their path",
    next_step: "take the doubled slash out of the links that lead there",
    help: "The path of a URL has two slashes in a row; most servers answer the same page without the second one, so it exists twice.",
    example: Example {
        fault: "@ https://a.example/docs//x
<title>Hours</title>",
        fine: "@ https://a.example/docs/x
<title>Hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, _: &Thresholds) -> Option<String> {
    let path = page.url.split_once("://").map_or("", |(_, rest)| rest.split(['?', '#']).next().unwrap_or_default());
    path.contains("//").then(String::new)
}
