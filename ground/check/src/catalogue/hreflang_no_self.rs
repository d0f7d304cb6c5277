//! Pages that name other languages but not themselves.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-no-self",
    severity: Severity::Note,
    family: Family::Language,
    headline: "pages that name other languages but not themselves",
    next_step: "add a link with the page's own language and URL",
    help: "A page has links with `hreflang`, and none of them leads to the page itself. Search engines ask for it: each version lists all \
        of them, itself included.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de">
@ https://a.example/de
<html lang=de><title>Zeiten</title><link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=en href="/">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=en href="/">
@ https://a.example/de
<html lang=de><title>Zeiten</title><link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=en href="/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let links = page.links();
    let alternates = &page.markup()?.alternates;
    let leads_here = |link: u32| links.get(link as usize).is_some_and(|link| page.facts.end(link.target) == Some(page.content.id));
    (!alternates.is_empty() && !alternates.iter().any(|alternate| leads_here(alternate.link))).then(String::new)
}
