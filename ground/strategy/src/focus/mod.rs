//! Focus: a crawl that goes where the topic leads.
//!
//! Pages are read and judged (`groma_topic`), their links are told to an order of pages, and each round asks for the pages that come
//! first in it. The orders are `bfs`, `best_first`, `hopfield`, `hopfield_block` and `arms`, each in its file with its formulas; the nets
//! share `net`.
//!
//! Its parts are corrected by what holds on the pages of its site that were shown before ([`groma_page::parts::Templates`]): what recurs
//! is menu, whatever it looks like. A page is relevant if it is judged so, and is not much less surely an article than others of its site are (`template`).
//!
//! The memory is a function of what was shown, in that order: whoever goes on with a crawl shows it the same again. No page is wanted
//! twice, and no more than the budget. Pages that no server had a say about (refused by rules, by robots) cost nothing.
//!
//! Memory: about 120 bytes and its URL per page known, and the parents of each, sixteen at most; 400 bytes per page read; the
//! lexicon (`groma_topic::Lexicon`), the templates. A page costs what its text and links cost, O(log n) each.

mod arms;
mod belief;
mod best_first;
mod bfs;
mod frontier;
mod hopfield;
mod hopfield_block;
mod known;
mod links;
mod net;
mod order;
mod settings;
mod shape;
mod step;
mod template;
#[cfg(test)]
mod tests;

pub use arms::ArmSettings;
pub use net::{NetSettings, Squash};
pub use settings::{FocusOrder, Settings};
pub use step::{End, Explanation, FocusVisit};

use std::collections::HashMap;

use groma_model::{PageId, PageType, Reason, State};
use groma_topic::{Judge, Relevance};

use crate::{Memory, Plan, Priority, Strategy, Visit};
use known::Known;
use links::Links;
use order::{Fetched, Followed, Order, Pick};
use template::{Templates, host_of};

/// The strategy of a focused crawl.
pub struct Focus {
    settings: Settings,
    judge: Judge,
    order: Box<dyn Order>,
    known: Known,
    templates: Templates,
    /// What holds on the sites that were read.
    sites: groma_page::parts::Templates,
    /// Pages asked for and not shown yet.
    pending: HashMap<u32, Pick>,
    steps: Vec<FocusVisit>,
    /// By node: its step.
    step_of: HashMap<u32, usize>,
    asked: u32,
    end: Option<End>,
}

impl Focus {
    /// A crawl with these settings.
    pub fn new(settings: Settings) -> Focus {
        let judge = Judge::new(settings.topic.clone(), settings.weights);
        let order = order_of(&settings);
        Focus {
            settings,
            judge,
            order,
            known: Known::default(),
            templates: Templates::default(),
            sites: groma_page::parts::Templates::new(),
            pending: HashMap::new(),
            steps: Vec::new(),
            step_of: HashMap::new(),
            asked: 0,
            end: None,
        }
    }

    fn forget(&mut self) {
        *self = Focus::new(self.settings.clone());
    }

    /// What was done so far: one step per page shown, in order.
    pub fn steps(&self) -> &[FocusVisit] {
        &self.steps
    }

    /// Why it ended; nothing while it goes on.
    pub fn ended(&self) -> Option<End> {
        self.end
    }

    /// How many pages a server had a say about.
    pub fn fetched(&self) -> u32 {
        self.asked
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is known about a page.
    pub fn explain(&self, page: PageId) -> Option<Explanation> {
        let node = self.known.find(page)?;
        let step = self.step_of.get(&node).and_then(|at| self.steps.get(*at)).cloned();
        let parents = self.known.parents(node).iter().map(|parent| self.known.page(*parent)).collect();
        let address = self.known.address(node).to_owned();
        Some(Explanation { step, address, parents, weight: self.order.weight(node) })
    }

    /// Reads a page and tells its links.
    fn read(&mut self, node: u32, visit: &Visit<'_>) -> Option<Relevance> {
        let Some(page) = visit.parsed else {
            self.order.fail(node);
            return None;
        };
        let host = host_of(self.known.address(node));
        let corrected = self.sites.corrected(host, page);
        let parts = corrected.as_ref().or(page.parts.as_deref());
        self.sites.learn(host, page);
        let mut reading = self.judge.read_as(page, parts);
        let found = &mut reading.relevance;
        if found.page_type == PageType::Article && !self.settings.weights.any_type {
            found.relevant &= !self.templates.doubts(self.known.address(node), found.confidence);
        }
        let fetched = Fetched { node, relevance: &reading.relevance };
        self.order.read(fetched);
        let mut links = Links::from_page(page, parts, visit.leads, &reading);
        for lead in visit.leads {
            let to = self.known.enter(lead.page);
            if to == node {
                continue;
            }
            self.known.add_parent(to, node);
            if self.known.is_wanted(to) {
                continue;
            }
            let Some(said) = links.say(lead.page, &mut self.judge) else { continue };
            if !self.order.follows(fetched, said.part) {
                continue;
            }
            self.order.follow(Followed {
                from: node,
                to,
                address: self.known.address(to),
                anchor: said.anchor,
                context: said.context,
                part: said.part,
                parent: &reading.relevance,
            });
        }
        self.order.done(node);
        Some(reading.relevance)
    }
}

fn order_of(settings: &Settings) -> Box<dyn Order> {
    match settings.which {
        FocusOrder::Bfs => Box::new(bfs::Bfs::default()),
        FocusOrder::BestFirst => Box::new(best_first::BestFirst::new(settings.page_share)),
        FocusOrder::Hopfield => Box::new(hopfield::Hopfield::new(settings.net)),
        FocusOrder::HopfieldBlock => Box::new(hopfield_block::HopfieldBlock::new(settings.net)),
        FocusOrder::Arms => Box::new(arms::Arms::new(settings.arms, settings.topic.is_words())),
    }
}

impl Memory for Focus {
    fn meet(&mut self, page: PageId, address: &str) {
        let node = self.known.enter(page);
        self.known.name(node, address);
    }

