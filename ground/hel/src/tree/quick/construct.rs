//! From tags and texts to numbered nodes: the tree construction of the standard (13.2.6) where it has no surprises.

use std::collections::HashMap;
use std::ops::Range;

use super::attributes::Written;
use super::names::{NameFacts, Opening};
use super::plain::Plain;
use super::references::push_resolved;
use crate::bounds::Bounds;
use crate::tree::entry::{DOCUMENT, Entry, NONE, Node, OF_DOCUMENT, OF_TEXT};

/// What follows a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Markup,
    /// Text up to the end tag.
    Text,
    /// The same, with references.
    References,
}

/// Where in the page we are; the insertion modes of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    /// In the body, in a cell or a caption.
    InBody,
    /// In `table`, `tbody`, `tr` or `colgroup` itself: the innermost open element says which.
    InTable,
    AfterBody,
}

#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) node: Node,
    pub(super) label: u32,
    pub(super) is_foreign: bool,
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

pub(super) struct Construction<'p> {
    bounds: Bounds,
    pub(super) tree: Plain,
    facts: Vec<NameFacts>,
    known: HashMap<&'p str, u32>,
    pub(super) open: Vec<Open>,
    pub(super) mode: Mode,
    /// A document type that is `html` and no more: no quirks.
    pub(super) is_standard: bool,
    has_type: bool,
    pub(super) form: Option<Node>,
    text: String,
    /// A line end here is not read.
    pub(super) skips_line_end: bool,
    /// Something stands between the last text and the next.
    is_apart: bool,
    work: u64,
}

