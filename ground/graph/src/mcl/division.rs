//! Clusters that are too large are clustered again by themselves, with more inflation, until they are not or will not come apart.
//!
//! Rule: the graph among the members of a cluster with more than `largest` nodes is clustered with the inflation of the step before times
//! [`STEP`]; what is still too large goes on with more, up to [`MOST`]. Inflation only grows, so a node is clustered again
//! at most 9 times from 1.2 on.
//! Source: Senellart, Identifying Websites with Flow Simulation, 2005, where it was done by hand.
//! Cost: that of a clustering of the parts that are too large, for each step.
//! Not guaranteed: that all clusters end below the size wanted: a clique stays one at any inflation. Overlaps with clusters that
//! were divided are forgotten, those found within their parts are added.

use super::{Clustering, Settings, cluster};
use crate::Weighted;

/// How much more inflation a step has.
const STEP: f64 = 1.3;

/// Highest inflation that is tried.
const MOST: f64 = 10.0;

/// Divides clusters of more than `largest` nodes. `watch` is told every round of every part, and may end it by `false`: what
/// is still to be divided is then left as it is.
pub fn divide(
    graph: &Weighted,
    clustering: Clustering,
    settings: &Settings,
    largest: u32,
    watch: &mut dyn FnMut(u32, f64) -> bool,
) -> Clustering {
    let largest = largest.max(1);
    let too_large = |size: &u32| *size > largest;
    if !clustering.sizes.iter().any(too_large) {
        return clustering;
    }
    let Clustering { of, sizes, mut overlaps, mut rounds, mut converged } = clustering;
    overlaps.retain(|overlap| !too_large(&sizes[overlap.1 as usize]));
    let inflation = settings.sound().inflation;
    // A label is the smallest member of a cluster.
    let mut labels = vec![0u32; of.len()];
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); sizes.len()];
    for (node, &cluster) in (0u32..).zip(&of) {
        parts[cluster as usize].push(node);
    }
    for overlap in &mut overlaps {
        overlap.1 = parts[overlap.1 as usize][0];
    }
    let mut waiting: Vec<(Vec<u32>, f64)> = Vec::new();
    let mut settle = |members: Vec<u32>, next: f64, waiting: &mut Vec<(Vec<u32>, f64)>| {
        members.iter().for_each(|&node| labels[node as usize] = members[0]);
        if members.len() as u64 > u64::from(largest) && next <= MOST {
            waiting.push((members, next));
        }
    };
    for members in parts {
        settle(members, inflation * STEP, &mut waiting);
    }
    let mut going = true;
    while let Some((members, inflation)) = waiting.pop().filter(|_| going) {
        let part = graph.part(&members);
        let found = cluster(&part, &Settings { inflation, ..*settings }, &mut |round, chaos| {
            going = watch(round, chaos);
            going
        });
        rounds += found.rounds;
        if !going {
            break;
        }
        converged &= found.converged;
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); found.sizes.len()];
        for (&node, &cluster) in members.iter().zip(&found.of) {
            parts[cluster as usize].push(node);
        }
        // What lies between parts that will be divided again may come to lie elsewhere: then it is found anew.
        for &(node, cluster) in &found.overlaps {
            if !too_large(&found.sizes[cluster as usize]) {
                overlaps.push((members[node as usize], parts[cluster as usize][0]));
            }
        }
        for part in parts {
            settle(part, inflation * STEP, &mut waiting);
        }
    }
    Clustering::of_labels(&labels, overlaps, rounds, converged)
}
