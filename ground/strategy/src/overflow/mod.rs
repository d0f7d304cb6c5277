//! Overflow: the bounds of a site, found while crawling, by fetching the pages that flow runs into.
//!
//! ```text
//! the site = the seeds' side of a minimum cut: least (capacity of the links that lead out + price * pages)
//! next     = the pages not seen yet that hold the largest overflow
//! at rest  = no overflow can reach the sink over known pages, none above the threshold is on a page not seen, no guess is left
//! ```
//!
//! Source: paper 2, sections 2.3 and 2.4 (on-line preflow-push). `network` is what is known, `push` moves the flow, `guess`
//! asks for pages that flow alone would not ask for, and a [`Chooser`] says which price comes next when the search is at rest,
//! and which of the sites found is the answer.
//!
//! Proven, with a full source height: the site of a step is the largest minimum cut of the network as it was known then,
//! without pages that were not seen. If links count one way ([`Direction::Forward`]) and no overflow was left, then pages that
//! were not fetched cannot change it, and it is a minimum cut of the whole web. If they count both ways, a page that links to
//! the site without being known there might. Not promised: the fewest fetches.
//!
//! A round asks for the most overflowing pages, but only for a part of the number seen so far, so that few are fetched that
//! would have been spared had each been fetched alone. Cost: what `push` costs, and O(pages) a round; a few times O(pages +
//! arcs) for each price. `examples/bounds` measures fetches, similarity to the exact cut, and time.
//!
//! The memory of it is the network: a function of what it was shown, in that order, so whoever goes on with a crawl shows it
//! the same again. A page that does not exist is struck out; an unreachable one is a page without links; a link to another
//! name of a page is a link to the page.

mod account;
mod choice;
mod guess;
mod longest;
mod network;
#[cfg(test)]
mod oracle;
mod pages;
mod push;
mod settings;
#[cfg(test)]
mod tests;

pub use account::{Account, Stop};
pub use choice::{Chooser, Next, PriceStep, Prices};
pub use longest::Longest;
pub use settings::{Budget, Direction, Height, Settings};

use groma_bounds::Similarity;
use groma_model::{PageId, Reason, State};

use crate::{Memory, Plan, Priority, Strategy, Visit};
use guess::guesses;
use network::{Network, Sight, fixed, real};
use pages::Pages;
use push::Pusher;

/// Stands for: never inside.
const NEVER: u32 = u32::MAX;

/// A round may always ask for so many pages.
const BATCH: usize = 8;

/// What the search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Steps, fetches, why it stopped.
    pub account: Account,
    /// The site: that of the chosen step, or, if there is no step, as far as it is known. In order of their numbers.
    pub inside: Vec<PageId>,
    /// For each page that is inside at some step, from which step on it stays so.
    pub since: Vec<(PageId, u32)>,
}

/// The on-line border search.
pub struct Overflow {
    settings: Settings,
    chooser: Box<dyn Chooser>,
    pages: Pages,
    network: Network,
    pusher: Pusher,
    price: f64,
    steps: Vec<PriceStep>,
    /// By node: the step from which on it has been inside.
    since: Vec<u32>,
    /// Pages requested so far.
    fetches: u32,
    /// Of these, before the price was set.
    fetched_before: u32,
    seen: usize,
    stop: Option<Stop>,
    chosen: Option<usize>,
}

impl Overflow {
    /// A search with these settings, for the prices that the chooser names.
    pub fn new(settings: Settings, chooser: impl Chooser + 'static) -> Overflow {
        let mut overflow = Overflow {
            settings,
            chooser: Box::new(chooser),
            pages: Pages::new(Similarity::new(settings.sigma)),
            network: Network::new(settings.direction, 0),
            pusher: Pusher::new(settings.height),
            price: 0.0,
            steps: Vec::new(),
            since: Vec::new(),
            fetches: 0,
            fetched_before: 0,
            seen: 0,
            stop: None,
            chosen: None,
        };
        overflow.forget();
        overflow
    }

    fn forget(&mut self) {
        self.pages = Pages::new(Similarity::new(self.settings.sigma));
        self.price = self.chooser.first();
        self.network = Network::new(self.settings.direction, amount(self.price));
        self.pusher = Pusher::new(self.settings.height);
        self.steps.clear();
        self.since.clear();
        (self.fetches, self.fetched_before, self.seen) = (0, 0, 0);
        (self.stop, self.chosen) = (None, None);
    }

