//! MCL: which pages belong together, by where flow along the links gathers.
//!
//! Formula: M is the column-stochastic matrix of the graph with a loop on every page. Repeat: M := M M (*expansion*: two steps of flow);
//! prune; every entry to the power r, columns divided by their sums (*inflation*: strong flow gets stronger) - until the
//! columns are even. Flow then ends on *attractors*; what flows to the same attractors is a cluster.
//! Chaos, the distance from evenness, is the maximum over columns of (greatest entry - sum of squares) * entries; below 0.0001 it has converged.
//! Source: van Dongen, Graph Clustering by Flow Simulation, thesis, Utrecht 2000; meaning of all settings as in the program
//! mcl 22-282, whose clusterings these are (`groma-bench cluster` compares them).
//! Cost: O(n l^2) a round in the worst case, l = the greater of the selection and recovery numbers; the second round has nine
//! tenths of it where hubs fill every column. What makes it less: twins are one column (`twins.rs`), columns that are alike are made
//! sixteen at a time and columns at rest not at all (`expansion.rs`), and what would drown in the inflation is let go (`pruning.rs`).
//! Memory: 8 bytes an entry of two matrices.
//! Deterministic: the same clusters on any number of threads, bit for bit.
//! Not guaranteed: convergence within the rounds allowed ([`Clustering::converged`] tells); that a cluster is connected; the
//! same clusters after a renumbering of nodes where values tie at the border of what is kept, or where a node is between two clusters alike.

mod agreement;
mod attractors;
mod division;
mod expansion;
mod matrix;
mod pruning;
mod similarity;
mod twins;

pub use agreement::{in_both, nmi, split_join};
pub use division::divide;

use crate::Weighted;
use expansion::Round;
use matrix::Matrix;
use twins::Twins;

/// Chaos below this is none.
const CALM: f64 = 1e-4;

/// How clusters are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// r, above 1: the greater, the smaller the clusters. 1.2 to 5 make sense.
    pub inflation: f64,
    /// The most pages of a column that pruning leaves (mcl: -S); 0 for no such bound.
    pub selection: usize,
    /// The most pages that may come back where pruning took too much (mcl: -R); 0 for none.
    pub recovery: usize,
    /// Too much was taken if less than this share of the flow is left (mcl: -pct / 100).
    pub recovery_share: f64,
    /// Flow to a page below this is dropped (mcl: -p, 1 / -P).
    pub cutoff: f64,
    /// Flow to a page below this after inflation is dropped too; mcl has no such bound, 0 is none.
    pub faint: f64,
    /// Rounds at most.
    pub rounds: u32,
    /// How many threads work on it; 0 for as many as there are in the pool this is called in.
    pub threads: usize,
}

impl Settings {
    /// As [`reference`](Settings::reference), but flow that is faint after inflation goes too: several times as quick where
    /// pages have many links.
    pub fn fast(inflation: f64) -> Settings {
        Settings { faint: 1e-5, ..Settings::reference(inflation) }
    }

    /// As mcl has it unless told otherwise (22-282, scheme 6: -P 10000 -S 1100 -R 1400 -pct 90).
    pub fn reference(inflation: f64) -> Settings {
        Settings {
            inflation,
            selection: 1100,
            recovery: 1400,
            recovery_share: 0.9,
            cutoff: 1e-4,
            faint: 0.0,
            rounds: 1000,
            threads: 0,
        }
    }

    /// The same with numbers that make sense: what is none, or out of range, gives way to the nearest that does.
    fn sound(&self) -> Settings {
        let or = |value: f64, usual: f64| if value.is_nan() { usual } else { value };
        Settings {
            inflation: or(self.inflation, 2.0).clamp(1.01, 100.0),
            recovery_share: or(self.recovery_share, 0.0).clamp(0.0, 1.0),
            cutoff: or(self.cutoff, 0.0).clamp(0.0, 1.0),
            faint: or(self.faint, 0.0).clamp(0.0, 1.0),
            threads: if self.threads == 0 { rayon::current_num_threads() } else { self.threads.min(1024) },
            ..*self
        }
    }
}

