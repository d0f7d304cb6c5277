//! Links to pages that ask not to be listed.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "link-to-noindex",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links to pages that ask not to be listed",
    next_step: "leave it if that page is not for search engines; otherwise take its noindex away",
    help: "A page that may be listed links to one of the site that says `noindex`. Often that is meant (a login, a cart); sometimes a \
        `noindex` was forgotten after a launch.",
    example: Example {
        fault: r#"<a href="/x">Prices</a>
@ https://a.example/x
<title>Prices</title><meta name=robots content=noindex>"#,
        fine: r#"<a href="/x">Prices</a>
@ https://a.example/x
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.link.kind == LinkKind::Anchor
        && link.facts.has(link.end, Mark::InScope)
        && link.facts.has(link.end, Mark::NoIndex)
        && !link.facts.has(link.from, Mark::NoIndex)
}
