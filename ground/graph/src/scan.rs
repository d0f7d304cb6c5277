//! The seam between graph algorithms and wherever the arcs are kept.

/// A node, its successors, and beside each of them whether the link is navigation; no marks at all mean that none is.
#[derive(Clone, Copy, Debug)]
pub struct MarkedRow<'a> {
    /// Number of the node.
    pub node: u32,
    /// Ascending, each once, never the node itself.
    pub successors: &'a [u32],
    /// As many as successors, or none.
    pub navigation: &'a [bool],
}

/// A graph that can be read from one end to the other, as often as needed: in memory, on disk, or a slice of a cluster.
pub trait ArcScan {
    /// How many nodes there are; their numbers are `0..node_count()`.
    fn node_count(&self) -> u32;

    /// Calls back with every node that has successors, in order of their numbers, and with its successors: ascending, each
    /// once, never the node itself.
    fn scan(&self, visit: &mut dyn FnMut(u32, &[u32]));

    /// As [`scan`](ArcScan::scan), with marks. A graph that knows of no navigation need not write this.
    fn scan_marked(&self, visit: &mut dyn FnMut(MarkedRow<'_>)) {
        self.scan(&mut |node, successors| visit(MarkedRow { node, successors, navigation: &[] }));
    }
}
