//! Pages that go away or reload after a while.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "refresh-timed",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "pages that go away or reload after a while",
    next_step: "let visitors decide; redirect on the server",
    help: "`meta refresh` with a pause: who reads slowly loses the page. WCAG 2.2.1.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta http-equiv=refresh content="30">"#,
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::TimedRefresh)
}
