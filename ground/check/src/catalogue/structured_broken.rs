//! Structured data that cannot be read.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, cut};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "structured-broken",
    severity: Severity::Warning,
    family: Family::Structured,
    headline: "structured data that cannot be read",
    next_step: "correct the place that is named; a validator shows the rest",
    help: "JSON-LD that is not JSON, microdata or RDFa that does not say what its author meant. Search engines pass over it without a word.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@type": "Product",}</script>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Map", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let faults = &page.content.structured?.faults;
    let first = faults.first()?;
    let more = if faults.len() > 1 { format!(" (and {} more)", faults.len() - 1) } else { String::new() };
    Some(format!("{}, line {}: {}{more}", first.syntax.label(), first.line, cut(&first.what)))
}
