//! Arcs with capacities, each beside its reverse: built once, cut many times.
//!
//! Rule: two nodes that are joined at all are joined by one arc there and one back, either of which may have no capacity; the arcs of
//! a node stand together, by ascending neighbor. An arc knows at which place among its head's arcs its reverse stands. A
//! place is less than the number of nodes, so 32 bits are enough for any number of arcs.
//! Source: the usual layout for preflow-push (Cherkassky and Goldberg, On Implementing the Push-Relabel Method for the Maximum
//! Flow Problem, Algorithmica 19, 1997), with relative places.
//! Cost: 16 bytes an arc (two arcs for each pair of neighbors) and 8 a node; building is O(nodes + arcs), for
//! [`Network::of_edges`] a sort of the edges beside it.
//! Not guaranteed: that capacities are kept as given; see `fixed.rs` for the rounding.

use super::fixed::{Scale, tame};
use crate::Csr;

/// Arcs with capacities in fixed point, each with its reverse.
///
/// Source and sink are not part of it: seeds and prices come with each question.
#[derive(Clone, Debug)]
pub struct Network {
    /// Where the arcs of each node begin; one more at the end.
    first: Vec<usize>,
    heads: Vec<u32>,
    /// The place of each arc's reverse among the arcs of its head.
    mates: Vec<u32>,
    capacities: Vec<i64>,
    scale: Scale,
}

impl Network {
    /// The links as they are: an arc has the capacity that is told for it, the way back has none unless it is a link too.
    ///
    /// Each arc is asked for once. A capacity that is negative or not a number is 0; an infinite one counts as twice the sum of all
    /// finite ones.
    pub fn directed(graph: &Csr, mut capacity: impl FnMut(u32, u32) -> f64) -> Network {
        Network::of_graph(graph, |from, to, there, back| {
            let there = if there { capacity(from, to) } else { 0.0 };
            (there, if back { capacity(to, from) } else { 0.0 })
        })
    }

    /// A link in either direction is an edge of this capacity in both; links in both directions are still one edge.
    ///
    /// Each edge is asked for once, the smaller node first. Strange capacities are taken as by [`directed`](Network::directed).
    pub fn undirected(graph: &Csr, mut capacity: impl FnMut(u32, u32) -> f64) -> Network {
        Network::of_graph(graph, |from, to, _, _| {
            let both = capacity(from, to);
            (both, both)
        })
    }

    /// Edges (one node, the other, capacity there, capacity back) in any order. Parallel ones add up; loops and nodes outside
    /// `0..node_count` are left out. Strange capacities are taken as by [`directed`](Network::directed).
    pub fn of_edges(node_count: u32, edges: &[(u32, u32, f64, f64)]) -> Network {
        let sound = edges.iter().filter(|edge| edge.0 != edge.1 && edge.0.max(edge.1) < node_count);
        let turned = |&(one, other, there, back): &(u32, u32, f64, f64)| {
            if one < other { (one, other, there, back) } else { (other, one, back, there) }
        };
        let mut edges: Vec<(u32, u32, f64, f64)> = sound.map(turned).collect();
        // Capacities take part in the order, so that the sums do not hang on the order in which edges are given.
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.total_cmp(&b.3)));
        let usable = |capacity: f64| if capacity > 0.0 { capacity } else { 0.0 };
        edges.dedup_by(|next, kept| {
            let parallel = (next.0, next.1) == (kept.0, kept.1);
            if parallel {
                kept.2 = usable(kept.2) + usable(next.2);
                kept.3 = usable(kept.3) + usable(next.3);
            }
            parallel
        });
        let mut degrees = vec![0u32; node_count as usize];
        for &(one, other, ..) in &edges {
            degrees[one as usize] += 1;
            degrees[other as usize] += 1;
        }
        let mut draft = Draft::new(&degrees);
        for &(one, other, there, back) in &edges {
            draft.join(one, other, there, back);
        }
        draft.finish()
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> u32 {
        (self.first.len() - 1) as u32
    }

    /// How many pairs of nodes are joined.
    pub fn edge_count(&self) -> u64 {
        self.heads.len() as u64 / 2
    }

    /// What capacities and prices are multiples of.
    pub fn unit(&self) -> f64 {
        self.scale.amount(1)
    }

    /// Joins all neighbors: `capacities` is told the smaller node, the larger, and which of the two links exist.
    fn of_graph(graph: &Csr, mut capacities: impl FnMut(u32, u32, bool, bool) -> (f64, f64)) -> Network {
        let backlinks = graph.transpose();
        let neighbours = |node: u32| Neighbours { out: graph.successors(node), back: backlinks.successors(node) };
        let degrees: Vec<u32> = (0..graph.node_count()).map(|node| neighbours(node).count() as u32).collect();
        let mut draft = Draft::new(&degrees);
        for node in 0..graph.node_count() {
            for (other, out, back) in neighbours(node).filter(|neighbour| neighbour.0 > node) {
                let (there, back) = capacities(node, other, out, back);
                draft.join(node, other, there, back);
            }
        }
        draft.finish()
    }

    /// Where the arcs of each node begin; one more at the end.
    pub(super) fn first(&self) -> &[usize] {
        &self.first
    }

    /// Where each arc leads.
    pub(super) fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// The reverse of an arc that leads to this head.
    pub(super) fn reverse(&self, arc: usize, head: usize) -> usize {
        self.first[head] + self.mates[arc] as usize
    }

    /// What each arc can carry.
    pub(super) fn capacities(&self) -> &[i64] {
        &self.capacities
    }

    /// How amounts become whole numbers.
    pub(super) fn scale(&self) -> Scale {
        self.scale
    }
}

