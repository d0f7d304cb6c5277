//! Pages that begin to make noise by themselves.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "autoplay",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "pages that begin to make noise by themselves",
    next_step: "leave autoplay out, or write muted",
    help: "An `audio` or `video` has `autoplay` and not `muted`. WCAG 1.4.2.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><audio autoplay src="/x.mp3"></audio>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><audio controls src="/x.mp3"></audio>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::Autoplay)
}
