//! Office documents: docx, pptx, xlsx (Office Open XML), odt, odp, ods (OpenDocument).
//!
//! Text becomes blocks: headings by their level, paragraphs, items of lists, cells of tables; the title comes from the
//! document's own metadata, else from its first heading. Hyperlinks are links, with the text that stands on them. Of a
//! workbook the shared strings and the texts in cells are read, no numbers; of slides the text in order of their numbers.
//!
//! A document is a zip file of XML: of each file so much is unpacked as a page may have bytes, of all together four times
//! that (`document_unpacked`), so that a small file cannot become a large one in memory. Cost: linear in what is unpacked.
//! Not guaranteed: text in frames stands where it is anchored, and what a macro would say is not said.

mod open_document;
mod package;
mod presentation;
mod word;
mod workbook;
mod zip;

#[cfg(test)]
mod tests;

use groma_model::ParsedPage;

use crate::filter::{Filter, Input};
use crate::sheet::Sheet;
use crate::xml::{XmlEvent, walk};
use package::Package;

#[derive(Clone, Copy, Debug)]
pub struct Office;

/// The media types, and the reader of each.
const TYPES: [(&str, Kind); 12] = [
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", Kind::Word),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.template", Kind::Word),
    ("application/vnd.ms-word.document.macroenabled.12", Kind::Word),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", Kind::Slides),
    ("application/vnd.openxmlformats-officedocument.presentationml.slideshow", Kind::Slides),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Kind::Workbook),
    ("application/vnd.ms-excel.sheet.macroenabled.12", Kind::Workbook),
    ("application/vnd.oasis.opendocument.text", Kind::Open),
    ("application/vnd.oasis.opendocument.text-template", Kind::Open),
    ("application/vnd.oasis.opendocument.presentation", Kind::Open),
    ("application/vnd.oasis.opendocument.spreadsheet", Kind::Open),
    ("application/vnd.oasis.opendocument.graphics", Kind::Open),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Slides,
    Workbook,
    Open,
}

impl Filter for Office {
    fn takes(&self, media_type: &str) -> bool {
        TYPES.iter().any(|(name, _)| *name == media_type)
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let mut sheet = Sheet::of_document(input);
        // What the file is made of says more than what its server calls it.
        if let Some(mut package) = Package::open(input.bytes, input.limits) {
            match package.kind() {
                Some(Kind::Word) => word::read(&mut package, &mut sheet),
                Some(Kind::Slides) => presentation::read(&mut package, &mut sheet),
                Some(Kind::Workbook) => workbook::read(&mut package, &mut sheet),
                Some(Kind::Open) => open_document::read(&mut package, &mut sheet),
                None => {}
            }
            package.cuts().iter().for_each(|key| sheet.cut(key));
        }
        sheet.finish(input.url)
    }
}

/// The type of a zip file by what is in it, if it is an office document.
pub(crate) fn true_type(bytes: &[u8]) -> Option<&'static str> {
    // OpenDocument puts its type first, not compressed.
    if bytes.get(30..38) == Some(b"mimetype") {
        let named = bytes.get(38..).unwrap_or_default();
        return TYPES
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| named.starts_with(name.as_bytes()))
            .max_by_key(|name| name.len());
    }
    let marks: [(&[u8], usize); 3] = [(b"word/document.xml", 0), (b"ppt/presentation.xml", 3), (b"xl/workbook.xml", 5)];
    let (_, place) = marks.iter().find(|(mark, _)| memchr::memmem::find(bytes, mark).is_some())?;
    Some(TYPES[*place].0)
}

/// Title, language, subject and date of the metadata: `docProps/core.xml` and `meta.xml` speak of the same Dublin Core.
fn metadata(text: &str, sheet: &mut Sheet<'_>) {
    let mut name = String::new();
    let mut content = String::new();
    walk(text, |step| {
        match step {
            XmlEvent::Start { tag, .. } => {
                tag.local_name().as_ref().clone_into(&mut name);
                content.clear();
            }
            XmlEvent::Text(part) if content.len() < 4096 => content.push_str(part),
            XmlEvent::Text(_) => {}
            XmlEvent::End(_) => {
                let content = std::mem::take(&mut content);
                match name.as_str() {
                    "title" => sheet.title(&content),
                    "language" => sheet.language(&content),
                    "subject" | "description" => sheet.meta("description", &content),
                    "keywords" | "keyword" => sheet.meta("keywords", &content),
                    "creator" => sheet.meta("author", &content),
                    "modified" | "date" => sheet.meta("date", &content),
                    _ => {}
                }
                name.clear();
            }
        }
        true
    });
}
