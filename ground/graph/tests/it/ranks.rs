//! Ranks are what the formula says.

use groma_graph::pagerank::{Ranks, Settings, rank, rank_by_scan};
use groma_graph::{ArcScan, Csr, Rows};
use proptest::prelude::*;

/// An arc: from, to, and whether it is navigation.
type Arc = (u32, u32, bool);

fn graph(count: u32, arcs: &[Arc]) -> Csr {
    let mut rows = Rows::new(count);
    for node in 0..count {
        rows.push_marked(node, &mut arcs.iter().filter(|arc| arc.0 == node).map(|arc| (arc.1, arc.2)).collect());
    }
    rows.finish()
}

fn plain(count: u32, arcs: &[(u32, u32)]) -> Ranks {
    rank(&Csr::of_arcs(count, arcs.iter().copied()), &Settings::default())
}

fn near(found: &[f64], expected: &[f64], relative: f64) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= relative * a.abs().max(b.abs()).max(1.0))
}

/// Solves x = (1 - k) + k M x by elimination with pivots, M from the definition.
fn solve(graph: &Csr, settings: &Settings) -> Vec<f64> {
    let count = graph.node_count() as usize;
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; count + 1]; count];
    for (node, row) in rows.iter_mut().enumerate() {
        row[node] = 1.0;
        row[count] = 1.0 - settings.damping;
    }
    for from in 0..graph.node_count() {
        let links: Vec<(u32, bool)> = graph.marked_successors(from).collect();
        let worth = |mark: bool| if mark { settings.navigation } else { 1.0 };
        let all: f64 = links.iter().map(|link| worth(link.1)).sum();
        for (to, mark) in links.into_iter().filter(|_| all > 0.0) {
            rows[to as usize][from as usize] -= settings.damping * worth(mark) / all;
        }
    }
    for column in 0..count {
        let larger = |&a: &usize, &b: &usize| rows[a][column].abs().total_cmp(&rows[b][column].abs());
        let best = (column..count).max_by(larger).unwrap_or(column);
        rows.swap(column, best);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(value, p)| *value -= factor * p);
        }
    }
    (0..count).map(|node| rows[node][count] / rows[node][node]).collect()
}

fn arcs() -> impl Strategy<Value = (u32, Vec<Arc>)> {
    (1u32..30).prop_flat_map(|count| (Just(count), prop::collection::vec((0..count, 0..count, any::<bool>()), 0..120)))
}

fn weights() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 0.0, 0.25, 3.0])
}

proptest! {
    #[test]
    fn ranks_solve_the_equations((count, arcs) in arcs(), damping in 0.0..0.95f64, weight in weights()) {
        let graph = graph(count, &arcs);
        let settings = Settings { damping, navigation: weight, tolerance: 1e-12, rounds: 2000 };
        let ranks = rank(&graph, &settings);
        prop_assert!(ranks.converged());
        let solved = solve(&graph, &settings);
        prop_assert!(near(&ranks.values, &solved, 1e-9), "{:?} {:?}", ranks.values, solved);
        prop_assert!(ranks.values.iter().all(|rank| *rank >= 1.0 - damping));
        let sum: f64 = ranks.values.iter().sum();
        prop_assert!(sum <= f64::from(count) * (1.0 + 1e-9), "nothing comes from nowhere: {sum}");
    }

    #[test]
    fn pushing_along_a_scan_gives_the_same_ranks((count, arcs) in arcs(), weight in weights()) {
        let graph = graph(count, &arcs);
        let settings = Settings { navigation: weight, ..Settings::default() };
        let (pulled, pushed) = (rank(&graph, &settings), rank_by_scan(&graph, &settings));
        prop_assert!(near(&pulled.values, &pushed.values, 1e-12));
        prop_assert_eq!((pulled.rounds, pulled.converged()), (pushed.rounds, pushed.converged()));
    }

    #[test]
    fn without_a_weight_marks_make_no_difference((count, arcs) in arcs()) {
        let unmarked: Vec<Arc> = arcs.iter().map(|&(from, to, _)| (from, to, false)).collect();
        let settings = Settings::default();
        prop_assert_eq!(rank(&graph(count, &arcs), &settings), rank(&graph(count, &unmarked), &settings));
    }
}

