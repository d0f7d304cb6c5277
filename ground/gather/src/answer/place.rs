//! How does a rule say where a node is? The steadiest way that the page allows.
//!
//! By the `id` or class of the node, else from an element with an `id` above, else by counting tables, else step by step from `body`.

use groma_hel::{Node, Tree, clean};

use super::repeat::rows_of;

/// How to get to a node: steps, and conditions on them.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) conditions: Vec<String>,
}

impl Place {
    pub(super) fn at(path: String) -> Place {
        Place { path, conditions: Vec::new() }
    }
}

pub(super) fn quoted(text: &str) -> Option<String> {
    let is_plain = clean(text) == text && !text.is_empty() && text.len() < 120;
    is_plain.then(|| format!("'{}'", text.replace('\'', "''")))
}

/// Ways to say where a node is, the steadiest first.
pub(super) fn places(tree: &Tree, node: Node) -> Vec<Place> {
    let name = tree.name(node);
    if name == "body" {
        return vec![Place::at("html.body".to_owned())];
    }
    let mut places = Vec::new();
    for attribute in ["id", "class"] {
        if let Some(place) = named(tree, node, attribute) {
            places.push(place);
        }
    }
    let above = tree.ancestors(node).take(16).find(|above| tree.attribute(*above, "id").is_some());
    if let Some(above) = above.filter(|above| tree.name(*above) != "body")
        && let (Some(place), Some(steps)) = (named(tree, above, "id"), steps(tree, above, node))
    {
        places.push(Place { path: format!("{}{steps}", place.path), conditions: place.conditions });
    }
    let body = tree.label_of("body").and_then(|label| tree.nodes(label).first().copied());
    if let Some(body) = body.filter(|body| tree.holds(*body, node)) {
        if name == "table"
            && let Some(label) = tree.label_of("table")
        {
            let nth = tree.flow(body, label).partition_point(|table| *table < node);
            places.push(Place::at(format!("html.body->table[{nth}]")));
        }
        if let Some(steps) = steps(tree, body, node) {
            places.push(Place::at(format!("html.body{steps}")));
        }
    }
    places
}

/// By an attribute, if it is the first of its name that has this value.
fn named(tree: &Tree, node: Node, attribute: &str) -> Option<Place> {
    let value = tree.attribute(node, attribute)?;
    let name = tree.name(node);
    let mut alike =
        tree.nodes(tree.label(node)).iter().filter(|other| tree.attribute(**other, attribute) == Some(value));
    if alike.next() != Some(&node) {
        return None;
    }
    let path = format!("html->{name}[c]");
    let condition = format!("{path}.getAttr({attribute}) = {}", quoted(value)?);
    Some(Place { path, conditions: vec![condition] })
}

/// Child steps from one node to another below it.
pub(super) fn steps(tree: &Tree, from: Node, to: Node) -> Option<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut at = to;
    while at != from {
        let mut parent = tree.parent(at)?;
        if tree.name(at) == "tr" && matches!(tree.name(parent), "tbody" | "thead" | "tfoot") && parent != from {
            parent = tree.parent(parent).filter(|above| tree.name(*above) == "table").unwrap_or(parent);
        }
        let same = rows_of(tree, parent).into_iter().filter(|child| tree.label(*child) == tree.label(at));
        let nth = same.take_while(|child| *child != at).count();
        steps.push(format!(".{}[{nth}]", tree.name(at)));
        if steps.len() > 16 {
            return None;
        }
        at = parent;
    }
    steps.reverse();
    Some(steps.concat())
}
