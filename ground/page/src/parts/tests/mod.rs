//! Parts of small pages, in the styles of many publishers.

mod article;
mod hostile;
mod keywords;
mod links;
mod main_text;
mod template;

use groma_model::{Limits, PageType, ParsedPage, PartKind, Parts};
use groma_url::Url;

use crate::{Filter, Html, Input};

fn read(html: &str) -> ParsedPage {
    let url = Url::parse("http://a.test/dir/page.html").unwrap();
    Html.read(&Input {
        bytes: html.as_bytes(),
        url: &url,
        charset: Some("utf-8"),
        limits: &Limits::default(),
        parts: true,
    })
}

fn parts(html: &str) -> Parts {
    *read(html).parts.unwrap()
}

fn part_texts(html: &str, kind: PartKind) -> Vec<String> {
    parts(html).content.into_iter().filter(|part| part.kind == kind).map(|part| part.text).collect()
}

fn page_type(html: &str) -> PageType {
    parts(html).page_type
}

/// The parts of the links, as `text: kind`.
fn linked(html: &str) -> Vec<String> {
    let page = read(html);
    let parts = page.parts.unwrap();
    page.links.iter().zip(&parts.links).map(|(link, part)| format!("{}: {}", link.text, part.kind.name())).collect()
}

const ABSTRACT: &str = "We study how pages are cut into parts, and show that headings, names and places tell most of what there is to know. \
    The method needs no tree and no browser, and is linear in the length of the page.";
