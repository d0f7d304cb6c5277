//! Pages that came slowly.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "slow-answer",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "pages that came slowly",
    next_step: "look into what the server does for this page",
    help: "From the request to the last byte more time passed than `check.answer_ms` (1,500 milliseconds), measured once, from where the \
        crawl ran and as busy as it kept the server.",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, thresholds: &Thresholds) -> Option<String> {
    let slow = u64::from(page.elapsed_ms) > thresholds.answer_ms;
    slow.then(|| format!("{}.{} s", page.elapsed_ms / 1000, page.elapsed_ms % 1000 / 100))
}
