//! Pages that change the order of the tab key.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "tabindex-positive",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "pages that change the order of the tab key",
    next_step: "write tabindex=0 and put the elements into their order",
    help: "An element has a `tabindex` above 0: it is reached before everything that stands above it. WCAG 2.4.3.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><a href="/x" tabindex=5>Prices</a>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><a href="/x" tabindex=0>Prices</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::PositiveTabindex)
}
