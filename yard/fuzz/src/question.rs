//! Is any text a question, read within its bounds, and are its words found again in a page?
//!
//! Input: a byte that chooses the language of the page, a line with the question, then the page, a paragraph a line.

use groma_search::{Preview, preview};

/// Languages of pages: each way of stemming and writing once, one that nobody stems, and none.
const LANGUAGES: [&str; 16] =
    ["en", "de", "fr", "cs", "ru", "ar", "ga", "id", "hu", "tr", "el", "nl", "eo", "zh", "ja", ""];
/// Words and phrases of a question that count.
const PARTS: usize = 32;
/// Values of one filter that count; the last key may bring a list of them.
const VALUES: usize = 64;
/// Letters of a snippet with the signs between its passages.
const SHOWN: usize = 400;
/// Bytes of a page that are surely looked through.
const READ: usize = 200_000;

pub fn question(data: &[u8]) {
    let (chosen, data) = crate::choice(data);
    let language = LANGUAGES[chosen % LANGUAGES.len()];
    let (typed, page) = crate::first_line(data);
    let (typed, page) = (String::from_utf8_lossy(typed), String::from_utf8_lossy(page));
    let seen = preview(&typed, &page, language);
    assert!(seen.wanted + seen.unwanted <= PARTS && seen.values <= 4 * VALUES, "{seen:?}");
    shown(&seen);
    let plain = |word: &&str| word.len() <= 32 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let beginning = page.get(..READ).unwrap_or(&page);
    if let Some(word) = beginning.split([' ', '\n', '\r']).find(|word| !word.is_empty() && plain(word)) {
        let seen = preview(&format!("\"{word}\""), &page, language);
        assert!(seen.snippet.iter().any(|piece| piece.hit), "{word} stands in the page and is not marked ({language})");
        shown(&seen);
    }
}

/// A snippet is short, and what is marked says something.
fn shown(seen: &Preview) {
    let letters: usize = seen.snippet.iter().map(|piece| piece.text.chars().count()).sum();
    assert!(letters <= SHOWN, "{letters} letters are shown");
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    assert!(seen.snippet.iter().all(|piece| !piece.hit || says(&piece.text)), "{:?}", seen.snippet);
}
