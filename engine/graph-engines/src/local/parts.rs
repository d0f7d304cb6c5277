//! Parts in memory: the rule that `spark/parts.rs` writes as SQL, made in the same whole numbers, so that both come to the same parts.
//!
//! Rule: every node begins with a label: that of its host (the smallest node of it) if there are hosts and this one is no larger than a part may
//! be, else its own. In a round, half of the nodes may move: those whose number has the bit of the round set, or not set. A node counts, for
//! each label, its neighbors of that label, links taken without direction; the label with the most that has room (the smallest of equal ones)
//! is its wish if it has more than its own. A label takes as many wishes as it had room at the beginning of the round: most neighbors first,
//! then the smallest number. Two rounds, one for either half, without a move are the last.
//! Source: label propagation by Raghavan, Albert and Kumara, 2007, with bounded sizes as in Meyerhenke, Sanders and Schulz, Partitioning
//! Complex Networks via Size-Constrained Clustering, 2014; halves in turn, since neighbors that move at once swap labels for ever.
//! Cost: O(arcs log degree) a round. Not guaranteed: a least cut, parts of equal sizes, that a part is connected, or an end before the
//! rounds allowed; never more than the largest size.

use std::collections::HashMap;

use groma_graph::Weighted;

use super::load::Loaded;
use super::tell;
use crate::{GraphEngineError, PartSettings, Progress, Watch};

/// Bits of a number that tell halves apart, one after the other.
pub(crate) const BITS: u32 = 8;

pub(super) struct Partition {
    /// The label of each node: a node of its part, or one that began there.
    pub(super) of: Vec<u32>,
    pub(super) rounds: u32,
    pub(super) moved: u64,
    pub(super) converged: bool,
}

/// Which bit is looked at in a round, and what it must be.
pub(crate) fn turn(round: u32) -> (u32, i64) {
    let place = round.saturating_sub(1);
    (place / 2 % BITS, i64::from(place % 2))
}

pub(super) fn parts(loaded: &Loaded, settings: &PartSettings, watch: Watch<'_>) -> Result<Partition, GraphEngineError> {
    let graph = Weighted::undirected(&loaded.graph);
    let mut found = Partition { of: beginning(loaded, settings.largest), rounds: 0, moved: 0, converged: false };
    let mut before = u64::MAX;
    while found.rounds < settings.rounds && !found.converged {
        found.rounds += 1;
        found.moved = round(loaded, &graph, &mut found.of, found.rounds, settings.largest);
        found.converged = found.rounds.is_multiple_of(2) && found.moved == 0 && before == 0;
        before = found.moved;
        tell(watch, Progress { step: "parts", round: found.rounds, change: found.moved as f64 })?;
    }
    Ok(found)
}

fn beginning(loaded: &Loaded, largest: u32) -> Vec<u32> {
    let mut hosts: HashMap<&str, (u32, u32)> = HashMap::new();
    for node in 0..loaded.graph.node_count() {
        if let Some(host) = loaded.host(node) {
            hosts.entry(host).or_insert((node, 0)).1 += 1;
        }
    }
    let label = |node: u32| match loaded.host(node).and_then(|host| hosts.get(host)) {
        Some(&(first, size)) if size <= largest => first,
        _ => node,
    };
    (0..loaded.graph.node_count()).map(label).collect()
}

/// Makes a round; says how many moved.
fn round(loaded: &Loaded, graph: &Weighted, labels: &mut [u32], round: u32, largest: u32) -> u64 {
    let (bit, value) = turn(round);
    let mut sizes = vec![0u32; labels.len()];
    for &label in labels.iter() {
        sizes[label as usize] += 1;
    }
    // Label, neighbors down, node: the order in which wishes are granted.
    let mut wishes: Vec<(u32, std::cmp::Reverse<u64>, u32)> = Vec::new();
    let mut votes: Vec<u32> = Vec::new();
    for node in (0..labels.len() as u32).filter(|&node| (loaded.ids[node as usize] >> bit) & 1 == value) {
        votes.clear();
        votes.extend(graph.neighbours(node).0.iter().map(|&to| labels[to as usize]));
        votes.sort_unstable();
        let own = labels[node as usize];
        let (mut mine, mut best) = (0u64, (0u64, own));
        for same in votes.chunk_by(|a, b| a == b) {
            let (label, count) = (same[0], same.len() as u64);
            if label == own {
                mine = count;
            } else if sizes[label as usize] < largest && count > best.0 {
                best = (count, label);
            }
        }
        if best.0 > mine {
            wishes.push((best.1, std::cmp::Reverse(best.0), node));
        }
    }
    wishes.sort_unstable();
    let mut moved = 0;
    for same in wishes.chunk_by(|a, b| a.0 == b.0) {
        let room = largest.saturating_sub(sizes[same[0].0 as usize]) as usize;
        for &(label, _, node) in same.iter().take(room) {
            labels[node as usize] = label;
            moved += 1;
        }
    }
    moved
}
