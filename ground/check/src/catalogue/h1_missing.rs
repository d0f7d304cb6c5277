//! Pages without a main heading.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "h1-missing",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "pages without a main heading",
    next_step: "give the page one h1 that says what it is about",
    help: "A page has no `h1`. Screen readers and search engines take it for the headline of the page.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h2>Summer</h2>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h1>Opening hours</h1>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let known = page.markup().is_some();
    (known && page.count(Symptom::FirstHeading) == 0 && !page.sends_on()).then(String::new)
}
