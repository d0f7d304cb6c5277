//! Areas of image maps without a text.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "area-without-alt",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "areas of image maps without a text",
    next_step: "write into alt where the area leads",
    help: "An `area` with a link has neither `alt` nor `aria-label` nor `title`. WCAG 1.1.1.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><map name=m><area href="/x"></map>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><map name=m><area href="/x" alt="Prices"></map>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::AreaWithoutAlt)
}
