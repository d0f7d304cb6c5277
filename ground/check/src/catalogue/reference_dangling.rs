//! Elements named by something that is not there.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "reference-dangling",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "elements named by something that is not there",
    next_step: "write the id of an element of the page into aria-labelledby",
    help: "`aria-labelledby` names an id that no element of the page has. Looked at are links, fields, headings, images and frames. Not \
        seen: elements that scripts add.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><input aria-labelledby=x>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><span id=x>Name</span><input aria-labelledby=x>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::DanglingReference)
}
