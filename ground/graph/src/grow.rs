//! The hierarchical map: which page stands below which?
//!
//! Rule, from the root p0 over the pages that belong to the map: (P1) p0 alone is the first layer; (P2) every page that can be
//! reached from it has exactly one place; (P3) layer i holds the pages that layer i-1 links to and no earlier layer holds;
//! (P4) of the pages of layer i-1 that link to a page, the one of the highest rank is its parent. Equal ranks: the smaller
//! name. Siblings stand by rank down, then name.
//! Source: the paper of the map, section 3.3, made deterministic by the names.
//! Cost: O(pages + links) integer steps after one [`Order`] has been sorted; 20 bytes a node while it grows. By scan, for graphs
//! out of memory: O(layers * links). The paper's SQL was cubic.
//! Not guaranteed: that a parent is where a reader would look; the rank knows links, not meanings. Pages that only a page
//! outside the map links to are not reached ([`Tree::unreached`] counts them).

use std::cmp::Ordering;

use crate::{ArcScan, Csr, Order, Tree};

/// A node that has not been met.
const UNSEEN: u32 = u32::MAX;

/// A node that was met and does not belong to the map.
const FOREIGN: u32 = u32::MAX - 1;

impl Tree {
    /// The map of the pages that belong to it and can be reached from the root through such pages; without a place if the
    /// root does not belong to it. A page without a rank stands behind all others.
    pub fn grow(
        graph: &Csr,
        ranks: &[f64],
        root: u32,
        is_member: &dyn Fn(u32) -> bool,
        by_name: &dyn Fn(u32, u32) -> Ordering,
    ) -> Tree {
        let node_count = graph.node_count() as usize;
        if ranks.len() == node_count {
            return Tree::grow_by(graph, &Order::new(ranks, by_name), root, is_member);
        }
        let mut padded = ranks.to_vec();
        padded.resize(node_count, f64::NEG_INFINITY);
        Tree::grow_by(graph, &Order::new(&padded, by_name), root, is_member)
    }

    /// As [`grow`](Tree::grow) with an order that is there already. What the order does not know does not belong to the map.
    pub fn grow_by(graph: &Csr, order: &Order, root: u32, is_member: &dyn Fn(u32) -> bool) -> Tree {
        let known = |node: u32| node < graph.node_count() && order.position(node).is_some() && is_member(node);
        if !known(root) {
            return Tree::default();
        }
        let parents = parents(graph, order, root, &known);
        places(order, root, &parents)
    }

    /// As [`grow_by`](Tree::grow_by) on a graph that need not be in memory: one scan a layer, 12 bytes a node.
    pub fn grow_by_scan(graph: &dyn ArcScan, order: &Order, root: u32, is_member: &dyn Fn(u32) -> bool) -> Tree {
        let node_count = graph.node_count();
        let known = |node: u32| node < node_count && order.position(node).is_some() && is_member(node);
        if !known(root) {
            return Tree::default();
        }
        places(order, root, &parents_by_scan(graph, order, root, &known))
    }

    /// The places of the pages among which the parent of this one was chosen: those of the layer before that link to it, the best
    /// first. Takes the graph and the order that the tree grew from; one search in each row of that layer.
    pub fn candidates(&self, graph: &Csr, order: &Order, place: u32) -> Vec<u32> {
        let layer = if place < self.len() { self.depth(place) } else { 0 };
        if layer == 0 {
            return Vec::new();
        }
        let node = self.node(place);
        let links = |&from: &u32| self.node(from) < graph.node_count() && graph.links(self.node(from), node);
        let mut found: Vec<u32> = self.layer(layer - 1).filter(links).collect();
        found.sort_unstable_by_key(|&from| (order.position(self.node(from)).unwrap_or(u32::MAX), from));
        found
    }

