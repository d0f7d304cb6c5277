//! Headings without text.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "heading-empty",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "headings without text",
    next_step: "write the heading, or take the element away",
    help: "A heading has neither text nor an image with a text. Not seen: texts that scripts write.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h2> </h2>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h2>Monday</h2>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::EmptyHeading)
}
