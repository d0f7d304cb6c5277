//! Rows hold what was put in, however it came.

use std::collections::{BTreeMap, BTreeSet};

use groma_graph::{ArcScan, Csr, Rows};
use proptest::prelude::*;

/// Links between up to 40 nodes, some to themselves, some out of range, some twice, with marks.
fn links() -> impl Strategy<Value = (u32, Vec<(u32, u32, bool)>)> {
    (0u32..40).prop_flat_map(|count| {
        let node = 0..count + 3;
        (Just(count), prop::collection::vec((node.clone(), node, any::<bool>()), 0..300))
    })
}

/// The rows by definition: of parallel links the arc is navigation only if all are.
fn arcs(count: u32, links: &[(u32, u32, bool)]) -> BTreeMap<(u32, u32), bool> {
    let mut arcs = BTreeMap::new();
    for &(from, to, mark) in links.iter().filter(|(from, to, _)| from != to && from.max(to) < &count) {
        let all = arcs.entry((from, to)).or_insert(true);
        *all &= mark;
    }
    arcs
}

fn marked(count: u32, links: &[(u32, u32, bool)]) -> Csr {
    let mut rows = Rows::new(count);
    for node in 0..count {
        let mut row: Vec<(u32, bool)> = links.iter().filter(|l| l.0 == node).map(|l| (l.1, l.2)).collect();
        assert!(rows.push_marked(node, &mut row));
    }
    rows.finish()
}

fn read(graph: &Csr) -> Vec<((u32, u32), bool)> {
    let row = |node| graph.marked_successors(node).map(move |(to, mark)| ((node, to), mark));
    (0..graph.node_count()).flat_map(row).collect()
}

/// All arcs turned round, in order.
fn turned(graph: &Csr) -> Vec<((u32, u32), bool)> {
    let mut turned: Vec<((u32, u32), bool)> = read(graph).into_iter().map(|((a, b), mark)| ((b, a), mark)).collect();
    turned.sort_unstable();
    turned
}

proptest! {
    #[test]
    fn rows_are_the_links_each_once_and_never_to_oneself((count, links) in links()) {
        let expected: Vec<((u32, u32), bool)> = arcs(count, &links).into_iter().collect();
        let graph = marked(count, &links);
        prop_assert_eq!(read(&graph), expected.clone());
        prop_assert_eq!(graph.node_count(), count);
        prop_assert_eq!(graph.arc_count(), expected.len() as u64);
        prop_assert_eq!(graph.has_navigation(), expected.iter().any(|arc| arc.1));

        let plain = Csr::of_arcs(count, links.iter().map(|l| (l.0, l.1)));
        let mut rows = Rows::new(count);
        let sources: BTreeSet<u32> = links.iter().map(|l| l.0).filter(|from| *from < count).collect();
        for from in sources {
            assert!(rows.push(from, &mut links.iter().filter(|l| l.0 == from).map(|l| l.1).collect()));
        }
        prop_assert_eq!(&rows.finish(), &plain);
        prop_assert!(!plain.has_navigation());
        prop_assert!((0..count).all(|node| plain.successors(node) == graph.successors(node)));
    }

    #[test]
    fn turning_round_keeps_arcs_and_marks((count, links) in links()) {
        let graph = marked(count, &links);
        let turned = turned(&graph);
        let transposed = graph.transpose();
        prop_assert_eq!(read(&transposed), turned);
        let in_degrees: Vec<u32> = (0..count).map(|node| transposed.successors(node).len() as u32).collect();
        prop_assert_eq!(graph.in_degrees(), in_degrees);
        prop_assert_eq!(transposed.transpose(), graph);
    }

    #[test]
    fn a_scan_shows_what_the_rows_hold((count, links) in links()) {
        let graph = marked(count, &links);
        let mut seen = Vec::new();
        graph.scan_marked(&mut |row| {
            for (link, &to) in row.successors.iter().enumerate() {
                seen.push(((row.node, to), row.navigation.get(link) == Some(&true)));
            }
        });
        prop_assert_eq!(seen, read(&graph));
        let mut nodes = Vec::new();
        graph.scan(&mut |node, successors| {
            assert_eq!(successors, graph.successors(node));
            nodes.push(node);
        });
        let linking: Vec<u32> = (0..count).filter(|node| !graph.successors(*node).is_empty()).collect();
        prop_assert_eq!(nodes, linking);
    }
}

#[test]
fn a_graph_of_many_bands_and_stretches_turns_round_the_same_on_any_number_of_threads() {
    let count = 70_000u32;
    let mut rows = Rows::new(count);
    for node in 0..count {
        let link =
            |step: u32| (node.wrapping_mul(2_654_435_761).wrapping_mul(step) % count, (node ^ step).is_multiple_of(3));
        rows.push_marked(node, &mut (1..5).map(link).collect());
    }
    let graph = rows.finish();
    let turned = turned(&graph);
    assert!(graph.arc_count() > 200_000 && graph.has_navigation());
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(read(&pool.install(|| graph.transpose())) == turned, "{threads} threads");
    }
    let arcs: Vec<(u32, u32)> = read(&graph).into_iter().map(|(arc, _)| arc).collect();
    let shuffled = (0..arcs.len()).map(|place| arcs[(place * 7919 + 5) % arcs.len()]);
    let plain = Csr::of_arcs(count, shuffled.chain(arcs.iter().copied().take(1000)));
    assert!(read(&plain).into_iter().map(|(arc, _)| arc).eq(arcs.iter().copied()));
}

#[test]
fn rows_out_of_order_or_out_of_range_are_refused() {
    let mut rows = Rows::new(4);
    assert!(rows.push(1, &mut vec![3, 0, 3, 1, 9]));
    assert!(!rows.push(1, &mut vec![2]));
    assert!(!rows.push(0, &mut vec![2]));
    assert!(!rows.push(4, &mut vec![2]));
    assert!(!rows.push_marked(u32::MAX, &mut vec![(2, true)]));
    assert!(rows.push_marked(3, &mut vec![(0, true), (0, false), (1, true)]));
    let graph = rows.finish();
    assert_eq!(read(&graph), [((1, 0), false), ((1, 3), false), ((3, 0), false), ((3, 1), true)]);
    assert!(graph.links(3, 1) && !graph.links(1, 1));
    let none = Csr::of_arcs(0, [(0, 0), (1, 2)]);
    assert_eq!((none.node_count(), none.arc_count(), none.transpose()), (0, 0, none.clone()));
}
