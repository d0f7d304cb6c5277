//! Labels for fields that are not there.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "label-for-nothing",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "labels for fields that are not there",
    next_step: "write the id of the field into for",
    help: "A `label for` names an id that no element of the page has. Not seen: fields that scripts add.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><label for=x>Name</label>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><label for=x>Name</label><input id=x>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::LabelForNothing)
}
