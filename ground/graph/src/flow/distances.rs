//! How far is each full node from the sink, and who cannot reach it any more?
//!
//! Rule: open nodes are one step away. A full node with residual capacity to an open one is two steps away, which its own arcs
//! tell. From these, breadth first against the arcs. Who is not reached is inside.
//! Source: global relabelling (Cherkassky and Goldberg 1997), restricted to the nodes that can have changed.
//! Cost: O(full nodes + their arcs). A node whose current arc still leads to an open one is settled by one look.

use super::preflow::{INSIDE, OPEN, Preflow, row};

/// The height of a node that was not reached yet.
const UNKNOWN: u32 = INSIDE - 1;

/// What a node costs beside its arcs.
const NODE: u64 = 10;

impl Preflow<'_> {
    /// Sets the heights of all full nodes to their distances, puts inside who has none, and queues who has too much. Says how
    /// many arcs were looked at, nodes counting too.
    pub(super) fn measure(&mut self) -> u64 {
        let mut full = std::mem::take(&mut self.full);
        full.retain(|&node| self.heights[node as usize] != INSIDE);
        for &node in &full {
            self.heights[node as usize] = UNKNOWN;
        }
        let mut work = full.len() as u64 * NODE;
        let mut layer = Vec::new();
        for &node in &full {
            let (is_near, looked_at) = self.is_beside_an_open_node(node as usize);
            work += looked_at;
            if is_near {
                layer.push(node);
            }
        }
        let mut distance = OPEN + 1;
        for &node in &layer {
            self.heights[node as usize] = distance;
        }
        let mut reached = layer.len();
        let mut next = Vec::new();
        while reached < full.len() && !layer.is_empty() {
            distance += 1;
            for &node in &layer {
                work += self.reach_back(node as usize, distance, &mut next);
            }
            reached += next.len();
            layer.clear();
            std::mem::swap(&mut layer, &mut next);
        }
        self.queue.clear();
        full.retain(|&node| {
            let is_reached = self.heights[node as usize] != UNKNOWN;
            if !is_reached {
                self.put_inside(node);
            } else if self.room[node as usize] < 0 {
                self.queue.push_back(node);
            }
            is_reached
        });
        self.full = full;
        work
    }

    /// Can a full node push to an open one? Its current arc leads to the first of them. Says how many arcs were looked at, too.
    fn is_beside_an_open_node(&mut self, node: usize) -> (bool, u64) {
        let network = self.network;
        let arcs = row(network, node);
        let leads_out = |arc: usize| self.residual[arc] > 0 && self.heights[network.heads()[arc] as usize] == OPEN;
        let current = arcs.start + self.current[node] as usize;
        // An arc to an open node can be the current one only of a node of height 2, and that is what it will have again.
        if current < arcs.end && leads_out(current) {
            return (true, 1);
        }
        let found = arcs.clone().position(leads_out);
        self.current[node] = found.unwrap_or(0) as u32;
        (found.is_some(), found.map_or(arcs.len(), |place| place + 1) as u64)
    }

    /// Gives this distance to all unknown nodes that can push to a node. Says how many arcs were looked at.
    fn reach_back(&mut self, node: usize, distance: u32, reached: &mut Vec<u32>) -> u64 {
        let network = self.network;
        let arcs = row(network, node);
        for arc in arcs.clone() {
            let tail = network.heads()[arc] as usize;
            if self.heights[tail] == UNKNOWN && self.residual[network.reverse(arc, tail)] > 0 {
                self.heights[tail] = distance;
                reached.push(tail as u32);
            }
        }
        arcs.len() as u64
    }
}
