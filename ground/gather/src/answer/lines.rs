//! Which lines does a reader see? The texts of a page, apart where blocks are apart.
//!
//! Lines of menus, of fields and of scripts are left out; links and bold words are part of their line. At most [`LINES`] lines of [`BYTES`]
//! bytes each, whatever the page has.

use groma_hel::{Node, Tree, clean};

/// Lines of a page.
const LINES: usize = 20_000;

/// Bytes of a line; the rest of it is not read.
const BYTES: usize = 600;

/// A line of a page.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    /// Does it stand in a record, which speaks of itself and not of the list?
    pub(super) is_record: bool,
}

/// The lines of a page, in order; `rows` are the nodes of its records, in order.
pub(super) fn lines(tree: &Tree, rows: &[Node]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut text = String::new();
    // Where blocks end that are open.
    let mut borders: Vec<Node> = Vec::new();
    let mut at: Node = 0;
    let end = tree.len() as Node;
    // Records up to here began; where the last one ends.
    let (mut begun, mut record_end) = (0, 0);
    let mut is_record = false;
    while at < end && lines.len() < LINES {
        let mut apart = false;
        while borders.last().is_some_and(|border| *border <= at) {
            borders.pop();
            apart = true;
        }
        while let Some(row) = rows.get(begun).filter(|row| **row <= at) {
            record_end = record_end.max(tree.end(*row));
            begun += 1;
        }
        let name = tree.name(at);
        let is_block = tree.is_apart(at) && !matches!(name, "td" | "th");
        if apart || is_block {
            flush(&mut text, is_record, &mut lines);
        }
        is_record = at < record_end;
        if matches!(name, "script" | "style" | "select" | "textarea" | "datalist" | "head" | "nav" | "noscript") {
            at = tree.end(at).max(at + 1);
            continue;
        }
        if is_block && name != "br" {
            borders.push(tree.end(at));
        }
        if matches!(name, "td" | "th") || tree.follows_element(at) {
            text.push(' ');
        }
        if tree.is_text(at) && text.len() < BYTES {
            text.extend(tree.text(at).chars().take(BYTES));
        }
        at += 1;
    }
    flush(&mut text, is_record, &mut lines);
    lines
}

fn flush(text: &mut String, is_record: bool, lines: &mut Vec<Line>) {
    let line = clean(text);
    text.clear();
    if !line.is_empty() {
        lines.push(Line { text: line, is_record });
    }
}
