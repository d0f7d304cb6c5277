//! Pages with hardly any text.

use groma_model::wording::counted;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "thin",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages with hardly any text",
    next_step: "write more, join it with another page, or say noindex",
    help: "A listed page has fewer words than `check.thin_words` (50), navigation included. Pages in languages that write no spaces between \
        words are left out.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p>Open.",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let words = page.page.words;
    (u64::from(words) < page.thresholds.thin_words && page.is_listed() && !page.page.unspaced).then(|| counted(words.into(), "word", "words"))
}
