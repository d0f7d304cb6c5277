//! Links within the site that say nofollow.

use groma_model::{LinkKind, Rel};

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "nofollow-inside",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links within the site that say nofollow",
    next_step: "take the nofollow away; to keep a page out of search results, say noindex there",
    help: "A link to a page of the same site says `rel=nofollow`: it keeps search engines from passing on what the page is worth, and does \
        not keep the target out of their lists.",
    example: Example {
        fault: r#"<a href="/x" rel=nofollow>Prices</a>
@ https://a.example/x
<title>Prices</title>"#,
        fine: r#"<a href="/x">Prices</a>
@ https://a.example/x
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.link.kind == LinkKind::Anchor && link.link.rel.has(Rel::NOFOLLOW) && link.facts.has(link.end, Mark::InScope)
}
