//! Odd questions: nothing, too much, what is no number, and graphs of awkward shapes.

use groma_graph::Csr;
use groma_graph::flow::{Network, cut, sweep, sweep_soft};

fn members(inside: &[bool]) -> Vec<usize> {
    inside.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(node, _)| node).collect()
}

/// Two triangles joined by a weak edge, and a node by itself.
fn triangles() -> Network {
    let strong = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)].map(|(one, other)| (one, other, 1.0, 1.0));
    let edges: Vec<(u32, u32, f64, f64)> = strong.into_iter().chain([(2, 3, 0.25, 0.25)]).collect();
    Network::of_edges(7, &edges)
}

#[test]
fn a_seed_finds_its_triangle_and_the_price_decides() {
    let network = triangles();
    let (found, inside) = cut(&network, &[0], 0.5);
    assert_eq!((members(&inside), found.value, found.boundary, found.size), (vec![0, 1, 2], 1.75, 0.25, 3));
    // To take in the other triangle costs 3 prices and saves 0.25; a tie goes to the larger site.
    assert_eq!(members(&cut(&network, &[0], 0.0625).1).len(), 6);
    assert_eq!(members(&cut(&network, &[0], 0.25 / 3.0 + 1e-9).1), [0, 1, 2]);
    // To drop the other two costs 2 links.
    assert_eq!(members(&cut(&network, &[0], 0.875).1), [0, 1, 2]);
    assert_eq!(members(&cut(&network, &[0], 0.9).1), [0]);
}

#[test]
fn no_price_takes_in_everything_and_any_price_only_what_is_linked() {
    let network = triangles();
    let (found, inside) = cut(&network, &[0], 0.0);
    assert_eq!((members(&inside).len(), found.value, found.boundary), (7, 0.0, 0.0));
    assert_eq!(members(&cut(&network, &[0], -3.0).1).len(), 7);
    assert_eq!(cut(&network, &[0], -3.0).0.price, 0.0);
    for least in [1e-300, f64::MIN_POSITIVE, 4.4e-11] {
        assert_eq!(members(&cut(&network, &[0], least).1), [0, 1, 2, 3, 4, 5]);
    }
}

#[test]
fn a_price_beyond_all_capacities_leaves_the_seeds_alone() {
    let network = triangles();
    for price in [1e9, 1e300, f64::INFINITY] {
        let (found, inside) = cut(&network, &[4, 0, 4], price);
        assert_eq!((members(&inside), found.boundary, found.value), (vec![0, 4], 4.0, 4.0 + 2.0 * price));
    }
}

#[test]
fn a_seed_without_links_is_a_site_by_itself() {
    let (found, inside) = cut(&triangles(), &[6], 0.25);
    assert_eq!((members(&inside), found.boundary, found.value), (vec![6], 0.0, 0.25));
}

#[test]
fn without_seeds_or_nodes_or_prices_there_is_nothing() {
    let network = triangles();
    for seeds in [&[][..], &[7, u32::MAX]] {
        let family = sweep(&network, seeds, &[1.0, 0.0], None, &mut |_| true);
        assert_eq!((family.cuts.len(), family.since), (0, vec![u32::MAX; 7]));
        let (found, inside) = cut(&network, seeds, 0.5);
        assert_eq!((found.size, found.value, members(&inside).len()), (0, 0.0, 0));
    }
    assert_eq!(sweep(&network, &[0], &[], None, &mut |_| true).cuts.len(), 0);
    assert_eq!(members(&cut(&network, &[0], f64::NAN).1).len(), 0);
    for empty in [Network::of_edges(0, &[]), Network::directed(&Csr::of_arcs(0, []), |_, _| 1.0)] {
        assert_eq!(empty.node_count(), 0);
        assert_eq!(cut(&empty, &[0], 1.0).1.len(), 0);
    }
    let lonely = Network::undirected(&Csr::of_arcs(3, []), |_, _| 1.0);
    assert_eq!(members(&cut(&lonely, &[1], 0.5).1), [1]);
}

#[test]
fn prices_are_sorted_and_those_that_are_no_numbers_left_out() {
    let network = triangles();
    let prices = [0.5, f64::NAN, -1.0, 2.0, f64::INFINITY, 0.5, 0.0];
    let family = sweep(&network, &[0, 0, 99], &prices, None, &mut |_| true);
    let found: Vec<(f64, u32)> = family.cuts.iter().map(|cut| (cut.price, cut.size)).collect();
    assert_eq!(found, [(f64::INFINITY, 1), (2.0, 1), (0.5, 3), (0.5, 3), (0.0, 7), (0.0, 7)]);
    assert_eq!(family.since, [0, 2, 2, 4, 4, 4, 4]);
}

