//! What is new somewhere: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed.
//!
//! The feed's title is the page's title; every entry is a heading with its title and the blocks of its text, which is
//! read as the HTML it mostly is. An entry's link is a link to a page, with the entry's title as its text; what is
//! enclosed (sound, films, pictures) is part of the entry, as a picture is part of a page. Links to the next page of a
//! feed lead on. Dates: the feed's own is kept as a meta `date`; those of entries stand beside their titles.
//!
//! Cost: linear; of the text of all entries together as much is read as of one page. Not guaranteed: that what entries
//! call HTML is any.

mod json;
mod xml;

use groma_model::{BlockKind, LinkKind, ParsedPage};
use groma_url::Url;

use crate::filter::{Filter, Input};
use crate::html::Html;
use crate::sheet::Sheet;

/// Reads the feeds that say so by their type, and JSON Feed.
#[derive(Clone, Copy, Debug)]
pub struct Feed;

impl Filter for Feed {
    fn takes(&self, media_type: &str) -> bool {
        matches!(
            media_type,
            "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json"
        )
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let mut writer = Writer { sheet: Sheet::new(input), input, base: input.url.clone() };
        let text = crate::xml::decoded(input.bytes);
        if text.trim_start().starts_with('{') {
            json::read(&text, &mut writer);
        } else {
            xml::read(&text, &mut writer);
        }
        writer.sheet.finish(input.url)
    }
}

/// The type of a document that its server calls XML or JSON and no more: a feed, a web page, or a drawing. Else nothing.
pub(crate) fn true_type(media_type: &str, bytes: &[u8]) -> Option<&'static str> {
    match media_type {
        "application/xml" | "text/xml" => match crate::xml::root(&crate::xml::decoded(bytes))?.as_str() {
            "rss" => Some("application/rss+xml"),
            "RDF" => Some("application/rdf+xml"),
            "feed" => Some("application/atom+xml"),
            "html" => Some("application/xhtml+xml"),
            "svg" => Some("image/svg+xml"),
            _ => None,
        },
        "application/json" => {
            let head = &bytes[..bytes.len().min(4096)];
            memchr::memmem::find(head, b"jsonfeed.org").map(|_| "application/feed+json")
        }
        _ => None,
    }
}

/// An entry of a feed, complete.
#[derive(Debug, Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
    /// Its text, as HTML.
    html: String,
    /// Its text where it is plain.
    plain: String,
    enclosures: Vec<String>,
}

/// Writes entries onto the page.
struct Writer<'a> {
    sheet: Sheet<'a>,
    input: &'a Input<'a>,
    base: Url,
}

impl Writer<'_> {
    /// Where relative references of the feed hang.
    fn base(&mut self, reference: &str) {
        if let Some(base) = self.base.join(reference.trim()).ok().filter(|base| !base.cannot_be_a_base()) {
            self.base = base;
        }
    }

    fn resolved(&self, reference: &str) -> String {
        self.base.join(reference).map_or_else(|_| reference.to_owned(), |url| url.to_string())
    }

    fn link(&mut self, reference: &str, kind: LinkKind, rel: &str, text: &str, block: BlockKind) {
        let reference = reference.trim();
        if !reference.is_empty() {
            let reference = self.resolved(reference);
            self.sheet.link(&reference, kind, rel, text, block);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let title = self.piece(&entry.title);
        let title = if title.is_empty() { entry.title.trim() } else { title.as_str() };
        let date = entry.date.trim();
        let heading = if date.is_empty() || title.is_empty() { title.to_owned() } else { format!("{title} ({date})") };
        self.sheet.block(BlockKind::Heading2, &heading);
        self.link(&entry.link, LinkKind::Anchor, "", title, BlockKind::Heading2);
        self.sheet.block(BlockKind::Paragraph, &entry.plain);
        if !entry.html.trim().is_empty() {
            let url = self.base.join(entry.link.trim()).unwrap_or_else(|_| self.base.clone());
            let page = self.html(&entry.html, &url);
            self.sheet.take(page);
        }
        for enclosure in &entry.enclosures {
            self.link(enclosure, LinkKind::Image, "", title, BlockKind::Paragraph);
        }
    }

    /// A short piece of HTML as text: titles hold references and now and then a tag.
    fn piece(&self, text: &str) -> String {
        if !text.contains(['<', '&']) {
            return text.trim().to_owned();
        }
        let page = self.html(text, &self.base);
        page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn html(&self, text: &str, url: &Url) -> ParsedPage {
        let limits = groma_model::Limits { html_text: self.sheet.room() as u64, ..self.input.limits.clone() };
        Html.read(&Input { bytes: text.as_bytes(), url, charset: Some("utf-8"), limits: &limits, parts: false })
    }
}

#[cfg(test)]
mod tests;
