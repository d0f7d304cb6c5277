//! Canonical forms that are redirected.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-redirect",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "canonical forms that are redirected",
    next_step: "name the URL it leads to",
    help: "The `rel=canonical` of a page names a URL that redirects. (One that is broken is a broken link.)",
    example: Example {
        fault: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x 301 https://a.example/y
@ https://a.example/y
<title>Prices</title>"#,
        fine: r#"<title>Hours</title><link rel=canonical href="/y">
@ https://a.example/y
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
