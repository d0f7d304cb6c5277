//! Descriptions longer than search results show.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "description-long",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "descriptions longer than search results show",
    next_step: "say it in fewer words",
    help: "A description is longer than `check.description_chars` (320): search results cut it, most of them earlier.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let chars = page.metas("description").next().map_or(0, |content| content.trim().chars().count() as u64);
    (chars > page.thresholds.description_chars && page.is_listed()).then(|| format!("{chars} characters"))
}
