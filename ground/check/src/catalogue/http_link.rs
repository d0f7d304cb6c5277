//! Links without encryption to pages that have it.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "http-link",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links without encryption to pages that have it",
    next_step: "write https in the link",
    help: "A link to http is redirected to the same site by https. The first request goes over the net in the clear, where anybody can lead \
        it elsewhere.",
    example: Example {
        fault: r#"<a href="http://a.example/x">Prices</a>
@ http://a.example/x 301 https://a.example/x
@ https://a.example/x
<title>Prices</title>"#,
        fine: r#"<a href="https://a.example/x">Prices</a>
@ https://a.example/x
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.facts.has(link.link.target, Mark::Insecure) && link.end != link.link.target && link.facts.has(link.end, Mark::Secure)
}
