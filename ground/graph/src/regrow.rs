//! A map that was grown elsewhere, made a tree again.
//!
//! Rule: a row says of a page which layer it is in, which page is its parent, and where it stands in the one order of all pages. Places are
//! given layer by layer; in a layer by the place of the parent, then by the order: as `grow.rs` gives them.
//! Source: the map's rules P1 to P4, read backwards.
//! Cost: a sort of the rows of each layer, O(n log n); 4 bytes a node beside the rows.
//! Not guaranteed: that the parents are right, which only the links could tell. What is no tree is refused: no root or several, a parent
//! that is not in the layer above, a page twice.

use crate::Tree;

/// Not on the map.
const NOWHERE: u32 = u32::MAX;

/// Where a page stands, as somebody else says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Number of the page.
    pub node: u32,
    /// Its layer; that of the root is 0.
    pub layer: u32,
    /// Its parent; of the root, itself.
    pub parent: u32,
    /// Where it stands in the order of all pages.
    pub position: u32,
}

impl Tree {
    /// The tree of rows in any order; nothing if they are no tree of nodes below `node_count`.
    pub fn of_stands(mut stands: Vec<Stand>, node_count: u32) -> Option<Tree> {
        stands.sort_unstable_by_key(|stand| stand.layer);
        let mut places = vec![NOWHERE; node_count as usize];
        let (mut nodes, mut parents) = (Vec::with_capacity(stands.len()), Vec::with_capacity(stands.len()));
        let mut above = 0..0;
        for (layer, row) in (0u32..).zip(stands.chunk_by_mut(|a, b| a.layer == b.layer)) {
            let begin = nodes.len() as u32;
            let is_root = layer == 0;
            let first = row.first()?;
            if first.layer != layer || (is_root && (row.len() > 1 || first.parent != first.node)) {
                return None;
            }
            for stand in row.iter() {
                let place = *places.get(stand.parent as usize)?;
                if !is_root && !above.contains(&place) {
                    return None;
                }
            }
            row.sort_unstable_by_key(|stand| (places[stand.parent as usize], stand.position, stand.node));
            for stand in row.iter() {
                parents.push(if is_root { 0 } else { places[stand.parent as usize] });
                nodes.push(stand.node);
            }
            for (place, stand) in (begin..).zip(row.iter()) {
                let known = places.get_mut(stand.node as usize)?;
                if *known != NOWHERE {
                    return None;
                }
                *known = place;
            }
            above = begin..nodes.len() as u32;
        }
        Tree::of_places(nodes, parents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Order};

    fn stands(tree: &Tree, order: &Order) -> Vec<Stand> {
        let stand = |place: u32| Stand {
            node: tree.node(place),
            layer: tree.depth(place),
            parent: tree.node(tree.parent(place).unwrap_or(0)),
            position: order.position(tree.node(place)).unwrap(),
        };
        (0..tree.len()).map(stand).collect()
    }

    #[test]
    fn a_map_comes_back_as_it_was_grown() {
        let mut seed = 7u64;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(below)) as u32
        };
        for count in [1u32, 2, 17, 300] {
            let graph = Csr::of_arcs(count, (0..count * 3).map(|_| (next(count), next(count))));
            let ranks: Vec<f64> = (0..count).map(|_| f64::from(next(9))).collect();
            let order = Order::new(&ranks, &|a, b| b.cmp(&a));
            let tree = Tree::grow_by(&graph, &order, 0, &|node| node % 11 != 10);
            let mut rows = stands(&tree, &order);
            rows.reverse();
            assert_eq!(Tree::of_stands(rows, count).unwrap(), tree, "{count}");
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let stand = |node, layer, parent, position| Stand { node, layer, parent, position };
        assert!(Tree::of_stands(Vec::new(), 3).is_some_and(|tree| tree.is_empty()));
        let sound = [stand(0, 0, 0, 0), stand(1, 1, 0, 1), stand(2, 2, 1, 2)];
        assert!(Tree::of_stands(sound.to_vec(), 3).is_some());
        let wrong: [&[Stand]; 7] = [
            &[stand(0, 0, 0, 0), stand(1, 0, 1, 1)],
            &[stand(0, 0, 1, 0)],
            &[stand(0, 1, 0, 0)],
            &[stand(0, 0, 0, 0), stand(2, 2, 0, 2)],
            &[stand(0, 0, 0, 0), stand(1, 1, 0, 1), stand(2, 2, 0, 2)],
            &[stand(0, 0, 0, 0), stand(1, 1, 0, 1), stand(1, 1, 0, 1)],
            &[stand(0, 0, 0, 0), stand(9, 1, 0, 1)],
        ];
        for rows in wrong {
            assert!(Tree::of_stands(rows.to_vec(), 3).is_none(), "{rows:?}");
        }
    }
}
