//! Feeds in XML: `rss`/`channel`/`item`, `RDF`/`item`, `feed`/`entry`. Elements are told by their local names.

use std::fmt::Write as _;

use quick_xml::events::BytesStart;

use groma_model::escape::Html;
use groma_model::{BlockKind, LinkKind};

use super::{Entry, Writer};
use crate::xml::{XmlEvent, attribute, walk};

/// What the text of an element is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Link,
    /// A link if there is no other.
    Guid,
    Date,
    Html,
    /// Text that is HTML only if there is no `content`.
    Summary,
    /// Text without markup.
    Plain,
    Language,
    Description,
}

struct Reading<'w, 'a> {
    writer: &'w mut Writer<'a>,
    /// How deep we are, and where the open entry began.
    depth: u32,
    entry: Option<(Entry, u32)>,
    guid: String,
    summary: String,
    field: Option<(Field, u32)>,
    text: String,
    /// Inside text whose markup is written out (Atom's `xhtml`).
    written_out: bool,
    title: String,
    date: String,
    /// Inside something that has titles and links of its own: a logo, a person, a search box.
    aside: Option<u32>,
}

pub(super) fn read(text: &str, writer: &mut Writer<'_>) {
    let mut reading = Reading {
        writer,
        depth: 0,
        entry: None,
        guid: String::new(),
        summary: String::new(),
        field: None,
        text: String::new(),
        written_out: false,
        title: String::new(),
        date: String::new(),
        aside: None,
    };
    walk(text, |step| {
        match step {
            XmlEvent::Start { tag, has_content } => reading.start(tag, has_content),
            XmlEvent::End(name) => reading.end(name),
            XmlEvent::Text(text) => reading.text(text),
        }
        true
    });
    reading.close_entry();
    let Reading { writer, title, date, .. } = reading;
    let title = writer.piece(&title);
    writer.sheet.title(&title);
    writer.sheet.meta("date", &date);
}

impl Reading<'_, '_> {
    fn start(&mut self, tag: &BytesStart<'_>, has_content: bool) {
        let name = tag.local_name();
        let name = name.as_ref();
        self.depth = self.depth.saturating_add(u32::from(has_content));
        if self.field.is_some() {
            if self.written_out {
                self.write_out(name, tag);
            }
            return;
        }
        if self.depth <= 2
            && let Some(base) = attribute(tag, "xml:base")
        {
            self.writer.base(&base);
        }
        if self.depth == 1 {
            self.writer.sheet.language(&attribute(tag, "xml:lang").unwrap_or_default());
        }
        if self.aside.is_some() {
            return;
        }
        if has_content && matches!(name, "image" | "textInput" | "textinput" | "author" | "contributor" | "source") {
            self.aside = Some(self.depth);
            return;
        }
        if has_content && matches!(name, "item" | "entry") {
            self.close_entry();
            self.entry = Some((Entry::default(), self.depth));
            return;
        }
        let direct = self.entry.as_ref().is_none_or(|(_, at)| self.depth == at + u32::from(has_content));
        if !direct && name != "content" {
            return;
        }
        match name {
            "link" | "enclosure" | "content" if attribute(tag, "href").or_else(|| attribute(tag, "url")).is_some() => {
                self.link(name, tag);
            }
            "content" if attribute(tag, "src").is_some() => self.link(name, tag),
            _ if has_content && direct => {
                self.field = self.field_of(name, tag).map(|field| (field, self.depth));
                self.written_out = attribute(tag, "type").as_deref() == Some("xhtml");
                self.text.clear();
            }
            _ => {}
        }
    }

    fn field_of(&self, name: &str, tag: &BytesStart<'_>) -> Option<Field> {
        let plain = matches!(attribute(tag, "type").as_deref(), Some("text" | "text/plain"));
        Some(match (name, self.entry.is_some()) {
            ("title", _) => Field::Title,
            ("link", _) => Field::Link,
            ("guid", true) if attribute(tag, "isPermaLink").as_deref() != Some("false") => Field::Guid,
            ("pubDate" | "date" | "updated" | "published" | "lastBuildDate", _) => Field::Date,
            ("content" | "encoded", true) if plain => Field::Plain,
            ("content" | "encoded", true) => Field::Html,
            ("description" | "summary", true) => Field::Summary,
            ("description" | "subtitle", false) => Field::Description,
            ("language", false) => Field::Language,
            _ => return None,
        })
    }

