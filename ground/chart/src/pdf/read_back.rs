//! For the tests: a map drawn and read back with somebody else's reader: the lines of each sheet, links and bookmarks.

use std::collections::HashMap;
use std::io;

use groma_graph::Tree;
use groma_model::Reason;
use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::{Heading, Label, Labels, Parts, SiteMap, Sort};

/// Labels made by a function.
pub(super) struct Told<F>(pub(super) F);

impl<F: FnMut(u32) -> io::Result<Label>> Labels for Told<F> {
    fn label(&mut self, node: u32) -> io::Result<Label> {
        (self.0)(node)
    }
}

/// A page with a title and a URL, and something of everything.
pub(super) fn label(title: &str, url: &str) -> Label {
    let mut parts = Parts::default();
    parts.add(Sort::Page, Some(12_000));
    parts.add(Sort::Image, Some(34_000));
    Label {
        url: url.into(),
        title: title.into(),
        reason: Reason::Fetched,
        rank: 1.25,
        status: 200,
        media_type: "text/html".into(),
        size: Some(4_321),
        language: "en".into(),
        words: 321,
        modified: Some(1_700_000_000),
        changed: None,
        fetched: Some(1_750_000_000),
        unlisted: false,
        links_in: 3,
        links_out: 4,
        broken: 1,
        cluster: None,
        database: "",
        parts,
    }
}

pub(super) fn heading() -> Heading {
    Heading {
        site: "A site (of \\ tests)".into(),
        root: "https://example.org/".into(),
        surveyed: 1_767_225_600,
        drawn: 1_767_312_000,
        generator: "Groma 0".into(),
        unreached: 2,
        notes: vec!["A note.".into()],
    }
}

/// A tree from the steps between the parents of places that follow each other.
pub(super) fn tree(steps: &[u32]) -> Tree {
    let mut parents = vec![0u32];
    for step in steps {
        let last = parents.last().copied().unwrap_or(0);
        parents.push((last + step).min(parents.len() as u32 - 1));
    }
    Tree::of_places((0..parents.len() as u32).collect(), parents).unwrap()
}

/// Draws a map whose pages are called by their nodes.
pub(super) fn drawn(map: &SiteMap<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut labels = Told(|node| Ok(label(&title(node), &format!("https://example.org/{node}"))));
    super::render(map, &mut labels, &mut out).unwrap();
    out
}

/// The title of a node in [`drawn`].
pub(super) fn title(node: u32) -> String {
    format!("Žlutý list № {node}.")
}

/// A file that was read back.
pub(super) struct ReadBack {
    document: Document,
    pages: Vec<ObjectId>,
    /// The lines of type on each sheet, in the order in which they were set.
    pub(super) lines: Vec<Vec<String>>,
}

impl ReadBack {
    pub(super) fn parse(bytes: &[u8]) -> ReadBack {
        let document = Document::load_mem(bytes).unwrap();
        let pages: Vec<ObjectId> = document.get_pages().into_values().collect();
        let mut tables = HashMap::new();
        let lines = pages.iter().map(|&page| lines(&document, page, &mut tables)).collect();
        ReadBack { document, pages, lines }
    }

    /// The sheets that have a line, counted from 0.
    pub(super) fn sheets_with(&self, line: &str) -> Vec<usize> {
        (0..self.lines.len()).filter(|&sheet| self.lines[sheet].iter().any(|there| there == line)).collect()
    }

    /// What the links of a sheet lead to: URLs, or sheets counted from 0.
    pub(super) fn links(&self, sheet: usize) -> Vec<Result<String, usize>> {
        let links = self.document.get_page_annotations(self.pages[sheet]).unwrap();
        let goal = |link: &&Dictionary| {
            let action = link.get(b"A").unwrap().as_dict().unwrap();
            match action.get(b"URI") {
                Ok(address) => Ok(String::from_utf8(address.as_str().unwrap().to_vec()).unwrap()),
                Err(_) => Err(self.sheet_of(action.get(b"D").unwrap())),
            }
        };
        links.iter().map(goal).collect()
    }

    fn sheet_of(&self, destination: &Object) -> usize {
        let page = destination.as_array().unwrap()[0].as_reference().unwrap();
        self.pages.iter().position(|&there| there == page).unwrap()
    }

