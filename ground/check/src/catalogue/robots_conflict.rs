//! Pages that ask to be listed and not to be listed.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::robots_words;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "robots-conflict",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "pages that ask to be listed and not to be listed",
    next_step: "say one of the two, in one place",
    help: "What the page and its header (X-Robots-Tag) say to robots contradicts itself: `index` (or `all`) in one place and `noindex` (or \
        `none`) in another. Search engines take the stricter one.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=robots content="index, follow"><meta name=robots content=noindex>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=robots content="index, follow">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let said = robots_words::of_page(page);
    let has = |words: [&str; 2]| said.iter().any(|word| words.contains(&word.as_str()));
    (has(["index", "all"]) && has(["noindex", "none"])).then(|| said.join(", "))
}
