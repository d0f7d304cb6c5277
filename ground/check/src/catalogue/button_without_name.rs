//! Buttons without a text.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "button-without-name",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "buttons without a text",
    next_step: "write a text into the button, or an aria-label",
    help: "A `button` shows neither text nor a picture with a text, and has no `aria-label` or `title`. WCAG 4.1.2. Not seen: texts that \
        scripts write.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><button><i class=icon></i></button>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><button aria-label=Search><i class=icon></i></button>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ButtonWithoutName)
}
