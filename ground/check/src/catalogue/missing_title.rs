//! Pages without a title.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "missing-title",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "pages without a title",
    next_step: "give the page a title that says what it is about",
    help: "A page has no `title`, or an empty one. It names the page in search results, tabs and bookmarks. A page that only sends its \
        visitors on needs none.",
    example: Example {
        fault: "<p>Open from nine to five.",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p>Open from nine to five.",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
