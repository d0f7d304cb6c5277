//! What the flow says when it has come to rest: who attracts, and who is attracted.
//!
//! Rule: of each column the strong entries are kept: those above 0.999 times what stays on the page itself plus 0.001 times
//! the greatest, or, if what stays is the greatest, all within 1 % of it; and of these again those that are not below their sum divided by
//! their number and one. A page that keeps its own entry is an *attractor*; attractors that keep one another's are one system.
//! Every other page belongs to the systems that can be reached along kept entries. If these are several, it is put into the one
//! that most of its flow goes to (then the one with the smallest member), and the others are told as overlaps, at most [`FURTHER`] of
//! them. Pages that reach none (the flow was stopped early) are together with those they are tied to.
//! Source: van Dongen 2000; the bounds of what is strong are those of mcl 22-282, which leaves an overlap to the first cluster.
//! Cost: linear in the entries of the matrix (times the number of overlaps told).
//! Not guaranteed: all overlaps, if there are more than that; in the limit they are rare.

use super::matrix::{Entry, Matrix};
use super::twins::Twins;

/// The most further clusters that a page is said to belong to.
const FURTHER: usize = 16;

/// For every node the number of a node that stands for its cluster, and (node, number) for further clusters.
pub(super) fn interpret(matrix: &Matrix, twins: &Twins) -> (Vec<u32>, Vec<(u32, u32)>) {
    let ties = Ties::from_matrix(matrix, twins);
    let systems = Systems::from_ties(&ties, twins);
    let reached = reached(&ties, &systems);
    let mut adrift = Sets::new(twins.count());
    for class in (0..twins.count() as u32).filter(|&class| reached[class as usize].is_empty()) {
        ties.to(class).iter().filter(|&&to| reached[to as usize].is_empty()).for_each(|&to| adrift.join(class, to));
    }
    let mut labels = vec![0u32; twins.class_of.len()];
    let mut overlaps = Vec::new();
    for class in 0..twins.count() as u32 {
        let members = twins.members(class);
        let systems_here = &reached[class as usize];
        if systems_here.is_empty() {
            let head = twins.members(adrift.head(class))[0];
            members.iter().for_each(|&node| labels[node as usize] = head);
        } else if ties.attracts[class as usize] {
            members.iter().for_each(|&node| labels[node as usize] = systems.label(systems_here[0], node, twins));
        } else {
            let clusters = clusters(matrix.entries(class), systems_here, &systems, twins);
            for &node in members {
                labels[node as usize] = clusters[0];
                overlaps.extend(clusters[1..].iter().map(|&label| (node, label)));
            }
        }
    }
    (labels, overlaps)
}

/// The clusters of a class that reaches these systems; its main one first, and not too many.
fn clusters(entries: &[Entry], reached: &[u32], systems: &Systems, twins: &Twins) -> Vec<u32> {
    let flow = |system: u32| -> f64 {
        let there = entries.iter().filter(|entry| systems.head[entry.row as usize] == system);
        there.map(|entry| f64::from(entry.value)).sum()
    };
    let mut weighed: Vec<(f64, u32)> = reached.iter().map(|&system| (flow(system), system)).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut clusters = Vec::new();
    for (_, system) in weighed {
        let members = twins.members(system);
        let apart = if systems.whole[system as usize] { 1 } else { members.len() };
        clusters.extend(members[..apart].iter().take(FURTHER + 1 - clusters.len().min(FURTHER + 1)));
    }
    clusters
}

/// Strong entries, as arcs between classes.
struct Ties {
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// Whether pages of a class attract, and whether they are tied to their twins.
    attracts: Vec<bool>,
    to_twins: Vec<bool>,
}

impl Ties {
    fn from_matrix(matrix: &Matrix, twins: &Twins) -> Ties {
        let count = twins.count();
        let mut ties = Ties { starts: vec![0], targets: Vec::new(), attracts: Vec::new(), to_twins: Vec::new() };
        for class in 0..count as u32 {
            let entries = matrix.entries(class);
            let at_home = entries.iter().find(|entry| entry.row == class).map_or(0.0, |entry| f64::from(entry.value));
            let size = f64::from(twins.size(class));
            let gap = if size > 1.0 { f64::from(matrix.column(class).gap) } else { 0.0 };
            let on_each_twin = if size > 1.0 { ((at_home - gap) / size).max(0.0) } else { 0.0 };
            let on_itself = if size > 1.0 { (on_each_twin + gap).max(0.0) } else { at_home };
            let others = entries.iter().filter(|entry| entry.row != class).map(|entry| {
                let pages = f64::from(twins.size(entry.row));
                (entry.row, f64::from(entry.value) / pages, pages)
            });
            // Itself and its twins first, then all others: the value for each page, and how many pages.
            let items: Vec<(u32, f64, f64)> =
                [(class, on_itself, 1.0), (class, on_each_twin, size - 1.0)].into_iter().chain(others).collect();
            let strong = strong(&items);
            ties.attracts.push(strong[0]);
            ties.to_twins.push(strong[1]);
            ties.targets
                .extend(items.iter().zip(&strong).skip(2).filter(|(_, strong)| **strong).map(|(item, _)| item.0));
            ties.starts.push(ties.targets.len());
        }
        ties
    }

