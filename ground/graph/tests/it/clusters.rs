//! Clusters by MCL: known ones, the laws of any, and the textbook's.

use groma_graph::mcl::{Clustering, Settings, cluster, divide, nmi};
use groma_graph::{Csr, Weighted};
use proptest::prelude::*;

use crate::textbook;

fn clustered(graph: &Weighted, settings: &Settings) -> Clustering {
    cluster(graph, settings, &mut |_, _| true)
}

fn of_edges(count: u32, edges: &[(u32, u32)]) -> Weighted {
    Weighted::of_edges(count, edges.iter().map(|&(from, to)| (from, to, 1.0)))
}

fn clique(nodes: std::ops::Range<u32>) -> Vec<(u32, u32)> {
    nodes.clone().flat_map(|one| (one + 1..nodes.end).map(move |other| (one, other))).collect()
}

/// Settings with which nothing is pruned.
fn unpruned(inflation: f64) -> Settings {
    Settings { selection: 0, recovery: 0, cutoff: 0.0, ..Settings::reference(inflation) }
}

fn both(inflation: f64) -> [Settings; 2] {
    [Settings::fast(inflation), Settings::reference(inflation)]
}

#[test]
fn two_cliques_joined_by_an_edge_are_two_clusters() {
    let edges = [clique(0..6), clique(6..10), vec![(5, 6)]].concat();
    for settings in both(2.0) {
        let found = clustered(&of_edges(10, &edges), &settings);
        assert_eq!(found.of, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!((found.sizes.as_slice(), found.converged), (&[6, 4][..], true));
        assert!(found.overlaps.is_empty());
        assert_eq!(found.members(1), [6, 7, 8, 9]);
        assert!(found.members(2).is_empty());
    }
}

#[test]
fn a_star_is_one_cluster_and_nodes_alone_are_one_each() {
    for settings in both(2.0) {
        let star: Vec<(u32, u32)> = (1..50).map(|leaf| (0, leaf)).collect();
        let found = clustered(&of_edges(53, &star), &settings);
        assert_eq!(found.sizes, [50, 1, 1, 1]);
        assert_eq!(found.of[50..], [1, 2, 3]);
        let nobody = clustered(&of_edges(0, &[]), &settings);
        assert_eq!((nobody.of.len(), nobody.sizes.len(), nobody.rounds, nobody.converged), (0, 0, 0, true));
        assert_eq!(clustered(&of_edges(1, &[]), &settings).of, [0]);
        assert_eq!(clustered(&of_edges(3, &[]), &settings).of, [0, 1, 2]);
    }
}

/// What mcl 22-282 says: `mcl - --abc -I 2.0`, and with `-overlap keep` where nodes are in several.
#[test]
fn paths_are_cut_where_mcl_cuts_them() {
    let path = |count: u32| of_edges(count, &(1..count).map(|node| (node - 1, node)).collect::<Vec<_>>());
    let found = clustered(&path(4), &Settings::reference(2.0));
    assert_eq!(found.of, [0, 0, 1, 1]);
    // The middle of three is where all flow gathers.
    assert_eq!(clustered(&path(3), &Settings::reference(2.0)).of, [0, 0, 0]);
    // The middle of five flows to both sides alike.
    let found = clustered(&path(5), &Settings::reference(2.0));
    assert_eq!((found.of.as_slice(), found.overlaps.as_slice()), (&[0, 0, 0, 1, 1][..], &[(2, 1)][..]));
    assert_eq!(clustered(&path(6), &Settings::reference(2.0)).of, [0, 0, 0, 1, 1, 1]);
    for count in 2..40 {
        let found = clustered(&path(count), &Settings::reference(2.0));
        let runs = found.of.chunk_by(|a, b| a == b).count();
        assert_eq!(runs, found.sizes.len(), "a cluster of a path is a stretch of it: {:?}", found.of);
        assert!(found.converged && found.sizes.iter().all(|size| *size <= 6));
    }
}

#[test]
fn weights_decide() {
    // A ring of six: strong pairs, weak links between them.
    let ring =
        |strong: f32| (0..6u32).map(move |node| (node, (node + 1) % 6, if node % 2 == 0 { strong } else { 1.0 }));
    for settings in both(2.0) {
        assert_eq!(clustered(&Weighted::of_edges(6, ring(9.0)), &settings).of, [0, 0, 1, 1, 2, 2]);
        assert_eq!(clustered(&Weighted::of_edges(6, ring(0.1)), &settings).of, [0, 1, 1, 2, 2, 0]);
        // The scale does not.
        let huge = Weighted::of_edges(6, ring(9.0).map(|(from, to, weight)| (from, to, weight * 1e30)));
        assert_eq!(clustered(&huge, &settings).of, [0, 0, 1, 1, 2, 2]);
    }
}

#[test]
fn more_inflation_gives_more_clusters() {
    // A ring of 30 triangles.
    let triangles = (0..30u32).flat_map(|t| {
        let (a, b, c) = (3 * t, 3 * t + 1, 3 * t + 2);
        [(a, b), (b, c), (a, c), (c, (a + 3) % 90)]
    });
    let graph = of_edges(90, &triangles.collect::<Vec<_>>());
    let counts = [1.3, 2.0, 4.0].map(|inflation| clustered(&graph, &Settings::fast(inflation)).sizes.len());
    assert_eq!(counts, [1, 30, 60], "as mcl 22-282 says");
}

#[test]
fn odd_settings_are_taken_for_the_nearest_that_make_sense() {
    let graph = of_edges(10, &[clique(0..6), clique(6..10), vec![(5, 6)]].concat());
    for inflation in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
        let settings = Settings {
            inflation,
            recovery_share: f64::NAN,
            cutoff: inflation,
            faint: -inflation,
            rounds: 50,
            threads: 100_000,
            ..Settings::fast(2.0)
        };
        let found = clustered(&graph, &settings);
        assert_eq!(found.sizes.iter().sum::<u32>(), 10);
    }
    let none = clustered(&graph, &Settings { rounds: 0, ..Settings::fast(2.0) });
    assert_eq!((none.rounds, none.converged, none.of.len()), (0, false, 10));
}

