//! Which pieces do rows have in common? The elements in them that hold text, told by class or by place.
//!
//! Where most rows have texts between their elements in the same order (`<b>Name</b>, place<br>12 rooms`), each text is a piece as well.
//! Pieces that few rows have are left out unless a class tells them. Cost: linear in the rows, [`PIECES`] of each.

use std::collections::{BTreeMap, HashMap, HashSet};

use groma_hel::{Node, Tree};

use super::place::quoted;

/// Pieces of a row, and how deep they are looked for.
pub(super) const PIECES: usize = 40;
const DEPTH: usize = 8;

/// A step from a row to a piece of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PieceStep {
    pub(super) label: String,
    /// The class that tells it from others, if one does.
    pub(super) class: Option<String>,
    pub(super) nth: usize,
}

pub(super) type Pieces = Vec<(Vec<PieceStep>, Vec<Node>)>;

/// The pieces of all rows by their steps, in order of first sight; those that few rows have are left out.
pub(super) fn pieces(tree: &Tree, rows: &[Node]) -> Pieces {
    // Which classes are worth telling pieces by.
    let mut classes: HashMap<(String, String), usize> = HashMap::new();
    for row in rows {
        let mut own: HashSet<(String, String)> = HashSet::new();
        for node in (row + 1..tree.end(*row)).take(400) {
            if let Some(class) = tree.attribute(node, "class") {
                own.insert((tree.name(node).to_owned(), class.to_owned()));
            }
        }
        own.into_iter().for_each(|key| *classes.entry(key).or_default() += 1);
    }
    let often = |count: usize| count >= 2 && count * 10 >= rows.len() * 3;
    // A class says what a piece is, however seldom it is there.
    let is_classed = |path: &[PieceStep]| path.iter().any(|step| step.class.is_some());
    classes.retain(|_, count| *count >= 2);
    let mixed = mixed(tree, rows);
    let mut found: BTreeMap<Vec<PieceStep>, (usize, Vec<Node>)> = BTreeMap::new();
    for row in rows {
        for (path, node) in leaves(tree, *row, &Known { classes: &classes, mixed }, 0).into_iter().take(PIECES) {
            let order = found.len();
            found.entry(path).or_insert((order, Vec::new())).1.push(node);
        }
    }
    // A piece and a piece of that piece say the same twice; the larger number of rows decides in `often`.
    let mut pieces: Vec<(usize, Vec<PieceStep>, Vec<Node>)> =
        found.into_iter().map(|(path, (order, nodes))| (order, path, nodes)).collect();
    pieces.retain(|(_, path, nodes)| often(nodes.len()) || (nodes.len() >= 2 && is_classed(path)));
    pieces.sort_by_key(|(order, ..)| *order);
    pieces.into_iter().map(|(_, path, nodes)| (path, nodes)).collect()
}

/// What is known of all rows.
struct Known<'k> {
    /// Classes worth telling pieces by, with the name of their element.
    classes: &'k HashMap<(String, String), usize>,
    /// Rows have texts between their elements, in the same order in most of them: each is a piece.
    mixed: bool,
}

/// Do most rows have texts and elements beside each other in the same order?
fn mixed(tree: &Tree, rows: &[Node]) -> bool {
    let mut orders: HashMap<Vec<&str>, usize> = HashMap::new();
    for row in rows.iter().take(500) {
        let order: Vec<&str> = tree.children(*row).take(PIECES).map(|child| tree.name(child)).collect();
        *orders.entry(order).or_default() += 1;
    }
    let most = orders.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    most.is_some_and(|(order, count)| {
        let texts = order.iter().filter(|name| name.is_empty()).count();
        let elements = order.iter().filter(|name| !name.is_empty() && **name != "br" && **name != "hr").count();
        let breaks = order.iter().filter(|name| **name == "br").count();
        rows.len() > 1 && count * 10 >= rows.len().min(500) * 6 && texts > 0 && (elements > 0 || breaks > 0)
    })
}

/// Elements that hold the text of a node: itself if text stands in it directly, or if only one below does.
fn leaves(tree: &Tree, node: Node, known: &Known<'_>, depth: usize) -> Vec<(Vec<PieceStep>, Node)> {
    let own = vec![(Vec::new(), node)];
    let children: Vec<Node> = tree.children(node).take(PIECES * 4).collect();
    let has_text = children.iter().any(|child| tree.is_text(*child));
    if depth >= DEPTH || (has_text && !(depth == 0 && known.mixed)) {
        return own;
    }
    let mut found: Vec<(Vec<PieceStep>, Node)> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for child in &children {
        let label = if tree.is_text(*child) { "pcdata" } else { tree.name(*child) };
        let nth = *counts.entry(label).and_modify(|count| *count += 1).or_insert(0);
        let has_text = (*child..tree.end(*child)).take(400).any(|at| tree.is_text(at));
        if !has_text || matches!(label, "script" | "style" | "select" | "button" | "textarea" | "noscript") {
            continue;
        }
        let class = tree.attribute(*child, "class").filter(|class| {
            let is_known =
                known.classes.contains_key(&(label.to_owned(), (*class).to_owned())) && quoted(class).is_some();
            let same = children
                .iter()
                .filter(|other| tree.name(**other) == label && tree.attribute(**other, "class") == Some(class));
            is_known && same.count() == 1
        });
        let nth = if class.is_some() { 0 } else { nth };
        if tree.is_text(*child) {
            found.push((vec![PieceStep { label: label.to_owned(), class: None, nth }], *child));
            continue;
        }
        let step = PieceStep { label: label.to_owned(), class: class.map(str::to_owned), nth };
        for (mut path, leaf) in leaves(tree, *child, known, depth + 1) {
            path.insert(0, step.clone());
            found.push((path, leaf));
        }
        if found.len() > PIECES {
            break;
        }
    }
    match found.as_slice() {
        [] => Vec::new(),
        // Only one: the same text, with fewer steps. A class is kept, for it tells more.
        [(path, _)] if path.iter().all(|step| step.class.is_none()) => own,
        _ => found,
    }
}

/// The texts of a piece row by row, empty where it is missing.
pub(super) fn by_row(tree: &Tree, rows: &[Node], nodes: &[Node]) -> Vec<String> {
    let mut nodes = nodes.iter().peekable();
    let mut texts = Vec::with_capacity(rows.len());
    for row in rows {
        let here = nodes.next_if(|node| *node == row || tree.holds(*row, **node));
        texts.push(here.and_then(|node| tree.txt(*node, 1 << 20)).unwrap_or_default());
    }
    texts
}

/// Pieces with the same text in every row that has them.
pub(super) fn constants(tree: &Tree, pieces: &Pieces, rows: usize) -> HashSet<Vec<PieceStep>> {
    let mut found = HashSet::new();
    for (path, nodes) in pieces.iter().filter(|_| rows > 1) {
        let mut texts = nodes.iter().map(|node| tree.txt(*node, 1 << 20).unwrap_or_default());
        let first = texts.next().unwrap_or_default();
        if nodes.len() > 1 && texts.all(|text| text == first) {
            found.insert(path.clone());
        }
    }
    found
}
