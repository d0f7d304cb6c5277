//! Elements with a role that does not exist.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "role-unknown",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "elements with a role that does not exist",
    next_step: "write one of the roles of ARIA",
    help: "None of the words of a `role` is one of ARIA 1.2 (or of its modules for publications and graphics). WCAG 4.1.2.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><div role=buton>Go</div>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><div role=button>Go</div>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::UnknownRole)
}