#[test]
fn whoever_watches_may_end_it() {
    let edges: Vec<(u32, u32)> = (1..2000).map(|node| (node - 1, node)).collect();
    let mut told = Vec::new();
    let found = cluster(&of_edges(2000, &edges), &Settings::fast(1.3), &mut |round, chaos| {
        told.push((round, chaos));
        round < 3
    });
    assert_eq!((found.rounds, found.converged, told.len()), (3, false, 3));
    assert!(told.iter().all(|(_, chaos)| *chaos > 0.0));
    assert_eq!(found.sizes.iter().sum::<u32>(), 2000);
}

/// Quadratic work would be ten thousand million steps and more.
#[test]
fn hubs_are_no_burden() {
    let leaves = 100_000u32;
    let star = (1..=leaves).map(|leaf| (0, leaf, 1.0));
    let found = clustered(&Weighted::of_edges(leaves + 1, star.clone()), &Settings::fast(2.0));
    assert_eq!(found.sizes, [leaves + 1]);
    // No two leaves alike: each is linked to the next with a weight of its own.
    let rim = (1..leaves).map(|leaf| (leaf, leaf + 1, 0.5 + (leaf % 97) as f32 / 200.0));
    let wheel = Weighted::of_edges(leaves + 1, star.chain(rim));
    let found = clustered(&wheel, &Settings::fast(2.0));
    assert_eq!(found.sizes.iter().sum::<u32>(), leaves + 1);
    assert!(found.converged);
}

/// All members of a clique are equal and more than a column may keep; a leaf on each keeps them from being twins.
#[test]
fn a_tie_greater_than_a_column_does_not_tear_a_clique() {
    let edges = [clique(0..1500), (0..1500).map(|node| (node, node + 1500)).collect()].concat();
    let found = clustered(&of_edges(3000, &edges), &Settings::fast(2.0));
    assert_eq!(found.sizes, [3000]);
}

#[test]
fn clusters_that_are_too_large_come_apart() {
    // Ten cliques of eight on a ring, each joined to the next by four edges: few clusters at little inflation.
    let mut edges = Vec::new();
    for part in 0..10u32 {
        edges.extend(clique(8 * part..8 * part + 8));
        edges.extend((0..4).map(|link| (8 * part + link, (8 * part + 8 + link + 4) % 80)));
    }
    edges.extend(clique(80..120));
    let graph = of_edges(120, &edges);
    let settings = Settings::fast(1.2);
    let coarse = clustered(&graph, &settings);
    assert!(coarse.sizes[0] > 40, "{:?}", coarse.sizes);
    let fine = divide(&graph, coarse.clone(), &settings, 20, &mut |_, _| true);
    // A clique does not come apart whatever is asked for.
    assert_eq!(fine.sizes[0], 40);
    assert!(fine.sizes[1] <= 20, "{:?}", fine.sizes);
    assert!(fine.rounds > coarse.rounds);
    // Parts of parts: nodes that were apart stay apart.
    for (one, other) in (0..120).flat_map(|one| (0..one).map(move |other| (one, other))) {
        assert!(fine.of[one] != fine.of[other] || coarse.of[one] == coarse.of[other]);
    }
    let same = divide(&graph, coarse.clone(), &settings, 1000, &mut |_, _| true);
    assert_eq!(same, coarse);
    let stopped = divide(&graph, coarse.clone(), &settings, 20, &mut |_, _| false);
    assert_eq!(stopped.sizes, coarse.sizes);
    assert_eq!(divide(&graph, coarse, &settings, 0, &mut |_, _| true).sizes.iter().sum::<u32>(), 120);
}

