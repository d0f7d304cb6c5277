//! Pages that name another page as their canonical form.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-elsewhere",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "pages that name another page as their canonical form",
    next_step: "leave it if that is meant",
    help: "The `rel=canonical` of a page names another page of the survey: this one is not listed.",
    example: Example {
        fault: r#"<title>Hours</title><link rel=canonical href="/x">
@ https://a.example/x
<title>Prices</title>"#,
        fine: r#"<title>Hours</title><link rel=canonical href="/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
