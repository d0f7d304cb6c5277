//! What do people call this field? In this order: `aria-labelledby`, `aria-label`, `label for`, a label around it,
//! `title` or `placeholder`, then the text beside it: after radio buttons and check boxes; before, in the cell to the left, or
//! above everything else ([`place`](super::place)).
//!
//! Cost: the page once for its labels and ids; then bounded for each field.

use std::collections::HashMap;

use groma_hel::{Node, Tree};
use serde::Serialize;

use super::Kind;
use super::place;

/// Where a label was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelFrom {
    /// There is no label.
    #[default]
    Nowhere,
    /// `aria-labelledby`.
    Labelledby,
    /// `aria-label`.
    Aria,
    /// `<label for>`.
    For,
    /// A `<label>` around the field.
    Around,
    /// Attribute `title`.
    Title,
    /// Attribute `placeholder`.
    Placeholder,
    /// The text after it.
    After,
    /// The text before it.
    Before,
    /// The cell to the left.
    Left,
    /// The text above it.
    Above,
    /// What stands on the button.
    Button,
    /// The legend or name of the group it is in.
    Group,
}

/// Labels and ids of a page.
pub(super) struct Labels<'t> {
    tree: &'t Tree,
    ids: HashMap<&'t str, Node>,
    by_id: HashMap<&'t str, Vec<Node>>,
    around: HashMap<Node, Node>,
}

impl<'t> Labels<'t> {
    pub(super) fn new(tree: &'t Tree) -> Labels<'t> {
        let mut labels = Labels { tree, ids: HashMap::new(), by_id: HashMap::new(), around: HashMap::new() };
        for node in 1..tree.len() as Node {
            if let Some(id) = tree.attribute(node, "id").filter(|id| !id.is_empty()) {
                labels.ids.entry(id).or_insert(node);
            }
        }
        let all = tree.label_of("label").map_or(&[][..], |label| tree.nodes(label));
        for (nth, label) in all.iter().enumerate() {
            if let Some(id) = tree.attribute(*label, "for") {
                let known = labels.by_id.entry(id).or_default();
                if known.len() < 4 {
                    known.push(*label);
                }
                continue;
            }
            // Only the first field in a label is labeled by it; labels in labels are nobody's.
            let end = all.get(nth + 1).map_or(tree.end(*label), |next| tree.end(*label).min(*next));
            if let Some(field) = (label + 1..end).find(|at| place::is_control(tree, *at)) {
                labels.around.entry(field).or_insert(*label);
            }
        }
        labels
    }

    pub(super) fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The element with an id.
    pub(super) fn element(&self, id: &str) -> Option<Node> {
        self.ids.get(id).copied()
    }

    fn named(&self, node: Node) -> Option<(String, LabelFrom)> {
        let some = |text: String, from: LabelFrom| (!text.is_empty()).then_some((text, from));
        if let Some(ids) = self.tree.attribute(node, "aria-labelledby") {
            let texts = ids.split_ascii_whitespace().take(8).filter_map(|id| self.element(id));
            let texts: Vec<String> = texts.map(|node| place::words(self.tree, node)).collect();
            if let Some(found) = some(place::tidy(&texts.join(" ")), LabelFrom::Labelledby) {
                return Some(found);
            }
        }
        some(place::tidy(self.tree.attribute(node, "aria-label")?), LabelFrom::Aria)
    }

    /// The label of a single field, or of one button of a group.
    pub(super) fn field_label(&self, node: Node, kind: Kind) -> (String, LabelFrom) {
        let tree = self.tree;
        let some = |text: String, from: LabelFrom| (!text.is_empty()).then_some((text, from));
        let attribute = |name: &str, from| some(place::tidy(tree.attribute(node, name)?), from);
        let by_id = || {
            let labels = self.by_id.get(tree.attribute(node, "id").filter(|id| !id.is_empty())?)?;
            // Only the element that the id means.
            self.element(tree.attribute(node, "id")?).filter(|meant| *meant == node)?;
            let texts: Vec<String> = labels.iter().map(|label| place::words(tree, *label)).collect();
            some(place::tidy(&texts.join(" ")), LabelFrom::For)
        };
        let around = || some(place::words(tree, *self.around.get(&node)?), LabelFrom::Around);
        let beside = || {
            let before = || {
                let (text, is_above) = place::before(tree, node)?;
                some(text, if is_above { LabelFrom::Above } else { LabelFrom::Before })
            };
            let left = || some(place::left_cell(tree, node)?, LabelFrom::Left);
            let above = || some(place::above(tree, node)?, LabelFrom::Above);
            if matches!(kind, Kind::Radio | Kind::CheckBox) {
                let after = place::after(tree, node).and_then(|text| some(text, LabelFrom::After));
                return after.or_else(before).or_else(left).or_else(above);
            }
            let before = before();
            match before {
                Some((_, LabelFrom::Before)) => before,
                _ => left().or(before).or_else(above),
            }
        };
        let button = || match kind {
            Kind::Image => attribute("alt", LabelFrom::Button).or_else(|| attribute("value", LabelFrom::Button)),
            Kind::Submit | Kind::Button | Kind::Reset if tree.name(node) == "button" => {
                some(place::words(tree, node), LabelFrom::Button)
            }
            Kind::Submit | Kind::Button | Kind::Reset => attribute("value", LabelFrom::Button),
            _ => None,
        };
        if kind == Kind::Hidden {
            return Default::default();
        }
        let is_button = matches!(kind, Kind::Image | Kind::Submit | Kind::Button | Kind::Reset);
        self.named(node)
            .or_else(by_id)
            .or_else(around)
            .or_else(button)
            .or_else(|| attribute("title", LabelFrom::Title))
            .or_else(|| attribute("placeholder", LabelFrom::Placeholder))
            .or_else(|| if is_button { None } else { beside() })
            .unwrap_or_default()
    }

    /// The label of a group of radio buttons or check boxes: the name or legend of what holds it, else what stands before
    /// the first of them.
    pub(super) fn of_group(&self, first: Node, second: Node) -> (String, LabelFrom) {
        let tree = self.tree;
        let holders = tree.ancestors(first).take(64).filter(|above| tree.holds(*above, second));
        for holder in holders {
            let name = tree.name(holder);
            if matches!(name, "form" | "body" | "html") {
                break;
            }
            let role = tree.attribute(holder, "role").unwrap_or_default();
            if matches!(role, "group" | "radiogroup")
                && let Some((text, _)) = self.named(holder)
            {
                return (text, LabelFrom::Group);
            }
            if name == "fieldset"
                && let Some(legend) = tree.children(holder).take(16).find(|child| tree.name(*child) == "legend")
            {
                return (place::words(tree, legend), LabelFrom::Group);
            }
        }
        // A label around the first is its own, what stands before it is the group's.
        let start = self.around.get(&first).copied().unwrap_or(first);
        let before = place::before(tree, start)
            .map(|(text, is_above)| (text, if is_above { LabelFrom::Above } else { LabelFrom::Before }));
        let left = || place::left_cell(tree, first).map(|text| (text, LabelFrom::Left));
        match before {
            Some((_, LabelFrom::Before)) => before,
            _ => left().or(before),
        }
        .unwrap_or_default()
    }
}
