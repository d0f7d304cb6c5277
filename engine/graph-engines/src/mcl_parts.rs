//! Clusters of a graph that does not fit, part by part on one machine.
//!
//! Rule: the links inside a part ([`crate::Engine::parts`]) are a graph of its own; MCL divides it. Links between parts are not seen.
//! Source: van Dongen's MCL ([`groma_graph::mcl`]) on what label propagation left together.
//! Cost: the links inside parts are read once to be counted, then once for each batch of parts that fits; memory is that of a batch and of MCL on one
//! part. Not guaranteed: the clusters of MCL on the whole graph: a cluster that a part's border cuts is found in pieces.

use std::collections::BTreeMap;

use groma_graph::mcl::{self, Clustering, Settings};
use groma_graph::{Csr, Weighted};

use crate::{Going, GraphEngineError, Progress, Watch};

/// Links inside parts, as often as they are asked for: part, source, target.
pub type PartLinks<'a> = dyn FnMut(&mut dyn FnMut(i64, i64, i64)) -> Result<(), GraphEngineError> + 'a;

/// How parts are clustered.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Settings of MCL itself.
    pub settings: Settings,
    /// Clusters above this are clustered again; 0: none is.
    pub largest: u32,
    /// So many links are in memory at a time, or one part.
    pub batch: u64,
}

/// Counts of a clustering in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parted {
    /// Parts that were clustered.
    pub parts: u32,
    /// The most rounds a part took.
    pub rounds: u32,
    /// Nothing moved any more at the end of any.
    pub converged: bool,
}

/// Clusters every part that has links. Gives each page of such a part with the smallest number of its cluster; pages without links inside
/// their part are clusters of their own and are not told.
pub fn cluster_parts(
    links: &mut PartLinks<'_>,
    manner: &Manner,
    watch: Watch<'_>,
    found: &mut dyn FnMut(i64, i64),
) -> Result<Parted, GraphEngineError> {
    let mut sizes: BTreeMap<i64, u64> = BTreeMap::new();
    links(&mut |part, _, _| *sizes.entry(part).or_default() += 1)?;
    let mut sizes = sizes.into_iter().peekable();
    let mut done = Parted { parts: 0, rounds: 0, converged: true };
    while let Some((first, mut held)) = sizes.next() {
        let mut last = first;
        while let Some((part, more)) = sizes.next_if(|(_, more)| held + more <= manner.batch) {
            (last, held) = (part, held + more);
        }
        let mut parts: BTreeMap<i64, Vec<(i64, i64)>> = BTreeMap::new();
        links(&mut |part, from, to| {
            if (first..=last).contains(&part) {
                parts.entry(part).or_default().push((from, to));
            }
        })?;
        for links in parts.into_values() {
            done.parts += 1;
            let part = done.parts;
            let mut on = || watch(&Progress { step: "clusters", round: part, change: links.len() as f64 }) == Going::On;
            let Some(clustering) = divide(&links, manner, &mut on, found) else {
                return Err(GraphEngineError::Stopped { step: "clusters", round: part });
            };
            done.rounds = done.rounds.max(clustering.rounds);
            done.converged &= clustering.converged;
        }
    }
    Ok(done)
}

/// Clusters a part; nothing if it is to stop.
fn divide(
    links: &[(i64, i64)],
    manner: &Manner,
    on: &mut dyn FnMut() -> bool,
    found: &mut dyn FnMut(i64, i64),
) -> Option<Clustering> {
    let mut ids: Vec<i64> = links.iter().flat_map(|&(from, to)| [from, to]).collect();
    ids.sort_unstable();
    ids.dedup();
    let node = |id: i64| ids.binary_search(&id).map_or(u32::MAX, |node| node as u32);
    let graph = Csr::of_arcs(ids.len() as u32, links.iter().map(|&(from, to)| (node(from), node(to))));
    let graph = Weighted::undirected(&graph);
    let mut stopped = false;
    let mut round = |_: u32, _: f64| {
        stopped |= !on();
        !stopped
    };
    let mut clustering = mcl::cluster(&graph, &manner.settings, &mut round);
    if manner.largest > 0 {
        clustering = mcl::divide(&graph, clustering, &manner.settings, manner.largest, &mut round);
    }
    if stopped {
        return None;
    }
    let mut smallest: BTreeMap<u32, i64> = BTreeMap::new();
    for (&id, &cluster) in ids.iter().zip(&clustering.of) {
        // Ids ascend, so the first of a cluster is its smallest.
        found(id, *smallest.entry(cluster).or_insert(id));
    }
    Some(clustering)
}
