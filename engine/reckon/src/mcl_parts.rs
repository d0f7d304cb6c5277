//! Clusters of a graph that does not fit, part by part on one machine.
//!
//! Rule: the links inside a part ([`crate::Engine::parts`]) are a graph of its own; MCL divides it. Links between parts are not seen.
//! Source: van Dongen's MCL ([`groma_graph::mcl`]) on what label propagation left together.
//! Cost: the links inside parts are read once to be counted, then once for each batch of parts that fits; memory is that of a batch and of MCL on one
//! part. Not guaranteed: the clusters of MCL on the whole graph: a cluster that a part's border cuts is found in pieces.

use std::collections::BTreeMap;

use groma_graph::mcl::{self, Settings};
use groma_graph::{Csr, Weighted};

use crate::files::{each, whole};
use crate::input::below;
use crate::{Going, Progress, ReckonError, Watch};

/// Clusters every part of `work` that has links, at most `batch` links in memory at a time (or one part). Gives each page of such a part with the smallest
/// number of its cluster; pages without links inside their part are clusters of their own and are not told. Returns how many parts were clustered.
pub fn cluster_parts(
    work: &str,
    settings: &Settings,
    batch: u64,
    watch: Watch<'_>,
    found: &mut dyn FnMut(i64, i64),
) -> Result<u32, ReckonError> {
    let path = below(&below(work, "results"), "part-links");
    let wanted = [whole("part"), whole("source"), whole("target")];
    let mut sizes: BTreeMap<i64, u64> = BTreeMap::new();
    each(&path, &wanted[..1], u64::MAX, &mut |columns| {
        for part in columns[0].wholes() {
            *sizes.entry(part).or_default() += 1;
        }
    })?;
    let mut sizes = sizes.into_iter().peekable();
    let mut done = 0;
    while let Some((first, mut links)) = sizes.next() {
        let mut last = first;
        while let Some((part, more)) = sizes.next_if(|(_, more)| links + more <= batch) {
            (last, links) = (part, links + more);
        }
        let mut parts: BTreeMap<i64, Vec<(i64, i64)>> = BTreeMap::new();
        each(&path, &wanted, u64::MAX, &mut |columns| {
            let ends = columns[1].wholes().zip(columns[2].wholes());
            for (part, ends) in columns[0].wholes().zip(ends).filter(|(part, _)| (first..=last).contains(part)) {
                parts.entry(part).or_default().push(ends);
            }
        })?;
        for links in parts.into_values() {
            divide(&links, settings, found);
            done += 1;
            if watch(&Progress { step: "clusters", round: done, change: links.len() as f64 }) == Going::Stop {
                return Err(ReckonError::Stopped { step: "clusters", round: done });
            }
        }
    }
    Ok(done)
}

fn divide(links: &[(i64, i64)], settings: &Settings, found: &mut dyn FnMut(i64, i64)) {
    let mut ids: Vec<i64> = links.iter().flat_map(|&(from, to)| [from, to]).collect();
    ids.sort_unstable();
    ids.dedup();
    let node = |id: i64| ids.binary_search(&id).map_or(u32::MAX, |node| node as u32);
    let graph = Csr::of_arcs(ids.len() as u32, links.iter().map(|&(from, to)| (node(from), node(to))));
    let clusters = mcl::cluster(&Weighted::undirected(&graph), settings, &mut |_, _| true);
    let mut smallest: BTreeMap<u32, i64> = BTreeMap::new();
    for (&id, &cluster) in ids.iter().zip(&clusters.of) {
        // Ids ascend, so the first of a cluster is its smallest.
        found(id, *smallest.entry(cluster).or_insert(id));
    }
}