    /// What the search came to so far.
    pub fn outcome(&self) -> Outcome {
        let nodes = || 0..self.network.len();
        let account = self.account();
        let now = if account.chosen.is_none() { self.inside() } else { Vec::new() };
        let is_inside = |&node: &u32| match account.chosen {
            Some(step) => self.since[node as usize] as usize <= step,
            None => now[node as usize],
        };
        let mut inside: Vec<PageId> = nodes().filter(is_inside).map(|n| self.pages.page(n)).collect();
        inside.sort_unstable();
        let since = |node: u32| (self.pages.page(node), self.since[node as usize]);
        let mut since: Vec<(PageId, u32)> = nodes().map(since).filter(|(_, step)| *step != NEVER).collect();
        since.sort_unstable();
        Outcome { account, inside, since }
    }

    /// Steps, fetches, why it stopped.
    pub fn account(&self) -> Account {
        Account {
            stop: self.stop.unwrap_or(Stop::Unfinished),
            fetches: self.fetches,
            sigma: self.pages.sigma(),
            steps: self.steps.clone(),
            chosen: self.chosen.or(self.steps.len().checked_sub(1)),
        }
    }

    fn node(&mut self, page: PageId) -> u32 {
        let (node, new) = self.pages.enter(page);
        if new {
            self.network.add();
            self.since.push(NEVER);
        }
        node
    }

    /// The source's side of the cut, by what is known: by node, of those that have been seen.
    fn inside(&self) -> Vec<bool> {
        let mut inside = self.pusher.cut(&self.network);
        for (node, inside) in inside.iter_mut().enumerate() {
            *inside &= self.network.sight(node as u32) == Sight::Seen;
        }
        inside
    }

    /// The pages not seen that hold enough overflow, the most overflowing first; seeds before all others.
    fn candidates(&self) -> Vec<u32> {
        let least = amount(self.price * self.settings.threshold.max(0.0));
        let overflow = |node: u32| match self.network.is_seed(node) {
            true => i64::MAX,
            false => self.network.overflow[node as usize],
        };
        let unseen = (0..self.network.len()).filter(|&node| self.network.sight(node) == Sight::Unseen);
        let mut found: Vec<u32> = unseen.filter(|&node| overflow(node) > least).collect();
        found.sort_by_key(|&node| (std::cmp::Reverse(overflow(node)), node));
        if found.is_empty() && self.settings.direction == Direction::Both && self.settings.guess <= 1.0 {
            found = guesses(&self.network, &self.pages, &self.inside(), self.settings.guess);
        }
        let share = (self.seen as f64 * self.settings.batch.clamp(0.0, 1.0)) as usize;
        let seeds = found.iter().take_while(|&&node| self.network.is_seed(node)).count();
        found.truncate(share.max(BATCH).max(seeds));
        found
    }

    /// How many pages may be fetched at this price; if none, why.
    fn room(&self) -> Result<usize, Stop> {
        let Budget { pages, share, least } = self.settings.budget;
        let left = pages.map_or(u32::MAX, |most| most.saturating_sub(self.fetches));
        if left == 0 {
            return Err(Stop::PageBudget);
        }
        let bound = self.steps.last().filter(|step| step.size >= least.max(1));
        let Some(step) = bound else { return Ok(left as usize) };
        let most = (f64::from(step.size) * share.max(0.0)) as u32;
        match most.saturating_sub(self.fetches - self.fetched_before) {
            0 => Err(Stop::Leaked { price: self.price }),
            more => Ok(more.min(left) as usize),
        }
    }

    /// The search is at rest at this price.
    fn record(&mut self) {
        let inside = self.inside();
        let step = self.steps.len() as u32;
        for (since, inside) in self.since.iter_mut().zip(&inside) {
            *since = if *inside { (*since).min(step) } else { NEVER };
        }
        let (across, within) = self.network.around(&inside);
        let unseen = (0..self.network.len()).filter(|&n| self.network.sight(n) == Sight::Unseen);
        let left = unseen.map(|node| i128::from(self.network.overflow[node as usize])).sum();
        self.steps.push(PriceStep {
            price: self.price,
            size: inside.iter().filter(|inside| **inside).count() as u32,
            boundary: real(across),
            inside: real(within),
            fetches: self.fetches,
            left: real(left),
        });
    }

