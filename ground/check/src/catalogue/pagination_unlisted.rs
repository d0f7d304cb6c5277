//! Next and previous pages that are not listed.

use groma_model::Rel;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::checks::duplicates::names_another;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "pagination-unlisted",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "next and previous pages that are not listed",
    next_step: "let rel=next and rel=prev lead to pages that may be listed",
    help: "`rel=next` or `rel=prev` leads to a page that says `noindex` or names another page as its canonical form: what stands on later \
        pages is then not found.",
    example: Example {
        fault: r#"<title>List</title><link rel=next href="/2">
@ https://a.example/2
<title>List 2</title><meta name=robots content=noindex>"#,
        fine: r#"<title>List</title><link rel=next href="/2">
@ https://a.example/2
<title>List 2</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    let paged = link.link.rel.has(Rel::NEXT) || link.link.rel.has(Rel::PREV);
    let elsewhere = || link.facts.page(link.end).is_some_and(|page| names_another(link.facts, page));
    paged && (link.facts.has(link.end, Mark::NoIndex) || elsewhere())
}
