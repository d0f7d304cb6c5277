//! The traffic network as far as it is known: it grows by a page at a time, and flow is kept while it grows.
//!
//! ```text
//! source -> seed   infinite: a seed gives every link of it all it can carry, at once
//! u -> v           sim(u, v) once u has been seen and links to v
//! v -> u           the same, once v has been seen too, if links count in both directions
//! u -> sink        the price, the same for every page
//! overflow(u)      what flows in and neither into the sink nor on
//! ```
//!
//! Source: paper 2, sections 2.3 and 2.4. Amounts are whole numbers, [`UNIT`] for the capacity 1, so sums are exact and ties
//! are ties; a capacity is wrong by at most 2^-39. Whatever is in the network was poured out by a seed, and no more than
//! [`MOST`] ever is, so nothing overflows an i64. An arc and the one back stand side by side: 32 bytes for the two, and 8 in
//! the lists of their pages.
//!
//! A page that has not been seen has arcs in, never out, but what it was given may be taken back. So it can be struck out
//! without a trace: those that gave it something have it again.

use super::Direction;

/// The amount that stands for the capacity 1.
pub(super) const UNIT: i64 = 1 << 38;
/// The most that seeds give.
const MOST: i64 = 1 << 61;
/// Stands for: no arc.
const NONE: u32 = u32::MAX;

/// A capacity as a whole number; one that is no number, or less than nothing, is none.
pub(super) fn fixed(capacity: f64) -> i64 {
    if capacity > 0.0 { (capacity.min(1e6) * UNIT as f64).round() as i64 } else { 0 }
}

/// An amount as people read it.
pub(super) fn real(amount: i128) -> f64 {
    amount as f64 / UNIT as f64
}

/// What is known of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Others link to it.
    Unseen,
    /// Its links are known.
    Seen,
    /// It is no page.
    Gone,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// What it can still carry.
    pub(super) room: i64,
    /// Node to which it leads.
    pub(super) head: u32,
    /// It has a capacity of its own; otherwise it only takes back what came the other way.
    open: bool,
}

/// Pages, arcs, and the flow on them.
#[derive(Clone, Debug)]
pub(super) struct Network {
    direction: Direction,
    /// What a sink arc can carry.
    price: i64,
    poured: i64,
    sights: Vec<Sight>,
    seeds: Vec<bool>,
    pub(super) overflow: Vec<i64>,
    /// The flow on the sink arc.
    drained: Vec<i64>,
    /// The arcs out of each page.
    out: Vec<Vec<u32>>,
    /// Arc `a` and the one back, `a ^ 1`.
    pub(super) arcs: Vec<Arc>,
    /// While a page is linked: its arc to each page that it has one to.
    found: Vec<u32>,
    /// Pages seen since somebody asked, and arcs opened: from where to where.
    seen: Vec<u32>,
    opened: Vec<(u32, u32)>,
}

impl Network {
    /// Nothing is known yet.
    pub(super) fn new(direction: Direction, price: i64) -> Network {
        Network {
            direction,
            price,
            poured: 0,
            sights: Vec::new(),
            seeds: Vec::new(),
            overflow: Vec::new(),
            drained: Vec::new(),
            out: Vec::new(),
            arcs: Vec::new(),
            found: Vec::new(),
            seen: Vec::new(),
            opened: Vec::new(),
        }
    }

    /// A new page; they are numbered from 0.
    pub(super) fn add(&mut self) -> u32 {
        self.sights.push(Sight::Unseen);
        self.seeds.push(false);
        self.overflow.push(0);
        self.drained.push(0);
        self.out.push(Vec::new());
        self.found.push(NONE);
        self.sights.len() as u32 - 1
    }

    /// How many pages there are.
    pub(super) fn len(&self) -> u32 {
        self.sights.len() as u32
    }

    /// What is known of a page.
    pub(super) fn sight(&self, page: u32) -> Sight {
        self.sights[page as usize]
    }

    pub(super) fn is_seed(&self, page: u32) -> bool {
        self.seeds[page as usize]
    }

