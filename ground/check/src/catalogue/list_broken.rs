//! Lists with something else than items in them.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "list-broken",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "lists with something else than items in them",
    next_step: "put everything in ul and ol into li",
    help: "An element other than `li`, `script` and `template` stands directly in a `ul` or `ol`. WCAG 1.3.1.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><ul><div>One</div></ul>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><ul><li>One</ul>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::BrokenList)
}