/// The nodes that a node links to or is linked from, ascending, and which of the two it is.
struct Neighbours<'g> {
    out: &'g [u32],
    back: &'g [u32],
}

impl Iterator for Neighbours<'_> {
    type Item = (u32, bool, bool);

    fn next(&mut self) -> Option<(u32, bool, bool)> {
        let node = match (self.out.first(), self.back.first()) {
            (Some(&out), Some(&back)) => out.min(back),
            (one, other) => *one.or(other)?,
        };
        let took = |list: &mut &[u32]| {
            let is_here = list.first() == Some(&node);
            *list = &list[usize::from(is_here)..];
            is_here
        };
        Some((node, took(&mut self.out), took(&mut self.back)))
    }
}

/// A network whose edges are still coming.
struct Draft {
    first: Vec<usize>,
    /// How many arcs each node has so far.
    filled: Vec<u32>,
    heads: Vec<u32>,
    mates: Vec<u32>,
    capacities: Vec<f64>,
}

impl Draft {
    fn new(degrees: &[u32]) -> Draft {
        let mut first = Vec::with_capacity(degrees.len() + 1);
        let mut sum = 0usize;
        first.push(0);
        first.extend(degrees.iter().map(|&degree| {
            sum += degree as usize;
            sum
        }));
        let filled = vec![0; degrees.len()];
        Draft { first, filled, heads: vec![0; sum], mates: vec![0; sum], capacities: vec![0.0; sum] }
    }

    /// Edges come in the order of their smaller, then of their larger node; so the arcs of each node come out ascending.
    fn join(&mut self, one: u32, other: u32, there: f64, back: f64) {
        let places = [one, other].map(|node| {
            let place = self.filled[node as usize];
            self.filled[node as usize] += 1;
            place
        });
        let mut lay = |tail: u32, place: u32, head: u32, mate: u32, capacity: f64| {
            let arc = self.first[tail as usize] + place as usize;
            self.heads[arc] = head;
            self.mates[arc] = mate;
            self.capacities[arc] = capacity;
        };
        lay(one, places[0], other, places[1], there);
        lay(other, places[1], one, places[0], back);
    }

    fn finish(mut self) -> Network {
        tame(&mut self.capacities);
        let mut sums = vec![0f64; self.filled.len()];
        for (tail, row) in self.first.windows(2).enumerate() {
            for arc in row[0]..row[1] {
                sums[tail] += self.capacities[arc];
                sums[self.heads[arc] as usize] += self.capacities[arc];
            }
        }
        let scale = Scale::fitting(sums.into_iter().fold(0.0, f64::max));
        let capacities = self.capacities.into_iter().map(|capacity| scale.whole(capacity)).collect();
        Network { first: self.first, heads: self.heads, mates: self.mates, capacities, scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (tail, head, capacity in units of 1.0) of all arcs, and a check that reverses are reverses.
    fn arcs(network: &Network) -> Vec<(u32, u32, f64)> {
        let mut found = Vec::new();
        for tail in 0..network.node_count() as usize {
            for arc in network.first[tail]..network.first[tail + 1] {
                let head = network.heads[arc] as usize;
                let reverse = network.reverse(arc, head);
                assert!((network.first[head]..network.first[head + 1]).contains(&reverse));
                assert_eq!((network.heads[reverse] as usize, network.reverse(reverse, tail)), (tail, arc));
                let capacity = network.scale.amount(i128::from(network.capacities[arc]));
                found.push((tail as u32, head as u32, capacity));
            }
        }
        found
    }

    #[test]
    fn links_become_arcs_there_and_back() {
        let graph = Csr::of_arcs(4, [(0, 1), (1, 0), (2, 0), (1, 3)]);
        let mut asked = Vec::new();
        let directed = Network::directed(&graph, |from, to| {
            asked.push((from, to));
            f64::from(from * 10 + to)
        });
        let wanted = [(0, 1, 1.0), (0, 2, 0.0), (1, 0, 10.0), (1, 3, 13.0), (2, 0, 20.0), (3, 1, 0.0)];
        assert_eq!(arcs(&directed), wanted);
        asked.sort_unstable();
        assert_eq!(asked, [(0, 1), (1, 0), (1, 3), (2, 0)]);
        let mut asked = Vec::new();
        let undirected = Network::undirected(&graph, |from, to| {
            asked.push((from, to));
            f64::from(from * 10 + to)
        });
        let wanted = [(0, 1, 1.0), (0, 2, 2.0), (1, 0, 1.0), (1, 3, 13.0), (2, 0, 2.0), (3, 1, 13.0)];
        assert_eq!(arcs(&undirected), wanted);
        assert_eq!(asked, [(0, 1), (0, 2), (1, 3)]);
        assert_eq!((undirected.node_count(), undirected.edge_count()), (4, 3));
    }

    #[test]
    fn parallel_edges_add_up_and_strange_ones_are_left_out() {
        let edges = [
            (2, 0, 1.0, 2.0),
            (0, 2, 4.0, f64::NAN),
            (0, 0, 9.0, 9.0),
            (0, 7, 9.0, 9.0),
            (1, 2, -3.0, 0.25),
            (2, 0, -1.0, 8.0),
        ];
        let network = Network::of_edges(3, &edges);
        assert_eq!(arcs(&network), [(0, 2, 14.0), (1, 2, 0.0), (2, 0, 1.0), (2, 1, 0.25)]);
        let mut turned = edges;
        turned.reverse();
        assert_eq!(arcs(&Network::of_edges(3, &turned)), arcs(&network));
        assert_eq!(Network::of_edges(0, &edges).node_count(), 0);
        assert_eq!(arcs(&Network::of_edges(2, &[(0, 1, f64::INFINITY, 1.5)])), [(0, 1, 3.0), (1, 0, 1.5)]);
    }
}
