//! Structured data without what search engines require.

use crate::catalogue::data_faults;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;
use crate::structured::Flaw;

pub(crate) const DEFINITION: Definition = Definition {
    name: "structured-incomplete",
    severity: Severity::Warning,
    family: Family::Structured,
    headline: "structured data without what search engines require",
    next_step: "add the property that is named",
    help: "An item of a type that search engines document lacks a property that they require: it is passed over. Not seen: what only one of \
        them asks for, and types that none documents.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "priceCurrency": "EUR"}}</script>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    data_faults::of_page(page, Flaw::MissingRequired)
}
