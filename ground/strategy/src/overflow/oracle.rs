//! An independent answer for tests: Dinic's algorithm on a whole network, with a node for the source and one for the sink.
//!
//! Source: Dinic, Algorithm for Solution of a Problem of Maximum Flow in Networks with Power Estimation, 1970. O(nodes^2 *
//! arcs) at worst.

use std::collections::VecDeque;

/// The smallest and the largest minimum cut, computed exactly.
#[allow(dead_code, reason = "tests and measurements each ask for a part")]
pub(crate) struct Exact {
    /// Value of the maximum flow.
    pub(crate) value: i128,
    /// Is a node on the source's side of the largest minimum cut?
    pub(crate) largest: Vec<bool>,
    /// And of the smallest?
    pub(crate) smallest: Vec<bool>,
}

struct Dinic {
    first: Vec<Vec<u32>>,
    head: Vec<u32>,
    room: Vec<i64>,
    level: Vec<u32>,
    at: Vec<usize>,
}

impl Dinic {
    fn arc(&mut self, from: u32, to: u32, there: i64, back: i64) {
        self.first[from as usize].push(self.head.len() as u32);
        self.first[to as usize].push(self.head.len() as u32 + 1);
        self.head.extend([to, from]);
        self.room.extend([there, back]);
    }

    /// Levels from the source; true if the sink has one.
    fn levels(&mut self, source: u32, sink: u32) -> bool {
        self.level.fill(u32::MAX);
        self.level[source as usize] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for &arc in &self.first[node as usize] {
                let to = self.head[arc as usize];
                if self.room[arc as usize] > 0 && self.level[to as usize] == u32::MAX {
                    self.level[to as usize] = self.level[node as usize] + 1;
                    queue.push_back(to);
                }
            }
        }
        self.level[sink as usize] != u32::MAX
    }

    /// Augments along one path of the levels; 0 if there is none left.
    fn augment(&mut self, source: u32, sink: u32) -> i64 {
        let mut path: Vec<u32> = Vec::new();
        let mut node = source;
        while node != sink {
            let next = self.first[node as usize].get(self.at[node as usize]).copied();
            match next {
                Some(arc) => {
                    let to = self.head[arc as usize];
                    if self.room[arc as usize] > 0
                        && self.level[to as usize] != u32::MAX
                        && self.level[to as usize] == self.level[node as usize] + 1
                    {
                        path.push(arc);
                        node = to;
                    } else {
                        self.at[node as usize] += 1;
                    }
                }
                None => {
                    let Some(arc) = path.pop() else { return 0 };
                    node = self.head[arc as usize ^ 1];
                    self.at[node as usize] += 1;
                }
            }
        }
        let amount = path.iter().map(|&arc| self.room[arc as usize]).min().unwrap_or(0);
        for arc in path {
            self.room[arc as usize] -= amount;
            self.room[arc as usize ^ 1] += amount;
        }
        amount
    }
}

/// The minimum cuts between seeds and sink. An edge has a capacity there and one back.
pub(crate) fn cut(nodes: u32, edges: &[(u32, u32, i64, i64)], seeds: &[u32], price: i64) -> Exact {
    let (source, sink) = (nodes, nodes + 1);
    let size = nodes as usize + 2;
    let mut dinic = Dinic {
        first: vec![Vec::new(); size],
        head: Vec::new(),
        room: Vec::new(),
        level: vec![0; size],
        at: vec![0; size],
    };
    for node in 0..nodes {
        dinic.arc(node, sink, price, 0);
    }
    for &seed in seeds {
        dinic.arc(source, seed, i64::MAX / 4, 0);
    }
    for &(from, to, there, back) in edges {
        dinic.arc(from, to, there, back);
    }
    let mut value = 0;
    while dinic.levels(source, sink) {
        dinic.at.fill(0);
        loop {
            match dinic.augment(source, sink) {
                0 => break,
                amount => value += i128::from(amount),
            }
        }
    }
    let smallest = (0..nodes).map(|node| dinic.level[node as usize] != u32::MAX).collect();
    let mut reaches = vec![false; size];
    reaches[sink as usize] = true;
    let mut queue = vec![sink];
    while let Some(node) = queue.pop() {
        for &arc in &dinic.first[node as usize] {
            let from = dinic.head[arc as usize];
            if dinic.room[arc as usize ^ 1] > 0 && !std::mem::replace(&mut reaches[from as usize], true) {
                queue.push(from);
            }
        }
    }
    let largest = (0..nodes).map(|node| !reaches[node as usize]).collect();
    Exact { value, largest, smallest }
}
