//! Pages in several languages without a default.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-no-default",
    severity: Severity::Note,
    family: Family::Language,
    headline: "pages in several languages without a default",
    next_step: "add a link with hreflang=x-default",
    help: "A page names two or more versions by `hreflang` and none of them is `x-default`: visitors of other languages are sent anywhere.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=en href="/"><link rel=alternate hreflang=de href="/de">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=en href="/"><link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=x-default href="/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let alternates = &page.markup()?.alternates;
    let default = alternates.iter().any(|alternate| alternate.hreflang.eq_ignore_ascii_case("x-default"));
    (alternates.len() > 1 && !default).then(String::new)
}
