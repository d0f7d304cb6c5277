//! Compressed sparse rows: all successors in one array, and where each node's begin.
//!
//! Cost: 4 bytes an arc and 8 a node; an arc can be marked as *navigation* for one bit more. A row is found in constant time, an
//! arc in the logarithm of its row. Not guaranteed: that a graph of more arcs than memory fits; see [`ArcScan`] for those.

use crate::marks::Marks;
use crate::{ArcScan, MarkedRow};

/// A graph in memory: 4 bytes an arc and 8 a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    offsets: Vec<u64>,
    targets: Vec<u32>,
    navigation: Marks,
}

impl Csr {
    /// Rows that are known to be in order: ascending, each successor once, never the node itself.
    pub(crate) fn of_rows(offsets: Vec<u64>, targets: Vec<u32>, navigation: Marks) -> Csr {
        Csr { offsets, targets, navigation }
    }

    /// The successors of a node: ascending, each once, never the node itself.
    pub fn successors(&self, node: u32) -> &[u32] {
        let (from, to) = (self.offsets[node as usize], self.offsets[node as usize + 1]);
        &self.targets[from as usize..to as usize]
    }

    /// The successors of a node, and whether the link to each is navigation.
    pub fn marked_successors(&self, node: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let first = self.offsets[node as usize];
        (first..).zip(self.successors(node)).map(|(arc, &target)| (target, self.navigation.get(arc)))
    }

    /// Is there an arc between the two?
    pub fn links(&self, from: u32, to: u32) -> bool {
        self.successors(from).binary_search(&to).is_ok()
    }

    /// The place of the arc between the two among all arcs, row after row.
    pub fn arc(&self, from: u32, to: u32) -> Option<u64> {
        let place = self.successors(from).binary_search(&to).ok()?;
        Some(self.offsets[from as usize] + place as u64)
    }

    /// Is any arc marked as navigation?
    pub fn has_navigation(&self) -> bool {
        !self.navigation.is_empty()
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// How many arcs there are.
    pub fn arc_count(&self) -> u64 {
        self.targets.len() as u64
    }

    /// How many arcs lead to each node; O(nodes + arcs).
    pub fn in_degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0u32; self.node_count() as usize];
        for &target in &self.targets {
            degrees[target as usize] += 1;
        }
        degrees
    }

    /// Where the row of each node begins among all arcs; one more at the end.
    pub(crate) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// All successors, row after row.
    pub(crate) fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The arcs that are navigation.
    pub(crate) fn navigation(&self) -> &Marks {
        &self.navigation
    }
}

impl ArcScan for Csr {
    fn node_count(&self) -> u32 {
        Csr::node_count(self)
    }

    fn scan(&self, visit: &mut dyn FnMut(u32, &[u32])) {
        for node in 0..Csr::node_count(self) {
            let successors = self.successors(node);
            if !successors.is_empty() {
                visit(node, successors);
            }
        }
    }

    fn scan_marked(&self, visit: &mut dyn FnMut(MarkedRow<'_>)) {
        let mut navigation = Vec::new();
        for node in 0..Csr::node_count(self) {
            let successors = self.successors(node);
            if !successors.is_empty() {
                navigation.clear();
                if self.has_navigation() {
                    navigation.extend(self.marked_successors(node).map(|(_, mark)| mark));
                }
                visit(MarkedRow { node, successors, navigation: &navigation });
            }
        }
    }
}
