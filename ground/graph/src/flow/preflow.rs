//! The first phase of preflow-push: where does everything go that the seeds send out?
//!
//! Rule: every node has `room`: what its sink arc can still take if positive, what it has too much if negative. A node whose
//! sink arc is full (room <= 0) never gets room again at this price or a lower one, so the nodes fall into three kinds:
//! - *open*: room > 0, one step from the sink, height 1, never lifted;
//! - *full*: height at least 2, a lower bound of the steps to the sink over arcs with residual capacity;
//! - *inside*: no such way is left. Nothing can flow out of them ever again, so they are taken out of the work for good.
//!
//! Too much is pushed to neighbors one step lower; a node without such a neighbor is lifted just above its lowest one. Nodes take
//! turns, first in, first out. After about as much work as it costs, true distances are measured anew (`distances.rs`): this
//! is also what finds out who is inside. Nothing flows back to the seeds: the second phase is not needed to know the cut.
//! Source: Goldberg and Tarjan, A New Approach to the Maximum-Flow Problem, JACM 35, 1988; global relabelling after Cherkassky and
//! Goldberg 1997. One number for sink arc and excess, and heights kept for full nodes only, are own: the work
//! stays within the full nodes and their arcs, whatever the size of the network.
//! Chosen by measuring on debdocs, cnr-2000, grids, paths, ladders and trees: highest label first was no faster with the gap
//! heuristic, and without it some 1,500 times slower on a tree; with first in, first out that heuristic brought nothing, because
//! measuring distances is cheap; pushing no more than a neighbor has room for was some 100 times slower on a ladder.
//! Cost: O(n^3) for n full nodes by the proof; in these measurements whole sweeps looked 10 to 40 times at each arc. Beyond a given
//! patience the work is broken off, and what is inside by then is inside for certain.
//! Memory: 8 bytes an arc, 16 a node, and 12 more for a node that is full or inside.

use std::collections::VecDeque;

use super::network::Network;

/// The height of an open node.
pub(super) const OPEN: u32 = 1;

/// The height of a node that is inside.
pub(super) const INSIDE: u32 = u32::MAX;

/// What lifting a node costs beside looking at its arcs.
const LIFTING: u64 = 12;

/// Less work than this is not worth measuring distances.
const LEAST_TURN: u64 = 1000;

/// A preflow on its way to be a maximum one.
#[derive(Debug)]
pub(super) struct Preflow<'n> {
    pub(super) network: &'n Network,
    /// What each arc can still take.
    pub(super) residual: Vec<i64>,
    /// What each node's sink arc can still take; what it has too much if negative.
    pub(super) room: Vec<i64>,
    pub(super) heights: Vec<u32>,
    /// The place among a node's arcs before which none leads down.
    pub(super) current: Vec<u32>,
    /// The full nodes; some of them may have come inside since distances were measured.
    pub(super) full: Vec<u32>,
    /// The full nodes that have too much, in the order of their turns.
    pub(super) queue: VecDeque<u32>,
    /// In the order in which they came inside.
    pub(super) inside: Vec<u32>,
    /// Work since distances were measured, in arcs looked at.
    work: u64,
    /// Work after which they are measured again.
    turn: u64,
}

