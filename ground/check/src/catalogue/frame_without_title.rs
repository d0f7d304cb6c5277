//! Frames without a title.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "frame-without-title",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "frames without a title",
    next_step: "write into title what the frame shows",
    help: "An `iframe` has no `title` or `aria-label`. WCAG 4.1.2.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><iframe src="/map"></iframe>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><iframe src="/map" title="Map"></iframe>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::FrameWithoutTitle)
}
