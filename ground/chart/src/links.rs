//! Which links stand between the pages of a map, and which of them are its branches. For the forms that show the graph.
//!
//! Every arc between two shown pages is told once, in the order of the scan; a branch of the tree that is no arc (it cannot
//! happen with the tree of these arcs) is told at the end, so that the tree is always whole. Cost: O(pages + arcs); memory: four
//! bytes a node of the graph and one a page.

use std::io;

use groma_graph::ArcScan;

use crate::{SiteMap, View};

/// A link: from a node, to a node, and whether it is a branch of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) branch: bool,
}

const NOWHERE: u32 = u32::MAX;

/// Tells every link between shown pages.
pub(crate) fn each(
    map: &SiteMap<'_>,
    view: &View<'_>,
    arcs: &dyn ArcScan,
    tell: &mut dyn FnMut(Edge) -> io::Result<()>,
) -> io::Result<()> {
    let tree = map.tree;
    let mut place_of = vec![NOWHERE; arcs.node_count() as usize];
    for place in (0..tree.len()).filter(|&place| view.is_shown(place)) {
        if let Some(slot) = place_of.get_mut(tree.node(place) as usize) {
            *slot = place;
        }
    }
    let mut told = vec![false; tree.len() as usize];
    let mut result = Ok(());
    let place = |node: u32| place_of.get(node as usize).copied().unwrap_or(NOWHERE);
    arcs.scan(&mut |from, successors| {
        let parent = place(from);
        if parent == NOWHERE {
            return;
        }
        for &to in successors {
            let child = place(to);
            if child == NOWHERE || result.is_err() {
                continue;
            }
            let branch = tree.parent(child) == Some(parent);
            told[child as usize] |= branch;
            result = tell(Edge { from, to, branch });
        }
    });
    result?;
    for place in (1..tree.len()).filter(|&place| view.is_shown(place) && !told[place as usize]) {
        if let Some(parent) = tree.parent(place) {
            tell(Edge { from: tree.node(parent), to: tree.node(place), branch: true })?;
        }
    }
    Ok(())
}
