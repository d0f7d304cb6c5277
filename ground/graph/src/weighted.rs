//! Undirected graphs with weights: who belongs together, and how strongly?
//!
//! Rule: every edge stands in the rows of both its ends with the same weight, rows are in order of their targets, no node has
//! an edge to itself. Of parallel edges the heaviest counts; what is no positive number is no edge.
//! Source: compressed rows as in [`Csr`](crate::Csr), with a weight beside each target.
//! Cost: 16 bytes an edge (8 in either direction) and 8 a node. [`Weighted::undirected`] is linear, [`Weighted::of_edges`]
//! sorts. Not guaranteed: that weights are on any scale; those who use them compare them within a row only.

use rayon::prelude::*;

use crate::Csr;

/// An undirected graph in memory, with a weight on every edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    offsets: Vec<u64>,
    targets: Vec<u32>,
    weights: Vec<f32>,
}

impl Weighted {
    /// The links of a graph without their direction: an arc either way is one edge of weight 1.
    pub fn undirected(graph: &Csr) -> Weighted {
        let backlinks = graph.transpose();
        let mut offsets = Vec::with_capacity(graph.node_count() as usize + 1);
        let mut targets = Vec::with_capacity(graph.arc_count() as usize);
        offsets.push(0);
        for node in 0..graph.node_count() {
            let (mut there, mut back) = (graph.successors(node), backlinks.successors(node));
            while let (Some(&one), Some(&other)) = (there.first(), back.first()) {
                targets.push(one.min(other));
                there = &there[usize::from(one <= other)..];
                back = &back[usize::from(other <= one)..];
            }
            targets.extend_from_slice(there);
            targets.extend_from_slice(back);
            offsets.push(targets.len() as u64);
        }
        let weights = vec![1.0; targets.len()];
        Weighted { offsets, targets, weights }
    }

    /// The graph of edges that come in any order, in either direction, as often as they like. Loops, weights that are not above
    /// zero, and nodes out of range are left out; an infinite weight is the greatest finite one.
    pub fn of_edges(node_count: u32, edges: impl IntoIterator<Item = (u32, u32, f32)>) -> Weighted {
        let mut arcs = Vec::new();
        for (from, to, weight) in edges {
            if from != to && from.max(to) < node_count && weight > 0.0 {
                let weight = weight.min(f32::MAX);
                arcs.extend([(from, to, weight), (to, from, weight)]);
            }
        }
        // The heaviest of parallel edges comes first and is the one that stays.
        arcs.par_sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        arcs.dedup_by_key(|arc| (arc.0, arc.1));
        let mut offsets = vec![0u64; node_count as usize + 1];
        for arc in &arcs {
            offsets[arc.0 as usize + 1] += 1;
        }
        for node in 0..node_count as usize {
            offsets[node + 1] += offsets[node];
        }
        let (targets, weights) = arcs.into_iter().map(|(_, to, weight)| (to, weight)).unzip();
        Weighted { offsets, targets, weights }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// How many edges there are, each counted once.
    pub fn edge_count(&self) -> u64 {
        self.targets.len() as u64 / 2
    }

    /// The neighbors of a node, ascending, and the weight of the edge to each.
    pub fn neighbours(&self, node: u32) -> (&[u32], &[f32]) {
        let row = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        (&self.targets[row.clone()], &self.weights[row])
    }

    /// The edges among some nodes, which are numbered anew in the order given. A node that is named again, or that is none,
    /// has no edges there.
    pub fn part(&self, nodes: &[u32]) -> Weighted {
        const OUTSIDE: u32 = u32::MAX;
        let mut numbers = vec![OUTSIDE; self.node_count() as usize];
        for (number, &node) in (0u32..).zip(nodes) {
            if let Some(place) = numbers.get_mut(node as usize).filter(|place| **place == OUTSIDE) {
                *place = number;
            }
        }
        let mut part =
            Weighted { offsets: Vec::with_capacity(nodes.len() + 1), targets: Vec::new(), weights: Vec::new() };
        part.offsets.push(0);
        let mut row: Vec<(u32, f32)> = Vec::new();
        for (number, &node) in (0u32..).zip(nodes) {
            row.clear();
            if numbers.get(node as usize) == Some(&number) {
                let (targets, weights) = self.neighbours(node);
                let renumbered = targets.iter().map(|&to| numbers[to as usize]).zip(weights.iter().copied());
                row.extend(renumbered.filter(|edge| edge.0 != OUTSIDE));
                row.sort_unstable_by_key(|edge| edge.0);
            }
            part.targets.extend(row.iter().map(|edge| edge.0));
            part.weights.extend(row.iter().map(|edge| edge.1));
            part.offsets.push(part.targets.len() as u64);
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_either_way_is_one_edge() {
        let graph = Csr::of_arcs(5, [(0, 1), (1, 0), (2, 1), (1, 1), (3, 0), (0, 4)]);
        let graph = Weighted::undirected(&graph);
        assert_eq!((graph.node_count(), graph.edge_count()), (5, 4));
        assert_eq!(graph.neighbours(0), (&[1, 3, 4][..], &[1.0; 3][..]));
        assert_eq!(graph.neighbours(1).0, [0, 2]);
        assert_eq!(graph.neighbours(2).0, [1]);
        assert_eq!(Weighted::undirected(&Csr::of_arcs(0, [])).node_count(), 0);
    }

    #[test]
    fn odd_edges_are_left_out_and_the_heaviest_counts() {
        let odd = [(1, 1, 9.0), (0, 1, f32::NAN), (0, 1, -1.0), (0, 1, 0.0), (0, 7, 1.0), (u32::MAX, 0, 1.0)];
        let edges = [(0, 1, 0.5), (1, 0, 2.0), (0, 1, 1.0), (2, 0, f32::INFINITY)];
        let graph = Weighted::of_edges(3, odd.into_iter().chain(edges));
        assert_eq!(graph.edge_count(), 2);
        assert_eq!(graph.neighbours(0), (&[1, 2][..], &[2.0, f32::MAX][..]));
        assert_eq!(graph.neighbours(1), (&[0][..], &[2.0][..]));
        assert_eq!(Weighted::of_edges(0, [(0, 0, 1.0)]).edge_count(), 0);
    }

    #[test]
    fn a_part_is_numbered_in_the_order_given() {
        let graph = Weighted::of_edges(5, [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 0, 4.0), (4, 0, 5.0)]);
        let part = graph.part(&[3, 0, 2, 3, 99]);
        assert_eq!(part.node_count(), 5);
        assert_eq!(part.neighbours(0), (&[1, 2][..], &[4.0, 3.0][..]));
        assert_eq!(part.neighbours(1), (&[0][..], &[4.0][..]));
        assert_eq!((part.neighbours(3).0.len(), part.neighbours(4).0.len()), (0, 0));
        assert_eq!(graph.part(&[0, 1, 2, 3, 4]), graph);
        assert_eq!(graph.part(&[]).node_count(), 0);
    }
}
