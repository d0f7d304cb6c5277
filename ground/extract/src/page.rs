//! A page as columns see it: read into a tree once, whatever the number of columns. What only some selectors need (places among siblings,
//! the JSON in its scripts, the tree with parts of HEL) is made when the first of them asks.

use std::cell::OnceCell;
use std::collections::HashMap;

use groma_hel::{Bounds, DOCUMENT, Node, Tree, clean, html_of, with_parts};
use groma_url::Url;
use serde_json::Value;

use crate::json::documents;
use crate::work::{OutOfWork, Work};

/// A page that columns are read from.
#[derive(Debug)]
pub struct Page<'p> {
    /// The page as text, as it came.
    source: &'p str,
    url: Option<Url>,
    bounds: Bounds,
    tree: Tree,
    siblings: OnceCell<Siblings>,
    json: OnceCell<Vec<Value>>,
    parted: OnceCell<Tree>,
    base: OnceCell<Option<Url>>,
}

impl<'p> Page<'p> {
    /// Reads a page; `url` is where it was found.
    pub fn read(source: &'p str, url: Option<&Url>) -> Page<'p> {
        let bounds = Bounds::default();
        let tree = Tree::parse(source, &bounds);
        Page {
            source,
            url: url.cloned(),
            bounds,
            tree,
            siblings: OnceCell::new(),
            json: OnceCell::new(),
            parted: OnceCell::new(),
            base: OnceCell::new(),
        }
    }

    /// Where it was found.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// The bound that has left something of the page out, if one has.
    pub fn cut(&self) -> Option<&'static str> {
        self.tree.cut()
    }

    pub(crate) fn source(&self) -> &'p str {
        self.source
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree in which what is set apart by lines and headings is an element of its own.
    pub(crate) fn parted(&self) -> &Tree {
        self.parted.get_or_init(|| with_parts(&self.tree))
    }

    pub(crate) fn siblings(&self) -> &Siblings {
        self.siblings.get_or_init(|| Siblings::new(&self.tree))
    }

    /// The JSON documents in the scripts of the page, in order.
    pub(crate) fn json(&self) -> &[Value] {
        self.json.get_or_init(|| documents(&self.tree))
    }

    /// What relative URLs of the page are relative to: its first `base`, else where it was found.
    pub(crate) fn base(&self) -> Option<&Url> {
        let read = || {
            let bases = self.tree.label_of("base").map_or(&[][..], |label| self.tree.nodes(label));
            let href = bases.iter().find_map(|base| self.tree.attribute(*base, "href"));
            let joined = href.and_then(|href| Url::parse_with_base(href.trim(), self.url.as_ref()).ok());
            joined.or_else(|| self.url.clone())
        };
        self.base.get_or_init(read).as_ref()
    }

    /// The text of a node as a reader sees it; the beginning of it, if it is too long.
    pub(crate) fn text(&self, node: Node, work: &mut Work) -> Result<String, OutOfWork> {
        let tree = &self.tree;
        work.add(u64::from(tree.end(node) - node))?;
        let most = work.value_bytes();
        if let Some(text) = tree.txt(node, most) {
            return Ok(work.cut_value(&text));
        }
        let mut text = String::new();
        for part in (node..tree.end(node)).filter(|part| tree.is_text(*part)) {
            text.push_str(&clean(tree.text(part)));
            if text.len() > most {
                break;
            }
            text.push(' ');
        }
        Ok(work.cut_value(&text))
    }

    /// A node as HTML; nothing if it is too long, since half of it is none.
    pub(crate) fn html(&self, node: Node, work: &mut Work) -> Result<Option<String>, OutOfWork> {
        work.add(u64::from(self.tree.end(node) - node))?;
        let html = html_of(&self.tree, node, work.value_bytes());
        if html.is_none() {
            work.note_length();
        }
        Ok(html)
    }
}

/// The places of elements among their siblings, all counted in one pass: texts do not count.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// By node: its place from 1 from the start and from the end, among all siblings and among those of its name.
    places: Vec<[u32; 4]>,
    /// By node: the element before it.
    before: Vec<Node>,
}

impl Siblings {
    fn new(tree: &Tree) -> Siblings {
        let mut places = vec![[0; 4]; tree.len()];
        let mut before = vec![DOCUMENT; tree.len()];
        // By parent: how many, and the last one. By parent and label: how many.
        let mut counts: Vec<(u32, Node)> = vec![(0, DOCUMENT); tree.len()];
        let mut named: HashMap<(Node, groma_hel::LabelId), u32> = HashMap::new();
        let nodes = || (1..tree.len() as Node).filter(|node| !tree.is_text(*node));
        for node in nodes() {
            let parent = tree.parent(node).unwrap_or(DOCUMENT);
            let (count, last) = &mut counts[parent as usize];
            *count += 1;
            before[node as usize] = std::mem::replace(last, node);
            let same = named.entry((parent, tree.label(node))).or_default();
            *same += 1;
            places[node as usize] = [*count, 0, *same, 0];
        }
        for node in nodes() {
            let parent = tree.parent(node).unwrap_or(DOCUMENT);
            let place = &mut places[node as usize];
            place[1] = counts[parent as usize].0 + 1 - place[0];
            place[3] = named.get(&(parent, tree.label(node))).map_or(1, |count| count + 1 - place[2]);
        }
        Siblings { places, before }
    }

    /// The place of an element, from 1.
    pub(crate) fn place(&self, node: Node, from_end: bool, of_type: bool) -> u32 {
        self.places.get(node as usize).map_or(1, |place| place[usize::from(of_type) * 2 + usize::from(from_end)])
    }

    /// The element before an element, below the same parent.
    pub(crate) fn before(&self, node: Node) -> Option<Node> {
        self.before.get(node as usize).copied().filter(|before| *before != DOCUMENT)
    }
}
