//! Pages without a document type.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "no-doctype",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages without a document type",
    next_step: "begin the page with <!doctype html>",
    help: "The page does not begin with a document type: browsers lay it out as pages of the nineties (quirks mode).",
    example: Example {
        fault: "<html lang=en><title>Hours</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::NoDoctype)
}
