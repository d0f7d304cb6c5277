//! PageRank: how much weight the links of a survey give to each page.
//!
//! Formula: PR(p) = (1 - k) + k * sum over the pages q that link to p of PR(q) / C(q), where C(q) is the number of pages q links
//! to. Not normalised, so the mean of a graph without dead ends is 1 and PR(p) >= 1 - k; pages without links give nothing.
//! A navigation arc counts w instead of 1, in C(q) and in the sum: PR(q) * w / C(q).
//! Source: Brin and Page, The Anatomy of a Large-Scale Hypertextual Web Search Engine, 1998, in the form of the paper of the
//! map. Jacobi rounds from 1.0 on, until no rank changes by the tolerance: every rank of a round is made from the ranks of
//! the round before, so pages in equal positions get equal ranks (a Gauss-Seidel sweep would favor the later one).
//! Cost: O(nodes + arcs) a round; the error shrinks by k a round. [`rank`] pulls along the transposed graph (4 bytes an arc and
//! 36 a node beside the graph, at most 12 an arc while it is laid out, nothing allocated in a round) and leaves a row to one
//! thread; [`rank_by_scan`] pushes along any [`ArcScan`] with two vectors, one thread, and no arcs in memory.
//! A round has to move 4 bytes an arc (sources) and 32 a node (rank in and out, share in, weight out): that over the bandwidth of
//! the memory bounds it from below. The weights read at random come out of a cache if the graph has locality.
//! `examples/pagerank.rs` measures both.
//! Not guaranteed: convergence within the rounds allowed ([`Ranks::converged`] tells), nor that a hub's row is shared among
//! threads. Sums are in one fixed order, so ranks are the same bit for bit on any number of threads; pages in equal positions
//! may still differ by rounding, as their predecessors have different numbers ([`Order`](crate::Order) takes care of that).

use crate::pull::{Backlinks, Round};
use crate::{ArcScan, Csr};

/// How ranks are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// k, between 0 and 1: how much of a page's rank its links pass on.
    pub damping: f64,
    /// A round that changes no rank by as much as this is the last.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: u32,
    /// w, 0 or more: what a navigation link counts where another counts 1.
    pub navigation: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { damping: 0.85, tolerance: 1e-9, rounds: 200, navigation: 1.0 }
    }
}

impl Settings {
    /// The same with numbers that make sense: what is none, or out of range, gives way to the nearest that does.
    pub fn sound(&self) -> Settings {
        let usual = Settings::default();
        let or = |value: f64, usual: f64, most: f64| if value.is_nan() { usual } else { value.clamp(0.0, most) };
        Settings {
            damping: or(self.damping, usual.damping, 1.0),
            tolerance: or(self.tolerance, usual.tolerance, f64::INFINITY),
            rounds: self.rounds,
            navigation: or(self.navigation, usual.navigation, 1e6),
        }
    }
}

/// The ranks, and how they were reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The rank of each node.
    pub values: Vec<f64>,
    /// How many rounds were made.
    pub rounds: u32,
    /// The largest change of a rank in the last round; infinite if none was made.
    pub change: f64,
    /// What the change had to fall below.
    pub tolerance: f64,
}

impl Ranks {
    /// Before the first round.
    fn start(node_count: u32, settings: &Settings) -> Ranks {
        let values = vec![1.0; node_count as usize];
        Ranks { values, rounds: 0, change: f64::INFINITY, tolerance: settings.tolerance }
    }

    /// Whether the last round changed no rank by as much as the tolerance.
    pub fn converged(&self) -> bool {
        self.change < self.tolerance || self.values.is_empty()
    }
}

/// The ranks of a graph in memory, on all threads of the pool this is called in.
pub fn rank(graph: &Csr, settings: &Settings) -> Ranks {
    let settings = settings.sound();
    let marked = settings.navigation != 1.0 && graph.has_navigation();
    let Some(backlinks) = Backlinks::from_graph(graph, marked) else {
        // More nodes than 32 bits can number twice: rare enough to take the slow way.
        return rank_by_scan(graph, &settings);
    };
    let shares: Vec<f64> = backlinks.old().iter().map(|&node| share_in(graph, node, marked, &settings)).collect();
    let mut ranks = Ranks::start(graph.node_count(), &settings);
    let worth = [1.0, settings.navigation];
    let mut weights: Vec<f64> = shares
        .iter()
        .flat_map(|share| worth.map(|worth| share * worth).into_iter().take(backlinks.weights_a_node()))
        .collect();
    let mut fresh = vec![0.0; weights.len()];
    while ranks.rounds < settings.rounds && !ranks.converged() {
        let (base, navigation) = (1.0 - settings.damping, settings.navigation);
        let round = Round { backlinks: &backlinks, base, navigation, shares: &shares, weights: &weights };
        ranks.change = round.make(&mut ranks.values, &mut fresh);
        ranks.rounds += 1;
        std::mem::swap(&mut weights, &mut fresh);
    }
    let mut values = fresh;
    values.truncate(ranks.values.len());
    for (&node, &rank) in backlinks.old().iter().zip(&ranks.values) {
        values[node as usize] = rank;
    }
    Ranks { values, ..ranks }
}

/// k / C(q): what a page passes on along one link for each unit of its rank; 0 if it has no links that count.
fn share_in(graph: &Csr, node: u32, marked: bool, settings: &Settings) -> f64 {
    let marks = || graph.marked_successors(node).filter(|(_, navigation)| *navigation).count();
    share(graph.successors(node).len(), if marked { marks() } else { 0 }, settings)
}

fn share(count: usize, navigation: usize, settings: &Settings) -> f64 {
    let links = (count - navigation) as f64 + navigation as f64 * settings.navigation;
    if links > 0.0 { settings.damping / links } else { 0.0 }
}

/// The ranks of a graph that is read from wherever it is once a round, in order; two numbers a node are kept. The same as
/// [`rank`] but for rounding, which adds up in another order.
pub fn rank_by_scan(graph: &dyn ArcScan, settings: &Settings) -> Ranks {
    let settings = settings.sound();
    let base = 1.0 - settings.damping;
    let mut ranks = Ranks::start(graph.node_count(), &settings);
    let mut fresh = vec![0.0f64; ranks.values.len()];
    while ranks.rounds < settings.rounds && !ranks.converged() {
        fresh.fill(0.0);
        graph.scan_marked(&mut |row| {
            let navigation = row.navigation.iter().filter(|mark| **mark).count().min(row.successors.len());
            let Some(rank) = ranks.values.get(row.node as usize) else { return };
            let weight = rank * share(row.successors.len(), navigation, &settings);
            for (link, &to) in row.successors.iter().enumerate() {
                let factor = if row.navigation.get(link) == Some(&true) { settings.navigation } else { 1.0 };
                if let Some(sum) = fresh.get_mut(to as usize) {
                    *sum += weight * factor;
                }
            }
        });
        ranks.change = 0.0;
        for (rank, sum) in ranks.values.iter_mut().zip(&fresh) {
            let new = base + sum;
            ranks.change = ranks.change.max((new - *rank).abs());
            *rank = new;
        }
        ranks.rounds += 1;
    }
    ranks
}