    /// The bookmarks: depth, words, sheet counted from 0.
    pub(super) fn bookmarks(&self) -> Vec<(usize, String, usize)> {
        let mut found = Vec::new();
        if let Ok(root) = self.document.catalog().unwrap().get(b"Outlines") {
            self.below(self.document.get_dictionary(root.as_reference().unwrap()).unwrap(), 0, &mut found);
        }
        found
    }

    fn below(&self, item: &Dictionary, depth: usize, found: &mut Vec<(usize, String, usize)>) {
        let mut next = item.get(b"First").ok();
        while let Some(id) = next {
            let item = self.document.get_dictionary(id.as_reference().unwrap()).unwrap();
            let words = lopdf::decode_text_string(item.get(b"Title").unwrap()).unwrap();
            found.push((depth, words, self.sheet_of(item.get(b"Dest").unwrap())));
            self.below(item, depth + 1, found);
            next = item.get(b"Next").ok();
        }
    }

    /// A text of the document information.
    pub(super) fn information(&self, key: &[u8]) -> String {
        let id = self.document.trailer.get(b"Info").unwrap().as_reference().unwrap();
        lopdf::decode_text_string(self.document.get_dictionary(id).unwrap().get(key).unwrap()).unwrap()
    }

    pub(super) fn catalog(&self) -> &Dictionary {
        self.document.catalog().unwrap()
    }

    pub(super) fn xmp(&self) -> String {
        let id = self.catalog().get(b"Metadata").unwrap().as_reference().unwrap();
        String::from_utf8(self.document.get_object(id).unwrap().as_stream().unwrap().content.clone()).unwrap()
    }
}

type Table = HashMap<u16, String>;

fn lines(document: &Document, page: ObjectId, tables: &mut HashMap<ObjectId, Table>) -> Vec<String> {
    let content = Content::decode(&document.get_page_content(page)).unwrap();
    let (mut lines, mut font, mut meant) = (Vec::new(), None, None);
    for operation in content.operations {
        match operation.operator.as_str() {
            "BT" => lines.push(String::new()),
            "Tf" => font = Some(font_of(document, page, operation.operands[0].as_name().unwrap())),
            "BDC" => {
                let words = operation.operands[1].as_dict().unwrap().get(b"ActualText").unwrap();
                meant = Some(lopdf::decode_text_string(words).unwrap());
            }
            "EMC" => meant = None,
            "Tj" => {
                let id = font.unwrap();
                let table = tables.entry(id).or_insert_with(|| table(document, id));
                let codes = operation.operands[0].as_str().unwrap().chunks(2);
                let words = codes.map(|code| table[&u16::from_be_bytes([code[0], code[1]])].as_str()).collect();
                lines.last_mut().unwrap().push_str(&meant.clone().unwrap_or(words));
            }
            _ => {}
        }
    }
    lines
}

fn font_of(document: &Document, page: ObjectId, name: &[u8]) -> ObjectId {
    let mut node = document.get_dictionary(page).unwrap();
    while let Ok(above) = node.get(b"Parent") {
        node = document.get_dictionary(above.as_reference().unwrap()).unwrap();
    }
    let fonts = node.get(b"Resources").unwrap().as_dict().unwrap().get(b"Font").unwrap().as_dict().unwrap();
    fonts.get(name).unwrap().as_reference().unwrap()
}

/// The characters of a font by their codes, from its table for copying.
fn table(document: &Document, font: ObjectId) -> Table {
    let id = document.get_dictionary(font).unwrap().get(b"ToUnicode").unwrap().as_reference().unwrap();
    let stream = document.get_object(id).unwrap().as_stream().unwrap().decompressed_content().unwrap();
    let mut table = Table::new();
    for line in String::from_utf8(stream).unwrap().lines().filter(|line| line.starts_with('<')) {
        let codes: Vec<&str> = line.split_whitespace().map(|part| part.trim_matches(['<', '>'])).collect();
        let number = |text: &str| u16::from_str_radix(text, 16).unwrap();
        match codes[..] {
            // The space of all codes is told in the same way as a pair of them.
            ["0000", "FFFF"] => {}
            [code, meaning] => {
                let units: Vec<u16> = (0..meaning.len() / 4).map(|at| number(&meaning[4 * at..4 * at + 4])).collect();
                table.insert(number(code), String::from_utf16(&units).unwrap());
            }
            [first, last, meaning] => {
                for code in number(first)..=number(last) {
                    let unit = number(meaning) + (code - number(first));
                    table.insert(code, String::from_utf16(&[unit]).unwrap());
                }
            }
            _ => panic!("{line}"),
        }
    }
    table
}
