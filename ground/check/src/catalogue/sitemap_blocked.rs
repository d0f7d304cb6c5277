//! Pages in sitemaps that robots.txt keeps crawlers from.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "sitemap-blocked",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "pages in sitemaps that robots.txt keeps crawlers from",
    next_step: "take it out of the sitemap, or allow it in robots.txt",
    help: "A sitemap offers a URL that robots.txt does not let Groma fetch. Only URLs that were first found in a sitemap are seen.",
    example: Example {
        fault: "<title>Hours</title>
@ https://a.example/x robots sitemap",
        fine: "<title>Hours</title>
@ https://a.example/x sitemap
<title>Prices</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
