//! Is any body read within the limits, always the same, whatever it claims to be: style sheets, feeds, office documents, PDF?
//!
//! Input: a byte that chooses the limits, then the body.

use groma_model::Limits;
use groma_page::picture::measure;
use groma_page::{Css, Feed, Filter, Input, Office, Pdf};
use groma_url::Url;

use crate::html::{bounds, sense};

/// Documents have a room of their own for text.
fn read(filter: &dyn Filter, is_document: bool, data: &[u8]) {
    let (chosen, bytes) = crate::choice(data);
    let url = Url::parse("http://site.test/some/folder/file?q=1").expect("a URL");
    let narrow = Limits {
        html_links: 3,
        html_text: 60,
        anchor_bytes: 8,
        page_bytes: 300,
        document_unpacked: 500,
        document_text: 50,
        url_bytes: 12,
        ..Limits::default()
    };
    let limits = if chosen & 1 == 0 { Limits::default() } else { narrow };
    let input = Input { bytes, url: &url, charset: None, limits: &limits, parts: chosen & 2 == 0 };
    let page = filter.read(&input);
    assert_eq!(filter.read(&input), page, "read twice");
    let room = if is_document { limits.document_text } else { limits.html_text };
    bounds(&page, &Limits { html_text: room, ..limits.clone() });
    sense(&page);
}

pub fn css(data: &[u8]) {
    read(&Css, false, data);
}

pub fn feed(data: &[u8]) {
    read(&Feed, false, data);
}

pub fn office(data: &[u8]) {
    read(&Office, true, data);
}

pub fn pdf(data: &[u8]) {
    read(&Pdf, true, data);
}

/// Has a picture of whatever bytes a size above nothing, or none?
pub fn picture(data: &[u8]) {
    let found = measure(data);
    assert_eq!(measure(data), found, "measured twice");
    assert!(found.is_none_or(|size| size.width > 0 && size.height > 0), "{found:?}");
}
