//! Canonical forms that ask not to be listed.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-noindex",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "canonical forms that ask not to be listed",
    next_step: "take the noindex away, or name another page",
    help: "The `rel=canonical` of a page names one that says `noindex`: neither of the two is listed.",
    example: Example {
        fault: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x
<title>Prices</title><meta name=robots content=noindex>"#,
        fine: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
