//! Pages that tell robots something they do not understand.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::robots_words;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "robots-unknown",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "pages that tell robots something they do not understand",
    next_step: "use the words that search engines document: noindex, nofollow, nosnippet and so on",
    help: "A word in `meta name=robots` is none that the large search engines document; it does nothing.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=robots content="no-index">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=robots content="noindex, max-snippet:-1">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let unknown = robots_words::of_metas(page).into_iter().find(|word| !robots_words::is_known(word))?;
    Some(quoted(&unknown))
}
