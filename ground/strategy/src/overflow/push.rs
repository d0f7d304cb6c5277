//! Preflow-push where the flow is: overflow goes to the nearest sink arc with room, and what reaches none collects on pages
//! that have not been seen.
//!
//! ```text
//! height(u) = 1 + arcs with room from u to the nearest page of the goal          (the goal: pages whose sink arc has room)
//! push        from u to v, if height(u) = height(v) + 1
//! raise       u to 1 + the least height of a page that u has room to, if there is nowhere to push
//! ```
//!
//! Source: Goldberg and Tarjan, A New Approach to the Maximum-Flow Problem, 1988, first phase only: no flow goes back to the
//! source. Overflow that reaches no sink arc is *cut off*. It goes on by the same rule, and its goal are the pages among those
//! cut off that have not been seen: it is there that the network may yet grow. What reaches none of them either is *sealed*.
//!
//! Work is done where overflow is. A region is explored forward from the pages that have some, until it promises to take it
//! all; there heights are computed and flow is pushed, and only if some is left, a region of four times the arcs is explored.
//! What is cut off is remembered as such, for no arc with room leads out of it, until one is added that does.
//!
//! Cost: O(arcs) for each region, and in it preflow-push, where heights are computed anew (breadth first, so they are true
//! distances) after as many arcs have been looked at in vain, and where a height without pages cuts off all above it. The
//! textbook's bound O(n^3) holds. With a low source ([`Height::Low`]) a page that has more arcs to go counts as cut off, and
//! the site is where overflow got stuck: the paper's short cut, no longer proven. It saves next to nothing here.

use std::collections::VecDeque;

use super::Height;
use super::network::{Network, Sight};

/// Stands for: no height, no arc.
const NONE: u32 = u32::MAX;
/// Arcs of the second region; the first ends as soon as it may.
const SECOND: usize = 1 << 12;

/// Where a page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It may have a way to the sink.
    Open,
    /// It has none, but perhaps one to a page that has not been seen.
    CutOff,
    /// It has neither.
    Sealed,
}

/// Where overflow is pushed to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Down a sink arc.
    Sink,
    /// To a page that is cut off and has not been seen.
    Unseen,
}

/// Heights, and who has to push.
#[derive(Clone, Debug, Default)]
pub(super) struct Pusher {
    standing: Vec<Standing>,
    /// Pages to which an arc may lead from what is cut off; unless they are cut off too, it is not.
    exits: Vec<u32>,
    /// Height at most.
    most: u32,
    region: Vec<u32>,
    /// The arcs between pages of the region, each with the one before it that leads to the same page.
    arcs: Vec<(u32, u32)>,
    /// By page: the last of those that lead to it.
    last: Vec<u32>,
    /// By page: its height; 0 outside the region.
    height: Vec<u32>,
    /// By page: in the region, and its arcs were followed.
    followed: Vec<bool>,
    /// Where in its list of arcs a page is.
    at: Vec<u32>,
    /// Pages of each height.
    count: Vec<u32>,
    /// Pages of a greater height have no way to the goal.
    ceiling: u32,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
}

impl Pusher {
    /// With this height of the source.
    pub(super) fn new(height: Height) -> Pusher {
        let most = match height {
            Height::Full => NONE - 1,
            Height::Low(height) => height.max(1),
        };
        Pusher { most, ..Pusher::default() }
    }

    /// The price has changed: what was cut off may not be.
    pub(super) fn reopen(&mut self) {
        self.standing.fill(Standing::Open);
        self.exits.clear();
    }

    /// Pushes until overflow is nowhere but on pages that have not been seen, or where it reaches none.
    pub(super) fn settle(&mut self, network: &mut Network) {
        self.take_note(network);
        loop {
            self.work(network, Goal::Sink);
            self.exits.retain(|&page| self.standing[page as usize] == Standing::Open);
            let held = (0..network.len()).any(|page| self.is_source(network, page, Standing::CutOff));
            if self.exits.is_empty() || !held {
                break;
            }
            self.exits.clear();
            for standing in self.standing.iter_mut().filter(|standing| **standing == Standing::CutOff) {
                *standing = Standing::Open;
            }
        }
        self.work(network, Goal::Unseen);
    }

    /// The pages that have no way to the sink, those not seen among them; seeds too.
    pub(super) fn cut(&self, network: &Network) -> Vec<bool> {
        if self.most < NONE - 1 {
            // A low source knows no more than where overflow got stuck.
            let stuck =
                |page: u32| self.standing.get(page as usize).is_some_and(|standing| *standing != Standing::Open);
            return (0..network.len()).map(|page| network.is_seed(page) || stuck(page)).collect();
        }
        let mut cut = vec![true; network.len() as usize];
        let thirsty =
            |&page: &u32| !network.is_seed(page) && network.sight(page) != Sight::Gone && network.thirst(page) > 0;
        let mut waiting: Vec<u32> = (0..network.len()).filter(thirsty).collect();
        waiting.iter().for_each(|&page| cut[page as usize] = false);
        while let Some(page) = waiting.pop() {
            for &arc in network.out(page) {
                let from = network.arcs[arc as usize].head;
                let leads = network.arcs[arc as usize ^ 1].room > 0 && !network.is_seed(from);
                if leads && std::mem::replace(&mut cut[from as usize], false) {
                    waiting.push(from);
                }
            }
        }
        cut
    }

