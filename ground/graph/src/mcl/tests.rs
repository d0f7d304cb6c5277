//! Twins and lanes change nothing but the time.

use proptest::prelude::*;

use super::expansion::{Round, sizes};
use super::matrix::Matrix;
use super::twins::Twins;
use super::{Settings, flow};
use crate::Weighted;

/// Graphs with many twins: leaves, cliques and copies of nodes.
fn graphs() -> impl Strategy<Value = Weighted> {
    let edges = prop::collection::vec((0u32..12, 0u32..12, 1u32..3), 1..30);
    let copies = prop::collection::vec((0u32..12, any::<bool>()), 0..12);
    (edges, copies).prop_map(|(edges, copies)| {
        let mut all: Vec<(u32, u32, f32)> = edges.iter().map(|&(a, b, weight)| (a, b, weight as f32)).collect();
        for (copy, (of, linked)) in (12u32..).zip(copies) {
            let own: Vec<(u32, u32, f32)> = all.iter().copied().filter(|edge| edge.0 == of || edge.1 == of).collect();
            let heaviest = own.iter().map(|edge| edge.2).fold(0.0, f32::max);
            all.extend(own.iter().map(|edge| (copy, if edge.0 == of { edge.1 } else { edge.0 }, edge.2)));
            all.extend(linked.then_some((of, copy, heaviest)));
        }
        Weighted::of_edges(24, all)
    })
}

/// The matrix after some rounds, page by page.
fn flow_of_pages(graph: &Weighted, twins: &Twins, settings: &Settings, rounds: u32) -> Vec<Vec<f64>> {
    let (sizes, parts) = sizes(twins);
    let mut matrix = Matrix::start(graph, twins, usize::MAX);
    for _ in 0..rounds {
        matrix = Round { matrix: &matrix, sizes: &sizes, parts: &parts, settings }.make(1);
    }
    let count = graph.node_count() as usize;
    let mut pages = vec![vec![0.0; count]; count];
    for (node, column) in pages.iter_mut().enumerate() {
        let class = twins.class_of[node];
        for entry in matrix.entries(class) {
            let members = twins.members(entry.row);
            let gap = if entry.row == class && members.len() > 1 { matrix.column(class).gap } else { 0.0 };
            let each = f64::from(entry.value - gap) / members.len() as f64;
            for &page in members {
                column[page as usize] = each + if page as usize == node { f64::from(gap) } else { 0.0 };
            }
        }
    }
    pages
}

proptest! {
    #[test]
    fn twins_apart_flow_as_twins_together(graph in graphs(), rounds in 0u32..4, cut in any::<bool>()) {
        let cutoff = if cut { 0.01 } else { 0.0 };
        let settings =
            Settings { selection: 0, recovery: 0, cutoff, threads: 1, ..Settings::reference(1.7) };
        let twins = Twins::find(&graph);
        let together = flow_of_pages(&graph, &twins, &settings, rounds);
        let apart = flow_of_pages(&graph, &Twins::none(graph.node_count()), &settings, rounds);
        for (one, other) in together.iter().flatten().zip(apart.iter().flatten()) {
            // What lies on the cutoff may fall on either side of it by rounding.
            let near = cut && (one.min(*other) == 0.0 && one.max(*other) < 0.02);
            prop_assert!((one - other).abs() < 1e-4 || near, "{one} {other}");
        }
        for column in &together {
            let sum: f64 = column.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        }
    }
}

#[test]
fn a_column_keeps_at_most_the_numbers_it_is_told_to() {
    // A ring of 60 with chords: no twins, all columns long after two rounds.
    let edges =
        (0..60u32).flat_map(|node| [1, 2, 3, 5, 8].map(|step| (node, (node + step) % 60, 1.0 + node as f32 / 60.0)));
    let graph = Weighted::of_edges(60, edges);
    let twins = Twins::find(&graph);
    assert_eq!(twins.count(), 60);
    let (sizes, parts) = sizes(&twins);
    let longest = |settings: Settings| {
        let start = Matrix::start(&graph, &twins, usize::MAX);
        let next = Round { matrix: &start, sizes: &sizes, parts: &parts, settings: &settings }.make(2);
        (0..60).map(|column| next.entries(column).len()).max()
    };
    let settings = Settings { cutoff: 0.0, ..Settings::reference(2.0) };
    assert!(longest(settings) > Some(20));
    assert_eq!(longest(Settings { selection: 10, recovery: 0, ..settings }), Some(10));
    // Ten hold less than nine tenths of the flow, so fifteen may.
    assert_eq!(longest(Settings { selection: 10, recovery: 15, ..settings }), Some(15));
    assert_eq!(longest(Settings { selection: 10, recovery: 15, recovery_share: 0.1, ..settings }), Some(10));
    // The cutoff takes all but a few, of which recovery brings some back.
    assert!(longest(Settings { cutoff: 0.2, recovery: 0, ..settings }) < Some(3));
    assert_eq!(longest(Settings { cutoff: 0.2, recovery: 7, ..settings }), Some(7));
    assert!(longest(Settings { faint: 0.05, ..settings }) < Some(10));
}

#[test]
fn links_beyond_the_most_are_a_sample() {
    let edges = (1..1000u32).flat_map(|node| [(0, node, 1.0), (node, node % 999 + 1, 1.0)]);
    let graph = Weighted::of_edges(1000, edges.chain([(0, 7, 3.0)]));
    let twins = Twins::find(&graph);
    let matrix = Matrix::start(&graph, &twins, 100);
    let hub = matrix.entries(0);
    assert_eq!(hub.len(), 100);
    assert!(hub.windows(2).all(|pair| pair[0].row < pair[1].row));
    assert!((hub.iter().map(|entry| f64::from(entry.value)).sum::<f64>() - 1.0).abs() < 1e-6);
    // The loop and the heaviest link are always among them.
    assert!(hub[0].row == 0 && hub.iter().any(|entry| entry.row == 7 && entry.value > 2.0 * hub[1].value));
    let settings = Settings { cutoff: 0.02, ..Settings::reference(2.0) }.sound();
    let found = flow(&graph, &twins, &settings, &mut |_, _| true);
    assert!(found.converged);
}
