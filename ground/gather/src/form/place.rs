//! What stands beside a field? The texts around it, as a reader would connect them.
//!
//! A walk from the field backwards or forwards in document order, over at most [`NEAR`] nodes, to the next other field or
//! the border of the block; cells are looked up in their table: the cell to the left, the cell above in a row without
//! fields. Cost: bounded by the constants for each field. Not guaranteed: what style sheets move is not seen where
//! readers see it.

use groma_hel::{Node, Tree, clean};

/// Nodes that are looked at in one direction.
const NEAR: usize = 96;

/// Bytes of a label.
pub(super) const LABEL: usize = 240;

/// Cells of a row, and rows of a table, that are looked at.
const CELLS: usize = 256;
const ROWS: usize = 2_000;

/// Is it something people fill in or press?
pub(super) fn is_control(tree: &Tree, node: Node) -> bool {
    match tree.name(node) {
        "select" | "textarea" | "button" => true,
        "input" => !tree.attribute(node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        _ => false,
    }
}

fn is_unread(name: &str) -> bool {
    matches!(name, "script" | "style" | "select" | "textarea" | "button" | "datalist" | "option" | "noscript")
}

/// The text of a piece of the page without that of fields in it, cut to the length of a label.
pub(super) fn words(tree: &Tree, node: Node) -> String {
    let (mut text, mut at, end) = (String::new(), node, tree.end(node));
    let mut looked = 0;
    while at < end && text.len() < LABEL && looked < 4 * NEAR {
        looked += 1;
        if tree.is_text(at) {
            push(&mut text, tree.text(at));
        } else if at != node && is_unread(tree.name(at)) {
            at = tree.end(at);
            continue;
        } else if tree.name(at) == "img" {
            text.push(' ');
            push(&mut text, tree.attribute(at, "alt").unwrap_or_default());
        } else if tree.is_apart(at) {
            text.push(' ');
        }
        at += 1;
    }
    tidy(&text)
}

fn push(text: &mut String, more: &str) {
    let more = more.get(..floor(more, 4 * LABEL)).unwrap_or_default();
    text.push_str(more);
}

fn floor(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A label without the marks that hang on it.
pub(super) fn tidy(text: &str) -> String {
    let text = clean(text.get(..floor(text, 8 * LABEL)).unwrap_or_default());
    let text = text.get(..floor(&text, LABEL)).unwrap_or_default();
    let marks = |c: char| c.is_whitespace() || matches!(c, ':' | '*' | '\u{ff1a}' | '|' | '\u{2022}');
    text.trim_matches(marks).to_owned()
}

fn has_control(tree: &Tree, node: Node) -> bool {
    (node + 1..tree.end(node)).take(4 * NEAR).any(|at| is_control(tree, at))
}

/// What stands before a field in its own block, else what stands above it. The flag says that it was above.
pub(super) fn before(tree: &Tree, field: Node) -> Option<(String, bool)> {
    let mut texts: Vec<&str> = Vec::new();
    let (mut crossed, mut is_above) = (false, false);
    for at in (1..field).rev().take(NEAR) {
        let name = tree.name(at);
        if tree.holds(at, field) {
            if matches!(name, "td" | "th" | "tr" | "form" | "li" | "fieldset" | "body") {
                break;
            }
            crossed |= tree.is_apart(at);
        } else if is_control(tree, at) || matches!(name, "option" | "hr" | "img") {
            break;
        } else if name == "br" {
            crossed = true;
        } else if tree.is_text(at) {
            let outside = tree.ancestors(at).take_while(|above| !tree.holds(*above, field));
            let (mut block, mut skip) = (None, false);
            for above in outside.take(NEAR) {
                skip |= is_unread(tree.name(above));
                if tree.is_apart(above) {
                    block = Some(above);
                }
            }
            if skip {
                continue;
            }
            match block {
                _ if crossed && !texts.is_empty() => {}
                Some(_) if !texts.is_empty() => {}
                Some(block) if has_control(tree, block) => {}
                Some(block) => return Some((words(tree, block), true)).filter(|(text, _)| !text.is_empty()),
                None => {
                    is_above |= crossed;
                    texts.push(tree.text(at));
                    continue;
                }
            }
            break;
        }
        if crossed && !texts.is_empty() {
            break;
        }
    }
    texts.reverse();
    let text = tidy(&texts.concat());
    (!text.is_empty()).then_some((text, is_above))
}

/// What stands after a field in its own block, or in the next cell.
pub(super) fn after(tree: &Tree, field: Node) -> Option<String> {
    let mut text = String::new();
    let mut at = tree.end(field);
    let block = tree.ancestors(field).take(NEAR).find(|above| tree.is_apart(*above))?;
    let end = tree.end(block);
    let mut looked = 0;
    while at < end && looked < NEAR && text.len() < LABEL {
        looked += 1;
        if is_control(tree, at) {
            break;
        }
        if tree.is_text(at) {
            push(&mut text, tree.text(at));
        } else if is_unread(tree.name(at)) {
            at = tree.end(at);
            continue;
        } else if tree.is_apart(at) && !text.trim().is_empty() {
            break;
        }
        at += 1;
    }
    let text = tidy(&text);
    if !text.is_empty() {
        return Some(text);
    }
    let cell = cell(tree, field)?;
    let next = cells(tree, cell)?.into_iter().find(|other| *other > cell)?;
    (!has_control(tree, next)).then(|| words(tree, next)).filter(|text| !text.is_empty())
}

fn cell(tree: &Tree, field: Node) -> Option<Node> {
    let mut above = tree.ancestors(field).take(NEAR);
    above.find(|above| matches!(tree.name(*above), "td" | "th"))
}

/// The cells of the row a cell stands in.
fn cells(tree: &Tree, cell: Node) -> Option<Vec<Node>> {
    let row = tree.parent(cell)?;
    let all: Vec<Node> =
        tree.children(row).take(CELLS).filter(|child| matches!(tree.name(*child), "td" | "th")).collect();
    all.contains(&cell).then_some(all)
}

/// What stands in the nearest cell to the left that has words and no field.
pub(super) fn left_cell(tree: &Tree, field: Node) -> Option<String> {
    let cell = cell(tree, field)?;
    for left in cells(tree, cell)?.into_iter().rev().filter(|other| *other < cell) {
        if has_control(tree, left) {
            return None;
        }
        let text = words(tree, left);
        if !text.is_empty() {
            return Some(text);
        }
    }
    None
}

fn columns(tree: &Tree, cell: Node) -> usize {
    tree.attribute(cell, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1).clamp(1, 1000)
}

/// What stands in the same column of the row above, if that has no fields.
pub(super) fn above(tree: &Tree, field: Node) -> Option<String> {
    let cell = cell(tree, field)?;
    let own = cells(tree, cell)?;
    let column: usize = own.iter().take_while(|other| **other < cell).map(|other| columns(tree, *other)).sum();
    let row = tree.parent(cell)?;
    let table = tree.ancestors(row).take(3).find(|above| tree.name(*above) == "table")?;
    let mut rows: Vec<Node> = Vec::new();
    for part in tree.children(table).take(ROWS) {
        match tree.name(part) {
            "tr" => rows.push(part),
            "thead" | "tbody" | "tfoot" => {
                rows.extend(tree.children(part).take(ROWS).filter(|child| tree.name(*child) == "tr"));
            }
            _ => {}
        }
    }
    let above = *rows.iter().rev().find(|other| **other < row)?;
    if has_control(tree, above) {
        return None;
    }
    let mut at = 0;
    for other in tree.children(above).take(CELLS).filter(|child| matches!(tree.name(*child), "td" | "th")) {
        let next = at + columns(tree, other);
        if (at..next).contains(&column) {
            return Some(words(tree, other)).filter(|text| !text.is_empty());
        }
        at = next;
    }
    None
}
