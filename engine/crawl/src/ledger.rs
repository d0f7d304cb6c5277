//! The ledger: what the store holds, what is about to be written, and the numbers given out in between.

use std::collections::HashMap;

use groma_url::{Position, Url};

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::workers::{Numbers, Renamed, Workers};
use groma_store::{Amend, KnownAddress, NewAddress, NewHost, Store, StoreError, WriteBatch};
use groma_strategy::{Command, Plan};

use crate::epoch::epoch;
use crate::known::Known;

/// How a URL was found.
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
    /// The numbers to be given out.
    numbers: Numbers,
    /// Other workers write to the same store.
    shared: bool,
    /// What the open batch says about keys of variants, for quick look-up.
    variants: HashMap<Fp, (PageId, Fp)>,
    folds: HashMap<Fp, Option<PageId>>,
    /// Where the open batch has the URLs by which a URL was linked.
    linked: HashMap<PageId, usize>,
}

impl<'s> Ledger<'s> {
    /// Opens the book at the last written line.
    pub(crate) fn open(store: &'s mut dyn Store, run: u32) -> Result<Ledger<'s>, StoreError> {
        let (page, host) = store.last_ids()?;
        // Whoever lends a hand asks the store.
        let helps = store.workers().is_some_and(|workers| !workers.leads());
        let known = if helps { Known::empty() } else { Known::load(store)? };
        let hosts = store.hosts()?.into_iter().map(|h| (h.origin, h.id)).collect();
        let batch = WriteBatch { run, now: epoch(), ..WriteBatch::default() };
        Ok(Ledger {
            store,
            batch,
            known,
            hosts,
            numbers: Numbers { pages: page + 1..u32::MAX, hosts: host + 1..u32::MAX },
            shared: false,
            variants: HashMap::new(),
            folds: HashMap::new(),
            linked: HashMap::new(),
        })
    }

    /// The URL with this fingerprint, committed or not.
    pub(crate) fn find(&mut self, fp: Fp) -> Result<Option<KnownAddress>, StoreError> {
        self.known.find(self.store, fp)
    }

    /// Enters a new URL that is not to be fetched, for `reason`.
    pub(crate) fn add(
        &mut self,
        fp: Fp,
        url: String,
        host: HostId,
        reason: Reason,
        found: Discovery,
        alias_of: Option<PageId>,
    ) -> Result<PageId, StoreError> {
        if self.numbers.pages.is_empty() {
            self.numbers.pages = self.more_numbers()?.pages;
        }
        let id = PageId(self.numbers.pages.next().unwrap_or_default());
        self.known.add(fp, KnownAddress { id, soft: false, doubtful: false });
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
        Ok(id)
    }

    /// Numbers that nobody else gives out.
    fn more_numbers(&mut self) -> Result<Numbers, StoreError> {
        match self.workers() {
            Some(workers) => workers.numbers(),
            None => Err(StoreError::Server("there are no numbers left".into())),
        }
    }

    /// From now on others write too.
    pub(crate) fn share(&mut self) -> Result<(), StoreError> {
        self.commit()?;
        self.shared = true;
        self.known.share();
        self.numbers = self.more_numbers()?;
        Ok(())
    }

    /// What is needed among others, if there are others.
    pub(crate) fn workers(&mut self) -> Option<&mut dyn Workers> {
        if self.shared { self.store.workers() } else { None }
    }

    /// Do others write too?
    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Asks for many fingerprints at once, before they are looked for one by one.
    pub(crate) fn ask(&mut self, fps: impl Iterator<Item = Fp>) -> Result<(), StoreError> {
        self.known.ask(self.store, fps)
    }

    /// The entry of a URL that is new in this batch: their numbers rise.
    pub(crate) fn fresh(&mut self, id: PageId) -> Option<&mut NewAddress> {
        let first = self.batch.addresses.first()?.id.0;
        let guess = id.0.checked_sub(first)? as usize;
        let at = match self.batch.addresses.get(guess) {
            Some(address) if address.id == id => guess,
            _ => self.batch.addresses.binary_search_by_key(&id, |address| address.id).ok()?,
        };
        self.batch.addresses.get_mut(at)
    }

    /// Notes that a better link may (or may no longer) change the standing of a URL.
    pub(crate) fn set_soft(&mut self, fp: Fp, id: PageId, soft: bool) {
        self.known.set_soft(fp, id, soft);
    }

    /// Notes that another URL of a URL may (or can no longer) be what robots.txt allows.
    pub(crate) fn set_doubtful(&mut self, fp: Fp, doubtful: bool) {
        self.known.set_doubtful(fp, doubtful);
    }

    /// The URLs by which a URL was linked, committed or not (see `Snapshot::linked`).
    pub(crate) fn linked(&mut self, id: PageId) -> Result<Option<String>, StoreError> {
        match self.linked.get(&id) {
            Some(place) => Ok(self.batch.linked.get(*place).map(|(_, urls)| urls.clone())),
            None => self.store.linked(id),
        }
    }

    /// Writes down the URLs by which a URL was linked.
    pub(crate) fn set_linked(&mut self, id: PageId, urls: String) {
        match self.linked.get(&id).and_then(|place| self.batch.linked.get_mut(*place)) {
            Some(kept) => kept.1 = urls,
            None => {
                self.linked.insert(id, self.batch.linked.len());
                self.batch.linked.push((id, urls));
            }
        }
    }

    /// The number of a host, new or old.
    pub(crate) fn host(&mut self, url: &Url) -> Result<HostId, StoreError> {
        // The origin, as it stands in the URL.
        let origin = &url[..Position::BeforePath];
        if let Some(&id) = self.hosts.get(origin) {
            return Ok(id);
        }
        self.host_named(url.origin().ascii_serialization())
    }

    /// Where malformed URLs are filed.
    pub(crate) fn nowhere(&mut self) -> Result<HostId, StoreError> {
        self.host_named("null".to_string())
    }

    fn host_named(&mut self, origin: String) -> Result<HostId, StoreError> {
        if let Some(&id) = self.hosts.get(&origin) {
            return Ok(id);
        }
        if self.numbers.hosts.is_empty() {
            self.numbers.hosts = self.more_numbers()?.hosts;
        }
        let id = HostId(self.numbers.hosts.next().unwrap_or_default());
        self.batch.hosts.push(NewHost { id, origin: origin.clone() });
        self.hosts.insert(origin, id);
        Ok(id)
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
        self.batch.evidence.folds.push((key, page));
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
        self.batch.evidence.variants.push((key, page, text));
    }

    /// The page a URL stands for by the aliases as they are now, and whether that alias is to be asked about again.
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

    /// Writes the batch, if there is anything in it. Gives what others had entered before us.
    pub(crate) fn commit(&mut self) -> Result<HashMap<PageId, KnownAddress>, StoreError> {
        let mut others = HashMap::new();
        if self.batch.is_empty() {
            return Ok(others);
        }
        self.batch.now = epoch();
        let batch = std::mem::take(&mut self.batch);
        match self.workers() {
            Some(workers) => {
                let renamed = workers.write(&batch)?;
                self.batch = batch;
                self.take_over(&renamed);
                others = renamed.pages;
            }
            None => {
                self.store.commit(&batch)?;
                self.batch = batch;
            }
        }
        self.batch = WriteBatch { run: self.batch.run, now: self.batch.now, ..WriteBatch::default() };
        self.variants.clear();
        self.folds.clear();
        self.linked.clear();
        self.known.committed(self.store)?;
        Ok(others)
    }
}

impl Ledger<'_> {
    /// What others had entered before us is called as they call it.
    fn take_over(&mut self, renamed: &Renamed) {
        for address in self.batch.addresses.iter().filter(|_| !renamed.pages.is_empty()) {
            if let Some(found) = renamed.pages.get(&address.id) {
                // What was only registered is queued now, if it was wanted.
                let soft = found.soft && address.queue.is_none();
                self.known.rename(address.fp, KnownAddress { soft, ..*found });
            }
        }
        for host in &self.batch.hosts {
            if let Some(id) = renamed.hosts.get(&host.id) {
                self.hosts.insert(host.origin.clone(), *id);
            }
        }
    }
}
