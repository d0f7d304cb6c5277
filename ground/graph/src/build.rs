//! From links to rows: in the order of the nodes as a store gives them, or in any order.
//!
//! Rule: parallel links are one arc, a link of a page to itself is none, and so is one that leads outside `0..node_count`. Of
//! parallel links the arc is navigation only if all of them are: one link in the text is enough to be meant.
//! Source: spec of the ranks ("parallel links count once, self links not at all").
//! Cost: [`Rows`] sorts each row where it stands (d log d of a row of d links, nothing if it comes sorted) and needs no memory
//! beside the graph; [`Csr::of_arcs`] is two counting sorts, O(nodes + arcs), and holds the arcs twice while it works.
//! Not guaranteed: rows given out of order are not sorted into place but refused, which [`Rows::push`] tells.

use crate::Csr;
use crate::marks::Marks;

/// Takes the links of one node after the other.
#[derive(Debug)]
pub struct Rows {
    node_count: u32,
    /// Where the row of each node so far begins, and where the next one will.
    offsets: Vec<u64>,
    targets: Vec<u32>,
    navigation: Marks,
}

impl Rows {
    /// No links yet, between this many nodes.
    pub fn new(node_count: u32) -> Rows {
        let mut offsets = Vec::with_capacity(node_count as usize + 1);
        offsets.push(0);
        Rows { node_count, offsets, targets: Vec::new(), navigation: Marks::default() }
    }

    /// Takes the links of a node; the list is left empty or not, to be filled again. Nodes come in ascending order, those left
    /// out have no links. Says whether the row was taken: a node that is out of order or out of range is not.
    pub fn push(&mut self, node: u32, successors: &mut Vec<u32>) -> bool {
        if !self.open(node) {
            return false;
        }
        if !successors.is_sorted() {
            successors.sort_unstable();
        }
        successors.dedup();
        let node_count = self.node_count;
        self.targets.extend(successors.iter().copied().filter(|&to| to != node && to < node_count));
        self.offsets.push(self.targets.len() as u64);
        true
    }

    /// As [`push`](Rows::push), with a mark beside each link that says whether it is navigation.
    pub fn push_marked(&mut self, node: u32, successors: &mut Vec<(u32, bool)>) -> bool {
        if !self.open(node) {
            return false;
        }
        // An unmarked link sorts before a marked one, so the first of parallel links is marked only if all are.
        if !successors.is_sorted() {
            successors.sort_unstable();
        }
        successors.dedup_by_key(|link| link.0);
        for &(to, navigation) in successors.iter() {
            if to != node && to < self.node_count {
                if navigation {
                    self.navigation.set(self.targets.len() as u64);
                }
                self.targets.push(to);
            }
        }
        self.offsets.push(self.targets.len() as u64);
        true
    }

    /// The graph of all rows pushed; nodes without a row have no arcs.
    pub fn finish(mut self) -> Csr {
        self.offsets.resize(self.node_count as usize + 1, self.targets.len() as u64);
        Csr::of_rows(self.offsets, self.targets, self.navigation)
    }

    /// Closes the rows before a node, if it is one that may come now.
    fn open(&mut self, node: u32) -> bool {
        let may_come = node < self.node_count && node as usize + 1 >= self.offsets.len();
        if may_come {
            self.offsets.resize(node as usize + 1, self.targets.len() as u64);
        }
        may_come
    }
}

impl Csr {
    /// The graph of arcs that come in any order, as often as they like.
    pub fn of_arcs(node_count: u32, arcs: impl IntoIterator<Item = (u32, u32)>) -> Csr {
        let sound = |&(from, to): &(u32, u32)| from != to && from < node_count && to < node_count;
        let arcs: Vec<(u32, u32)> = arcs.into_iter().filter(sound).collect();
        // First by target; going through the targets in order then leaves every row of sources' successors sorted.
        let (starts, mut cursors) = places(node_count, arcs.iter().map(|arc| arc.1));
        let mut sources = vec![0u32; arcs.len()];
        for &(from, to) in &arcs {
            let cursor = &mut cursors[to as usize];
            sources[*cursor as usize] = from;
            *cursor += 1;
        }
        drop(arcs);
        let (rows, mut cursors) = places(node_count, sources.iter().copied());
        let mut targets = vec![0u32; sources.len()];
        for to in 0..node_count {
            for &from in &sources[starts[to as usize] as usize..starts[to as usize + 1] as usize] {
                let cursor = &mut cursors[from as usize];
                targets[*cursor as usize] = to;
                *cursor += 1;
            }
        }
        let (offsets, targets) = each_once(&rows, targets);
        Csr::of_rows(offsets, targets, Marks::default())
    }
}

/// Where the bucket of each node begins if each of these keys takes one place, and a copy to count on with.
fn places(node_count: u32, keys: impl Iterator<Item = u32>) -> (Vec<u64>, Vec<u64>) {
    let mut starts = vec![0u64; node_count as usize + 1];
    for key in keys {
        starts[key as usize + 1] += 1;
    }
    for node in 0..node_count as usize {
        starts[node + 1] += starts[node];
    }
    let cursors = starts.clone();
    (starts, cursors)
}

/// The same sorted rows without repetitions.
fn each_once(rows: &[u64], mut targets: Vec<u32>) -> (Vec<u64>, Vec<u32>) {
    let mut offsets = Vec::with_capacity(rows.len());
    offsets.push(0);
    let mut kept = 0usize;
    for row in rows.windows(2) {
        let first = kept;
        for arc in row[0] as usize..row[1] as usize {
            if kept == first || targets[kept - 1] != targets[arc] {
                targets[kept] = targets[arc];
                kept += 1;
            }
        }
        offsets.push(kept as u64);
    }
    targets.truncate(kept);
    targets.shrink_to_fit();
    (offsets, targets)
}
