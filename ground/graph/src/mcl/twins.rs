//! Twins: pages whose places in the graph cannot be told apart.
//!
//! Two pages are twins if they have the same neighbors with the same weights; either each other aside (they are not linked) or
//! each other included, with the weight that the loop has. Swapping two twins changes nothing in the graph, so nothing in the flow either: a
//! column has the same value at both, and their own columns are equal but for the swap. The flow between classes of twins is
//! therefore a Markov chain of its own; what is lost is only who of a class is who, and there one number a class is enough.
//! With c pages in a class C, s = M(u, u) and o = M(v, u) for twins u and v, squaring gives
//! s' - o' = s s + (c - 1) o o - (2 s o + (c - 2) o o) = (s - o)^2: the *gap* between self and others squares by itself, while
//! their sum s + (c - 1) o is an entry of the chain like any other.
//! Source: own; lumpability of Markov chains is Kemeny and Snell, Finite Markov Chains, 1960.
//! Cost: O(nodes log nodes + edges). Half the nodes of web graphs are twins of others (cnr-2000: 325,557 pages, 182,198
//! classes), so the product has a quarter of the work. Exact up to rounding.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::Weighted;

/// Classes of twins; most have one member.
pub(super) struct Twins {
    /// The class of each node. Classes are numbered by their smallest members.
    pub(super) class_of: Vec<u32>,
    /// The members of class after class, ascending within each.
    members: Vec<u32>,
    /// Where the members of each class begin; one more at the end.
    starts: Vec<u32>,
}

impl Twins {
    pub(super) fn find(graph: &Weighted) -> Twins {
        let mut first: Vec<u32> = (0..graph.node_count()).collect();
        for linked in [false, true] {
            let mut marks: Vec<(u64, u32)> =
                (0..graph.node_count()).map(|node| (fingerprint(graph, node, linked), node)).collect();
            marks.sort_unstable();
            for run in marks.chunk_by(|a, b| a.0 == b.0) {
                let head = run[0].1;
                for &(_, node) in &run[1..] {
                    // Fingerprints may collide: who is unlike the first of the run stays alone.
                    if first[node as usize] == node && alike(graph, head, node, linked) {
                        first[node as usize] = head;
                    }
                }
            }
        }
        Twins::by_first(&first)
    }

    /// No node has a twin.
    #[cfg(test)]
    pub(super) fn none(node_count: u32) -> Twins {
        Twins::by_first(&(0..node_count).collect::<Vec<u32>>())
    }

    /// The classes, from the smallest member of each node's class.
    fn by_first(first: &[u32]) -> Twins {
        let mut class_of = vec![0u32; first.len()];
        let mut starts = vec![0u32];
        for (node, &head) in first.iter().enumerate() {
            if head as usize == node {
                class_of[node] = (starts.len() - 1) as u32;
                starts.push(0);
            } else {
                class_of[node] = class_of[head as usize];
            }
        }
        for &class in &class_of {
            starts[class as usize + 1] += 1;
        }
        for class in 1..starts.len() {
            starts[class] += starts[class - 1];
        }
        let mut cursors = starts.clone();
        let mut members = vec![0u32; first.len()];
        for (node, &class) in (0u32..).zip(&class_of) {
            let cursor = &mut cursors[class as usize];
            members[*cursor as usize] = node;
            *cursor += 1;
        }
        Twins { class_of, members, starts }
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The members of a class, ascending; never none.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        &self.members[self.starts[class as usize] as usize..self.starts[class as usize + 1] as usize]
    }

    /// How many members a class has.
    pub(super) fn size(&self, class: u32) -> u32 {
        self.starts[class as usize + 1] - self.starts[class as usize]
    }
}

/// The weight of a node's loop: that of its heaviest edge, 1 if it has none.
pub(super) fn loop_weight(weights: &[f32]) -> f32 {
    if weights.is_empty() { 1.0 } else { weights.iter().copied().fold(0.0, f32::max) }
}

/// The same for twins: their neighbors and weights, themselves included if twins are to be linked.
fn fingerprint(graph: &Weighted, node: u32, linked: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    row(graph, node, linked).for_each(|(to, weight)| (to, weight.to_bits()).hash(&mut hasher));
    hasher.finish()
}

fn alike(graph: &Weighted, one: u32, other: u32, linked: bool) -> bool {
    row(graph, one, linked).eq(row(graph, other, linked))
}

/// The neighbors of a node in order; itself among them, with the weight of its loop, if that is asked for.
fn row(graph: &Weighted, node: u32, with_loop: bool) -> impl Iterator<Item = (u32, f32)> {
    let (targets, weights) = graph.neighbours(node);
    let before = targets.partition_point(|&to| to < node);
    let edges = |part: std::ops::Range<usize>| targets[part.clone()].iter().copied().zip(weights[part].iter().copied());
    let own = with_loop.then(|| (node, loop_weight(weights)));
    edges(0..before).chain(own).chain(edges(before..targets.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(graph: &Weighted) -> Vec<Vec<u32>> {
        let twins = Twins::find(graph);
        (0..twins.count() as u32).map(|class| twins.members(class).to_vec()).collect()
    }

    #[test]
    fn leaves_of_a_star_and_pages_of_a_clique_are_twins() {
        let star = Weighted::of_edges(5, (1..5).map(|leaf| (0, leaf, 1.0)));
        assert_eq!(classes(&star), [vec![0], vec![1, 2, 3, 4]]);
        // A clique of three, of which the last has a leaf.
        let clique = Weighted::of_edges(4, [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (2, 3, 1.0)]);
        assert_eq!(classes(&clique), [vec![0, 1], vec![2], vec![3]]);
        assert!(classes(&Weighted::of_edges(0, [])).is_empty());
    }

    #[test]
    fn weights_tell_twins_apart() {
        let star = Weighted::of_edges(5, (1..5).map(|leaf| (0, leaf, if leaf < 3 { 1.0 } else { 2.0 })));
        assert_eq!(classes(&star), [vec![0], vec![1, 2], vec![3, 4]]);
        // Linked more weakly than each to a third: the loop weighs 2, so self and other differ.
        let triangle = Weighted::of_edges(3, [(0, 1, 1.0), (0, 2, 2.0), (1, 2, 2.0)]);
        assert_eq!(classes(&triangle), [vec![0], vec![1], vec![2]]);
    }
}
