//! Connected components in memory.
//!
//! Rule: two pages are in one component if links lead from one to the other, whatever their directions; it is named by its smallest node.
//! Source: Tarjan, Efficiency of a Good but Not Linear Set Union Algorithm, 1975; halving of paths, and the smaller root always wins.
//! Cost: nearly linear; 4 bytes a node. Not guaranteed: the inverse-Ackermann bound, which wants union by size; with halving alone it is
//! O(arcs log nodes) at worst.

use groma_graph::Csr;

/// The smallest node of the component of each node.
pub(super) fn components(graph: &Csr) -> Vec<u32> {
    let mut above: Vec<u32> = (0..graph.node_count()).collect();
    for node in 0..graph.node_count() {
        for &to in graph.successors(node) {
            let (a, b) = (top(&mut above, node), top(&mut above, to));
            above[a.max(b) as usize] = a.min(b);
        }
    }
    (0..graph.node_count()).map(|node| top(&mut above, node)).collect()
}

fn top(above: &mut [u32], mut node: u32) -> u32 {
    while above[node as usize] != node {
        above[node as usize] = above[above[node as usize] as usize];
        node = above[node as usize];
    }
    node
}
