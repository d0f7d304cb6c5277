//! Broken URLs in sitemaps.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "sitemap-invalid",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "broken URLs in sitemaps",
    next_step: "take it out of the sitemap, or bring the page back",
    help: "A sitemap names a URL of the site that is gone or cannot be reached, and no page links to it (then it is a broken link).",
    example: Example {
        fault: "@ https://a.example/
<title>Home</title>
@ https://a.example/old 404 sitemap",
        fine: "@ https://a.example/
<title>Home</title>
@ https://a.example/new sitemap
<title>New</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
