//! Very long URLs.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "url-long",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "very long URLs",
    next_step: "shorten the path, or leave parameters out",
    help: "A URL has more characters than `check.url_chars` (200).",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, thresholds: &Thresholds) -> Option<String> {
    let chars = page.url.chars().count() as u64;
    (chars > thresholds.url_chars).then(|| format!("{chars} characters"))
}
