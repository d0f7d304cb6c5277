//! Pages that use an id twice.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "id-repeated",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "pages that use an id twice",
    next_step: "give each element an id of its own",
    help: "Two elements have the same `id`: labels, links and ARIA find the first only.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p id=a>One<p id=a>Two",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p id=a>One<p id=b>Two",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::RepeatedId)
}