    /// The pages seen, and the ends of the arcs opened, since this was last asked.
    pub(super) fn news(&mut self) -> (Vec<u32>, Vec<(u32, u32)>) {
        (std::mem::take(&mut self.seen), std::mem::take(&mut self.opened))
    }

    /// What its sink arc can still carry.
    pub(super) fn thirst(&self, page: u32) -> i64 {
        self.price - self.drained[page as usize]
    }

    /// Lets overflow go down its sink arc.
    pub(super) fn drain(&mut self, page: u32) {
        let amount = self.overflow[page as usize].min(self.thirst(page));
        self.overflow[page as usize] -= amount;
        self.drained[page as usize] += amount;
    }

    /// The arcs out of a page.
    pub(super) fn out(&self, page: u32) -> &[u32] {
        &self.out[page as usize]
    }

    /// Makes a page a seed: the source gives it as much as it can pass on.
    pub(super) fn plant(&mut self, page: u32) {
        if !std::mem::replace(&mut self.seeds[page as usize], true) {
            self.overflow[page as usize] = 0;
            for at in 0..self.out[page as usize].len() {
                self.pour(self.out[page as usize][at]);
            }
        }
    }

    /// A page has been seen, and these are its links.
    pub(super) fn see(&mut self, page: u32, links: &[u32], capacity: &mut dyn FnMut(u32, u32) -> i64) {
        if self.sights[page as usize] != Sight::Unseen {
            return;
        }
        self.sights[page as usize] = Sight::Seen;
        self.seen.push(page);
        for at in 0..self.out[page as usize].len() {
            let arc = self.out[page as usize][at];
            self.found[self.arcs[arc as usize].head as usize] = arc;
            if self.direction == Direction::Both {
                self.open(arc, self.arcs[arc as usize].room + self.arcs[arc as usize ^ 1].room);
            }
        }
        for &to in links {
            if to != page && self.sights[to as usize] != Sight::Gone {
                let arc = self.found[to as usize];
                self.found[to as usize] = self.join(page, to, arc, capacity);
            }
        }
        for at in 0..self.out[page as usize].len() {
            let arc = self.out[page as usize][at];
            self.found[self.arcs[arc as usize].head as usize] = NONE;
        }
        links.iter().for_each(|&to| self.found[to as usize] = NONE);
    }

    /// A page that was never seen turns out to be none; what it was given goes back. If it is another name of one, the links to
    /// it are links to that one.
    pub(super) fn strike(&mut self, page: u32, same_as: Option<u32>, capacity: &mut dyn FnMut(u32, u32) -> i64) {
        if self.sights[page as usize] != Sight::Unseen {
            return;
        }
        self.sights[page as usize] = Sight::Gone;
        let arcs = std::mem::take(&mut self.out[page as usize]);
        let from: Vec<u32> = arcs.iter().map(|&arc| self.arcs[arc as usize].head).collect();
        for (&arc, &giver) in arcs.iter().zip(&from) {
            if !self.seeds[giver as usize] {
                self.overflow[giver as usize] += self.arcs[arc as usize].room;
            }
            self.arcs[arc as usize].room = 0;
            self.arcs[arc as usize ^ 1].room = 0;
            self.out[giver as usize].retain(|&other| other != arc ^ 1);
        }
        self.overflow[page as usize] = 0;
        self.drained[page as usize] = 0;
        let Some(to) = same_as.filter(|&to| self.sights[to as usize] != Sight::Gone) else { return };
        for at in 0..self.out[to as usize].len() {
            let arc = self.out[to as usize][at];
            self.found[self.arcs[arc as usize].head as usize] = arc ^ 1;
        }
        for &giver in from.iter().filter(|&&giver| giver != to) {
            let arc = self.found[giver as usize];
            self.join(giver, to, arc, capacity);
        }
        for at in 0..self.out[to as usize].len() {
            let arc = self.out[to as usize][at];
            self.found[self.arcs[arc as usize].head as usize] = NONE;
        }
    }

