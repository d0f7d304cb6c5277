//! What are the pieces of a page? Its tree: elements and texts, numbered in document order.
//!
//! The tree is that of the HTML standard (13.2.6), because rules count children, and people write rules with a browser
//! beside them: `tbody` is put in, `p` and `td` end where the standard ends them, what stands wrongly in a table stands
//! before it. Comments, document types and texts of nothing but (ASCII) white space are no nodes; the content of `template` is
//! in another document and therefore not here; `noscript` is read as markup, for nobody here runs scripts.
//!
//! Nodes are numbered as they begin in the document, so that
//!
//! ```text
//! descendants(x) = x+1 .. end(x)          nodes after x in the document = x+1 .. n
//! flow(x, L)     = the part of nodes(L) above x, a slice found by bisection
//! ```
//!
//! Node 0 is the document; `html` is its child. Cost: linear in the page, and bounded by [`Bounds`]: the tokenizer is
//! html5gum's, whose attributes come one by one, the tree construction html5ever's, which looks at its open elements
//! again and again ([`build`](build) says how it is kept short). No walk and no drop is recursive.

mod arena;
mod build;
mod entry;
mod parts;
mod quick;

use std::collections::HashMap;
use std::ops::Range;

use crate::bounds::Bounds;

pub use entry::{DOCUMENT, Node};
pub use parts::{PART, with_parts};

use entry::{Entry, NONE, OF_DOCUMENT, OF_TEXT};

/// A page as a tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Entry>,
    /// Texts and attribute values, one after the other.
    pool: String,
    attributes: Vec<(u32, Range<u32>)>,
    names: HashMap<Box<str>, u32>,
    /// By label: its name.
    labels: Vec<Box<str>>,
    /// By label: its nodes in document order.
    places: Vec<Vec<Node>>,
    /// By field: the form it belongs to, as the standard's parser ties them.
    owners: HashMap<Node, Node>,
    cut: Option<&'static str>,
}

/// What a node is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelId(u32);

impl Tree {
    /// The tree of a page. Never fails: what is beyond the bounds is left out, and [`Tree::cut`] says so.
    pub fn parse(page: &str, bounds: &Bounds) -> Tree {
        Tree::parse_plain(page, bounds).unwrap_or_else(|| build::build(page, bounds))
    }

    /// The same, whatever the page, by the standard's tree construction and all its rules; for tests that hold the two together.
    #[doc(hidden)]
    pub fn parse_by_the_book(page: &str, bounds: &Bounds) -> Tree {
        build::build(page, bounds)
    }

    /// The tree of a page that needs no special rule; nothing of another one.
    #[doc(hidden)]
    pub fn parse_plain(page: &str, bounds: &Bounds) -> Option<Tree> {
        let plain = quick::read(page, bounds)?;
        let quick::Plain { nodes, pool, attributes, names, labels, places, owners } = plain;
        Some(Tree { nodes, pool, attributes, names, labels, places, owners, cut: None })
    }

    /// Which of the [`Bounds`] has left something of the page out, if one has.
    pub fn cut(&self) -> Option<&'static str> {
        self.cut
    }

    /// How many nodes there are, the document among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there nothing but the document?
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The label of elements with this name (in lower case), if there are any.
    pub fn label_of(&self, name: &str) -> Option<LabelId> {
        self.names.get(name).filter(|id| **id > OF_TEXT).map(|id| LabelId(*id))
    }

    /// The label that all texts share.
    pub fn label_of_text(&self) -> LabelId {
        LabelId(OF_TEXT)
    }

    /// The label of a node.
    pub fn label(&self, node: Node) -> LabelId {
        LabelId(self.entry(node).map_or(OF_DOCUMENT, |entry| entry.label))
    }

    /// The name of an element, in lower case; empty for texts and the document.
    pub fn name(&self, node: Node) -> &str {
        let label = self.label(node).0;
        if label <= OF_TEXT { "" } else { self.labels.get(label as usize).map_or("", |name| name) }
    }

    pub fn is_text(&self, node: Node) -> bool {
        self.label(node).0 == OF_TEXT
    }

    /// The text of a text as it stands in the page, references resolved; empty for elements.
    pub fn text(&self, node: Node) -> &str {
        let content = self.entry(node).filter(|entry| entry.label == OF_TEXT).map(|entry| &entry.content);
        content.map_or("", |range| self.pooled(range))
    }

    /// The value of an attribute; its name in lower case.
    pub fn attribute(&self, node: Node, name: &str) -> Option<&str> {
        self.attributes(node).find(|(its, _)| *its == name).map(|(_, value)| value)
    }

    /// All attributes of an element, as they stand there.
    pub fn attributes(&self, node: Node) -> impl Iterator<Item = (&str, &str)> {
        let range = self.entry(node).filter(|entry| entry.label != OF_TEXT).map(|entry| entry.content.clone());
        let range = range.map_or(0..0, |range| range.start as usize..range.end as usize);
        self.attributes.get(range).unwrap_or_default().iter().map(|(name, value)| {
            let name = self.labels.get(*name as usize).map_or("", |name| &**name);
            (name, self.pooled(value))
        })
    }

    /// The node it stands in.
    pub fn parent(&self, node: Node) -> Option<Node> {
        self.entry(node).map(|entry| entry.parent).filter(|parent| *parent != NONE)
    }

    /// The form that was open when this field was read. Where a form stands wrongly in a table, its fields are not below it.
    pub fn open_form(&self, field: Node) -> Option<Node> {
        self.owners.get(&field).copied()
    }

    /// Does it hold the other one? No node holds itself.
    pub fn holds(&self, node: Node, other: Node) -> bool {
        node < other && other < self.end(node)
    }

    /// What it is in: its parent, the parent of that, up to the document.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> {
        std::iter::successors(self.parent(node), |above| self.parent(*above))
    }

    /// The text of a subtree as a reader sees it: what `.txt` gives. Nothing if it has more bytes than these.
    pub fn txt(&self, node: Node, most: usize) -> Option<String> {
        crate::text::text_of(self, node, most)
    }

    /// Are words apart at the borders of this element? True for blocks, cells, `br` and the like.
    pub fn is_apart(&self, node: Node) -> bool {
        crate::text::is_apart(self.name(node))
    }

    /// Is it an element directly behind another, with no text between? Then a reader sees the words of both apart.
    pub fn follows_element(&self, node: Node) -> bool {
        crate::text::follows_element(self, node)
    }

    /// The first node after it in the document that it does not hold; the number of nodes if there is none.
    pub fn end(&self, node: Node) -> Node {
        self.entry(node).map_or(node, |entry| entry.end)
    }

    /// Its children, in order.
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { tree: self, at: node.saturating_add(1), end: self.end(node) }
    }

    /// All nodes with a label, in document order.
    pub fn nodes(&self, label: LabelId) -> &[Node] {
        self.places.get(label.0 as usize).map_or(&[], |places| places)
    }

    /// All nodes with a label after a node in document order, to the end of the document. Bisection: O(log n).
    pub fn flow(&self, node: Node, label: LabelId) -> &[Node] {
        let nodes = self.nodes(label);
        &nodes[nodes.partition_point(|place| *place <= node)..]
    }

    fn entry(&self, node: Node) -> Option<&Entry> {
        self.nodes.get(node as usize)
    }

    fn pooled(&self, range: &Range<u32>) -> &str {
        self.pool.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

/// The children of a node.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t Tree,
    at: Node,
    end: Node,
}

impl Iterator for Children<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        if self.at >= self.end {
            return None;
        }
        let child = self.at;
        self.at = self.tree.end(child).max(child + 1);
        Some(child)
    }
}
