//! Which pages stand elsewhere on the map: below another page, or in another layer.

use super::sides::{NONE, Side};
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::SurveyGraphError;

pub(super) fn compare(sides: &Sides, sink: &mut Sink<'_>) -> Result<(), SurveyGraphError> {
    let before = places(&sides.a);
    for place in 0..sides.b.tree.len() {
        let node = sides.b.tree.node(place);
        let was = sides.a_of_b[node as usize];
        let Some(&old) = before.get(was as usize).filter(|old| was != NONE && **old != NONE) else { continue };
        let above = |side: &Side, place: u32| side.tree.parent(place).map(|parent| side.tree.node(parent));
        let (parent, parent_before) = (above(&sides.b, place), above(&sides.a, old));
        let (layer, layer_before) = (sides.b.tree.depth(place), sides.a.tree.depth(old));
        let same = parent_before.map(|parent| sides.b_of_a[parent as usize]) == parent;
        if same && layer == layer_before {
            continue;
        }
        let mut moved = Difference::new(DifferenceKind::PlaceMoved, sides.b.url(node));
        moved.to = parent.map(|parent| sides.b.url(parent).to_owned());
        moved.before = parent_before.map(|parent| sides.a.url(parent).to_owned());
        moved.detail =
            if layer == layer_before { format!("depth {layer}") } else { format!("depth {layer_before} to {layer}") };
        sink(&moved)?;
    }
    Ok(())
}

/// The place of each node.
fn places(side: &Side) -> Vec<u32> {
    let mut places = vec![NONE; side.graph.standings.count() as usize];
    for place in 0..side.tree.len() {
        places[side.tree.node(place) as usize] = place;
    }
    places
}