impl<'p> Construction<'p> {
    pub(super) fn new(bounds: &Bounds) -> Construction<'p> {
        let mut construction = Construction {
            bounds: *bounds,
            tree: Plain::default(),
            facts: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            mode: Mode::BeforeHtml,
            is_standard: false,
            has_type: false,
            form: None,
            text: String::new(),
            skips_line_end: false,
            is_apart: false,
            work: 0,
        };
        construction.label_of("#document");
        construction.label_of("#text");
        construction.tree.nodes.push(Entry { parent: NONE, end: NONE, label: OF_DOCUMENT, content: 0..0 });
        construction
    }

    /// The number of a name in lower case.
    pub(super) fn label_of(&mut self, name: &str) -> u32 {
        if let Some(label) = self.tree.names.get(name) {
            return *label;
        }
        let label = self.tree.labels.len() as u32;
        self.tree.labels.push(name.into());
        self.tree.names.insert(name.into(), label);
        self.facts.push(NameFacts::of_name(name));
        label
    }

    /// The number of a name as it is written.
    pub(super) fn label_written(&mut self, name: &'p str) -> u32 {
        if let Some(label) = self.known.get(name) {
            return *label;
        }
        let label = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.label_of(&name.to_ascii_lowercase())
        } else {
            self.label_of(name)
        };
        self.known.insert(name, label);
        label
    }

    pub(super) fn facts(&self, label: u32) -> NameFacts {
        self.facts[label as usize]
    }

    pub(super) fn name(&self, label: u32) -> &str {
        &self.tree.labels[label as usize]
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_foreign)
    }

    pub(super) fn comment(&mut self) {
        (self.is_apart, self.skips_line_end) = (true, false);
    }

    pub(super) fn document_type(&mut self, is_plain: bool) {
        if self.mode == Mode::BeforeHtml && !self.has_type {
            (self.is_standard, self.has_type) = (is_plain, true);
        }
        self.comment();
    }

    pub(super) fn text(&mut self, text: &str, references: bool) -> Option<()> {
        if self.is_apart {
            self.flush()?;
        }
        let mut text = text;
        if std::mem::take(&mut self.skips_line_end) {
            if text.starts_with('&') {
                return None;
            }
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        // White space behind the end of the body still goes on with the text before it; anything else begins the body again.
        if self.mode == Mode::AfterBody && !is_blank(text) {
            return None;
        }
        if references {
            return push_resolved(text, false, &mut self.text);
        }
        self.text.push_str(text);
        Some(())
    }

    /// Makes a node of the text that waits; one of nothing but white space is none.
    pub(super) fn flush(&mut self) -> Option<()> {
        self.is_apart = false;
        if self.text.is_empty() {
            return Some(());
        }
        let text = std::mem::take(&mut self.text);
        let made = if is_blank(&text) { Some(()) } else { self.make_text(&text) };
        self.text = text;
        self.text.clear();
        made
    }

    pub(super) fn make_text(&mut self, text: &str) -> Option<()> {
        let mut text = text;
        if !self.open.last().is_some_and(|open| self.is_raw(open.label)) {
            match self.mode {
                Mode::BeforeHtml | Mode::BeforeHead | Mode::InHead | Mode::AfterHead => {
                    // White space before the body stays where it is, and is nothing.
                    text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
                    self.imply_body()?;
                }
                Mode::InHeadNoscript | Mode::InTable => return None,
                Mode::InBody | Mode::AfterBody => {}
            }
        }
        let parent = self.open.last().map_or(DOCUMENT, |open| open.node);
        let content = self.keep(text)?;
        let node = self.node(parent, OF_TEXT, content)?;
        self.tree.nodes[node as usize].end = node + 1;
        Some(())
    }

    pub(super) fn is_raw(&self, label: u32) -> bool {
        matches!(self.facts(label).opening, Opening::Raw | Opening::RawWithReferences)
    }

    pub(super) fn keep(&mut self, text: &str) -> Option<Range<u32>> {
        let start = self.tree.pool.len() as u32;
        self.tree.pool.push_str(text);
        (self.tree.pool.len() < self.bounds.page_bytes).then_some(start..self.tree.pool.len() as u32)
    }

    pub(super) fn node(&mut self, parent: Node, label: u32, content: Range<u32>) -> Option<Node> {
        let node = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Entry { parent, end: NONE, label, content });
        self.work += self.open.len() as u64 + 1;
        let far = self.tree.nodes.len() < self.bounds.nodes / 4
            && self.open.len() < self.bounds.depth / 3
            && self.work < self.bounds.building / 8;
        far.then_some(node)
    }

    /// Opens an element, with the text before it flushed.
    pub(super) fn push(&mut self, label: u32, written: &[Written<'p>], is_foreign: bool) -> Option<Node> {
        // Each attribute is compared with those before it: few of them, or another way.
        if written.len() >= self.bounds.element_attributes / 4 {
            return None;
        }
        self.flush()?;
        let parent = self.open.last().map_or(DOCUMENT, |open| open.node);
        let start = self.tree.attributes.len();
        for attribute in written {
            let name = self.label_written(attribute.name);
            if self.tree.attributes[start..].iter().any(|(other, _)| *other == name) {
                continue;
            }
            let from = self.tree.pool.len() as u32;
            push_resolved(attribute.value, true, &mut self.tree.pool)?;
            self.tree.attributes.push((name, from..self.tree.pool.len() as u32));
        }
        let count = self.tree.attributes.len();
        self.work += (count - start) as u64 * (self.open.len() as u64 + 1);
        let far = count < self.bounds.attributes / 2 && self.tree.pool.len() < self.bounds.page_bytes;
        if !far {
            return None;
        }
        let node = self.node(parent, label, start as u32..count as u32)?;
        self.open.push(Open { node, label, is_foreign });
        Some(node)
    }

    pub(super) fn push_named(&mut self, name: &'static str) -> Option<()> {
        let label = self.label_of(name);
        self.push(label, &[], false).map(|_| ())
    }

    pub(super) fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.tree.nodes[open.node as usize].end = self.tree.nodes.len() as u32;
        }
    }

    /// Closes the element at a place and all in it. Formatting in it would be opened again: such a page is not plain.
    pub(super) fn close(&mut self, place: usize) -> Option<()> {
        self.flush()?;
        let inner = self.open.get(place + 1..)?;
        if inner.iter().any(|open| self.facts(open.label).opening == Opening::Formatting) {
            return None;
        }
        while self.open.len() > place {
            self.pop();
        }
        Some(())
    }

    /// The innermost open element that passes, unless one that ends the search is in between.
    pub(super) fn find(
        &self,
        is_meant: impl Fn(&Self, u32) -> bool,
        ends: impl Fn(&Self, u32) -> bool,
    ) -> Option<usize> {
        for (place, open) in self.open.iter().enumerate().rev() {
            if is_meant(self, open.label) {
                return Some(place);
            }
            if ends(self, open.label) {
                return None;
            }
        }
        None
    }

    pub(super) fn in_scope(&self, label: u32) -> Option<usize> {
        self.find(|_, open| open == label, |own, open| own.facts(open).is_scope)
    }

    pub(super) fn paragraph(&mut self) -> Option<usize> {
        let p = self.label_of("p");
        let ends = |own: &Self, open| own.facts(open).is_scope || own.facts(open).opening == Opening::Button;
        self.find(|_, open| open == p, ends)
    }

    pub(super) fn close_paragraph(&mut self) -> Option<()> {
        match self.paragraph() {
            Some(place) => self.close(place),
            None => Some(()),
        }
    }

    /// Everything up to the body that nobody wrote.
    pub(super) fn imply_body(&mut self) -> Option<()> {
        self.imply_head()?;
        if self.mode == Mode::InHead {
            self.pop();
            self.mode = Mode::AfterHead;
        }
        if self.mode == Mode::AfterHead {
            self.mode = Mode::InBody;
            self.push_bare("body")?;
        }
        Some(())
    }

    /// Everything up to the head that nobody wrote.
    pub(super) fn imply_head(&mut self) -> Option<()> {
        if self.mode == Mode::BeforeHtml {
            self.mode = Mode::BeforeHead;
            self.push_bare("html")?;
        }
        if self.mode == Mode::BeforeHead {
            self.mode = Mode::InHead;
            self.push_bare("head")?;
        }
        Some(())
    }

    /// Opens an element that nobody wrote before the text that waits.
    pub(super) fn push_bare(&mut self, name: &'static str) -> Option<()> {
        let label = self.label_of(name);
        let parent = self.open.last().map_or(DOCUMENT, |open| open.node);
        let none = self.tree.attributes.len() as u32;
        let node = self.node(parent, label, none..none)?;
        self.open.push(Open { node, label, is_foreign: false });
        Some(())
    }

    /// The element whose text was read ends.
    pub(super) fn end_raw(&mut self) -> Option<()> {
        self.flush()?;
        self.skips_line_end = false;
        self.pop();
        Some(())
    }

    /// The page is over.
    pub(super) fn finish(mut self) -> Option<Plain> {
        self.flush()?;
        if !matches!(self.mode, Mode::InBody | Mode::InTable | Mode::AfterBody) {
            if self.mode == Mode::InHeadNoscript {
                return None;
            }
            self.imply_body()?;
        }
        while !self.open.is_empty() {
            self.pop();
        }
        let mut tree = self.tree;
        let end = tree.nodes.len() as u32;
        tree.nodes[DOCUMENT as usize].end = end;
        tree.places = vec![Vec::new(); tree.labels.len()];
        for (number, entry) in tree.nodes.iter().enumerate().skip(1) {
            tree.places[entry.label as usize].push(number as u32);
        }
        Some(tree)
    }
}