    /// Learns what has been added to the network.
    fn take_note(&mut self, network: &mut Network) {
        let pages = network.len() as usize;
        self.standing.resize(pages, Standing::Open);
        self.height.resize(pages, 0);
        self.at.resize(pages, 0);
        self.last.resize(pages, NONE);
        self.followed.resize(pages, false);
        self.queued.resize(pages, false);
        let (seen, opened) = network.news();
        for &page in &seen {
            self.standing[page as usize] = Standing::Open;
            self.exits.push(page);
        }
        let mut unsealed = false;
        for &(from, to) in &opened {
            unsealed |=
                self.standing[from as usize] == Standing::Sealed && self.standing[to as usize] != Standing::Sealed;
            if self.standing[from as usize] != Standing::Open {
                self.exits.push(to);
            }
        }
        if unsealed {
            for standing in self.standing.iter_mut().filter(|standing| **standing == Standing::Sealed) {
                *standing = Standing::CutOff;
            }
        }
    }

    fn is_source(&self, network: &Network, page: u32, standing: Standing) -> bool {
        network.overflow[page as usize] > 0 && self.standing[page as usize] == standing
    }

    fn work(&mut self, network: &mut Network, goal: Goal) {
        let (among, then) = match goal {
            Goal::Sink => (Standing::Open, Standing::CutOff),
            Goal::Unseen => (Standing::CutOff, Standing::Sealed),
        };
        let is_source = |page: &u32| self.is_source(network, *page, among) && !holds(network, *page, goal);
        let mut sources: Vec<u32> = (0..network.len()).filter(is_source).collect();
        let mut size = 0;
        while !sources.is_empty() {
            let whole = self.explore(network, goal, among, &sources, size);
            self.push_all(network, goal);
            let left = |page: &u32| network.overflow[*page as usize] > 0 && !holds(network, *page, goal);
            sources = self.region.iter().copied().filter(left).collect();
            if whole {
                self.close(network, &sources, then);
                sources.clear();
            }
            self.leave(network);
            size = size.saturating_mul(4).max(SECOND);
        }
    }

    /// Explores forward from the sources; true if nothing more can be reached from them. What is in the region has a height
    /// then, if only none.
    fn explore(&mut self, network: &Network, goal: Goal, among: Standing, sources: &[u32], size: usize) -> bool {
        let need: i128 = sources.iter().map(|&page| i128::from(network.overflow[page as usize])).sum();
        let mut found = 0i128;
        for &page in sources {
            self.region.push(page);
            self.height[page as usize] = NONE;
            found += promise(network, page, goal);
        }
        let mut at = 0;
        while let Some(&page) = self.region.get(at) {
            if found >= need && self.arcs.len() > size {
                return false;
            }
            at += 1;
            if holds(network, page, goal) {
                continue;
            }
            self.followed[page as usize] = true;
            for &arc in network.out(page) {
                let there = network.arcs[arc as usize];
                let head = there.head as usize;
                if self.standing[head] != among || network.is_seed(there.head) {
                    continue;
                }
                self.arcs.push((arc, self.last[head]));
                self.last[head] = self.arcs.len() as u32 - 1;
                if there.room > 0 {
                    if goal == Goal::Unseen && holds(network, there.head, goal) {
                        found += i128::from(there.room);
                    }
                    if self.height[head] == 0 {
                        self.height[head] = NONE;
                        self.region.push(there.head);
                        found += promise(network, there.head, goal);
                    }
                }
            }
        }
        true
    }

    /// Empties the region, so that its memory can be used again.
    fn leave(&mut self, network: &Network) {
        for (arc, _) in self.arcs.drain(..) {
            self.last[network.arcs[arc as usize].head as usize] = NONE;
        }
        for page in self.region.drain(..) {
            self.height[page as usize] = 0;
            self.followed[page as usize] = false;
        }
    }

    /// What still has overflow, and all it reaches, has no way to the goal; the region holds all of that.
    fn close(&mut self, network: &Network, sources: &[u32], then: Standing) {
        let mut waiting = sources.to_vec();
        sources.iter().for_each(|&page| self.standing[page as usize] = then);
        while let Some(page) = waiting.pop() {
            for &arc in network.out(page) {
                let there = network.arcs[arc as usize];
                let head = there.head as usize;
                if there.room > 0 && self.height[head] == NONE && self.standing[head] != then {
                    self.standing[head] = then;
                    waiting.push(there.head);
                }
            }
        }
    }