#[test]
fn closed_forms() {
    let k = 0.85f64;
    let cycle = plain(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    assert_eq!(cycle.values, [1.0; 5], "start and fixed point of a cycle, bit for bit");
    assert_eq!(cycle.rounds, 1);

    let star = plain(11, &(1..11).map(|leaf| (leaf, 0)).collect::<Vec<_>>());
    assert!(near(&star.values[1..], &[0.15; 10], 1e-12) && near(&star.values[..1], &[0.15 + 10.0 * k * 0.15], 1e-12));

    let both: Vec<(u32, u32)> = (1..11).flat_map(|leaf| [(0, leaf), (leaf, 0)]).collect();
    let hub = (0.15 + 10.0 * k * 0.15) / (1.0 - k * k);
    let star = plain(11, &both);
    assert!(near(&star.values[..1], &[hub], 1e-8) && near(&star.values[1..], &[0.15 + k * hub / 10.0; 10], 1e-8));
    assert!(
        star.values[1..].windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits()),
        "equal positions, equal ranks"
    );

    let chain = plain(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    let expected: Vec<f64> = (1..=6).map(|place| 1.0 - k.powi(place)).collect();
    assert!(near(&chain.values, &expected, 1e-12), "{chain:?}");

    let dead_ends = plain(4, &[(0, 1), (0, 2), (0, 3)]);
    assert!(near(&dead_ends.values, &[0.15, 0.15 + k * 0.05, 0.15 + k * 0.05, 0.15 + k * 0.05], 1e-12));
    assert!(near(&plain(3, &[]).values, &[0.15; 3], 1e-12));
    assert!(plain(0, &[]).converged() && plain(0, &[]).values.is_empty());
}

#[test]
fn parallel_links_count_once_and_self_links_not_at_all() {
    let once = plain(3, &[(0, 1), (0, 2), (1, 0)]);
    assert_eq!(plain(3, &[(0, 1), (0, 1), (0, 0), (0, 2), (0, 1), (1, 1), (1, 0), (2, 2)]), once);
}

#[test]
fn navigation_counts_what_its_weight_says() {
    let arcs = [(0, 1, false), (0, 2, true), (0, 3, true)];
    let settings = Settings { navigation: 0.5, ..Settings::default() };
    let ranks = rank(&graph(4, &arcs), &settings).values;
    assert!(near(&ranks, &[0.15, 0.15 + 0.85 * 0.15 / 2.0, 0.15 + 0.85 * 0.15 / 4.0, 0.15 + 0.85 * 0.15 / 4.0], 1e-12));
    let none = Settings { navigation: 0.0, ..Settings::default() };
    assert!(near(&rank(&graph(4, &arcs), &none).values, &[0.15, 0.15 + 0.85 * 0.15, 0.15, 0.15], 1e-12));
    let only = [(0, 1, true), (1, 0, true)];
    assert!(near(&rank(&graph(2, &only), &none).values, &[0.15; 2], 1e-12), "links that count nothing are a dead end");
    let parallel = [(0, 1, true), (0, 1, false), (0, 2, true)];
    assert!(near(&rank(&graph(3, &parallel), &none).values, &[0.15, 0.15 + 0.85 * 0.15, 0.15], 1e-12));
}

#[test]
fn ranks_are_the_same_bit_for_bit_on_any_number_of_threads() {
    let count = 50_000u32;
    let mut rows = Rows::new(count);
    for node in 0..count {
        let link = |step: u32| {
            (node.wrapping_mul(40_503).wrapping_add(step * step * 7919) % (1 + node / 3), step.is_multiple_of(3))
        };
        rows.push_marked(node, &mut (0..node % 9).map(link).collect());
    }
    let graph = rows.finish();
    for weight in [1.0, 0.2] {
        let settings = Settings { navigation: weight, rounds: 20, ..Settings::default() };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let ranks = pool.install(|| rank(&graph, &settings));
            (ranks.change.to_bits(), ranks.values.into_iter().map(f64::to_bits).collect::<Vec<_>>())
        };
        let one = on(1);
        assert!(on(2) == one && on(3) == one, "weight {weight}");
    }
}

#[test]
fn rounds_and_tolerance_are_kept() {
    let arcs = [(0, 1), (1, 2), (2, 0), (0, 2)];
    let graph = Csr::of_arcs(3, arcs);
    let none = rank(&graph, &Settings { rounds: 0, ..Settings::default() });
    assert_eq!((none.values.as_slice(), none.rounds, none.converged()), ([1.0; 3].as_slice(), 0, false));
    let few = rank(&graph, &Settings { rounds: 3, ..Settings::default() });
    assert_eq!((few.rounds, few.converged()), (3, false));
    assert_eq!(few.rounds, rank_by_scan(&graph, &Settings { rounds: 3, ..Settings::default() }).rounds);
    let enough = rank(&graph, &Settings::default());
    assert!(enough.converged() && enough.change < 1e-9 && enough.rounds > 3);
    let last = rank(&graph, &Settings { rounds: enough.rounds - 1, ..Settings::default() });
    assert!(!last.converged() && last.change >= 1e-9);
}

#[test]
fn settings_that_make_no_sense_still_give_numbers() {
    let graph = graph(3, &[(0, 1, true), (1, 0, false), (1, 2, true)]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 2.0] {
        let settings = Settings { damping: bad, tolerance: bad, rounds: 50, navigation: bad };
        for ranks in [rank(&graph, &settings), rank_by_scan(&graph, &settings)] {
            assert!(ranks.values.iter().all(|rank| rank.is_finite() && *rank >= 0.0), "{bad}: {ranks:?}");
        }
    }
}

#[test]
fn a_scan_that_breaks_its_word_does_no_harm() {
    struct Liar;
    impl ArcScan for Liar {
        fn node_count(&self) -> u32 {
            2
        }
        fn scan(&self, visit: &mut dyn FnMut(u32, &[u32])) {
            visit(0, &[1, 7]);
            visit(9, &[0]);
        }
    }
    let ranks = rank_by_scan(&Liar, &Settings::default());
    assert!(near(&ranks.values, &[0.15, 0.15 + 0.85 * 0.15 / 2.0], 1e-12));
}
