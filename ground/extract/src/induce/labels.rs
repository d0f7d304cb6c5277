//! Rules by the label before a value: `<dt>Price<dd>19`, `<th>Price<td>19`, `<b>Price:</b> <span>19</span>`. XPath, for CSS cannot name a text.

use groma_hel::{Node, Tree};

use super::places::{Place, PlaceKind};
use super::rule_draft::RuleDraft;
use crate::page::Page;
use crate::selector::Language;

/// What is longer is a sentence, no label.
const LABEL_BYTES: usize = 40;
const COST: f64 = 3.5;

/// Adds the rules that name the label of a place.
pub(super) fn draft(page: &Page<'_>, place: &Place, drafts: &mut Vec<RuleDraft>) {
    let (node, piece) = match &place.at {
        PlaceKind::Text(node) => (*node, String::new()),
        PlaceKind::OwnText(node) => (*node, "/text()".to_owned()),
        PlaceKind::Attribute(node, name) if is_name(name) => (*node, format!("/@{name}")),
        _ => return,
    };
    let mut add = |selector: String, cost: f64| {
        let cost = cost + if place.is_part { 1.0 } else { 0.0 };
        let selector = format!("{selector}{piece}");
        drafts.push(RuleDraft { language: Language::XPath, selector, cost, is_part: place.is_part });
    };
    let tree = page.tree();
    // The element itself and, where it is all there is to read, those around it: `<dd><a>value</a></dd>`.
    let mut inner = String::new();
    let mut at = node;
    for above in 0..4 {
        let cost = COST + f64::from(above) * 0.5;
        for (label, name) in labels_before(page, at) {
            let Some(quoted) = quoted(&label) else { continue };
            let own = tree.name(at);
            add(format!("//{name}[.={quoted}]/following-sibling::{own}[1]{inner}"), cost);
            if name == "th" || own == "td" {
                add(format!("//tr[{name}[.={quoted}]]/{own}[1]{inner}"), cost + 0.4);
            }
        }
        let Some(parent) = tree.parent(at).filter(|parent| !matches!(tree.name(*parent), "body" | "html" | "")) else {
            break;
        };
        let place = page.siblings().place(at, false, true);
        let alone = page.siblings().place(at, true, true) == 1 && place == 1;
        let step = if alone { format!("/{}", tree.name(at)) } else { format!("/{}[{place}]", tree.name(at)) };
        inner = format!("{step}{inner}");
        at = parent;
    }
}

/// Texts of elements before an element, below the same parent, that look like its label: the nearest one only.
fn labels_before(page: &Page<'_>, node: Node) -> Vec<(String, String)> {
    let tree = page.tree();
    let before = page.siblings().before(node).into_iter();
    before.filter_map(|label| Some((label_text(tree, label)?, tree.name(label).to_owned()))).collect()
}

fn label_text(tree: &Tree, node: Node) -> Option<String> {
    let text = tree.txt(node, LABEL_BYTES)?;
    let is_label = text.chars().any(char::is_alphabetic) && !text.chars().any(|c| c.is_ascii_digit());
    is_label.then_some(text)
}

/// A text as XPath writes it, which knows no escapes.
fn quoted(text: &str) -> Option<String> {
    if !text.contains('\'') {
        Some(format!("'{text}'"))
    } else if !text.contains('"') {
        Some(format!("\"{text}\""))
    } else {
        None
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
