//! Canonical forms that name yet another page.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-chain",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "canonical forms that name yet another page",
    next_step: "name the last one in all of them",
    help: "The `rel=canonical` of a page names one whose own `rel=canonical` names a third.",
    example: Example {
        fault: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x
<title>B</title><link rel=canonical href="/y">
@ https://a.example/y
<title>C</title>"#,
        fine: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x
<title>B</title><link rel=canonical href="/x">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
