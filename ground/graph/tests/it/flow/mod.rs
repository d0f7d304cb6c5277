//! Sites are the largest minimum cuts, by definition and by another algorithm.
//!
//! All capacities and prices are sixteenths, so that fixed point keeps them as they are and answers have to be equal, not near.

mod edges;
mod oracle;

use std::collections::BTreeMap;

use groma_graph::Csr;
use groma_graph::flow::{Cut, Family, Network, cut, sweep, sweep_soft};
use oracle::{Answer, Plain};
use proptest::prelude::*;

const PART: f64 = 16.0;

fn amount(parts: i64) -> f64 {
    parts as f64 / PART
}

/// What a cut is asked about, in sixteenths. The weights are whole.
#[derive(Clone, Debug)]
struct Question {
    count: u32,
    /// (from, to, capacity)
    arcs: Vec<(u32, u32, i64)>,
    undirected: bool,
    seeds: Vec<u32>,
    /// Finite pulls of further nodes.
    pulls: Vec<(u32, i64)>,
    weights: Option<Vec<u8>>,
    prices: Vec<i64>,
}

impl Question {
    fn graph(&self) -> Csr {
        Csr::of_arcs(self.count, self.arcs.iter().map(|arc| (arc.0, arc.1)))
    }

    /// The capacity of each arc: the first one given for it, or for an edge the first one given for either direction.
    fn capacities(&self) -> BTreeMap<(u32, u32), i64> {
        let mut found = BTreeMap::new();
        for &(from, to, capacity) in self.arcs.iter().filter(|arc| arc.0 != arc.1) {
            found.entry((from, to)).or_insert(capacity);
            if self.undirected {
                found.entry((to, from)).or_insert(capacity);
            }
        }
        found
    }

    fn network(&self) -> Network {
        let capacities = self.capacities();
        let capacity = |from, to| amount(capacities[&(from, to)]);
        if self.undirected {
            Network::undirected(&self.graph(), capacity)
        } else {
            Network::directed(&self.graph(), capacity)
        }
    }

    /// The same at one price for the oracles.
    fn plain(&self, price: i64) -> Plain {
        let weight = |node: u32| self.weights.as_ref().map_or(1, |weights| i64::from(weights[node as usize]));
        let pull = |node: u32| {
            let all: i64 = self.pulls.iter().filter(|pull| pull.0 == node).map(|pull| pull.1).sum();
            (!self.seeds.contains(&node)).then_some(all)
        };
        Plain {
            arcs: self.capacities().into_iter().map(|((from, to), capacity)| (from, to, capacity)).collect(),
            costs: (0..self.count).map(|node| price * weight(node)).collect(),
            pulls: (0..self.count).map(pull).collect(),
        }
    }

    fn family(&self) -> Family {
        let weights: Option<Vec<f32>> = self.weights.as_ref().map(|all| all.iter().map(|&w| f32::from(w)).collect());
        let prices: Vec<f64> = self.prices.iter().map(|&price| amount(price)).collect();
        let soft = self.pulls.iter().map(|&(node, pull)| (node, amount(pull)));
        let pulls: Vec<(u32, f64)> = self.seeds.iter().map(|&seed| (seed, f64::INFINITY)).chain(soft).collect();
        sweep_soft(&self.network(), &pulls, &prices, weights.as_deref(), &mut |_| true)
    }

    /// Compares all cuts of the family with what an oracle says.
    fn check(&self, oracle: impl Fn(&Plain) -> Answer) -> Result<(), TestCaseError> {
        let (family, capacities) = (self.family(), self.capacities());
        let mut prices = self.prices.clone();
        prices.sort_unstable_by(|a, b| b.cmp(a));
        prop_assert_eq!(family.cuts.len(), prices.len());
        for (index, (found, price)) in family.cuts.iter().zip(prices).enumerate() {
            let (value, inside) = oracle(&self.plain(price));
            let members: Vec<u32> = (0..self.count).filter(|&node| inside[node as usize]).collect();
            prop_assert_eq!(family.inside(index).collect::<Vec<_>>(), members.clone(), "at {}", price);
            let leaves = |arc: &&(&(u32, u32), &i64)| inside[arc.0.0 as usize] && !inside[arc.0.1 as usize];
            let boundary: i64 = capacities.iter().filter(|arc| leaves(&arc)).map(|arc| arc.1).sum();
            let wanted = Cut {
                price: amount(price),
                value: amount(value),
                size: members.len() as u32,
                boundary: amount(boundary),
                exact: true,
            };
            prop_assert_eq!(*found, wanted);
        }
        Ok(())
    }
}

