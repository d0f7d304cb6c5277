//! odt, odp, ods: `content.xml` and `meta.xml`.

use groma_model::{BlockKind, LinkKind};
use quick_xml::events::BytesStart;

use super::package::Package;
use super::{metadata, word::heading};
use crate::sheet::Sheet;
use crate::xml::{XmlEvent, attribute, walk};

pub(super) fn read(package: &mut Package<'_>, sheet: &mut Sheet<'_>) {
    metadata(&package.text("meta.xml"), sheet);
    let text = package.text("content.xml");
    let mut reading = Reading { sheet, open: Vec::new(), cells: 0, items: 0, unseen: 0 };
    walk(&text, |step| {
        match step {
            XmlEvent::Start { tag, has_content } => reading.start(tag, has_content),
            XmlEvent::End(name) => reading.end(name),
            XmlEvent::Text(part) => reading.text(part),
        }
        true
    });
    while reading.open.pop().map(|paragraph| reading.put(paragraph)).is_some() {}
}

/// A paragraph or heading. Notes and frames stand inside of others, so there may be several.
#[derive(Default)]
struct Paragraph {
    level: Option<u32>,
    text: String,
    link: Option<(String, usize)>,
    links: Vec<(String, std::ops::Range<usize>)>,
}

struct Reading<'r, 'a> {
    sheet: &'r mut Sheet<'a>,
    open: Vec<Paragraph>,
    cells: u32,
    items: u32,
    /// Elements open whose text nobody sees: deleted text, notes of speakers' settings.
    unseen: u32,
}

/// Paragraphs in paragraphs, deeper ones are read as if they stood here.
const DEEPEST: usize = 64;

impl Reading<'_, '_> {
    fn start(&mut self, tag: &BytesStart<'_>, has_content: bool) {
        let name = tag.local_name();
        match name.as_ref() {
            "tracked-changes" | "forms" | "annotation" if has_content => self.unseen += 1,
            "p" | "h" if has_content => {
                let level = attribute(tag, "text:outline-level").and_then(|level| level.parse().ok());
                let level = (name.as_ref() == "h").then(|| level.unwrap_or(1));
                if self.open.len() < DEEPEST {
                    self.open.push(Paragraph { level, ..Paragraph::default() });
                }
            }
            "table-cell" if has_content => self.cells += 1,
            "list-item" if has_content => self.items += 1,
            "s" => {
                let many = attribute(tag, "text:c").and_then(|many| many.parse::<usize>().ok()).unwrap_or(1);
                self.text(if many > 0 { " " } else { "" });
            }
            "tab" | "line-break" => self.text(" "),
            "a" if has_content => {
                if let (Some(target), Some(paragraph)) = (attribute(tag, "xlink:href"), self.open.last_mut()) {
                    paragraph.link = Some((target, paragraph.text.len()));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, part: &str) {
        if let Some(paragraph) = self.open.last_mut().filter(|_| self.unseen == 0) {
            paragraph.text.push_str(part);
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "tracked-changes" | "forms" | "annotation" => self.unseen = self.unseen.saturating_sub(1),
            "p" | "h" => {
                if let Some(paragraph) = self.open.pop() {
                    self.put(paragraph);
                }
            }
            "table-cell" => self.cells = self.cells.saturating_sub(1),
            "list-item" => self.items = self.items.saturating_sub(1),
            "a" => {
                if let Some(paragraph) = self.open.last_mut()
                    && let Some((target, from)) = paragraph.link.take()
                {
                    let to = paragraph.text.len();
                    paragraph.links.push((target, from.min(to)..to));
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, paragraph: Paragraph) {
        let kind = match paragraph.level {
            Some(level) => heading(level),
            None if self.cells > 0 => BlockKind::TableCell,
            None if self.items > 0 => BlockKind::ListItem,
            None => BlockKind::Paragraph,
        };
        if paragraph.level == Some(1) {
            self.sheet.title(&paragraph.text);
        }
        self.sheet.block(kind, &paragraph.text);
        for (target, range) in paragraph.links {
            self.sheet.link(&target, LinkKind::Anchor, "", &paragraph.text[range], kind);
        }
    }
}
