//! Pages with several titles.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "title-several",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "pages with several titles",
    next_step: "keep one title element",
    help: "A page has more than one `title` element. Browsers show the first; search engines may choose another.",
    example: Example {
        fault: "<title>One</title><title>Two</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    (page.count(Symptom::TitleElement) > 1).then(|| format!("{} title elements", page.count(Symptom::TitleElement)))
}
