//! Structured data with values that are none.

use crate::catalogue::data_faults;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;
use crate::structured::Flaw;

pub(crate) const DEFINITION: Definition = Definition {
    name: "structured-invalid",
    severity: Severity::Warning,
    family: Family::Structured,
    headline: "structured data with values that are none",
    next_step: "write the value as schema.org asks for it",
    help: "A property of an item has a value that it does not take: a date that is none, a price with a sign, a URL that is none. Judged \
        are the types that search engines document.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "price": "twelve", "priceCurrency": "EUR"}}</script>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    data_faults::of_page(page, Flaw::Malformed)
}
