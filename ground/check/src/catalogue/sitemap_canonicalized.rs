//! Pages in sitemaps that name another page as their canonical form.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "sitemap-canonicalized",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "pages in sitemaps that name another page as their canonical form",
    next_step: "name the canonical page in the sitemap",
    help: "A sitemap offers a page whose `rel=canonical` names another page of the survey.",
    example: Example {
        fault: r#"<title>Hours</title>
@ https://a.example/x?a=1 sitemap
<title>Prices</title><link rel=canonical href="/x">
@ https://a.example/x
<title>Prices</title>"#,
        fine: r#"<title>Hours</title>
@ https://a.example/x sitemap
<title>Prices</title><link rel=canonical href="/x">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
