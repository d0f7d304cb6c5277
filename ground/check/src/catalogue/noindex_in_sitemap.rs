//! Pages in sitemaps that ask not to be listed.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "noindex-in-sitemap",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "pages in sitemaps that ask not to be listed",
    next_step: "take it out of the sitemap, or its noindex away",
    help: "A sitemap offers a page that says `noindex`. Only pages that were first found in a sitemap are seen.",
    example: Example {
        fault: "@ https://a.example/ sitemap
<title>Hours</title><meta name=robots content=noindex>",
        fine: "@ https://a.example/ sitemap
<title>Hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, _: &Thresholds) -> Option<String> {
    (page.noindex && page.from_sitemap).then(String::new)
}