    /// A link by attributes.
    fn link(&mut self, name: &str, tag: &BytesStart<'_>) {
        let given = |name| attribute(tag, name);
        let Some(href) = given("href").or_else(|| given("url")).or_else(|| given("src")) else { return };
        let rel = given("rel").unwrap_or_else(|| "alternate".into()).to_ascii_lowercase();
        match (&mut self.entry, name, rel.trim()) {
            (Some((entry, _)), "enclosure" | "content", _) | (Some((entry, _)), _, "enclosure") => {
                entry.enclosures.push(href);
            }
            (Some((entry, _)), _, "alternate") if entry.link.is_empty() => entry.link = href,
            (None, "link", "alternate") => self.writer.link(&href, LinkKind::Anchor, "", "", BlockKind::Paragraph),
            (
                None,
                "link",
                rel @ ("next" | "prev" | "previous" | "first" | "last" | "prev-archive" | "next-archive"),
            ) => {
                self.writer.link(&href, LinkKind::Related, rel, "", BlockKind::Navigation);
            }
            (_, "link", "related" | "via" | "replies") => {
                self.writer.link(&href, LinkKind::Related, "", "", BlockKind::Paragraph);
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.field.is_none() {
            return;
        }
        if self.written_out {
            let _ = write!(self.text, "{}", Html(text));
        } else {
            self.text.push_str(text);
        }
    }

    /// A tag inside text whose markup is written out.
    fn write_out(&mut self, name: &str, tag: &BytesStart<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        for wanted in ["href", "src", "alt"] {
            if let Some(value) = attribute(tag, wanted) {
                let _ = write!(self.text, " {wanted}=\"{}\"", Html(&value));
            }
        }
        self.text.push('>');
    }

    fn end(&mut self, name: &str) {
        if let Some((field, at)) = self.field {
            if self.depth <= at {
                self.field = None;
                self.keep(field);
            } else if self.written_out {
                self.text.push_str("</");
                self.text.push_str(name);
                self.text.push('>');
            }
        }
        if self.field.is_none() && self.entry.as_ref().is_some_and(|(_, at)| self.depth <= *at) {
            self.close_entry();
        }
        self.aside = self.aside.filter(|at| self.depth > *at);
        self.depth = self.depth.saturating_sub(1);
    }

    fn keep(&mut self, field: Field) {
        let text = std::mem::take(&mut self.text);
        match &mut self.entry {
            Some((entry, _)) => match field {
                Field::Title if entry.title.is_empty() => entry.title = text,
                Field::Link if entry.link.is_empty() => entry.link = text,
                Field::Guid => self.guid = text,
                // What comes first counts, but a publication outranks a change.
                Field::Date if entry.date.is_empty() && text.trim().len() <= 64 => entry.date = text,
                Field::Html => entry.html = text,
                Field::Plain => entry.plain = text,
                Field::Summary => self.summary = text,
                _ => {}
            },
            None => match field {
                Field::Title if self.title.is_empty() => self.title = text,
                Field::Link => self.writer.link(&text, LinkKind::Anchor, "", "", BlockKind::Paragraph),
                Field::Date if self.date.is_empty() && text.trim().len() <= 64 => self.date = text,
                Field::Language => self.writer.sheet.language(&text),
                Field::Description => {
                    let text = self.writer.piece(&text);
                    self.writer.sheet.block(BlockKind::Description, &text);
                }
                _ => {}
            },
        }
    }

    fn close_entry(&mut self) {
        let Some((mut entry, _)) = self.entry.take() else { return };
        let (guid, summary) = (std::mem::take(&mut self.guid), std::mem::take(&mut self.summary));
        if entry.link.trim().is_empty() && guid.trim().starts_with("http") {
            entry.link = guid;
        }
        if entry.html.trim().is_empty() && entry.plain.trim().is_empty() {
            entry.html = summary;
        }
        self.writer.entry(&entry);
    }
}
