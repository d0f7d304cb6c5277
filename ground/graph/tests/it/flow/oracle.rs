//! Two other ways to the same cut: all subsets, and Dinic's algorithm.
//!
//! Both work on whole numbers, so that equal is equal.

/// A network in whole numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    /// (from, to, capacity)
    pub(crate) arcs: Vec<(u32, u32, i64)>,
    /// What each node's sink arc can carry.
    pub(crate) costs: Vec<i64>,
    /// What each node's source arc can carry; nothing stands for without end.
    pub(crate) pulls: Vec<Option<i64>>,
}

/// The capacity of the minimum cut, and the largest set on the side of the source.
pub(crate) type Answer = (i64, Vec<bool>);

impl Plain {
    /// Tries all subsets; nodes are bits.
    pub(crate) fn by_all_subsets(&self) -> Answer {
        let count = self.costs.len();
        let (mut least, mut union) = (i64::MAX, 0u32);
        for set in 0..1u32 << count {
            let Some(value) = self.value(set) else { continue };
            if value < least {
                (least, union) = (value, 0);
            }
            if value == least {
                union |= set;
            }
        }
        // Minimum cuts are closed under union, hence the union is the largest.
        assert_eq!(self.value(union), Some(least));
        (least, (0..count).map(|node| union >> node & 1 == 1).collect())
    }

    /// What it costs to cut this set off; nothing if that cannot be done.
    fn value(&self, set: u32) -> Option<i64> {
        let is_in = |node: u32| set >> node & 1 == 1;
        let mut value: i64 = self.arcs.iter().filter(|arc| is_in(arc.0) && !is_in(arc.1)).map(|arc| arc.2).sum();
        for (node, (cost, pull)) in (0u32..).zip(self.costs.iter().zip(&self.pulls)) {
            value += if is_in(node) { *cost } else { (*pull)? };
        }
        Some(value)
    }

    /// Dinic, E. A.: Algorithm for solution of a problem of maximum flow in networks with power estimation, 1970. As plain as can be.
    pub(crate) fn by_dinic(&self) -> Answer {
        let count = self.costs.len();
        let (source, sink) = (count, count + 1);
        let mut net = Dinic { out: vec![Vec::new(); count + 2], to: Vec::new(), left: Vec::new() };
        for &(from, to, capacity) in &self.arcs {
            net.join(from as usize, to as usize, capacity);
        }
        let all: i64 = self.arcs.iter().map(|arc| arc.2).sum::<i64>() + self.costs.iter().sum::<i64>() + 1;
        for (node, (cost, pull)) in self.costs.iter().zip(&self.pulls).enumerate() {
            net.join(node, sink, *cost);
            net.join(source, node, pull.unwrap_or(all));
        }
        let mut flow = 0;
        loop {
            let levels = net.levels(source);
            if levels[sink].is_none() {
                break;
            }
            let mut next = vec![0; count + 2];
            loop {
                let more = net.augment(source, sink, i64::MAX, &levels, &mut next);
                if more == 0 {
                    break;
                }
                flow += more;
            }
        }
        (flow, net.cannot_reach(sink).into_iter().take(count).collect())
    }
}

/// Edge `e` and its reverse `e ^ 1`.
struct Dinic {
    out: Vec<Vec<usize>>,
    to: Vec<usize>,
    left: Vec<i64>,
}

impl Dinic {
    fn join(&mut self, from: usize, to: usize, capacity: i64) {
        for (tail, head, capacity) in [(from, to, capacity), (to, from, 0)] {
            self.out[tail].push(self.to.len());
            self.to.push(head);
            self.left.push(capacity);
        }
    }

    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut levels = vec![None; self.out.len()];
        levels[source] = Some(0);
        let mut layer = vec![source];
        for level in 1.. {
            let mut next = Vec::new();
            for node in layer {
                for &edge in &self.out[node] {
                    let head = self.to[edge];
                    if self.left[edge] > 0 && levels[head].is_none() {
                        levels[head] = Some(level);
                        next.push(head);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        levels
    }

    /// Sends something along one way of the layered network; recursion is as deep as the way is long.
    fn augment(&mut self, node: usize, sink: usize, most: i64, levels: &[Option<u32>], next: &mut [usize]) -> i64 {
        if node == sink {
            return most;
        }
        while let Some(&edge) = self.out[node].get(next[node]) {
            let head = self.to[edge];
            if self.left[edge] > 0 && levels[head].is_some() && levels[head] == levels[node].map(|level| level + 1) {
                let sent = self.augment(head, sink, most.min(self.left[edge]), levels, next);
                if sent > 0 {
                    self.left[edge] -= sent;
                    self.left[edge ^ 1] += sent;
                    return sent;
                }
            }
            next[node] += 1;
        }
        0
    }

    fn cannot_reach(&self, sink: usize) -> Vec<bool> {
        let mut cannot = vec![true; self.out.len()];
        cannot[sink] = false;
        let mut stack = vec![sink];
        while let Some(node) = stack.pop() {
            for &edge in &self.out[node] {
                let tail = self.to[edge];
                if self.left[edge ^ 1] > 0 && cannot[tail] {
                    cannot[tail] = false;
                    stack.push(tail);
                }
            }
        }
        cannot
    }
}
