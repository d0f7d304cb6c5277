//! The ledger: what the store holds, what is about to be written, and the numbers given out in between.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use url::{Position, Url};

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::{Amend, Found, NewAddress, NewHost, Store, StoreError, WriteBatch};
use groma_strategy::{Command, Plan};

use crate::known::Known;

/// How an address was found.
#[derive(Clone, Copy)]
pub(crate) struct Discovery {
    pub(crate) via: Option<PageId>,
    pub(crate) kind: LinkKind,
    pub(crate) depth: Depth,
}

/// The open page of the survey's book.
pub(crate) struct Ledger<'s> {
    pub(crate) store: &'s mut dyn Store,
    pub(crate) batch: WriteBatch,
    known: Known,
    hosts: HashMap<String, HostId>,
    next_page: u32,
    next_host: u32,
    /// The host that malformed addresses are filed under.
    nowhere: Option<HostId>,
    /// What the open batch says about keys of variants, for quick look-up.
    variants: HashMap<Fp, (PageId, Fp)>,
    folds: HashMap<Fp, Option<PageId>>,
}

impl<'s> Ledger<'s> {
    /// Opens the book at the last written line.
    pub(crate) fn open(store: &'s mut dyn Store, run: u32) -> Result<Ledger<'s>, StoreError> {
        let (page, host) = store.last_ids()?;
        let known = Known::load(store)?;
        let hosts = store.hosts()?.into_iter().map(|h| (h.origin, h.id)).collect();
        let batch = WriteBatch { run, now: epoch(), ..WriteBatch::default() };
        Ok(Ledger {
            store,
            batch,
            known,
            hosts,
            next_page: page + 1,
            next_host: host + 1,
            nowhere: None,
            variants: HashMap::new(),
            folds: HashMap::new(),
        })
    }

    /// The address with this fingerprint, committed or not.
    pub(crate) fn find(&mut self, fp: Fp) -> Result<Option<Found>, StoreError> {
        self.known.find(self.store, fp)
    }

    /// Enters a new address that is not to be fetched, for `reason`.
    pub(crate) fn add(
        &mut self,
        fp: Fp,
        url: String,
        host: HostId,
        reason: Reason,
        found: Discovery,
        alias_of: Option<PageId>,
    ) -> PageId {
        let id = PageId(self.next_page);
        self.next_page += 1;
        self.known.add(fp, Found { id, soft: false });
        self.batch.addresses.push(NewAddress {
            id,
            fp,
            host,
            url,
            reason,
            depth: found.depth,
            via: found.via,
            via_kind: found.kind,
            alias_of,
            queue: None,
            run: 0,
        });
        id
    }

    /// The entry of an address that is new in this batch.
    pub(crate) fn fresh(&mut self, id: PageId) -> Option<&mut NewAddress> {
        let first = self.batch.addresses.first()?.id.0;
        self.batch.addresses.get_mut(id.0.checked_sub(first)? as usize)
    }

    /// Notes that a better link may (or may no longer) change the standing of an address.
    pub(crate) fn set_soft(&mut self, fp: Fp, id: PageId, soft: bool) {
        self.known.set_soft(fp, Found { id, soft });
    }

    /// The number of a host, new or old.
    pub(crate) fn host(&mut self, url: &Url) -> HostId {
        // The origin, as it stands in the address.
        let origin = &url[..Position::BeforePath];
        if let Some(&id) = self.hosts.get(origin) {
            return id;
        }
        self.host_named(url.origin().ascii_serialization())
    }

    /// Where malformed addresses are filed.
    pub(crate) fn nowhere(&mut self) -> HostId {
        if let Some(host) = self.nowhere {
            return host;
        }
        let host = self.host_named("null".to_string());
        self.nowhere = Some(host);
        host
    }

    fn host_named(&mut self, origin: String) -> HostId {
        if let Some(&id) = self.hosts.get(&origin) {
            return id;
        }
        let id = HostId(self.next_host);
        self.next_host += 1;
        self.batch.hosts.push(NewHost { id, origin: origin.clone() });
        self.hosts.insert(origin, id);
        id
    }

    /// The page that stands for all variants with this key, committed or not.
    pub(crate) fn stands_for(&mut self, key: Fp) -> Result<Option<PageId>, StoreError> {
        match self.folds.get(&key) {
            Some(page) => Ok(*page),
            None => self.store.folded(key),
        }
    }

    /// From now on this page stands for all variants with this key; `None`: no page does.
    pub(crate) fn fold(&mut self, key: Fp, page: Option<PageId>) {
        self.folds.insert(key, page);
        self.batch.folds.push((key, page));
    }

    /// The page fetched first for this key, with its text then, committed or not; true if it is committed.
    pub(crate) fn first_of(&mut self, key: Fp) -> Result<Option<(PageId, Fp, bool)>, StoreError> {
        match self.variants.get(&key) {
            Some((page, text)) => Ok(Some((*page, *text, false))),
            None => Ok(self.store.variant(key)?.map(|(page, text)| (page, text, true))),
        }
    }

    /// This page was fetched first for this key.
    pub(crate) fn first(&mut self, key: Fp, page: PageId, text: Fp) {
        self.variants.insert(key, (page, text));
        self.batch.variants.push((key, page, text));
    }

    /// The page an address stands for by the aliases as they are now, and whether that alias is to be asked about again.
    pub(crate) fn alias_of(&mut self, id: PageId) -> Result<Option<PageId>, StoreError> {
        if let Some(fresh) = self.fresh(id) {
            return Ok(fresh.alias_of);
        }
        if let Some(settled) = self.batch.settled.iter().rev().find(|s| s.id == id) {
            return Ok(settled.alias_of);
        }
        let row = self.store.address(id)?;
        // An alias that waits to be asked again proves nothing about today.
        Ok(row.filter(|r| !r.queued).and_then(|r| r.alias_of))
    }

    /// Carries out what a strategy said. `depth` is that of the pages it speaks of. Returns true if it said stop.
    pub(crate) fn obey(&mut self, plan: Plan, depth: impl Fn(PageId) -> Depth) -> bool {
        let mut stop = false;
        for command in plan.commands {
            let (id, reason, queue) = match command {
                Command::Want(id, priority) => (id, Reason::Waiting, Some((priority.round, priority.rank))),
                Command::Drop(id, reason) => (id, reason, None),
                // Questions are asked by `gather`: a crawl fetches pages.
                Command::Ask(_) => continue,
                Command::Stop => {
                    stop = true;
                    continue;
                }
            };
            let depth = depth(id);
            match self.fresh(id) {
                Some(address) => (address.reason, address.queue, address.depth) = (reason, queue, depth),
                None => {
                    let depth = Some(depth);
                    self.batch.amends.push(Amend { queue, depth, ..Amend::to(id, reason) });
                }
            }
        }
        stop
    }

    /// Writes the batch, if there is anything in it.
    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.batch.now = epoch();
        self.store.commit(&self.batch)?;
        self.batch = WriteBatch { run: self.batch.run, now: self.batch.now, ..WriteBatch::default() };
        self.variants.clear();
        self.folds.clear();
        self.known.committed(self.store)
    }
}

/// Seconds since 1970.
pub(crate) fn epoch() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}
