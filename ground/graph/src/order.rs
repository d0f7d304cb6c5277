//! One order of all pages: who comes first where pages are listed, and who is the better parent?
//!
//! Rule: by rank down; ranks that differ by no more than the noise of rounding (1e-12 of their size) count as equal, and then the
//! smaller name comes first. Equality has to be transitive to give an order, so neighbors in the sorted ranks are put into
//! one group while the gap between them is noise, and names decide within a group.
//! Source: the map's rule P4 made deterministic (spec of the map); the noise is what sums in another order may differ by.
//! Cost: a comparison sort of the ranks, O(n log n), in parallel, and one of the names in each group; 8 bytes a node are kept.
//! All comparisons afterwards are of two integers, and whatever is built on them is linear.
//! Not guaranteed: that two ranks of one group are within the noise of each other. A chain of gaps may be longer than one
//! gap; with a million pages of well-spread ranks the mean gap is a million times the noise.

use std::cmp::Ordering;

use rayon::prelude::*;

/// The part of a rank that rounding may have made.
const NOISE: f64 = 1e-12;

/// A position for every node: 0 is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    nodes: Vec<u32>,
    positions: Vec<u32>,
}

impl Order {
    /// The order of the nodes `0..ranks.len()`. What is not a number counts as the lowest rank; `by_name` must be a total order
    /// (names that are equal fall back on the numbers of the nodes).
    pub fn new(ranks: &[f64], by_name: &dyn Fn(u32, u32) -> Ordering) -> Order {
        let count = ranks.len().min(u32::MAX as usize);
        let rank = |node: u32| {
            let rank = ranks[node as usize];
            if rank.is_nan() { f64::NEG_INFINITY } else { rank }
        };
        let mut nodes: Vec<u32> = (0..count as u32).collect();
        nodes.par_sort_unstable_by(|&a, &b| rank(b).total_cmp(&rank(a)).then(a.cmp(&b)));
        // An equal rank (infinite ones too) is no gap; the sizes are those of the larger of the two.
        let same = |high: &u32, low: &u32| {
            let (high, low) = (rank(*high), rank(*low));
            high == low || high - low <= NOISE * high.abs().max(low.abs()).min(f64::MAX)
        };
        for group in nodes.chunk_by_mut(same).filter(|group| group.len() > 1) {
            group.sort_unstable_by(|&a, &b| by_name(a, b).then(a.cmp(&b)));
        }
        let mut positions = vec![0u32; nodes.len()];
        for (position, &node) in (0u32..).zip(&nodes) {
            positions[node as usize] = position;
        }
        Order { nodes, positions }
    }

    /// The nodes, the best first.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Where a node stands; nothing if the order does not know it.
    pub fn position(&self, node: u32) -> Option<u32> {
        self.positions.get(node as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_decides_and_names_decide_within_the_noise() {
        let ranks = [1.0, 2.0, 1.0 + 1e-13, 3.0, 1.0 + 1e-9];
        let order = Order::new(&ranks, &|a, b| b.cmp(&a));
        assert_eq!(order.nodes(), [3, 1, 4, 2, 0]);
        let order = Order::new(&ranks, &|a, b| a.cmp(&b));
        assert_eq!(order.nodes(), [3, 1, 4, 0, 2]);
        assert_eq!(
            (0..6).map(|node| order.position(node)).collect::<Vec<_>>(),
            [Some(3), Some(1), Some(4), Some(0), Some(2), None]
        );
    }

    #[test]
    fn a_chain_of_gaps_within_the_noise_is_one_group() {
        let ranks: Vec<f64> = (0..50).map(|node| 1.0 + f64::from(node) * 5e-13).collect();
        assert_eq!(Order::new(&ranks, &|a, b| a.cmp(&b)).nodes(), (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn strange_ranks_and_equal_names_still_give_one_order() {
        let ranks = [f64::NAN, f64::INFINITY, 0.0, -0.0, f64::NEG_INFINITY, f64::INFINITY, f64::MAX];
        let order = Order::new(&ranks, &|_, _| Ordering::Equal);
        assert_eq!(order.nodes(), [1, 5, 6, 2, 3, 0, 4]);
        assert!(Order::new(&[], &|_, _| Ordering::Equal).nodes().is_empty());
    }
}
