//! The second reading of a page whose items refer to elements by id: the tokens go to structured data alone.

use groma_model::Limits;

use super::StructuredReader;
use crate::html::attributes::Attributes;
use crate::html::scan::{self, Content, Sink};
use crate::html::tag::Tag;

/// Reads a page (line feeds only) once more.
pub(crate) fn read_again<'a>(page: &str, limits: &Limits, reader: StructuredReader<'a>) -> StructuredReader<'a> {
    let mut again = Again { reader, templates: 0, is_hidden: false };
    scan::scan(page, limits.html_attributes, false, &mut again);
    let mut reader = again.reader;
    reader.end_page();
    reader
}

struct Again<'a> {
    reader: StructuredReader<'a>,
    /// Open elements whose content is not part of the page.
    templates: u32,
    /// In a script, a style sheet, a frame.
    is_hidden: bool,
}

impl Sink for Again<'_> {
    fn text(&mut self, text: &str) {
        if self.templates == 0 && !self.is_hidden {
            self.reader.text(text);
        }
    }

    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, _closes_itself: bool) -> Content {
        let content = match tag {
            Tag::Script => Content::Script,
            Tag::Style | Tag::Iframe | Tag::Noembed | Tag::Xmp => Content::Rawtext,
            Tag::Title | Tag::Textarea => Content::Rcdata,
            Tag::Plaintext => Content::Plaintext,
            _ => Content::Markup,
        };
        if self.templates == 0 && tag != Tag::Template {
            self.reader.start(tag, attributes, false);
        }
        self.templates += u32::from(tag == Tag::Template);
        self.is_hidden = matches!(tag, Tag::Script | Tag::Style | Tag::Iframe | Tag::Noembed);
        content
    }

    fn end(&mut self, tag: Tag, name: &[u8]) {
        self.is_hidden = false;
        if tag == Tag::Template {
            self.templates = self.templates.saturating_sub(1);
        } else if self.templates == 0 {
            self.reader.end(tag, name);
        }
    }

    fn is_foreign(&self) -> bool {
        false
    }

    fn is_data(&self) -> bool {
        self.reader.is_awake()
    }
}
