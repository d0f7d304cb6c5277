//! Pages that no page links to.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "orphan",
    severity: Severity::Warning,
    family: Family::Structure,
    headline: "pages that no page links to",
    next_step: "link to them, or take them down",
    help: "A page is known from a sitemap, a list or an earlier crawl only: visitors who follow links never come to it. The list can be \
        relied upon only if the crawl came to its end; the summary says whether it did.",
    example: Example {
        fault: "<title>Home</title>
@ https://a.example/lost sitemap
<title>Lost</title>",
        fine: r#"<title>Home</title><a href="/lost">Found</a>
@ https://a.example/lost sitemap
<title>Lost</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
