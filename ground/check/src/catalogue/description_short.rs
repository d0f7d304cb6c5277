//! Descriptions that hardly say anything.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "description-short",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "descriptions that hardly say anything",
    next_step: "say in one or two sentences what the page offers",
    help: "A description has fewer characters than `check.description_chars_least` (50).",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="Our shop">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let content = page.metas("description").next()?.trim();
    let short = (1..page.thresholds.description_chars_least).contains(&(content.chars().count() as u64)) && content.is_ascii();
    (short && page.is_listed()).then(|| quoted(content))
}