/// What came out: every node is in one cluster, and some are said to belong to others too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clustering {
    /// The cluster of each node. Clusters are numbered by size, the greatest first, then by their smallest members.
    pub of: Vec<u32>,
    /// How many nodes each cluster has.
    pub sizes: Vec<u32>,
    /// A node, and a further cluster its flow goes to just as well; in order of the nodes.
    pub overlaps: Vec<(u32, u32)>,
    /// How many rounds were made.
    pub rounds: u32,
    /// Whether the flow came to rest.
    pub converged: bool,
}

impl Clustering {
    /// The nodes of a cluster, ascending; O(nodes).
    pub fn members(&self, cluster: u32) -> Vec<u32> {
        (0u32..).zip(&self.of).filter(|(_, of)| **of == cluster).map(|(node, _)| node).collect()
    }

    /// Numbers clusters by size. Labels are any numbers below the number of nodes.
    fn of_labels(labels: &[u32], overlaps: Vec<(u32, u32)>, rounds: u32, converged: bool) -> Clustering {
        let mut sizes = vec![0u32; labels.len()];
        for &label in labels {
            sizes[label as usize] += 1;
        }
        // By their first appearance, hence by their smallest members; the sort by size leaves that order alone.
        let mut first: Vec<u32> = Vec::new();
        let mut seen = vec![false; labels.len()];
        for &label in labels {
            if !std::mem::replace(&mut seen[label as usize], true) {
                first.push(label);
            }
        }
        first.sort_by_key(|&label| std::cmp::Reverse(sizes[label as usize]));
        let mut numbers = vec![u32::MAX; labels.len()];
        for (number, &label) in (0u32..).zip(&first) {
            numbers[label as usize] = number;
        }
        let of = labels.iter().map(|&label| numbers[label as usize]).collect();
        let mut overlaps: Vec<(u32, u32)> = overlaps
            .into_iter()
            .map(|(node, label)| (node, numbers[label as usize]))
            .filter(|overlap| overlap.1 != u32::MAX)
            .collect();
        overlaps.sort_unstable();
        Clustering {
            of,
            sizes: first.iter().map(|&label| sizes[label as usize]).collect(),
            overlaps,
            rounds,
            converged,
        }
    }
}

/// Clusters a graph. `watch` is told each round and its chaos, and may end it by `false`: what the flow looks like then is what
/// the clusters are made of.
pub fn cluster(graph: &Weighted, settings: &Settings, watch: &mut dyn FnMut(u32, f64) -> bool) -> Clustering {
    flow(graph, &Twins::find(graph), &settings.sound(), watch)
}

/// Clusters a graph of which the twins are known.
fn flow(graph: &Weighted, twins: &Twins, settings: &Settings, watch: &mut dyn FnMut(u32, f64) -> bool) -> Clustering {
    let (sizes, parts) = expansion::sizes(twins);
    let mut matrix = Matrix::start(graph, twins, most_links(settings));
    let (mut rounds, mut converged) = (0, matrix.count() == 0);
    while rounds < settings.rounds && !converged {
        matrix = Round { matrix: &matrix, sizes: &sizes, parts: &parts, settings }.make(settings.threads);
        rounds += 1;
        let chaos = matrix.columns().iter().map(|column| f64::from(column.chaos)).fold(0.0, f64::max);
        converged = chaos < CALM || matrix.columns().iter().all(|column| !column.changed);
        if !watch(rounds, chaos) {
            break;
        }
    }
    let (labels, overlaps) = attractors::interpret(&matrix, twins);
    Clustering::of_labels(&labels, overlaps, rounds, converged)
}

/// How many links of a page count: of twice as many as the cutoff lets through none is above it.
fn most_links(settings: &Settings) -> usize {
    if settings.cutoff > 0.0 { (2.0 / settings.cutoff).min(1e9) as usize } else { usize::MAX }
}

#[cfg(test)]
mod tests;
