//! Structured data without what search engines recommend.

use crate::catalogue::data_faults;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;
use crate::structured::Flaw;

pub(crate) const DEFINITION: Definition = Definition {
    name: "structured-sparse",
    severity: Severity::Note,
    family: Family::Structured,
    headline: "structured data without what search engines recommend",
    next_step: "add the property that is named, where there is something to say",
    help: "An item of a type that search engines document lacks a property that they recommend: it is shown with less.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Home", "item": "https://a.example/"}]}</script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    data_faults::of_page(page, Flaw::MissingRecommended)
}
