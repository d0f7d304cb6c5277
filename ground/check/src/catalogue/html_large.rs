//! Very large pages.

use groma_model::wording::grouped;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::facts::is_html;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "html-large",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "very large pages",
    next_step: "divide the page, or load its parts when they are needed",
    help: "The HTML of a page has more bytes, uncompressed, than `check.html_bytes` (500,000).",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, thresholds: &Thresholds) -> Option<String> {
    let large = is_html(page.media_type) && page.size > thresholds.html_bytes;
    large.then(|| format!("{} kB", grouped(page.size / 1000)))
}
