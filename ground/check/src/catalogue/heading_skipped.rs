//! Headings that skip a level.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "heading-skipped",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "headings that skip a level",
    next_step: "let each heading be at most one level below the one before it",
    help: "A heading is more than one level below the heading before it (an `h4` after an `h2`): the outline of the page has a hole.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h1>Hours</h1><h3>Monday</h3>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h1>Hours</h1><h2>Monday</h2>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::SkippedHeading)
}
