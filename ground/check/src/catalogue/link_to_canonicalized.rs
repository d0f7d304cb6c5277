//! Links to pages that name another as their canonical form.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::checks::duplicates::names_another;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "link-to-canonicalized",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links to pages that name another as their canonical form",
    next_step: "link to the canonical page",
    help: "A link leads to a page whose `rel=canonical` names another page of the survey: search engines list that one, and your own links \
        should say the same.",
    example: Example {
        fault: r#"<a href="/x?a=1">Prices</a>
@ https://a.example/x?a=1
<title>Prices</title><link rel=canonical href="/x">
@ https://a.example/x
<title>Prices</title>"#,
        fine: r#"<a href="/x">Prices</a>
@ https://a.example/x
<title>Prices</title><link rel=canonical href="/x">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.link.kind == LinkKind::Anchor && link.end != link.from && link.facts.page(link.end).is_some_and(|page| names_another(link.facts, page))
}
