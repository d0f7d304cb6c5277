//! What html5ever builds into: nodes in one vector, tied to each other by numbers.
//!
//! Elements are moved while a page is read (misnested formatting, content that tables throw out), so the nodes are linked
//! both ways here and numbered anew in document order when the page is over. Every node, attribute, byte and move is
//! counted; when a bound is reached the arena is [`full`](Arena::full), makes no more of anything, and the builder is
//! given no more tags. One token can still ask for as many elements as are open: those are made without attributes.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

use super::Tree;
use super::entry::{DOCUMENT, Entry, NONE, OF_DOCUMENT, OF_TEXT};
use crate::bounds::Bounds;

/// A number of a node in the arena, in the order of making.
pub(super) type Handle = u32;

enum Kind {
    /// The document, and what a template holds.
    Root,
    /// A comment or the like.
    Other,
    Text(String),
    Element {
        name: QualName,
        /// Names by label, values by place in the pool.
        attributes: Vec<(u32, Range<u32>)>,
    },
}

struct Knot {
    kind: Kind,
    parent: u32,
    first: u32,
    last: u32,
    before: u32,
    after: u32,
}

pub(super) struct Arena {
    bounds: Bounds,
    knots: RefCell<Vec<Knot>>,
    store: RefCell<Store>,
    attributes: Cell<usize>,
    moves: Cell<u64>,
    full: Cell<Option<&'static str>>,
    cut: Cell<Option<&'static str>>,
    /// Contents of `template` elements.
    templates: RefCell<HashMap<Handle, Handle>>,
    /// Fields, and the form that was open when they came.
    forms: RefCell<Vec<(Handle, Handle)>>,
    /// The name of what has none.
    nameless: RefCell<QualName>,
}

/// What the finished tree takes over as it is.
#[derive(Default)]
struct Store {
    pool: String,
    names: HashMap<Box<str>, u32>,
    labels: Vec<Box<str>>,
}

impl Store {
    /// The number of a name.
    fn label(&mut self, name: &str) -> u32 {
        let name = if name.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        if let Some(label) = self.names.get(&*name) {
            return *label;
        }
        let label = self.labels.len() as u32;
        self.labels.push((&*name).into());
        self.names.insert((&*name).into(), label);
        label
    }

    fn keep(&mut self, text: &str) -> Range<u32> {
        let start = self.pool.len() as u32;
        self.pool.push_str(text);
        start..self.pool.len() as u32
    }
}

impl Arena {
    pub(super) fn new(bounds: &Bounds) -> Arena {
        let mut store = Store::default();
        // The first two labels are the document's and that of texts: names no element can have.
        store.label("#document");
        store.label("#text");
        let arena = Arena {
            bounds: *bounds,
            knots: RefCell::default(),
            store: RefCell::new(store),
            attributes: Cell::new(0),
            moves: Cell::new(0),
            full: Cell::new(None),
            cut: Cell::new(None),
            templates: RefCell::default(),
            forms: RefCell::default(),
            nameless: RefCell::new(QualName::new(None, Default::default(), Default::default())),
        };
        arena.tie(Kind::Root);
        arena
    }