/// Small and full of ties: few capacities, few prices.
fn small() -> impl Strategy<Value = Question> {
    (1u32..=11, any::<bool>(), 1i64..=4).prop_flat_map(|(count, undirected, coarse)| {
        let node = 0..count;
        let capacity = (0i64..=9).prop_map(move |parts| parts * coarse);
        let weights = prop::option::of(prop::collection::vec(1u8..=4, count as usize));
        (
            prop::collection::vec((node.clone(), node.clone(), capacity), 0..40),
            prop::collection::vec(node.clone(), 0..3),
            prop::collection::vec((node, 1i64..60), 0..4),
            weights,
            prop::collection::vec(0i64..24, 1..6),
        )
            .prop_filter("somebody is a seed", |(_, seeds, pulls, ..)| !seeds.is_empty() || !pulls.is_empty())
            .prop_map(move |(arcs, seeds, pulls, weights, prices)| Question {
                count,
                arcs,
                undirected,
                seeds,
                pulls,
                weights,
                prices,
            })
    })
}

/// Some hundred nodes in communities, on a grid, on a path, or anyhow; many orders of magnitude between capacities.
fn large() -> impl Strategy<Value = Question> {
    (60u32..=240, 0u8..4, any::<bool>(), any::<bool>()).prop_flat_map(|(count, shape, undirected, weighted)| {
        let node = 0..count;
        let link = (node.clone(), 0u32..10_000, 0u32..12, 0i64..8).prop_map(move |(from, toss, order, digit)| {
            let to = match shape {
                0 if toss % 10 > 0 => from - from % 20 + toss % 20,
                1 => from + if toss % 2 == 0 { 1 } else { 15 },
                2 => from + 1 + toss % 2,
                _ => toss,
            };
            (from, to % count, (1 + digit) << order)
        });
        (
            prop::collection::vec(link, 0..1500),
            prop::collection::vec(node.clone(), 1..4),
            prop::collection::vec((node, 1i64..5000), 0..6),
            prop::collection::vec(1u8..=5, count as usize),
            prop::collection::vec(1i64..600, 1..5),
        )
            .prop_map(move |(arcs, seeds, pulls, weights, prices)| Question {
                count,
                arcs,
                undirected,
                seeds,
                pulls,
                weights: weighted.then_some(weights),
                prices,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn small_sites_are_the_largest_of_all_least_subsets(question in small()) {
        question.check(Plain::by_all_subsets)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn large_sites_agree_with_dinic(question in large()) {
        question.check(Plain::by_dinic)?;
    }

    #[test]
    fn a_sweep_is_as_many_cuts_each_within_the_next(question in large()) {
        let network = question.network();
        let prices: Vec<f64> = question.prices.iter().map(|&price| amount(price)).collect();
        let family = sweep(&network, &question.seeds, &prices, None, &mut |_| true);
        prop_assert!(family.cuts.windows(2).all(|pair| pair[0].price >= pair[1].price && pair[0].size <= pair[1].size));
        for (index, found) in family.cuts.iter().enumerate() {
            let (alone, inside) = cut(&network, &question.seeds, found.price);
            prop_assert_eq!(*found, alone);
            let members = |node: &u32| inside[*node as usize];
            prop_assert!(family.inside(index).eq((0..question.count).filter(members)));
            prop_assert!((0..question.count).all(|node| family.contains(index, node) == inside[node as usize]));
        }
    }
}

#[test]
fn the_oracles_agree_with_each_other() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let agree = |question: Question| {
        for &price in &question.prices {
            let plain = question.plain(price);
            prop_assert_eq!(plain.by_all_subsets(), plain.by_dinic());
        }
        Ok(())
    };
    runner.run(&small(), agree).unwrap();
}
