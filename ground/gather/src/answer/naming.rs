//! What would people call a piece of a record? By its heading, its label, its class.

use std::collections::HashSet;

use groma_hel::{Node, Tree, clean};

use super::pieces::{PieceStep, Pieces};
use super::repeat::Group;

/// The label, if every text is `Label: value` with the same one.
pub(super) fn labelled(texts: &[String]) -> Option<String> {
    let full: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
    let (label, _) = full.first()?.split_once(':')?;
    let label = label.trim();
    let fits = |text: &&&String| {
        // `http://...` is a URL, not a value of `http`.
        text.split_once(':')
            .is_some_and(|(own, value)| own.trim() == label && !value.trim().is_empty() && !value.starts_with("//"))
    };
    let is_word =
        (1..=40).contains(&label.len()) && label.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '_'));
    (is_word && full.len() > 1 && full.iter().all(|text| fits(&text))).then(|| label.to_owned())
}

pub(super) fn after_label(text: &str, label: &str) -> String {
    let value = text.split_once(':').filter(|(own, _)| own.trim() == label).map(|(_, value)| value.trim_start());
    value.unwrap_or_default().to_owned()
}

/// What people would call a piece.
pub(super) fn name(tree: &Tree, group: &Group, path: &[PieceStep], nodes: &[Node], pieces: &Pieces) -> String {
    let Some(first) = nodes.first().copied() else { return String::new() };
    if let Some(heading) = heading(tree, group, first) {
        return heading;
    }
    let said = ["itemprop", "data-label", "data-title", "data-th"].iter().find_map(|name| tree.attribute(first, name));
    if let Some(said) = said.map(clean).filter(|said| !said.is_empty()) {
        return said;
    }
    if let Some(label) = label_before(tree, first, pieces) {
        return label;
    }
    // A dd is called what the dt before it says.
    let terms = pieces.iter().filter(|(_, nodes)| nodes.first().is_some_and(|node| tree.name(*node) == "dt"));
    let term = terms.filter_map(|(_, nodes)| nodes.first()).filter(|node| **node < first).max();
    if tree.name(first) == "dd"
        && let Some(term) = term
    {
        return tree.txt(*term, 200).unwrap_or_default();
    }
    if let Some(class) = path.iter().rev().find_map(|step| step.class.as_deref()) {
        return class.split_ascii_whitespace().next_back().unwrap_or_default().to_owned();
    }
    match tree.name(first) {
        "dt" => "title".to_owned(),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "a" | "b" | "strong" => "title".to_owned(),
        _ => String::new(),
    }
}

/// The text of the piece before, if it ends as labels do: `Place: <b>Wismar</b>`.
fn label_before(tree: &Tree, piece: Node, pieces: &Pieces) -> Option<String> {
    let before = pieces.iter().filter_map(|(_, nodes)| nodes.first()).filter(|node| **node < piece).max()?;
    let text = tree.txt(*before, 200)?;
    let label = text.trim_end().strip_suffix([':', '：'])?.trim_matches(|c: char| !c.is_alphanumeric());
    (label.chars().any(char::is_alphabetic) && label.chars().count() <= 40).then(|| label.to_owned())
}

/// The heading of the column that a cell stands in.
pub(super) fn heading(tree: &Tree, group: &Group, piece: Node) -> Option<String> {
    let row = *group.rows.get(group.rows.partition_point(|row| *row <= piece).checked_sub(1)?)?;
    if tree.name(row) != "tr" {
        return None;
    }
    let cells = |row: Node| tree.children(row).filter(|child| matches!(tree.name(*child), "td" | "th"));
    let span = |cell: Node| {
        tree.attribute(cell, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1usize).clamp(1, 100)
    };
    let mut column = 0;
    for cell in cells(row) {
        if cell == piece || tree.holds(cell, piece) {
            break;
        }
        column += span(cell);
    }
    let is_head =
        |other: &&Node| **other < row && tree.children(**other).filter(|child| tree.name(*child) == "th").count() > 0;
    let others = || group.siblings.iter().filter(|other| group.rows.binary_search(other).is_err()).rev();
    let head = others().find(is_head).copied().or(group.heading.filter(|heading| *heading < row))?;
    let mut at = 0;
    for cell in cells(head) {
        at += span(cell);
        if column < at {
            return tree.txt(cell, 200).filter(|text| !text.is_empty());
        }
    }
    None
}

/// A name that fits into a tag and that no other attribute has.
pub(super) fn unique(name: &str, names: &mut HashSet<String>) -> String {
    let plain: String =
        name.trim().chars().take(40).map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let plain = plain.trim_matches('_').to_owned();
    let plain = if plain.is_empty() { format!("value{}", names.len() + 1) } else { plain };
    let mut own = plain.clone();
    let mut nth = 2;
    while !names.insert(own.clone()) {
        own = format!("{plain}{nth}");
        nth += 1;
    }
    own
}