    /// Asks what follows the last step; false if nothing does.
    fn go_on(&mut self) -> bool {
        let last = self.steps.len() - 1;
        let chosen = match self.chooser.after(&self.steps) {
            Next::Lower(price) if amount(price) < amount(self.price) => {
                self.price = price;
                self.fetched_before = self.fetches;
                self.network.set_price(amount(price));
                self.pusher.reopen();
                return true;
            }
            Next::Lower(_) => last,
            Next::Done { chosen } => chosen.min(last),
        };
        self.chosen = Some(chosen);
        self.stop = Some(if self.steps[last].left > 0.0 { Stop::BelowThreshold } else { Stop::Settled });
        false
    }
}

/// A price as a whole number; one that is no number is above all.
fn amount(price: f64) -> i64 {
    if price.is_nan() { fixed(f64::INFINITY) } else { fixed(price) }
}

impl Memory for Overflow {
    fn meet(&mut self, page: PageId, address: &str) {
        let node = self.node(page);
        self.pages.name(node, address);
    }
}

impl Strategy for Overflow {
    fn name(&self) -> &'static str {
        "overflow"
    }

    fn memory(&mut self) -> Option<&mut dyn Memory> {
        Some(self)
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        self.forget();
        for &seed in seeds {
            let node = self.node(seed);
            if !self.network.is_seed(node) {
                self.network.plant(node);
                plan.want(seed, Priority { round: 0, rank: node });
            }
        }
    }

    fn visit(&mut self, visit: &Visit<'_>, _plan: &mut Plan) {
        let node = self.node(visit.page);
        if self.network.sight(node) != Sight::Unseen {
            return;
        }
        self.fetches += u32::from(is_asked(visit.reason));
        if let Some(of) = visit.same_as {
            let of = self.node(of);
            let of = self.pages.stands_for(of);
            let (pages, network) = (&mut self.pages, &mut self.network);
            if of == node {
                // A name that leads back to itself names nothing.
                return network.strike(node, None, &mut |a, b| pages.capacity(a, b));
            }
            pages.fold(node, of);
            if network.is_seed(node) {
                network.plant(of);
            }
            network.strike(node, Some(of), &mut |a, b| pages.capacity(a, b));
        } else if visit.reason.state() == State::Broken {
            self.network.strike(node, None, &mut |_, _| 0);
        } else {
            let mut links: Vec<u32> = Vec::with_capacity(visit.links.len());
            for &page in visit.links {
                let node = self.node(page);
                links.push(self.pages.stands_for(node));
            }
            self.seen += 1;
            let pages = &self.pages;
            self.network.see(node, &links, &mut |a, b| pages.capacity(a, b));
        }
    }

    fn round(&mut self, finished: u32, plan: &mut Plan) {
        while self.stop.is_none() {
            self.pusher.settle(&mut self.network);
            let mut wanted = self.candidates();
            if wanted.is_empty() {
                self.record();
                self.go_on();
                continue;
            }
            match self.room() {
                Ok(room) => {
                    wanted.truncate(room);
                    for (rank, &node) in wanted.iter().enumerate() {
                        let turn = Priority { round: finished.saturating_add(1), rank: rank as u32 };
                        plan.want(self.pages.page(node), turn);
                    }
                    return;
                }
                Err(stop) => {
                    self.stop = Some(stop);
                    self.chosen = (!self.steps.is_empty()).then(|| self.chooser.given_up(&self.steps));
                    self.chosen = self.chosen.map(|chosen| chosen.min(self.steps.len() - 1));
                }
            }
        }
        plan.stop();
    }

    fn report(&self) -> Option<(&'static str, String)> {
        Some((Account::KEY, self.account().to_string()))
    }
}

/// Did a server have a say about it?
fn is_asked(reason: Reason) -> bool {
    use Reason::*;
    let met = matches!(reason, Fetched | Imported | Redirected | Unauthorized | Forbidden | AskedToWait);
    met || reason.state() == State::Broken
}
