//! Redirects in sitemaps.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "sitemap-redirect",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "redirects in sitemaps",
    next_step: "name the URL it leads to in the sitemap",
    help: "A sitemap names a URL that redirects. Only URLs that were first found in a sitemap are seen.",
    example: Example {
        fault: "<title>Hours</title>
@ https://a.example/x 301 https://a.example/y sitemap
@ https://a.example/y
<title>Prices</title>",
        fine: "<title>Hours</title>
@ https://a.example/x sitemap
<title>Prices</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
