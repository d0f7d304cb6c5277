//! Pages many clicks away from the start page.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "deep",
    severity: Severity::Note,
    family: Family::Structure,
    headline: "pages many clicks away from the start page",
    next_step: "link to them from pages nearer to the start page",
    help: "The shortest way from the start page has more clicks than `check.depth` (7).",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, thresholds: &Thresholds) -> Option<String> {
    let depth = page.depth.known().map(u64::from).filter(|depth| *depth > thresholds.depth)?;
    Some(format!("{depth} clicks"))
}