    fn reads(&self) -> bool {
        true
    }
}

impl Strategy for Focus {
    fn name(&self) -> &'static str {
        self.settings.which.name()
    }

    fn memory(&mut self) -> Option<&mut dyn Memory> {
        Some(self)
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        self.forget();
        for &seed in seeds {
            let node = self.known.enter(seed);
            if self.pending.len() >= self.settings.budget as usize || self.known.is_wanted(node) {
                continue;
            }
            self.order.plant(node);
            self.known.want(node);
            plan.want(seed, Priority { round: 0, rank: self.pending.len() as u32 });
            self.pending.insert(node, Pick { node, weight: 1.0, parent: None, arm: None });
        }
    }

    fn visit(&mut self, visit: &Visit<'_>, _plan: &mut Plan) {
        let node = self.known.enter(visit.page);
        // What nobody asked for, or was shown before, tells nothing.
        let Some(pick) = self.pending.remove(&node) else { return };
        let fetched = is_asked(visit.reason);
        self.asked += u32::from(fetched);
        let relevance = match visit.same_as {
            Some(of) => {
                let of = self.known.enter(of);
                if !self.known.is_wanted(of) {
                    self.order.rename(node, of);
                }
                None
            }
            None => self.read(node, visit),
        };
        self.step_of.insert(node, self.steps.len());
        self.steps.push(FocusVisit {
            page: visit.page,
            address: self.known.address(node).to_owned(),
            reason: visit.reason,
            fetched,
            relevance,
            weight: pick.weight,
            parent: pick.parent.map(|parent| self.known.page(parent)),
            arm: pick.arm.and_then(|arm| self.order.arm(arm)).map(str::to_owned),
            why: why(self.settings.which, pick.parent.is_none()),
        });
    }

    fn round(&mut self, finished: u32, plan: &mut Plan) {
        if self.end.is_some() {
            return plan.stop();
        }
        let room = self.settings.budget.saturating_sub(self.asked) as usize;
        let is_net = matches!(self.settings.which, FocusOrder::Hopfield | FocusOrder::HopfieldBlock);
        let most = if is_net { room } else { self.settings.batch.max(1).min(room) };
        let picks = if room == 0 { Err(End::Budget) } else { self.order.next(most) };
        match picks {
            Ok(picks) => {
                for (rank, pick) in picks.into_iter().enumerate() {
                    self.known.want(pick.node);
                    plan.want(
                        self.known.page(pick.node),
                        Priority { round: finished.saturating_add(1), rank: rank as u32 },
                    );
                    self.pending.insert(pick.node, pick);
                }
            }
            Err(end) => {
                self.end = Some(end);
                plan.stop();
            }
        }
    }
}

/// Why a page was fetched, in plain words.
fn why(which: FocusOrder, is_seed: bool) -> &'static str {
    match which {
        _ if is_seed => "a start page",
        FocusOrder::Bfs => "it had been known longest",
        FocusOrder::BestFirst => "its best link stood on the page, and had the text, nearest to the topic",
        FocusOrder::Hopfield | FocusOrder::HopfieldBlock => "its weight was above the threshold",
        FocusOrder::Arms => "links of its kind had paid best",
    }
}

/// Did a server have a say about it?
fn is_asked(reason: Reason) -> bool {
    use Reason::*;
    let met = matches!(reason, Fetched | Imported | Redirected | Unauthorized | Forbidden | AskedToWait);
    met || (reason.state() == State::Broken && reason != Malformed)
}
