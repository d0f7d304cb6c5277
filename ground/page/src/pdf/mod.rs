//! PDF: text, title, links, language, number of pages.
//!
//! The objects of the file (cross references, object streams, filters, encryption with an empty password) are read by the
//! crate lopdf; fonts, codes and places are ours, so that words and paragraphs come out as a reader sees them. What is set
//! larger than most of the text is a heading. Cost: not known beforehand, so it is read [apart](Filter::apart): a reader
//! that takes too long or too much memory is ended.

mod cmap;
mod encodings;
mod flow;
mod font;
mod lex;
mod line;
mod links;
mod matrix;
mod names;
mod objects;
mod painter;
mod program;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use groma_model::wording::{grouped, size};
use groma_model::{BlockKind, LinkKind, ParsedPage};
use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use crate::filter::{Filter, Input};
use crate::sheet::Sheet;
use flow::Paragraph;
use links::Rectangles;
use painter::Painter;

/// Reads `application/pdf`.
#[derive(Clone, Copy, Debug)]
pub struct Pdf;

/// Parents a page inherits from, at most.
const PARENTS: usize = 32;
/// One glyph in so many may be without a text before that is told.
const SILENT: u64 = 20;
/// Bytes one stream of objects may unpack to.
const UNPACKED: usize = 128 << 20;

impl Filter for Pdf {
    fn takes(&self, media_type: &str) -> bool {
        matches!(media_type, "application/pdf" | "application/x-pdf")
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let mut sheet = Sheet::of_document(input);
        match Document::load_mem_with_options(&repaired(input.bytes), LoadOptions::with_max_decompressed_size(UNPACKED))
        {
            Ok(document) if document.is_encrypted() && document.objects.len() < 2 => {
                sheet.meta("unread", "encrypted with a password")
            }
            Ok(document) => pages(&document, input, &mut sheet),
            Err(error) => sheet.meta("unread", &format!("not a PDF that can be read: {error}")),
        }
        sheet.finish(input.url)
    }

    fn apart(&self) -> bool {
        true
    }
}

/// Some writers put a space in front of `endstream`, where the library expects the end of a line, and gives the stream up.
fn repaired(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Cow::Borrowed(bytes);
    for at in memchr::memmem::find_iter(bytes, b" endstream") {
        whole.to_mut()[at] = b'\n';
    }
    whole
}

fn pages(document: &Document, input: &Input<'_>, sheet: &mut Sheet<'_>) {
    let most = sheet.room();
    let links = usize::try_from(input.limits.html_links).unwrap_or(usize::MAX);
    if let Some(info) = objects::dictionary(document, &document.trailer, b"Info") {
        sheet.title(&objects::text(document, info, b"Title"));
        for (key, name) in [(&b"Author"[..], "author"), (b"Subject", "description"), (b"Keywords", "keywords")] {
            sheet.meta(name, &objects::text(document, info, key));
        }
    }
    if let Ok(catalog) = document.catalog() {
        sheet.language(&objects::text(document, catalog, b"Lang"));
    }
    let unpacked = usize::try_from(input.limits.document_unpacked).unwrap_or(usize::MAX);
    let mut painter = Painter::new(document, most, unpacked);
    let mut found: Vec<(String, String)> = Vec::new();
    let all = document.get_pages();
    sheet.meta("pages", &all.len().to_string());
    for (number, id) in all {
        let Some(page) = document.get_dictionary(id).ok() else { continue };
        painter.flow.page(number);
        painter.rectangles = Rectangles::read(document, page, links.saturating_sub(found.len()));
        let (bytes, lost) = content(document, page, unpacked);
        painter.lost += lost;
        painter.paint(&bytes, inherited(document, id, b"Resources"));
        found.extend(std::mem::take(&mut painter.rectangles).finish());
        if painter.is_full() {
            match painter.is_tired() {
                true => sheet.cut("document_ms"),
                false => sheet.full(),
            }
            break;
        }
    }
    let (told, silent) = (painter.told, painter.silent);
    if silent * SILENT > told + silent {
        sheet.meta("silent", &format!("fonts do not say what {silent} of {} glyphs stand for", told + silent));
    }
    if painter.lost > 0 {
        sheet.cut("document_unpacked");
        let streams =
            if painter.lost == 1 { "a stream".to_owned() } else { format!("{} streams", grouped(painter.lost)) };
        let most = size(input.limits.document_unpacked);
        sheet.meta("lost", &format!("the text of {streams} of more than {most} is not read"));
    }
    painter.flow.flush();
    write(&painter.flow.done, sheet);
    for (address, text) in found {
        sheet.link(&address, LinkKind::Anchor, "", &text, BlockKind::Paragraph);
    }
}

/// The streams of a page, end to end, of so many bytes at most; and how many were left out because they hold more.
fn content(document: &Document, page: &Dictionary, most: usize) -> (Vec<u8>, u64) {
    let streams = match objects::get(document, page, b"Contents") {
        Some(Object::Array(parts)) => parts.iter().map(|part| objects::resolved(document, part)).collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    let (mut bytes, mut lost) = (Vec::new(), 0);
    for stream in streams.into_iter().filter_map(|object| object.as_stream().ok()) {
        match objects::painted(stream, most.saturating_sub(bytes.len())) {
            Ok(part) => {
                bytes.extend(part);
                bytes.push(b'\n');
            }
            Err(objects::TooLarge) => lost += 1,
        }
    }
    (bytes, lost)
}

/// A dictionary that a page has from its parents, if not its own.
fn inherited<'d>(document: &'d Document, page: ObjectId, key: &[u8]) -> Option<&'d Dictionary> {
    let mut node = document.get_dictionary(page).ok()?;
    for _ in 0..PARENTS {
        if let Some(found) = objects::dictionary(document, node, key) {
            return Some(found);
        }
        node = objects::dictionary(document, node, b"Parent")?;
    }
    None
}

/// Paragraphs become blocks: headings are what is set larger than most of the text.
fn write(paragraphs: &[Paragraph], sheet: &mut Sheet<'_>) {
    let body = usual_size(paragraphs);
    let first = paragraphs.first().map_or(0, |paragraph| paragraph.page);
    let largest = paragraphs.iter().filter(|it| it.page == first && it.size >= 1.15 * body);
    if let Some(title) = largest.max_by(|a, b| a.size.total_cmp(&b.size)) {
        sheet.title(&title.text);
    }
    for paragraph in paragraphs {
        let short = paragraph.text.len() < 400;
        let kind = match paragraph.size / body.max(0.1) {
            ratio if short && ratio >= 1.6 => BlockKind::Heading1,
            ratio if short && ratio >= 1.35 => BlockKind::Heading2,
            ratio if short && ratio >= 1.15 => BlockKind::Heading3,
            _ => BlockKind::Paragraph,
        };
        sheet.block(kind, &paragraph.text);
    }
}

/// The size most of the text is set in, to a quarter of a point.
fn usual_size(paragraphs: &[Paragraph]) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for paragraph in paragraphs {
        *counts.entry((paragraph.size * 4.0) as i64).or_insert(0) += paragraph.text.len();
    }
    counts.into_iter().max_by_key(|(_, bytes)| *bytes).map_or(1.0, |(size, _)| size as f64 / 4.0)
}
