//! Pages that ask not to be listed.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "noindex",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "pages that ask not to be listed",
    next_step: "leave it if that is meant; otherwise take the noindex away",
    help: "A page says `noindex` in a `meta` or in its header (X-Robots-Tag): search engines leave it out.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><meta name=robots content=noindex>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, _: &Thresholds) -> Option<String> {
    page.noindex.then(String::new)
}