impl<'n> Preflow<'n> {
    /// Nothing flows yet, and each sink arc can take what is in `room`, less than nothing for a soft seed.
    pub(super) fn new(network: &'n Network, room: Vec<i64>) -> Preflow<'n> {
        let count = network.node_count() as usize;
        let mut preflow = Preflow {
            network,
            residual: network.capacities().to_vec(),
            room,
            heights: vec![OPEN; count],
            current: vec![0; count],
            full: Vec::new(),
            queue: VecDeque::new(),
            inside: Vec::new(),
            work: 0,
            turn: LEAST_TURN,
        };
        for node in 0..count {
            if preflow.room[node] <= 0 {
                preflow.fill(node);
            }
        }
        preflow
    }

    /// Puts a seed inside: it sends out as much as its arcs can carry.
    pub(super) fn flood(&mut self, seed: u32) {
        if self.heights[seed as usize] == INSIDE {
            return;
        }
        self.put_inside(seed);
        let network = self.network;
        for arc in row(network, seed as usize) {
            let head = network.heads()[arc] as usize;
            let amount = self.residual[arc];
            if amount > 0 && self.heights[head] != INSIDE {
                self.residual[arc] = 0;
                self.residual[network.reverse(arc, head)] += amount;
                self.take_room(head, amount);
            }
        }
    }

    /// Makes every sink arc smaller by what is told for its node; what no longer fits becomes too much again.
    pub(super) fn lower(&mut self, less: impl Fn(usize) -> i64) {
        for node in 0..self.room.len() {
            if self.heights[node] != INSIDE {
                self.take_room(node, less(node));
            }
        }
    }

    /// Puts every node inside: at no price at all nothing can reach the sink.
    pub(super) fn put_all_inside(&mut self) {
        for node in 0..self.network.node_count() {
            if self.heights[node as usize] != INSIDE {
                self.put_inside(node);
            }
        }
    }

    /// Pushes until nobody has too much who could get rid of it; then all who cannot reach the sink are inside. Gives up after
    /// about so many arcs looked at, and says whether it did not have to.
    pub(super) fn settle(&mut self, patience: u64) -> bool {
        // The heights of the last price are still lower bounds: sink arcs have only become smaller.
        self.queue.clear();
        let has_too_much = |&&node: &&u32| self.room[node as usize] < 0 && self.heights[node as usize] != INSIDE;
        self.queue.extend(self.full.iter().filter(has_too_much));
        let mut spent = 0u64;
        loop {
            while self.work < self.turn
                && let Some(node) = self.queue.pop_front()
            {
                self.discharge(node as usize);
            }
            let measuring = self.measure();
            spent = spent.saturating_add(self.work).saturating_add(measuring);
            self.work = 0;
            self.turn = measuring.max(LEAST_TURN);
            if self.queue.is_empty() {
                return true;
            }
            if spent > patience {
                return false;
            }
        }
    }

    /// Pushes what a node has too much, until it has no more or has to be lifted.
    fn discharge(&mut self, node: usize) {
        let network = self.network;
        let arcs = row(network, node);
        let (begin, end) = (arcs.start + self.current[node] as usize, arcs.end);
        let below = self.heights[node] - 1;
        let mut excess = -self.room[node];
        let mut arc = begin;
        while arc < end {
            let residual = self.residual[arc];
            if residual > 0
                && let head = network.heads()[arc] as usize
                && self.heights[head] == below
            {
                let amount = excess.min(residual);
                self.residual[arc] = residual - amount;
                self.residual[network.reverse(arc, head)] += amount;
                if self.take_room(head, amount) {
                    self.queue.push_back(head as u32);
                }
                excess -= amount;
                if excess == 0 {
                    break;
                }
            }
            arc += 1;
        }
        self.work += (arc - begin) as u64;
        self.current[node] = (arc - arcs.start) as u32;
        self.room[node] = -excess;
        if excess > 0 {
            self.lift(node);
        }
    }

    /// Lifts a node just above its lowest neighbor and puts it at the end of the queue; or inside, if it has none.
    fn lift(&mut self, node: usize) {
        let network = self.network;
        let arcs = row(network, node);
        let (mut lowest, mut place) = (INSIDE, 0);
        for (at, arc) in (0u32..).zip(arcs.clone()) {
            if self.residual[arc] > 0 {
                let height = self.heights[network.heads()[arc] as usize];
                if height < lowest {
                    (lowest, place) = (height, at);
                }
            }
        }
        self.work += arcs.len() as u64 + LIFTING;
        // A way to the sink visits no full node twice, so it has no more steps than there are full nodes, and one.
        if lowest as usize > self.full.len() {
            self.put_inside(node as u32);
        } else {
            self.heights[node] = lowest + 1;
            self.current[node] = place;
            self.queue.push_back(node as u32);
        }
    }

    /// Takes from a node's room and says whether it has too much now and did not before.
    fn take_room(&mut self, node: usize, amount: i64) -> bool {
        let before = self.room[node];
        let after = before - amount;
        self.room[node] = after;
        if before > 0 && after <= 0 {
            self.fill(node);
        }
        before >= 0 && after < 0
    }

    /// An open node becomes a full one. Nobody is nearer than its open neighbors.
    fn fill(&mut self, node: usize) {
        self.heights[node] = OPEN + 1;
        self.current[node] = 0;
        self.full.push(node as u32);
    }

    pub(super) fn put_inside(&mut self, node: u32) {
        self.heights[node as usize] = INSIDE;
        self.inside.push(node);
    }
}

/// The arcs of a node.
pub(super) fn row(network: &Network, node: usize) -> std::ops::Range<usize> {
    network.first()[node]..network.first()[node + 1]
}
