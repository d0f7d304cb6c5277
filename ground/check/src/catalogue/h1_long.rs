//! Main headings that are very long.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "h1-long",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "main headings that are very long",
    next_step: "say it in fewer words",
    help: "The first `h1` has more characters than `check.h1_chars` (100).",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h1>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.</h1>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h1>Opening hours</h1>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let chars = page.content.heading.chars().count() as u64;
    (chars > page.thresholds.h1_chars).then(|| format!("{chars} characters: {}", quoted(page.content.heading)))
}