    /// How many of the nodes `0..node_count` belong to the map and have no place in it.
    pub fn unreached(&self, node_count: u32, is_member: &dyn Fn(u32) -> bool) -> u64 {
        let members = (0..node_count).filter(|&node| is_member(node)).count();
        let placed = (0..self.len()).filter(|&place| is_member(self.node(place))).count();
        members.saturating_sub(placed) as u64
    }
}

/// Breadth first: the position of the parent of every node that is reached (of the root, its own), and `UNSEEN` or `FOREIGN`.
fn parents(graph: &Csr, order: &Order, root: u32, is_member: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let node_count = graph.node_count() as usize;
    let mut parents = vec![UNSEEN; node_count];
    let mut depths = vec![UNSEEN; node_count];
    let place = |node: u32| order.position(node).unwrap_or(FOREIGN);
    parents[root as usize] = place(root);
    depths[root as usize] = 0;
    let (mut layer, mut next) = (vec![root], Vec::new());
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        for &node in &layer {
            let position = place(node);
            for &to in graph.successors(node) {
                let parent = &mut parents[to as usize];
                if *parent == UNSEEN {
                    if is_member(to) {
                        *parent = position;
                        depths[to as usize] = depth;
                        next.push(to);
                    } else {
                        *parent = FOREIGN;
                    }
                } else if depths[to as usize] == depth && position < *parent {
                    *parent = position;
                }
            }
        }
        layer.clear();
        std::mem::swap(&mut layer, &mut next);
    }
    parents
}

/// The same layer by layer, each from a scan of all arcs.
fn parents_by_scan(graph: &dyn ArcScan, order: &Order, root: u32, is_member: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let node_count = graph.node_count() as usize;
    let mut parents = vec![UNSEEN; node_count];
    let mut depths = vec![UNSEEN; node_count];
    let place = |node: u32| order.position(node).unwrap_or(FOREIGN);
    parents[root as usize] = place(root);
    depths[root as usize] = 0;
    let mut depth = 0;
    let mut grows = true;
    while grows {
        depth += 1;
        grows = false;
        graph.scan(&mut |from, successors| {
            if depths.get(from as usize) != Some(&(depth - 1)) {
                return;
            }
            let position = place(from);
            for &to in successors {
                let (Some(parent), Some(at)) = (parents.get_mut(to as usize), depths.get_mut(to as usize)) else {
                    continue;
                };
                if *parent == UNSEEN && is_member(to) {
                    (*parent, *at) = (position, depth);
                    grows = true;
                } else if *at == depth && position < *parent {
                    *parent = position;
                }
            }
        });
    }
    parents
}

/// Gives every node that has a parent its place: children are dealt to their parents in the order of all, so they come sorted.
fn places(order: &Order, root: u32, parents: &[u32]) -> Tree {
    let parent = |node: u32| match parents.get(node as usize) {
        Some(&position) if position != UNSEEN && position != FOREIGN && node != root => {
            Some(order.nodes()[position as usize])
        }
        _ => None,
    };
    let mut ends = vec![0u32; parents.len() + 1];
    for node in (0..parents.len() as u32).filter_map(parent) {
        ends[node as usize + 1] += 1;
    }
    for node in 0..parents.len() {
        ends[node + 1] += ends[node];
    }
    let starts = ends.clone();
    let mut children = vec![0u32; starts[parents.len()] as usize];
    for &node in order.nodes() {
        if let Some(parent) = parent(node) {
            children[ends[parent as usize] as usize] = node;
            ends[parent as usize] += 1;
        }
    }
    let mut nodes = Vec::with_capacity(children.len() + 1);
    let mut above = Vec::with_capacity(children.len() + 1);
    nodes.push(root);
    above.push(0u32);
    let mut place = 0usize;
    while let Some(&node) = nodes.get(place) {
        let below = &children[starts[node as usize] as usize..ends[node as usize] as usize];
        nodes.extend_from_slice(below);
        above.resize(nodes.len(), place as u32);
        place += 1;
    }
    Tree::of_places(nodes, above).unwrap_or_default()
}
