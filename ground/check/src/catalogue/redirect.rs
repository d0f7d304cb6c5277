//! Links that are redirected.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "redirect",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links that are redirected",
    next_step: "link to the URL it leads to",
    help: "A link is answered with one redirect. 301 and 308 are for good, so the link should be changed; 302, 303 and 307 are for the time \
        being and may be meant. The finding tells which.",
    example: Example {
        fault: r#"<a href="/1">Offers</a>
@ https://a.example/1 301 https://a.example/2
@ https://a.example/2
<title>Offers</title>"#,
        fine: r#"<a href="/2">Offers</a>
@ https://a.example/2
<title>Offers</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