/// The clusters as sets, whatever their numbers.
fn as_sets(found: &Clustering, number: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
    let mut sets: Vec<Vec<u32>> = (0..found.sizes.len() as u32)
        .map(|cluster| {
            let mut members: Vec<u32> = found.members(cluster).into_iter().map(&number).collect();
            members.sort_unstable();
            members
        })
        .collect();
    sets.sort();
    sets
}

/// Any edges, with loops, repetitions, and weights that all differ where `distinct`.
fn graphs(nodes: u32, distinct: bool) -> impl Strategy<Value = Weighted> {
    (1..nodes).prop_flat_map(move |count| {
        let edges = prop::collection::vec((0..count, 0..count, 1u32..1_000_000), 0..count as usize * 3);
        edges.prop_map(move |edges| {
            let weight = |weight: u32| if distinct { 0.2 + weight as f32 / 1e6 } else { 1.0 };
            Weighted::of_edges(count, edges.into_iter().map(|(from, to, by)| (from, to, weight(by))))
        })
    })
}

/// The clusters of the textbook, where they do not hang on the last digits and nobody is in two.
fn certain(graph: &Weighted, inflation: f64) -> Option<Vec<usize>> {
    let found = textbook::clusters(graph, inflation, 0.0)?;
    let disturbed = textbook::clusters(graph, inflation, 1e-5)?;
    let sharp = found.iter().all(|clusters| clusters.len() == 1);
    (sharp && found == disturbed).then(|| found.into_iter().map(|clusters| clusters[0]).collect())
}

proptest! {
    #[test]
    fn every_node_is_in_one_cluster_and_clusters_are_in_order(graph in graphs(120, false), inflation in 1.1f64..4.0) {
        for settings in both(inflation) {
            let found = clustered(&graph, &settings);
            prop_assert_eq!(found.of.len(), graph.node_count() as usize);
            let mut sizes = vec![0u32; found.sizes.len()];
            found.of.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
            prop_assert_eq!(&sizes, &found.sizes);
            let key = |cluster: usize| (std::cmp::Reverse(found.sizes[cluster]), found.members(cluster as u32)[0]);
            let keys: Vec<_> = (0..found.sizes.len()).map(key).collect();
            prop_assert!(keys.is_sorted());
            prop_assert!(found.overlaps.is_sorted());
            for &(node, further) in &found.overlaps {
                prop_assert!((further as usize) < found.sizes.len() && found.of[node as usize] != further);
            }
        }
    }

    #[test]
    fn threads_do_not_matter(graph in graphs(300, false), inflation in 1.2f64..3.0, threads in 2usize..6) {
        for settings in both(inflation) {
            let one = clustered(&graph, &Settings { threads: 1, ..settings });
            prop_assert_eq!(clustered(&graph, &Settings { threads, ..settings }), one);
        }
    }

    #[test]
    fn nothing_pruned_is_the_textbook(graph in graphs(16, true), inflation in 1.3f64..3.0) {
        if let Some(wanted) = certain(&graph, inflation) {
            let wanted: Vec<u32> = wanted.into_iter().map(|cluster| cluster as u32).collect();
            let found = clustered(&graph, &unpruned(inflation));
            prop_assert!(nmi(&found.of, &wanted) > 1.0 - 1e-9, "{:?} {:?}", found.of, wanted);
            prop_assert!(found.converged);
        }
    }

    #[test]
    fn other_numbers_give_the_same_clusters(graph in graphs(16, true), inflation in 1.3f64..3.0, seed in any::<u64>()) {
        if certain(&graph, inflation).is_some() {
            let count = graph.node_count();
            let mut new: Vec<u32> = (0..count).collect();
            new.sort_by_key(|&node| (u64::from(node) + 1).wrapping_mul(seed | 1).rotate_left(29).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let edges = (0..count).flat_map(|node| {
                let (targets, weights) = graph.neighbours(node);
                targets.iter().zip(weights).map(move |(&to, &weight)| (node, to, weight)).collect::<Vec<_>>()
            });
            let renumbered = Weighted::of_edges(count, edges.map(|(from, to, by)| (new[from as usize], new[to as usize], by)));
            for settings in both(inflation) {
                let (old, other) = (clustered(&graph, &settings), clustered(&renumbered, &settings));
                prop_assert_eq!(as_sets(&old, |node| new[node as usize]), as_sets(&other, |node| node));
            }
        }
    }

    #[test]
    fn links_in_either_direction_are_the_same(arcs in prop::collection::vec((0u32..40, 0u32..40), 0..100)) {
        let turned = arcs.iter().map(|&(from, to)| if (from + to) % 2 == 0 { (to, from) } else { (from, to) });
        let graph = Weighted::undirected(&Csr::of_arcs(40, arcs.iter().copied()));
        prop_assert_eq!(&Weighted::undirected(&Csr::of_arcs(40, turned)), &graph);
        prop_assert_eq!(&Weighted::of_edges(40, arcs.iter().map(|&(from, to)| (from, to, 1.0))), &graph);
    }
}