    /// Pushes what is in the region as far as it goes.
    fn push_all(&mut self, network: &mut Network, goal: Goal) {
        loop {
            let mut patience = self.compute(network, goal);
            self.queue.clear();
            for &page in &self.region {
                let active = network.overflow[page as usize] > 0 && self.height[page as usize] != NONE;
                let active = active && !holds(network, page, goal);
                self.queued[page as usize] = active;
                if active {
                    self.queue.push_back(page);
                }
            }
            if self.queue.is_empty() {
                return;
            }
            while let Some(page) = self.queue.pop_front() {
                self.queued[page as usize] = false;
                self.discharge(network, page, goal, &mut patience);
                if patience == 0 {
                    break;
                }
            }
            self.queue.iter().for_each(|&page| self.queued[page as usize] = false);
        }
    }

    /// Computes the heights in the region. Returns its arcs.
    fn compute(&mut self, network: &Network, goal: Goal) -> usize {
        self.count.clear();
        self.count.push(0);
        self.ceiling = NONE;
        let mut layer = Vec::new();
        for &page in &self.region {
            self.at[page as usize] = 0;
            self.height[page as usize] = NONE;
            let reached = match goal {
                Goal::Sink => network.thirst(page) > 0,
                Goal::Unseen => holds(network, page, goal),
            };
            if reached {
                self.height[page as usize] = 1;
                layer.push(page);
            }
        }
        let (mut height, mut arcs) = (1, self.region.len());
        while !layer.is_empty() {
            self.count.push(layer.len() as u32);
            height += 1;
            if height > self.most {
                break;
            }
            let mut next = Vec::new();
            for &page in &layer {
                let mut entry = self.last[page as usize];
                while let Some(&(arc, before)) = self.arcs.get(entry as usize) {
                    arcs += 1;
                    let from = network.arcs[arc as usize ^ 1].head;
                    if network.arcs[arc as usize].room > 0 && self.height[from as usize] == NONE {
                        self.height[from as usize] = height;
                        next.push(from);
                    }
                    entry = before;
                }
            }
            layer = next;
        }
        arcs
    }

    /// Pushes a page's overflow on, raising it as needed.
    fn discharge(&mut self, network: &mut Network, page: u32, goal: Goal, patience: &mut usize) {
        let this = page as usize;
        while self.height[this] <= self.ceiling && self.height[this] != NONE {
            if self.height[this] == 1 {
                // Nobody of height 1 is queued unless the goal is the sink.
                network.drain(page);
            }
            while network.overflow[this] > 0 && self.followed[this] {
                let Some(&arc) = network.out(page).get(self.at[this] as usize) else { break };
                let (room, head) = (network.arcs[arc as usize].room, network.arcs[arc as usize].head);
                if room > 0 && self.height[head as usize] == self.height[this] - 1 && self.height[head as usize] > 0 {
                    network.push(arc, room.min(network.overflow[this]));
                    if !holds(network, head, goal) && !std::mem::replace(&mut self.queued[head as usize], true) {
                        self.queue.push_back(head);
                    }
                    if network.overflow[this] == 0 {
                        return;
                    }
                }
                self.at[this] += 1;
            }
            if network.overflow[this] == 0 {
                return;
            }
            if !self.followed[this] {
                // A larger region will see where it can go.
                return;
            }
            *patience = patience.saturating_sub(network.out(page).len() + 1);
            self.raise(network, page);
        }
    }

    /// Raises a page to just above its lowest neighbor.
    fn raise(&mut self, network: &Network, page: u32) {
        let this = page as usize;
        self.at[this] = 0;
        let open = network.out(page).iter().map(|&arc| network.arcs[arc as usize]).filter(|arc| arc.room > 0);
        let heights = open.map(|arc| self.height[arc.head as usize]).filter(|&height| height > 0);
        let lowest = heights.min().unwrap_or(NONE);
        let new = if lowest >= self.most { NONE } else { lowest + 1 };
        let old = std::mem::replace(&mut self.height[this], new) as usize;
        if let Some(count) = self.count.get_mut(old) {
            *count -= 1;
            if *count == 0 {
                self.ceiling = self.ceiling.min(old as u32);
            }
        }
        if new != NONE {
            if self.count.len() <= new as usize {
                self.count.resize(new as usize + 1, 0);
            }
            self.count[new as usize] += 1;
        }
    }
}

/// What a page can take by itself.
fn promise(network: &Network, page: u32, goal: Goal) -> i128 {
    if goal == Goal::Sink { i128::from(network.thirst(page)) } else { 0 }
}

/// Does overflow stay on this page, once it is cut off?
fn holds(network: &Network, page: u32, goal: Goal) -> bool {
    goal == Goal::Unseen && network.sight(page) == Sight::Unseen
}