    /// Which bound was reached.
    pub(super) fn full(&self) -> Option<&'static str> {
        self.full.get()
    }

    /// Says that a bound was reached and the page ends here.
    pub(super) fn fill(&self, bound: &'static str) {
        self.full.set(self.full.get().or(Some(bound)));
        self.note(bound);
    }

    /// Says that a bound was reached and something is missing; the first one is remembered.
    pub(super) fn note(&self, bound: &'static str) {
        self.cut.set(self.cut.get().or(Some(bound)));
    }

    fn tie(&self, kind: Kind) -> Handle {
        let mut knots = self.knots.borrow_mut();
        if knots.len() >= self.bounds.nodes {
            self.fill("nodes");
        }
        knots.push(Knot { kind, parent: NONE, first: NONE, last: NONE, before: NONE, after: NONE });
        (knots.len() - 1) as Handle
    }

    fn kept(&self, attributes: &[Attribute]) -> Vec<(u32, Range<u32>)> {
        let mut kept = Vec::new();
        for attribute in attributes.iter().take(self.bounds.element_attributes) {
            let mut store = self.store.borrow_mut();
            let room = self.bounds.page_bytes.saturating_mul(2).saturating_sub(store.pool.len());
            if self.attributes.get() >= self.bounds.attributes || attribute.value.len() > room {
                self.fill("attributes");
            }
            if self.full().is_some() {
                break;
            }
            self.attributes.set(self.attributes.get() + 1);
            let name = match &attribute.name.prefix {
                Some(prefix) if !prefix.is_empty() => store.label(&format!("{prefix}:{}", attribute.name.local)),
                _ => store.label(&attribute.name.local),
            };
            kept.push((name, store.keep(&attribute.value)));
        }
        kept
    }

    /// Takes a node out of where it stands.
    fn untie(knots: &mut [Knot], node: Handle) {
        let Some(&Knot { parent, before, after, .. }) = knots.get(node as usize) else { return };
        if parent == NONE {
            return;
        }
        match knots.get_mut(before as usize) {
            Some(knot) => knot.after = after,
            None => knots[parent as usize].first = after,
        }
        match knots.get_mut(after as usize) {
            Some(knot) => knot.before = before,
            None => knots[parent as usize].last = before,
        }
        let knot = &mut knots[node as usize];
        (knot.parent, knot.before, knot.after) = (NONE, NONE, NONE);
    }

    /// Puts a node among the children of another, before one of them or at the end.
    fn put(knots: &mut [Knot], parent: Handle, node: Handle, after: u32) {
        Self::untie(knots, node);
        let before = knots.get(after as usize).map_or(knots[parent as usize].last, |knot| knot.before);
        match knots.get_mut(before as usize) {
            Some(knot) => knot.after = node,
            None => knots[parent as usize].first = node,
        }
        match knots.get_mut(after as usize) {
            Some(knot) => knot.before = node,
            None => knots[parent as usize].last = node,
        }
        let knot = &mut knots[node as usize];
        (knot.parent, knot.before, knot.after) = (parent, before, after);
    }

    fn insert(&self, parent: Handle, child: NodeOrText<Handle>, after: u32) {
        let node = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                if self.full().is_some() {
                    return;
                }
                let mut knots = self.knots.borrow_mut();
                let before = knots.get(after as usize).map_or(knots[parent as usize].last, |knot| knot.before);
                if let Some(Knot { kind: Kind::Text(old), .. }) = knots.get_mut(before as usize) {
                    old.push_str(&text);
                    return;
                }
                drop(knots);
                self.tie(Kind::Text(String::from(&*text)))
            }
        };
        Self::put(&mut self.knots.borrow_mut(), parent, node, after);
    }

    /// The tree, numbered in document order. A walk with a stack of ends; each knot is looked at twice.
    pub(super) fn into_tree(self) -> Tree {
        let cut = self.cut.get();
        let (mut knots, mut store) = (self.knots.into_inner(), self.store.into_inner());
        let mut numbers = vec![NONE; knots.len()];
        let mut tree = Tree { cut, ..Tree::default() };
        let (mut at, mut parent) = (DOCUMENT, NONE);
        loop {
            let number = tree.nodes.len() as u32;
            let knot = &mut knots[at as usize];
            let entry = match &mut knot.kind {
                Kind::Root => Some((OF_DOCUMENT, 0..0)),
                Kind::Text(text) if !text.bytes().all(|b| b.is_ascii_whitespace()) => {
                    Some((OF_TEXT, store.keep(&std::mem::take(text))))
                }
                Kind::Text(_) | Kind::Other => None,
                Kind::Element { name, attributes } => {
                    let start = tree.attributes.len() as u32;
                    tree.attributes.append(attributes);
                    Some((store.label(&name.local), start..tree.attributes.len() as u32))
                }
            };
            let is_node = entry.is_some();
            if let Some((label, content)) = entry {
                numbers[at as usize] = number;
                tree.nodes.push(Entry { parent, end: NONE, label, content });
            }
            let knot = &knots[at as usize];
            if is_node && knot.first != NONE {
                (at, parent) = (knot.first, number);
                continue;
            }
            if is_node && let Some(entry) = tree.nodes.last_mut() {
                entry.end = number + 1;
            }
            // Up until there is a next one.
            while knots[at as usize].after == NONE && parent != NONE {
                at = knots[at as usize].parent;
                let end = tree.nodes.len() as u32;
                let entry = &mut tree.nodes[parent as usize];
                (entry.end, parent) = (end, entry.parent);
            }
            match knots[at as usize].after {
                NONE => break,
                next => at = next,
            }
        }
        for (field, form) in self.forms.into_inner() {
            let (field, form) = (numbers[field as usize], numbers[form as usize]);
            if field != NONE && form != NONE {
                tree.owners.insert(field, form);
            }
        }
        tree.places = vec![Vec::new(); store.labels.len()];
        for (number, entry) in tree.nodes.iter().enumerate().skip(1) {
            tree.places[entry.label as usize].push(number as u32);
        }
        (tree.pool, tree.names, tree.labels) = (store.pool, store.names, store.labels);
        tree
    }
}

impl TreeSink for Arena {
    type Handle = Handle;
    type Output = Arena;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Arena {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Ref<'a, QualName> {
        let found = Ref::filter_map(self.knots.borrow(), |knots| match &knots[*target as usize].kind {
            Kind::Element { name, .. } => Some(name),
            _ => None,
        });
        // The builder promises to ask for names of elements only.
        found.unwrap_or_else(|_| self.nameless.borrow())
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Handle {
        let attributes = self.kept(&attributes);
        self.tie(Kind::Element { name, attributes })
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.tie(Kind::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.tie(Kind::Other)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.knots.borrow()[*element as usize].parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What a template holds is made, so that the builder has where to put it, and never looked at again.
    fn get_template_contents(&self, template: &Handle) -> Handle {
        *self.templates.borrow_mut().entry(*template).or_insert_with(|| self.tie(Kind::Root))
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.knots.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.insert(parent, child, *sibling);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let new = self.kept(&attributes);
        if let Kind::Element { attributes: old, .. } = &mut self.knots.borrow_mut()[*target as usize].kind {
            for attribute in new {
                if old.len() < self.bounds.element_attributes && !old.iter().any(|(name, _)| *name == attribute.0) {
                    old.push(attribute);
                }
            }
        }
    }

    fn associate_with_form(&self, field: &Handle, form: &Handle, _: (&Handle, Option<&Handle>)) {
        self.forms.borrow_mut().push((*field, *form));
    }

    fn remove_from_parent(&self, target: &Handle) {
        Self::untie(&mut self.knots.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut knots = self.knots.borrow_mut();
        while let Some(child) = Some(knots[*node as usize].first).filter(|child| *child != NONE) {
            Self::put(&mut knots, *new_parent, child, NONE);
            self.moves.set(self.moves.get() + 1);
        }
        if self.moves.get() > self.bounds.building {
            self.fill("building");
        }
    }

    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }
}
