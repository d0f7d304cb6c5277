//! XML sitemaps, sitemap indexes, RSS and Atom, event by event.
//!
//! One record (`url`, `sitemap`, `item`, `entry`) is open at a time, and of its elements only those that stand directly
//! in it count. A record that starts before one of its kind has ended ends it.

use super::extras::{self, Extra};
use super::{BREAKS_OFF, Entry, NO_SITEMAP, NO_XML, Sitemap};
use crate::xml::{XmlEvent, attribute, walk};
use groma_model::Limits;
use quick_xml::events::BytesStart;

/// What a record is, by the name of its element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `url` of a sitemap.
    Page,
    /// `sitemap` of an index.
    Child,
    /// `item` of RSS.
    Item,
    /// `entry` of Atom.
    Post,
}

impl Kind {
    fn from_element(name: &str) -> Option<Kind> {
        match name {
            "url" => Some(Kind::Page),
            "sitemap" => Some(Kind::Child),
            "item" => Some(Kind::Item),
            "entry" => Some(Kind::Post),
            _ => None,
        }
    }
}

/// What the text of an element is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Address,
    /// A URL if there is no other: the `guid` of an item.
    Fallback,
    Changed,
    /// A date if there is no other: when a post was published.
    Published,
}

/// The record that is being read.
struct Record {
    kind: Kind,
    /// Elements open inside it.
    depth: u64,
    entry: Entry,
    fallback: String,
    published: Option<String>,
    /// The picture, film or news that is open in it.
    extra: Option<Extra>,
}

/// Reads until the end, the first break or the first limit.
pub(super) fn read(text: &str, limits: &Limits, map: &mut Sitemap) {
    let mut reading = Reading { limits, map, record: None, field: None, text: String::new(), alternates: 0, media: 0 };
    let mut full = false;
    // The root, and the elements that are open.
    let (mut root, mut open) = (String::new(), 0_u64);
    let sound = walk(text, |step| {
        let go_on = match step {
            XmlEvent::Start { tag, has_content } => {
                if root.is_empty() {
                    tag.local_name().as_ref().clone_into(&mut root);
                }
                open += u64::from(has_content);
                reading.start(tag, has_content)
            }
            XmlEvent::End(name) => {
                open = open.saturating_sub(1);
                reading.end(name)
            }
            XmlEvent::Text(part) => reading.text(part),
        };
        full = !go_on;
        go_on
    });
    if full {
        return;
    }
    // The last record of a file that was cut may have its URL already.
    reading.close();
    let known = ["urlset", "sitemapindex", "rss", "feed", "RDF"].contains(&root.as_str());
    let wrong = match (known, sound, open) {
        (false, ..) => Some(NO_SITEMAP),
        (_, false, _) => Some(NO_XML),
        (_, _, 1..) => Some(BREAKS_OFF),
        _ => None,
    };
    reading.map.broken = reading.map.broken.or(wrong);
}

struct Reading<'a> {
    limits: &'a Limits,
    map: &'a mut Sitemap,
    record: Option<Record>,
    field: Option<Field>,
    /// Of the open field so far.
    text: String,
    alternates: u64,
    /// Pictures and films so far.
    media: u64,
}

