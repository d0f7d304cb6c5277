//! Webs made to look like real ones: sites with menus and folders, some on one host, some on several, and few links between.

use std::collections::BTreeSet;

use super::web::{Asked, Kind, Web, inside, searched};
use crate::overflow::{Direction, Height, Prices, Settings};

/// Above what a single link to another site carries (distance 3, sigma 1: 0.0111).
const PRICE: f64 = 0.012;

/// A number that looks random.
fn draw(state: &mut u64, below: u32) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % u64::from(below.max(1))) as u32
}

/// Sites of so many pages each. A page links to the menu of its site and to some pages of its site, the home page to every other
/// one; so many pages in a hundred have a link to any page of any site.
fn sites(count: u32, size: u32, astray: u32, seed: u64) -> Web {
    let mut state = seed;
    let mut web = Web { addresses: Vec::new(), kinds: Vec::new() };
    for site in 0..count {
        for page in 0..size {
            let host = (site + page % 2) % 3;
            let below = if page == 0 { String::new() } else { format!("f{}/p{page}.html", page % 7) };
            web.addresses.push(format!("http://h{host}.example/site{site}/{below}"));
            let own = |page: u32| site * size + page;
            let mut links: Vec<u32> = (0..10).map(own).collect();
            links.extend((0..8).map(|_| own(draw(&mut state, size))));
            links.push(own((page + 1) % size));
            if page == 0 {
                links.extend((0..size).filter(|page| page % 4 < 2).map(own));
            }
            if draw(&mut state, 100) < astray {
                links.push(draw(&mut state, count * size));
            }
            web.kinds.push(Kind::Page(links));
        }
    }
    web
}

fn jaccard(one: &BTreeSet<u32>, other: &BTreeSet<u32>) -> f64 {
    one.intersection(other).count() as f64 / one.union(other).count().max(1) as f64
}

#[test]
fn a_site_is_found_with_hardly_more_fetches_than_pages() {
    for (seed, direction) in [(1, Direction::Both), (2, Direction::Forward), (3, Direction::Both)] {
        let web = sites(6, 300, 20, seed);
        let settings = Settings { sigma: 1.0, direction, ..Settings::default() };
        let (strategy, _) = searched(&web, settings, Prices::one(PRICE), &[300]);
        let found = inside(&strategy);
        let exact = web.exact(&Asked { settings, seeds: &[300], price: PRICE }, &web.everything(), true);
        let exact: BTreeSet<u32> = (0..1800).filter(|&page| exact.largest[page as usize]).collect();
        assert!(exact.len() > 250, "{}", exact.len());
        assert!(jaccard(&found, &exact) >= 0.98, "{direction:?}: {} {}", found.len(), exact.len());
        let fetches = f64::from(strategy.outcome().account.fetches);
        assert!(fetches <= 1.2 * exact.len() as f64, "{direction:?}: {fetches} for {}", exact.len());
    }
}

#[test]
fn a_low_source_finds_the_same() {
    for seed in 1..4 {
        let web = sites(5, 200, 15, seed);
        for direction in [Direction::Both, Direction::Forward] {
            let settings = Settings { sigma: 1.0, direction, ..Settings::default() };
            let full = inside(&searched(&web, settings, Prices::one(PRICE), &[200]).0);
            let low = Settings { height: Height::Low(3), ..settings };
            let low = inside(&searched(&web, low, Prices::one(PRICE), &[200]).0);
            assert!(full.len() > 150);
            assert!(jaccard(&full, &low) >= 0.98, "{seed} {direction:?}: {} {}", full.len(), low.len());
        }
    }
}

#[test]
fn rounds_of_any_size_find_the_same() {
    let web = sites(5, 200, 15, 7);
    let find = |direction, batch| {
        let settings = Settings { sigma: 1.0, direction, threshold: 0.0, batch, ..Settings::default() };
        inside(&searched(&web, settings, Prices::falling(&[0.03, PRICE]), &[400]).0)
    };
    let one_way = find(Direction::Forward, 0.0);
    assert!(one_way.len() > 150);
    for batch in [0.05, 0.3, 1.0] {
        assert_eq!(find(Direction::Forward, batch), one_way);
        assert!(jaccard(&find(Direction::Both, batch), &find(Direction::Both, 0.0)) >= 0.98);
    }
}

#[test]
fn pages_that_only_link_back_are_found_by_a_guess() {
    // The home page leads to the first pages of each folder, each page to the next and home: flow alone has nowhere to go.
    let size = 400u32;
    let mut web = Web { addresses: vec!["http://h/".into()], kinds: vec![Kind::Page((1..9).collect())] };
    for page in 1..size {
        web.addresses.push(format!("http://h/p{page}"));
        let next = (1..6).map(|step| (page + 7 * step) % size);
        web.kinds.push(Kind::Page(next.chain([0]).collect()));
    }
    let of = |guess| {
        let settings = Settings { sigma: 1.0, guess, ..Settings::default() };
        inside(&searched(&web, settings, Prices::one(0.2), &[0]).0).len()
    };
    assert!(of(2.0) < 50, "{}", of(2.0));
    assert_eq!(of(0.6), size as usize);
}