#[test]
fn a_sweep_ends_when_it_is_told_to() {
    let mut seen = Vec::new();
    let family = sweep(&triangles(), &[0], &[2.0, 0.5, 0.01, 0.001], None, &mut |cuts| {
        seen.push(cuts.len());
        cuts.last().is_some_and(|cut| cut.size < 3)
    });
    assert_eq!((family.cuts.len(), seen), (2, vec![1, 2]));
    assert_eq!(family.since, [0, 1, 1, u32::MAX, u32::MAX, u32::MAX, u32::MAX]);
}

#[test]
fn strange_capacities_and_weights_do_no_harm() {
    let strange = [f64::NAN, -1.0, f64::INFINITY, f64::NEG_INFINITY, 1e308, f64::MIN_POSITIVE, 0.0, 1.0];
    let edges: Vec<(u32, u32, f64, f64)> =
        (0..64u32).map(|at| (at % 8, at / 8, strange[at as usize % 8], strange[at as usize / 8])).collect();
    let network = Network::of_edges(8, &edges);
    let weights = [f32::NAN, -1.0, f32::INFINITY, 0.0, 1.0, f32::MAX, f32::MIN_POSITIVE];
    for weights in [None, Some(&weights[..])] {
        let family = sweep(&network, &[7], &[f64::INFINITY, 1e300, 1.0, 1e-9, 0.0], weights, &mut |_| true);
        assert_eq!(family.cuts.len(), 5);
        assert!(family.cuts.windows(2).all(|pair| pair[0].size <= pair[1].size));
        assert!(family.contains(0, 7) && family.cuts.iter().all(|cut| !cut.value.is_nan() && cut.boundary >= 0.0));
        let soft = sweep_soft(&network, &[(7, 1e300), (3, 1.0)], &[f64::INFINITY, 1.0], weights, &mut |_| true);
        assert!(soft.cuts.iter().all(|cut| !cut.value.is_nan()));
    }
    // What may never be cut is not, as long as the pages behind it are not dearer than all the rest.
    let network = Network::of_edges(3, &[(0, 1, f64::INFINITY, 0.0), (1, 2, 1.0, 1.0)]);
    assert_eq!(members(&cut(&network, &[0], 1.5).1), [0, 1]);
}

#[test]
fn a_soft_seed_that_does_not_belong_is_left_outside() {
    // Node 4 is pulled by less than its own page costs with its links; it counts in the value.
    let network = triangles();
    let pulls = [(0, f64::INFINITY), (4, 0.5)];
    let family = sweep_soft(&network, &pulls, &[0.75, 0.125], None, &mut |_| true);
    assert_eq!(family.inside(0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(family.cuts[0].value, 0.25 + 3.0 * 0.75 + 0.5);
    assert_eq!(family.inside(1).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    // If all are soft, nobody may be left.
    let nobody = sweep_soft(&network, &[(0, 0.125)], &[f64::INFINITY, 1.0], None, &mut |_| true);
    assert_eq!(nobody.cuts.iter().map(|cut| (cut.size, cut.value)).collect::<Vec<_>>(), [(0, 0.125), (0, 0.125)]);
    assert!(sweep_soft(&network, &[(0, 0.0), (1, -1.0)], &[1.0], None, &mut |_| true).cuts.is_empty());
}

#[test]
fn a_hub_with_a_hundred_thousand_leaves_and_a_path_as_long_are_no_trouble() {
    let count = 100_000;
    let hub = Network::undirected(&Csr::of_arcs(count + 1, (1..=count).map(|leaf| (0, leaf))), |_, _| 1.0);
    let family = sweep(&hub, &[7], &[2.0, 1.0, 0.5, 9e-6], None, &mut |_| true);
    // Its one link pays for the hub and all other leaves below 1 / 100,000 each, not earlier.
    assert_eq!(family.cuts.iter().map(|cut| cut.size).collect::<Vec<_>>(), [1, 1, 1, count + 1]);
    let path = Network::directed(&Csr::of_arcs(count, (1..count).map(|node| (node - 1, node))), |from, _| {
        f64::from(count - from)
    });
    let family = sweep(&path, &[0], &[2.0, 1.0, 0.5], None, &mut |_| true);
    assert_eq!(family.cuts.iter().map(|cut| cut.size).collect::<Vec<_>>(), [1, count, count]);
    assert!(family.cuts.iter().all(|cut| cut.exact));
}
