//! A web in memory, walked by the strategy, and the exact cuts of it.

use std::collections::{BTreeSet, HashSet};

use groma_bounds::{Similarity, Tokens};
use groma_model::{PageId, Reason};

use crate::overflow::network::fixed;
use crate::overflow::oracle::{self, Exact};
use crate::overflow::{Chooser, Direction, Overflow, Settings};
use crate::{Command, Memory, Plan, Strategy, Visit};

/// What a page is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A page with these links.
    Page(Vec<u32>),
    /// It does not exist.
    Dead,
    /// We are not shown it.
    Closed,
    /// Another name of a page.
    Alias(u32),
}

/// URLs, and what is there.
#[derive(Clone, Debug)]
pub(super) struct Web {
    pub(super) addresses: Vec<String>,
    pub(super) kinds: Vec<Kind>,
}

impl Web {
    /// The page behind a name, if there is one.
    fn page(&self, mut at: u32) -> Option<u32> {
        for _ in 0..self.kinds.len() {
            match &self.kinds[at as usize] {
                Kind::Alias(to) => at = *to,
                Kind::Dead => return None,
                _ => return Some(at),
            }
        }
        None
    }

    /// Lets a strategy walk from these pages until it stops. Returns the pages it was shown.
    pub(super) fn walk(&self, strategy: &mut Overflow, seeds: &[u32]) -> HashSet<u32> {
        let mut plan = Plan::default();
        let seeds: Vec<PageId> = seeds.iter().map(|&seed| PageId(seed)).collect();
        strategy.begin(&seeds, &mut plan);
        let mut met = HashSet::new();
        let mut shown = HashSet::new();
        for round in 0.. {
            for command in std::mem::take(&mut plan.commands) {
                let Command::Want(page, priority) = command else { return shown };
                assert_eq!(priority.round, round);
                assert!(shown.insert(page.0), "{page:?} is asked for twice");
                self.show(strategy, page, &mut met);
            }
            strategy.round(round, &mut plan);
        }
        shown
    }

    fn show(&self, strategy: &mut Overflow, page: PageId, met: &mut HashSet<u32>) {
        let mut meet = |page: u32| {
            if met.insert(page) {
                strategy.meet(PageId(page), &self.addresses[page as usize]);
            }
        };
        meet(page.0);
        let nothing = Vec::new();
        let (reason, links, same_as) = match &self.kinds[page.0 as usize] {
            Kind::Page(links) => (Reason::Fetched, links, None),
            Kind::Dead => (Reason::NotFound, &nothing, None),
            Kind::Closed => (Reason::Forbidden, &nothing, None),
            Kind::Alias(to) => (Reason::Redirected, &nothing, Some(PageId(*to))),
        };
        links.iter().for_each(|&to| meet(to));
        same_as.iter().for_each(|to| meet(to.0));
        let links: Vec<PageId> = links.iter().map(|&to| PageId(to)).collect();
        strategy.visit(&Visit { links: &links, same_as, ..Visit::without_content(page, reason) }, &mut Plan::default());
    }

    /// Capacities there and back of the links of those pages. What has not been shown has no arcs out, unless `all` is said.
    pub(super) fn edges(
        &self,
        sigma: f64,
        direction: Direction,
        shown: &HashSet<u32>,
        all: bool,
    ) -> Vec<(u32, u32, i64, i64)> {
        let mut tokens = Tokens::new();
        self.addresses.iter().for_each(|address| {
            tokens.push(address);
        });
        let similarity = Similarity::new(sigma);
        // A name that has not been shown is a page for all that is known.
        let node = |at: u32| {
            let mut at = at;
            while shown.contains(&at) {
                match &self.kinds[at as usize] {
                    Kind::Alias(to) => at = *to,
                    Kind::Dead => return None,
                    _ => break,
                }
            }
            Some(at)
        };
        let mut pairs = BTreeSet::new();
        for &from in shown {
            let Kind::Page(links) = &self.kinds[from as usize] else { continue };
            for to in links.iter().filter_map(|&to| node(to)).filter(|&to| to != from) {
                let turned = direction == Direction::Both && to < from;
                pairs.insert(if turned { (to, from) } else { (from, to) });
            }
        }
        let knows = |page: u32| all || shown.contains(&page);
        let edge = |(a, b): (u32, u32)| {
            let capacity = fixed(similarity.between(&tokens, a, b));
            match direction {
                Direction::Both => {
                    let of = |from: u32| if knows(from) { capacity } else { 0 };
                    (a, b, of(a), of(b))
                }
                Direction::Forward => (a, b, capacity, 0),
            }
        };
        pairs.into_iter().map(edge).collect()
    }

    /// The exact cuts of what these pages tell; of the whole web if they are all.
    pub(super) fn exact(&self, asked: &Asked<'_>, shown: &HashSet<u32>, all: bool) -> Exact {
        let edges = self.edges(asked.settings.sigma, asked.settings.direction, shown, all);
        let seeds: Vec<u32> = asked.seeds.iter().filter_map(|&seed| self.page(seed)).collect();
        oracle::cut(self.addresses.len() as u32, &edges, &seeds, fixed(asked.price))
    }

    /// Nodes of all pages.
    pub(super) fn everything(&self) -> HashSet<u32> {
        (0..self.addresses.len() as u32).collect()
    }
}

/// What is searched for.
pub(super) struct Asked<'a> {
    pub(super) settings: Settings,
    pub(super) seeds: &'a [u32],
    pub(super) price: f64,
}

/// A search that has been walked to its end.
pub(super) fn searched(
    web: &Web,
    settings: Settings,
    chooser: impl Chooser + 'static,
    seeds: &[u32],
) -> (Overflow, HashSet<u32>) {
    let mut strategy = Overflow::new(settings, chooser);
    let shown = web.walk(&mut strategy, seeds);
    (strategy, shown)
}

/// The pages that a search found.
pub(super) fn inside(strategy: &Overflow) -> BTreeSet<u32> {
    strategy.outcome().inside.iter().map(|page| page.0).collect()
}

/// What a set of pages costs as a cut: links that lead out, and pages.
pub(super) fn cost(edges: &[(u32, u32, i64, i64)], set: &BTreeSet<u32>, price: i64) -> i128 {
    let out = |&(a, b, there, back): &(u32, u32, i64, i64)| match (set.contains(&a), set.contains(&b)) {
        (true, false) => i128::from(there),
        (false, true) => i128::from(back),
        _ => 0,
    };
    edges.iter().map(out).sum::<i128>() + i128::from(price) * set.len() as i128
}