impl Reading<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, has_content: bool) -> bool {
        let name = tag.local_name();
        let name = name.as_ref();
        self.field = None;
        let open = self.record.as_ref().map(|record| record.kind);
        if let Some(kind) = Kind::from_element(name).filter(|&kind| has_content && open.is_none_or(|open| open == kind))
        {
            let go_on = self.close();
            let entry = Entry::default();
            self.record = Some(Record { kind, depth: 0, entry, fallback: String::new(), published: None, extra: None });
            return go_on;
        }
        let Some(record) = &mut self.record else { return true };
        let direct = record.depth == 0;
        record.depth += u64::from(has_content);
        if direct && name == "link" && matches!(record.kind, Kind::Page | Kind::Post) {
            self.link(tag);
        } else if has_content {
            self.field = if direct { field(record.kind, name, tag) } else { None };
            self.text.clear();
            if record.kind == Kind::Page {
                let open = record.extra.get_or_insert_default();
                open.start(name, record.depth);
            }
        }
        true
    }

    fn text(&mut self, part: &str) -> bool {
        if self.field.is_some() {
            self.text.push_str(part);
        } else if let Some(extra) = self.record.as_mut().and_then(|record| record.extra.as_mut()) {
            extra.text(part);
        }
        true
    }

    fn end(&mut self, name: &str) -> bool {
        self.keep();
        match &mut self.record {
            Some(record) if Kind::from_element(name) == Some(record.kind) => return self.close(),
            Some(record) => {
                if let Some(done) = record.extra.as_mut().and_then(|extra| extra.end(record.depth)) {
                    self.media += extras::keep(done, &mut record.entry, self.map, self.limits, self.media);
                }
                record.depth = record.depth.saturating_sub(1);
            }
            None => {}
        }
        true
    }

    /// The open field is complete.
    fn keep(&mut self) {
        let (Some(field), Some(record)) = (self.field.take(), &mut self.record) else { return };
        let text = self.text.trim();
        match field {
            Field::Changed | Field::Published if text.is_empty() || text.len() > DATE_BYTES => {}
            Field::Changed => record.entry.lastmod = Some(text.to_owned()),
            Field::Published => record.published = Some(text.to_owned()),
            Field::Address | Field::Fallback if text.len() as u64 > self.limits.url_bytes => self.map.cut("url_bytes"),
            Field::Address if record.entry.loc.is_empty() => record.entry.loc = text.to_owned(),
            Field::Address => {}
            Field::Fallback => record.fallback = text.to_owned(),
        }
    }

    /// A link by attributes: the URL of a post, or another version of a page.
    fn link(&mut self, tag: &BytesStart<'_>) {
        let (Some(href), Some(record)) = (attribute(tag, "href"), &mut self.record) else { return };
        let alternate = attribute(tag, "rel").map(|rel| rel.trim().eq_ignore_ascii_case("alternate"));
        let href = href.trim();
        if href.is_empty() {
        } else if href.len() as u64 > self.limits.url_bytes {
            self.map.cut("url_bytes");
        } else if record.kind == Kind::Post {
            if alternate.unwrap_or(true) && record.entry.loc.is_empty() {
                record.entry.loc = href.to_owned();
            }
        } else if alternate == Some(true) {
            if self.alternates >= self.limits.sitemap_urls {
                self.map.cut("sitemap_urls");
            } else {
                self.alternates += 1;
                record.entry.alternates.push(href.to_owned());
            }
        }
    }

    /// The open record is complete; false if it was one too many.
    fn close(&mut self) -> bool {
        self.keep();
        let Some(Record { kind, mut entry, fallback, published, .. }) = self.record.take() else { return true };
        if entry.loc.is_empty() && fallback.starts_with("http") {
            entry.loc = fallback;
        }
        if entry.loc.is_empty() {
            return true;
        }
        entry.lastmod = entry.lastmod.or(published);
        let taken = if kind == Kind::Child { self.map.children.len() } else { self.map.entries.len() };
        if taken as u64 >= self.limits.sitemap_urls {
            self.map.cut("sitemap_urls");
            return false;
        }
        match kind {
            Kind::Child => self.map.children.push(entry.loc),
            _ => self.map.entries.push(entry),
        }
        true
    }
}

/// What an element that stands directly in a record is for.
fn field(kind: Kind, name: &str, tag: &BytesStart<'_>) -> Option<Field> {
    match (kind, name) {
        (Kind::Page | Kind::Child, "loc") | (Kind::Item, "link") => Some(Field::Address),
        (Kind::Item, "guid") if attribute(tag, "isPermaLink").as_deref() != Some("false") => Some(Field::Fallback),
        (Kind::Page | Kind::Child, "lastmod") | (Kind::Item, "pubDate" | "date") | (Kind::Post, "updated") => {
            Some(Field::Changed)
        }
        (Kind::Post, "published") => Some(Field::Published),
        _ => None,
    }
}

/// Longer than any date.
const DATE_BYTES: usize = 64;