    fn to(&self, class: u32) -> &[u32] {
        &self.targets[self.starts[class as usize]..self.starts[class as usize + 1]]
    }

    /// The same turned round.
    fn from(&self) -> Vec<Vec<u32>> {
        let mut from = vec![Vec::new(); self.attracts.len()];
        for class in 0..self.attracts.len() as u32 {
            self.to(class).iter().for_each(|&to| from[to as usize].push(class));
        }
        from
    }
}

/// Which of a column's items are kept; the first is the page itself.
fn strong(items: &[(u32, f64, f64)]) -> Vec<bool> {
    let on_itself = items[0].1;
    let there = |item: &&(u32, f64, f64)| item.1 > 0.0 && item.2 > 0.0;
    let greatest = items.iter().filter(there).map(|item| item.1).fold(0.0, f64::max);
    let bar = if on_itself < greatest { 0.999 * on_itself + 0.001 * greatest } else { on_itself / 1.01 };
    let kept = |item: &&(u32, f64, f64)| there(item) && item.1 >= bar;
    let sum: f64 = items.iter().filter(kept).map(|item| item.1 * item.2).sum();
    let pages: f64 = items.iter().filter(kept).map(|item| item.2).sum();
    items.iter().map(|item| kept(&item) && item.1 >= sum / (pages + 1.0)).collect()
}

/// Attractors that belong together.
struct Systems {
    /// The first class of the system that an attracting class belongs to; of others, the class itself.
    head: Vec<u32>,
    /// Whether the system of that head is one; otherwise it is a class of twins, each a system of its own.
    whole: Vec<bool>,
}

impl Systems {
    fn from_ties(ties: &Ties, twins: &Twins) -> Systems {
        let mut sets = Sets::new(twins.count());
        let mut whole = vec![false; twins.count()];
        let attracting: Vec<u32> = (0..twins.count() as u32).filter(|&class| ties.attracts[class as usize]).collect();
        for &class in &attracting {
            for &to in ties.to(class).iter().filter(|&&to| ties.attracts[to as usize]) {
                sets.join(class, to);
                whole[class as usize] = true;
            }
            whole[class as usize] |= ties.to_twins[class as usize] || twins.size(class) == 1;
        }
        for &class in &attracting {
            let (head, tied) = (sets.head(class), whole[class as usize]);
            whole[head as usize] |= tied;
        }
        Systems { head: (0..twins.count() as u32).map(|class| sets.head(class)).collect(), whole }
    }

    /// The node that stands for the cluster of an attractor.
    fn label(&self, head: u32, node: u32, twins: &Twins) -> u32 {
        if self.whole[head as usize] { twins.members(head)[0] } else { node }
    }
}

/// The heads of the systems that each class belongs to, the nearest first.
fn reached(ties: &Ties, systems: &Systems) -> Vec<Vec<u32>> {
    let from = ties.from();
    let mut reached: Vec<Vec<u32>> = vec![Vec::new(); ties.attracts.len()];
    let mut queue = std::collections::VecDeque::new();
    for class in 0..ties.attracts.len() as u32 {
        if ties.attracts[class as usize] {
            reached[class as usize].push(systems.head[class as usize]);
            queue.push_back((class, systems.head[class as usize]));
        }
    }
    while let Some((class, system)) = queue.pop_front() {
        for &source in from[class as usize].iter().filter(|&&source| !ties.attracts[source as usize]) {
            let known = &mut reached[source as usize];
            if known.len() <= FURTHER && !known.contains(&system) {
                known.push(system);
                queue.push_back((source, system));
            }
        }
    }
    reached
}

/// Sets that are joined; the smallest number is the head.
struct Sets(Vec<u32>);

impl Sets {
    fn new(count: usize) -> Sets {
        Sets((0..count as u32).collect())
    }

    fn head(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let above = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = above;
            of = above;
        }
        of
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.head(one), self.head(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
