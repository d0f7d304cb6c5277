//! Titles that hardly say anything.

use groma_model::BlockKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "title-short",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "titles that hardly say anything",
    next_step: "say what the page is about",
    help: "A title has fewer characters than `check.title_chars_least` (5). Titles in Chinese, Japanese and Korean say much in few \
        characters and are left out.",
    example: Example {
        fault: "<title>FAQ</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let title = page.first(BlockKind::Title);
    let chars = title.chars().count() as u64;
    let short = (1..page.thresholds.title_chars_least).contains(&chars) && title.is_ascii();
    (short && page.is_listed()).then(|| quoted(title))
}
