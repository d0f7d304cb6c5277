//! Pages without a description.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "description-missing",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "pages without a description",
    next_step: "say in one or two sentences what the page offers: meta name=description",
    help: "A page has no `meta name=description`, or an empty one. Search results show it below the title; without it they take some \
        sentence of the page.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title>",
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="When our shop and our workshop are open in summer and in winter.">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let described = page.metas("description").any(|content| !content.trim().is_empty());
    (!described && page.is_listed()).then(String::new)
}
