//! Pages with very many elements.

use groma_model::wording::grouped;
use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "elements-many",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "pages with very many elements",
    next_step: "divide the page, or build less of it at once",
    help: "A page has more elements than `check.elements` (3,000): browsers need long to lay it out.",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let count = u64::from(page.count(Symptom::Element));
    (count > page.thresholds.elements).then(|| format!("{} elements", grouped(count)))
}
