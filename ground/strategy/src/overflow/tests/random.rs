//! Small random webs, with dead pages, closed ones and names of others.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::web::{Asked, Kind, Web, cost, inside, searched};
use crate::overflow::network::fixed;
use crate::overflow::oracle::Exact;
use crate::overflow::{Direction, Height, Prices, Settings};

fn web(most: usize, pages_only: bool) -> impl Strategy<Value = Web> {
    (3..most).prop_flat_map(move |size| {
        let to = 0..size as u32;
        let links = proptest::collection::vec(to.clone(), 0..8).prop_map(Kind::Page);
        let kind = if pages_only {
            links.boxed()
        } else {
            prop_oneof![8 => links, 1 => Just(Kind::Dead), 1 => Just(Kind::Closed), 1 => to.prop_map(Kind::Alias)]
                .boxed()
        };
        let address = (0u32..2, 0u32..3, 0u32..3);
        let name = |(at, (host, folder, below)): (usize, (u32, u32, u32))| match below {
            0 => format!("http://h{host}/{at}"),
            1 => format!("http://h{host}/f{folder}/{at}"),
            _ => format!("http://h{host}/f{folder}/g{folder}/x/{at}"),
        };
        (proptest::collection::vec(kind, size), proptest::collection::vec(address, size)).prop_map(
            move |(mut kinds, addresses)| {
                // The engine lets no name lead back to itself: here names lead to greater numbers only.
                for (at, kind) in kinds.iter_mut().enumerate() {
                    if let Kind::Alias(to) = kind
                        && *to <= at as u32
                    {
                        *kind = Kind::Dead;
                    }
                }
                Web { addresses: addresses.into_iter().enumerate().map(name).collect(), kinds }
            },
        )
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let direction = prop_oneof![Just(Direction::Both), Just(Direction::Forward)];
    (direction, 0.5f64..3.0, 0.0f64..1.0, 0.3f64..1.5).prop_map(|(direction, sigma, batch, guess)| Settings {
        sigma,
        direction,
        threshold: 0.0,
        batch,
        guess,
        ..Settings::default()
    })
}

fn price() -> impl Strategy<Value = f64> {
    (-3.0f64..0.5).prop_map(|power| 10f64.powf(power))
}

fn side(exact: &[bool]) -> BTreeSet<u32> {
    exact.iter().enumerate().filter(|(_, inside)| **inside).map(|(node, _)| node as u32).collect()
}

/// Between the smallest and the largest minimum cut. Seeds count, whatever became of them, only in the exact answer.
fn is_minimum(found: &BTreeSet<u32>, exact: &Exact) -> bool {
    side(&exact.smallest).is_subset(found) && found.is_subset(&side(&exact.largest))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_site_is_the_largest_minimum_cut_of_what_was_shown(
        web in web(30, false),
        settings in settings(),
        price in price(),
        seeds in proptest::collection::vec(0u32..3, 1..3),
    ) {
        let (strategy, shown) = searched(&web, settings, Prices::one(price), &seeds);
        let found = inside(&strategy);
        let asked = Asked { settings, seeds: &seeds, price };
        let exact = web.exact(&asked, &shown, false);
        let largest: BTreeSet<u32> = side(&exact.largest).into_iter().filter(|page| shown.contains(page)).collect();
        // Pages struck out are in no cut; the oracle leaves them as nodes without arcs, which the sink reaches.
        prop_assert_eq!(&found, &largest);
        let step = strategy.outcome().account.steps[0];
        prop_assert_eq!(step.size as usize, found.len());
        let edges = web.edges(settings.sigma, settings.direction, &shown, false);
        let own = cost(&edges, &found, fixed(price));
        prop_assert!((step.boundary + price * f64::from(step.size) - own as f64 / (1u64 << 38) as f64).abs() < 1e-6);
        if !found.is_empty() {
            prop_assert_eq!(own, exact.value);
        }
    }

    #[test]
    fn one_way_it_is_a_minimum_cut_of_the_whole_web(
        web in web(40, true),
        settings in settings(),
        price in price(),
    ) {
        let settings = Settings { direction: Direction::Forward, ..settings };
        let (strategy, _) = searched(&web, settings, Prices::one(price), &[0]);
        let found = inside(&strategy);
        let exact = web.exact(&Asked { settings, seeds: &[0], price }, &web.everything(), true);
        prop_assert!(is_minimum(&found, &exact), "{found:?} {:?} {:?}", side(&exact.smallest), side(&exact.largest));
        let edges = web.edges(settings.sigma, settings.direction, &web.everything(), true);
        prop_assert_eq!(cost(&edges, &found, fixed(price)), exact.value);
        // What went down the sink arcs, that of the seed too, is the maximum flow.
        prop_assert_eq!(strategy.network.drained() + i128::from(fixed(price)), exact.value);
    }

    #[test]
    fn both_ways_it_is_one_of_the_links_that_are_known(
        web in web(40, true),
        settings in settings(),
        price in price(),
    ) {
        let settings = Settings { direction: Direction::Both, ..settings };
        let (strategy, shown) = searched(&web, settings, Prices::one(price), &[0]);
        let exact = web.exact(&Asked { settings, seeds: &[0], price }, &shown, true);
        let found = inside(&strategy);
        prop_assert!(is_minimum(&found, &exact), "{found:?} {:?} {:?}", side(&exact.smallest), side(&exact.largest));
    }

    #[test]
    fn sites_of_falling_prices_are_nested_and_each_is_exact(
        web in web(40, true),
        settings in settings(),
        prices in proptest::collection::vec(price(), 1..5),
    ) {
        let settings = Settings { direction: Direction::Forward, ..settings };
        let (strategy, _) = searched(&web, settings, Prices::falling(&prices), &[0]);
        let outcome = strategy.outcome();
        prop_assert_eq!(outcome.account.chosen, Some(outcome.account.steps.len() - 1));
        for (at, step) in outcome.account.steps.iter().enumerate() {
            let of = |&(page, since): &(groma_model::PageId, u32)| (since as usize <= at).then_some(page.0);
            let site: BTreeSet<u32> = outcome.since.iter().filter_map(of).collect();
            let exact = web.exact(&Asked { settings, seeds: &[0], price: step.price }, &web.everything(), true);
            prop_assert!(is_minimum(&site, &exact));
        }
        prop_assert!(outcome.account.steps.windows(2).all(|pair| pair[0].size <= pair[1].size));
    }

    #[test]
    fn shown_the_same_again_it_comes_to_the_same(
        web in web(40, false),
        settings in settings(),
        prices in proptest::collection::vec(price(), 1..4),
    ) {
        let (mut first, _) = searched(&web, settings, Prices::falling(&prices), &[0, 1]);
        let (second, _) = searched(&web, settings, Prices::falling(&prices), &[0, 1]);
        prop_assert_eq!(first.outcome(), second.outcome());
        web.walk(&mut first, &[0, 1]);
        prop_assert_eq!(first.outcome(), second.outcome(), "to begin is to forget");
    }

    #[test]
    fn a_low_source_ends_too(web in web(40, false), settings in settings(), price in price(), height in 0u32..4) {
        let settings = Settings { height: Height::Low(height), ..settings };
        let (strategy, _) = searched(&web, settings, Prices::one(price), &[0]);
        prop_assert_eq!(strategy.outcome().account.steps.len(), 1);
    }
}
