//! CSS rules for a place: its element by its own names, below and beside what is around it, and as the last resort counted from a name above.

use groma_hel::{DOCUMENT, Node};

use super::compounds::{Named, compounds};
use super::places::{Place, PlaceKind};
use super::rule_draft::RuleDraft;
use crate::page::Page;
use crate::selector::Language;

/// Ancestors that are looked at.
const ABOVE: usize = 10;
/// What it costs to have one more compound.
const FURTHER: f64 = 0.5;

/// Adds the rules that may give what stands at a place.
pub(super) fn draft(page: &Page<'_>, place: &Place, is_list: bool, drafts: &mut Vec<RuleDraft>) {
    let (node, piece) = match &place.at {
        PlaceKind::Text(node) => (*node, String::new()),
        PlaceKind::OwnText(node) => (*node, "::text".to_owned()),
        PlaceKind::Attribute(node, name) => (*node, format!("::attr({})", super::compounds::escaped(name))),
        PlaceKind::Json(_) => return,
    };
    let read = match place.at {
        PlaceKind::OwnText(_) => 0.3,
        PlaceKind::Attribute(..) => 0.5,
        _ => 0.0,
    };
    let mut add = |selector: String, cost: f64| {
        let cost = cost + read + if place.is_part { 1.0 } else { 0.0 };
        let selector = format!("{selector}{piece}");
        drafts.push(RuleDraft { language: Language::Css, selector, cost, is_part: place.is_part });
    };
    paths(page, node, is_list, &mut add);
}

fn paths(page: &Page<'_>, node: Node, is_list: bool, add: &mut dyn FnMut(String, f64)) {
    let tree = page.tree();
    let named = |node: Node, counted: bool| {
        let place = page.siblings().place(node, false, true);
        compounds(tree, node, counted.then_some(place))
    };
    let own = named(node, !is_list);
    for Named { text, cost } in &own {
        add(text.clone(), *cost);
    }
    let above: Vec<Node> = tree.ancestors(node).filter(|above| *above != DOCUMENT).take(ABOVE).collect();
    let is_outermost = |node: Node| matches!(tree.name(node), "html" | "body");
    for (nth, ancestor) in above.iter().enumerate().filter(|(_, node)| !is_outermost(**node)) {
        for outer in named(*ancestor, nth == 0).iter().take(5) {
            for inner in own.iter().take(8) {
                let cost = outer.cost + inner.cost + FURTHER;
                if nth == 0 {
                    add(format!("{} > {}", outer.text, inner.text), cost);
                }
                add(format!("{} {}", outer.text, inner.text), cost + 0.1 + nth as f64 * 0.05);
            }
        }
    }
    if let Some(before) = page.siblings().before(node) {
        for beside in named(before, false).iter().take(4) {
            for inner in own.iter().take(4) {
                add(format!("{} + {}", beside.text, inner.text), beside.cost + inner.cost + 1.0);
            }
        }
    }
    if let Some((parent, further)) = above.split_first() {
        for anchor in further.iter().filter(|node| !is_outermost(**node)) {
            for outer in named(*anchor, false).iter().take(2).filter(|outer| outer.cost < 3.0) {
                for middle in named(*parent, true).iter().take(4) {
                    for inner in own.iter().take(4) {
                        let cost = outer.cost + middle.cost + inner.cost + 2.0 * FURTHER;
                        add(format!("{} {} > {}", outer.text, middle.text, inner.text), cost);
                    }
                }
            }
        }
    }
    if !is_list {
        counted(page, node, &above, add);
    }
}

/// Counted all the way from the nearest ancestors that have a good name, or from the body.
fn counted(page: &Page<'_>, node: Node, above: &[Node], add: &mut dyn FnMut(String, f64)) {
    let tree = page.tree();
    let step = |node: Node| format!("{}:nth-of-type({})", tree.name(node), page.siblings().place(node, false, true));
    let mut way = step(node);
    let mut steps = 1.0;
    for ancestor in above {
        let is_body = tree.name(*ancestor) == "body";
        let anchor = compounds(tree, *ancestor, None).into_iter().next().filter(|named| named.cost < 3.0 || is_body);
        if let Some(anchor) = anchor {
            add(format!("{} > {way}", anchor.text), anchor.cost + steps * 3.0 + 4.0);
        }
        if is_body {
            return;
        }
        way = format!("{} > {way}", step(*ancestor));
        steps += 1.0;
    }
}
