//! Where every URL stands, in columns: a dozen bytes a URL.

use groma_model::{Depth, LinkKind, PageId, Reason, State};
use groma_store::{Snapshot, StoreError};

use crate::Names;

/// Aliases followed before a chain counts as broken.
const HOPS: usize = 64;
/// Stands for: no alias.
const NONE: u32 = u32::MAX;

/// The columns, by the number of a URL.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    reasons: Vec<Option<Reason>>,
    depths: Vec<Depth>,
    hosts: Vec<u32>,
    kinds: Vec<Option<LinkKind>>,
    alias: Vec<u32>,
    pub names: Names,
    /// Some URL still waits for its first fetch.
    pub pending: bool,
}

impl Standings {
    pub fn read(store: &mut dyn Snapshot) -> Result<Standings, StoreError> {
        let mut all = Standings::default();
        store.each_standing(&mut |standing| {
            let at = standing.id.0 as usize;
            all.reasons.resize(at, None);
            all.depths.resize(at, Depth::LOOSE);
            all.hosts.resize(at, 0);
            all.kinds.resize(at, None);
            all.alias.resize(at, NONE);
            all.reasons.push(Some(standing.reason));
            all.depths.push(standing.depth);
            all.hosts.push(standing.host.0);
            all.kinds.push(standing.via_kind);
            all.alias.push(standing.alias_of.map_or(NONE, |of| of.0));
            all.names.push(standing.id.0, standing.url);
            all.pending |= standing.reason.state() == State::Queued;
        })?;
        all.settle_aliases();
        Ok(all)
    }

    /// Lets every alias name the page at the end of its chain.
    fn settle_aliases(&mut self) {
        for at in 0..self.alias.len() {
            let mut end = at as u32;
            for _ in 0..HOPS {
                match self.alias.get(end as usize) {
                    Some(&next) if next != NONE => end = next,
                    _ => break,
                }
            }
            if self.alias[at] != NONE {
                self.alias[at] = end;
            }
        }
    }

    /// One more than the greatest number.
    pub fn count(&self) -> u32 {
        self.reasons.len() as u32
    }

    /// Why a URL is in its state; nothing if there is no such number.
    pub fn reason(&self, number: u32) -> Option<Reason> {
        self.reasons.get(number as usize).copied().flatten()
    }

    pub fn state(&self, number: u32) -> Option<State> {
        self.reason(number).map(Reason::state)
    }

    /// Clicks from the start page; [`Depth::LOOSE`] if unknown.
    pub fn depth(&self, number: u32) -> Depth {
        self.depths.get(number as usize).copied().unwrap_or(Depth::LOOSE)
    }

    /// The number of its host.
    pub fn host(&self, number: u32) -> u32 {
        self.hosts.get(number as usize).copied().unwrap_or(0)
    }

    /// By which kind of link it was found first.
    pub fn via_kind(&self, number: u32) -> Option<LinkKind> {
        self.kinds.get(number as usize).copied().flatten()
    }

    /// The page a URL stands for: its own number, or the end of its chain of aliases.
    pub fn page_of(&self, number: u32) -> u32 {
        match self.alias.get(number as usize) {
            Some(&end) if end != NONE => end,
            _ => number,
        }
    }

    /// The first start page that was read (or what it leads to), else the first of them, else the first imported node.
    pub fn first_start(&self) -> Option<PageId> {
        let starts = || (0..self.count()).filter(|&n| self.reason(n).is_some() && self.depth(n) == Depth(0));
        let read = starts().find(|&n| self.state(self.page_of(n)) == Some(State::Fetched));
        let imported = || (0..self.count()).find(|&n| self.reason(n) == Some(Reason::Imported));
        read.or_else(|| starts().next()).or_else(imported).map(|n| PageId(self.page_of(n)))
    }
}