    /// A link from a page that has been seen. `arc`: the one it has to that page, or nothing. Returns the one it has then.
    fn join(&mut self, from: u32, to: u32, arc: u32, capacity: &mut dyn FnMut(u32, u32) -> i64) -> u32 {
        if self.seeds[from as usize] && self.seeds[to as usize] {
            return arc;
        }
        if arc != NONE {
            if !self.arcs[arc as usize].open {
                let amount = capacity(from, to);
                self.open(arc, amount);
            }
            return arc;
        }
        let amount = capacity(from, to);
        if amount <= 0 {
            return NONE;
        }
        let arc = self.arcs.len() as u32;
        self.arcs.push(Arc { room: 0, head: to, open: false });
        self.arcs.push(Arc { room: 0, head: from, open: false });
        self.out[from as usize].push(arc);
        self.out[to as usize].push(arc ^ 1);
        self.open(arc, amount);
        if self.direction == Direction::Both && self.sights[to as usize] == Sight::Seen {
            self.open(arc ^ 1, amount);
        }
        arc
    }

    /// Gives an arc its capacity.
    fn open(&mut self, arc: u32, capacity: i64) {
        let this = &mut self.arcs[arc as usize];
        if !std::mem::replace(&mut this.open, true) {
            this.room += capacity;
            let ends = (self.arcs[arc as usize ^ 1].head, self.arcs[arc as usize].head);
            self.opened.push(ends);
            self.pour(arc);
        }
    }

    /// If the arc comes from a seed, it carries what it can.
    fn pour(&mut self, arc: u32) {
        let (from, to) = (self.arcs[arc as usize ^ 1].head, self.arcs[arc as usize].head);
        if self.seeds[from as usize] && !self.seeds[to as usize] {
            let amount = self.arcs[arc as usize].room.min(MOST - self.poured);
            self.poured += amount;
            self.push(arc, amount);
        }
    }

    /// Sends an amount along an arc, that there is room for.
    pub(super) fn push(&mut self, arc: u32, amount: i64) {
        self.arcs[arc as usize].room -= amount;
        self.arcs[arc as usize ^ 1].room += amount;
        let (from, to) = (self.arcs[arc as usize ^ 1].head, self.arcs[arc as usize].head);
        if !self.seeds[from as usize] {
            self.overflow[from as usize] -= amount;
        }
        if !self.seeds[to as usize] {
            self.overflow[to as usize] += amount;
        }
    }

    /// Sets the price. What a sink arc carries above it is overflow again.
    pub(super) fn set_price(&mut self, price: i64) {
        self.price = price;
        for (drained, overflow) in self.drained.iter_mut().zip(&mut self.overflow) {
            let above = (*drained - price).max(0);
            *drained -= above;
            *overflow += above;
        }
    }

    /// Could the arcs between a page and a set carry more than the price?
    pub(super) fn is_flooded(&self, page: u32, set: &[bool]) -> bool {
        let mut sum = 0i64;
        for &arc in self.out(page) {
            let (there, back) = (self.arcs[arc as usize], self.arcs[arc as usize ^ 1]);
            if back.open && set[there.head as usize] {
                sum = sum.saturating_add((there.room + back.room) / if there.open { 2 } else { 1 });
            }
        }
        sum > self.price
    }

    /// The capacity of the links that lead out of a set of pages that have been seen, and of those within it.
    pub(super) fn around(&self, inside: &[bool]) -> (i128, i128) {
        let (mut across, mut within) = (0, 0);
        for page in (0..self.len()).filter(|&page| inside[page as usize]) {
            for &arc in self.out(page) {
                let (there, back) = (self.arcs[arc as usize], self.arcs[arc as usize ^ 1]);
                if !there.open {
                    continue;
                }
                // Both directions of a link have the same capacity, and flow moves room from one to the other.
                let capacity = i128::from((there.room + back.room) / if back.open { 2 } else { 1 });
                if !inside[there.head as usize] {
                    across += capacity;
                } else if !back.open || page < there.head {
                    within += capacity;
                }
            }
        }
        (across, within)
    }

    /// What went down the sink arcs.
    #[cfg(test)]
    pub(super) fn drained(&self) -> i128 {
        self.drained.iter().map(|&amount| i128::from(amount)).sum()
    }
}
