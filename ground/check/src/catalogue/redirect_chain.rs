//! Links that are redirected several times.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "redirect-chain",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links that are redirected several times",
    next_step: "link to the last URL, and let the first redirect lead there at once",
    help: "A link passes two redirects or more before it comes to its end. Every hop costs a visitor a round trip, and crawlers give up \
        after some.",
    example: Example {
        fault: r#"<a href="/1">Offers</a>
@ https://a.example/1 301 https://a.example/2
@ https://a.example/2 301 https://a.example/3
@ https://a.example/3
<title>Offers</title>"#,
        fine: r#"<a href="/3">Offers</a>
@ https://a.example/3
<title>Offers</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
