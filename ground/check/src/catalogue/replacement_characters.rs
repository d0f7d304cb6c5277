//! Pages with broken characters.

use groma_model::wording::counted;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "replacement-characters",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages with broken characters",
    next_step: "send the page in the character set that its header names",
    help: "A word of the text has U+FFFD, which stands for bytes that are none of the character set: the page was sent, or stored, in \
        another one. One that stands alone is left alone: the page may speak of it.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p>Gr\u{fffd}sse",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p>Grüße",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let count: usize = page.content.blocks.iter().map(|block| broken_letters(&block.text)).sum();
    (count > 0).then(|| counted(count as u64, "character", "characters"))
}

/// Replacement characters beside a letter.
fn broken_letters(text: &str) -> usize {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let places = text.match_indices('\u{fffd}').map(|(at, found)| (at, at + found.len()));
    places.filter(|(at, end)| is_letter(text[..*at].chars().next_back()) || is_letter(text[*end..].chars().next())).count()
}
