//! A line cut into keywords.

use super::super::items;
use super::super::spot::Spot;
use super::super::view::View;

/// Bytes a keyword has at most, and keywords a page has at most.
const WORD: usize = 100;
pub(super) const WORDS: usize = 80;
/// Words of one of them.
const LONG: usize = 8;
/// Bytes of the longest line of keywords.
const LIST: usize = WORD * WORDS;

/// Adds the keywords of a block from a byte on. False if it holds none: a sentence, a heading.
pub(super) fn split(view: &View<'_>, block: usize, from: usize, confidence: u8, words: &mut Vec<Spot>) -> bool {
    let rest = view.block_text(block).get(from..).unwrap_or_default();
    if rest.len() > LIST {
        return false;
    }
    let found = items::split_items(view, block, from, items::cut_of(rest));
    let fits = |text: &str| text.len() <= WORD && text.split_whitespace().count() <= LONG;
    if found.is_empty() || found.iter().filter(|item| fits(&item.text)).count() * 3 < found.len() * 2 {
        return false;
    }
    for item in found {
        let text = bare(&item.text);
        let known = words.iter().any(|word| word.text.eq_ignore_ascii_case(text));
        if fits(text) && text.chars().any(char::is_alphabetic) && !known && words.len() < WORDS && !is_other(text) {
            words.push(Spot {
                text: text.to_owned(),
                blocks: vec![block as u32],
                nodes: vec![item.node],
                links: vec![item.link],
                confidence,
            });
        }
    }
    true
}

/// Without the marks of the list around it: "2. soil" is soil, "(a) soil" too.
pub(super) fn bare(text: &str) -> &str {
    let text =
        text.trim().trim_end_matches(['.', '。', ':', '→', '×', '✕']).trim_start_matches(['#', '-', '–', '•', '→']);
    let text = text.trim();
    let inner = text.strip_prefix(['(', '[']).unwrap_or(text);
    let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &inner[digits..];
    match rest.strip_prefix(['.', ')', ']', ':']) {
        Some(word) if (1..=2).contains(&digits) && word.starts_with(' ') => word.trim_start(),
        _ => text,
    }
}

/// A word that unfolds the rest of a list, or names its language.
fn is_other(text: &str) -> bool {
    let language = match text.split_once(['_', '-']) {
        Some((code, land)) => {
            (2..=3).contains(&code.len())
                && land.len() == 2
                && code.bytes().all(|b| b.is_ascii_lowercase())
                && land.bytes().all(|b| b.is_ascii_uppercase())
        }
        None => false,
    };
    language
        || matches!(
            text.to_lowercase().as_str(),
            "show more"
                | "show less"
                | "show all"
                | "more"
                | "less"
                | "view all"
                | "see all"
                | "hide"
                | "expand"
                | "collapse"
        )
}
