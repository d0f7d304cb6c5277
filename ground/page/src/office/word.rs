//! docx: `word/document.xml`, its notes, and the relations that hold the URLs of links.

use std::collections::HashMap;

use groma_model::{BlockKind, LinkKind};
use quick_xml::events::BytesStart;

use super::metadata;
use super::package::Package;
use crate::sheet::Sheet;
use crate::xml::{XmlEvent, local_attribute, walk};

const HEADINGS: [BlockKind; 6] = [
    BlockKind::Heading1,
    BlockKind::Heading2,
    BlockKind::Heading3,
    BlockKind::Heading4,
    BlockKind::Heading5,
    BlockKind::Heading6,
];

/// The kind of a heading by its level, counted from 1.
pub(super) fn heading(level: u32) -> BlockKind {
    HEADINGS[level.clamp(1, 6) as usize - 1]
}

pub(super) fn read(package: &mut Package<'_>, sheet: &mut Sheet<'_>) {
    metadata(&package.text("docProps/core.xml"), sheet);
    let styles = styles(&package.text("word/styles.xml"));
    for part in ["document", "footnotes", "endnotes"] {
        let relations = package.relations(&format!("word/_rels/{part}.xml.rels"));
        let text = package.text(&format!("word/{part}.xml"));
        Reading {
            sheet,
            styles: &styles,
            relations: &relations,
            paragraph: Paragraph::default(),
            cells: 0,
            link: None,
            hidden: false,
            field: String::new(),
        }
        .all(&text);
    }
}

/// Which styles are headings, by their ids: by their outline level, else by their English name.
fn styles(text: &str) -> HashMap<String, u32> {
    let mut found = HashMap::new();
    let mut id = String::new();
    walk(text, |step| {
        if let XmlEvent::Start { tag, .. } = step {
            let value = || local_attribute(tag, "val").unwrap_or_default();
            match tag.local_name().as_ref() {
                "style" => id = local_attribute(tag, "styleId").unwrap_or_default(),
                "name" if !id.is_empty() => {
                    let name = value().to_ascii_lowercase();
                    let level = name.strip_prefix("heading ").and_then(|level| level.trim().parse().ok());
                    if let Some(level) = level.or((name == "title").then_some(1)) {
                        found.insert(id.clone(), level);
                    }
                }
                "outlineLvl" if !id.is_empty() => {
                    if let Some(level) = value().parse::<u32>().ok().filter(|level| *level < 9) {
                        found.insert(id.clone(), level + 1);
                    }
                }
                _ => {}
            }
        }
        true
    });
    found
}

#[derive(Default)]
struct Paragraph {
    text: String,
    heading: Option<u32>,
    item: bool,
    /// Links in it: reference and where its text stands.
    links: Vec<(String, std::ops::Range<usize>)>,
}

struct Reading<'r, 'a> {
    sheet: &'r mut Sheet<'a>,
    styles: &'r HashMap<String, u32>,
    relations: &'r HashMap<String, String>,
    paragraph: Paragraph,
    /// Cells of tables that are open.
    cells: u32,
    /// The open hyperlink, and where its text begins.
    link: Option<(String, usize)>,
    /// Inside text that is not shown: deleted, or the code of a field.
    hidden: bool,
    /// The code of the open field: `HYPERLINK "address"`.
    field: String,
}

impl Reading<'_, '_> {
    fn all(mut self, text: &str) {
        let mut in_text = false;
        walk(text, |step| {
            match step {
                XmlEvent::Start { tag, has_content } => {
                    in_text = has_content && tag.local_name().as_ref() == "t";
                    self.hidden = has_content && matches!(tag.local_name().as_ref(), "delText" | "instrText");
                    self.start(tag, has_content);
                }
                XmlEvent::Text(part) if in_text => self.paragraph.text.push_str(part),
                XmlEvent::Text(part) if self.hidden && self.field.len() < 8192 => self.field.push_str(part),
                XmlEvent::Text(_) => {}
                XmlEvent::End(name) => {
                    (in_text, self.hidden) = (false, false);
                    self.end(name);
                }
            }
            true
        });
        self.flush();
    }

    fn start(&mut self, tag: &BytesStart<'_>, has_content: bool) {
        match tag.local_name().as_ref() {
            "p" if has_content => self.flush(),
            "pStyle" => {
                let style = local_attribute(tag, "val").unwrap_or_default();
                self.paragraph.heading = self.styles.get(&style).copied();
            }
            "outlineLvl" => {
                let level = local_attribute(tag, "val").and_then(|level| level.parse::<u32>().ok());
                self.paragraph.heading = level.filter(|level| *level < 9).map(|level| level + 1);
            }
            "numPr" => self.paragraph.item = true,
            "tab" | "br" | "cr" => self.paragraph.text.push(' '),
            "noBreakHyphen" => self.paragraph.text.push('-'),
            "tc" if has_content => self.cells += 1,
            "hyperlink" if has_content => {
                let target = local_attribute(tag, "id").and_then(|id| self.relations.get(&id).cloned());
                self.link = target.map(|target| (target, self.paragraph.text.len()));
            }
            "fldSimple" => {
                let code = local_attribute(tag, "instr").unwrap_or_default();
                self.link = hyperlink(&code).map(|target| (target, self.paragraph.text.len()));
            }
            "fldChar" => match local_attribute(tag, "fldCharType").as_deref() {
                Some("begin") => self.field.clear(),
                Some("separate") => {
                    let target = hyperlink(&std::mem::take(&mut self.field));
                    self.link = target.map(|target| (target, self.paragraph.text.len()));
                }
                _ => self.end_link(),
            },
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" => self.flush(),
            "tc" => self.cells = self.cells.saturating_sub(1),
            "hyperlink" | "fldSimple" => self.end_link(),
            _ => {}
        }
    }

    fn end_link(&mut self) {
        if let Some((target, from)) = self.link.take() {
            let to = self.paragraph.text.len();
            self.paragraph.links.push((target, from.min(to)..to));
        }
    }

    /// The open paragraph is complete.
    fn flush(&mut self) {
        let open = self.link.as_ref().map(|(target, _)| (target.clone(), 0));
        self.end_link();
        // A field may go on in the next paragraph.
        self.link = open;
        let paragraph = std::mem::take(&mut self.paragraph);
        let kind = match paragraph.heading {
            Some(level) => heading(level),
            None if self.cells > 0 => BlockKind::TableCell,
            None if paragraph.item => BlockKind::ListItem,
            None => BlockKind::Paragraph,
        };
        if matches!(paragraph.heading, Some(1)) {
            self.sheet.title(&paragraph.text);
        }
        self.sheet.block(kind, &paragraph.text);
        for (target, range) in paragraph.links {
            self.sheet.link(&target, LinkKind::Anchor, "", &paragraph.text[range], kind);
        }
    }
}

/// The URL in the code of a field: `HYPERLINK "http://..." \h`.
fn hyperlink(code: &str) -> Option<String> {
    let rest = code.trim().strip_prefix("HYPERLINK")?.trim_start();
    let address = rest.strip_prefix('"')?.split('"').next()?;
    (!address.is_empty()).then(|| address.to_owned())
}
