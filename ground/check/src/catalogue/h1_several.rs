//! Pages with several main headings.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "h1-several",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "pages with several main headings",
    next_step: "keep one h1 and make the others h2",
    help: "A page has more than one `h1`. The standard allows it; what the page is about is then said more than once.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h1>Summer</h1><h1>Winter</h1>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h1>Opening hours</h1>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    (page.count(Symptom::FirstHeading) > 1).then(|| format!("{} h1 elements", page.count(Symptom::FirstHeading)))
}
