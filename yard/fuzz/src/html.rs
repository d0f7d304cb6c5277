//! Is any page read within the limits, always the same, with URLs that are URLs?
//!
//! Input: a byte that chooses the limits and the reader, then the page.

use groma_model::limits::TABLE;
use groma_model::{Limits, ParsedPage, Target};
use groma_page::{Filter, PlainText};
use groma_page::{Html, Input, filter_for, sniff};
use groma_url::Url;

pub fn html(data: &[u8]) {
    let (chosen, bytes) = crate::choice(data);
    let url = Url::parse("http://site.test/some/folder/page.html?q=1").expect("a URL");
    let narrow = Limits {
        html_depth: 4,
        html_attributes: 3,
        html_links: 5,
        html_text: 60,
        html_forms: 1,
        anchor_bytes: 8,
        structured_items: 3,
        structured_bytes: 100,
        structured_depth: 2,
        ..Limits::default()
    };
    let limits = if chosen & 1 == 0 { Limits::default() } else { narrow };
    let charset = [None, Some("utf-8"), Some("windows-1252"), Some("shift_jis")][chosen >> 2 & 3];
    let reader: &dyn Filter = if chosen & 2 == 0 { &Html } else { &PlainText };
    let input = Input { bytes, url: &url, charset, limits: &limits, parts: false };
    let page = reader.read(&input);
    assert_eq!(reader.read(&input), page, "read twice");
    bounds(&page, &limits);
    sense(&page);
    // Whatever the bytes look like, a type that is guessed is read by the reader of that type or by none.
    let guess = sniff("", bytes);
    assert!(filter_for(guess).is_none_or(|filter| filter.takes(guess)), "{guess}");
}

pub(crate) fn bounds(page: &ParsedPage, limits: &Limits) {
    let text: usize = page.blocks.iter().map(|block| block.text.len()).sum();
    assert!(text as u64 <= limits.html_text, "{text} bytes of text");
    let fields: usize = page.forms.iter().map(|form| form.fields.len()).sum();
    for count in [page.links.len(), page.anchors.len(), fields] {
        assert!(count as u64 <= limits.html_links, "{count} links, anchors or fields");
    }
    assert!(page.forms.len() as u64 <= limits.html_forms);
    assert!(page.links.iter().all(|link| link.text.len() as u64 <= limits.anchor_bytes), "anchor text is cut");
    let items = page.structured.as_ref().map_or(0, |data| data.items.len());
    assert!(items as u64 <= 3 * limits.structured_items, "{items} items, of each syntax so many at most");
    assert!(page.cuts.iter().all(|cut| TABLE.iter().any(|row| row.key == *cut)), "{:?} are limits", page.cuts);
}

pub(crate) fn sense(page: &ParsedPage) {
    assert!(page.blocks.iter().all(|block| !block.text.is_empty()), "no block is empty");
    for link in &page.links {
        match &link.target {
            Target::Web(url) => {
                assert!(matches!(url.scheme(), "http" | "https") && url.has_host(), "{url}");
                assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(url), "a URL that parses as itself");
            }
            Target::Malformed(text) => assert!(text.chars().count() <= 500, "{} bytes", text.len()),
        }
    }
    let code =
        |language: &String| (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
    assert!(page.language.as_ref().is_none_or(code), "{:?}", page.language);
    assert_eq!(page.text_fp.is_none(), page.words == 0, "a page has a fingerprint if it has words");
    assert!(!page.charset.is_empty());
}
