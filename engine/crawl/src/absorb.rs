//! From a harvest to a batch: what a visit changes in the survey.

use std::collections::HashMap;

use url::Url;

use groma_fetch::Fetcher;
use groma_model::url::Canon;
use groma_model::url::learn::without;
use groma_model::url::shape::{quarter, quarter_text, shape, shape_text};
use groma_model::url::trap::Suspicion;
use groma_model::{Depth, Fp, HostId, Limits, LinkKind, PageId, ParsedPage, Reason, Rel, State};
use groma_store::batch::Content;
use groma_store::{AddressRow, Change, ChangeKind, FetchFacts, Finding, Queued, Settled, StoreError, codec};
use groma_strategy::{Lead, Plan, Visit};

use crate::engine::{Engine, is_free};
use crate::frontier::Millis;
use crate::ledger::{Discovery, epoch};
use crate::progress::PageSeen;
use crate::reader::{Got, Harvest, Place, Reading};
use crate::ticket::Ticket;

/// Other spellings of one canonical address that are tried before its redirects count as a circle.
const SPELLINGS: u32 = 5;

/// A ticket to be used again after some time.
type Again = (Ticket, Millis);

impl<F: Fetcher> Engine<'_, F> {
    /// Takes in a harvest. Gives the ticket back if the page is to be asked for again.
    pub(crate) fn absorb(&mut self, harvest: Harvest) -> Result<Option<Again>, StoreError> {
        let Harvest { mut ticket, facts, got, rest, .. } = harvest;
        match got {
            Got::Fault { passing: true, .. } if u64::from(ticket.tries) < self.settings.limits.retries => {
                let wait = rest.unwrap_or(self.settings.limits.retry_ms << ticket.tries.min(16));
                ticket.tries += 1;
                return Ok(Some((ticket, wait)));
            }
            Got::Fault { reason, .. } => self.settle(&ticket, reason, None, facts, fate_of_content(reason), false),
            Got::Bare => {
                let changed =
                    ticket.last.as_ref().is_none_or(|last| last.size != facts.size || last.etag != facts.etag);
                self.settle(&ticket, Reason::Fetched, None, facts, Content::Remove, changed);
            }
            Got::Unchanged => {
                let last = ticket.last.take().map_or_else(FetchFacts::default, |last| *last);
                let facts = FetchFacts { fetched_at: facts.fetched_at, elapsed_ms: facts.elapsed_ms, ..last };
                self.settle(&ticket, Reason::Fetched, None, facts, Content::Keep, false);
            }
            Got::Redirect(to) => return self.absorb_redirect(ticket, facts, to.0, to.1),
            Got::Page(reading) => self.absorb_page(&ticket, facts, *reading)?,
        }
        Ok(None)
    }

    fn absorb_redirect(
        &mut self,
        mut ticket: Ticket,
        facts: FetchFacts,
        raw: Url,
        canon: Canon,
    ) -> Result<Option<Again>, StoreError> {
        let here = Fp::of(ticket.url.as_str().as_bytes());
        if canon.address.fp == here {
            // Another spelling of the same page (a session id, say): ask for that one, within reason.
            let asked = ticket.spelling.as_ref().unwrap_or(&ticket.url);
            if *asked != raw && ticket.spellings < SPELLINGS {
                ticket.spellings += 1;
                ticket.spelling = Some(raw);
                return Ok(Some((ticket, 0)));
            }
            self.settle(&ticket, Reason::RedirectLoop, None, facts, Content::Remove, false);
            return Ok(None);
        }
        let is_seed = self.seeds.contains(&ticket.id);
        if is_seed && self.scope.judge(&canon.address.url).is_err() {
            self.scope.add_seed(canon.address.url.clone());
            self.watch.notice(&format!("the start page moved to {}: the survey follows", canon.address.url));
        }
        let found = Discovery { via: Some(ticket.id), kind: LinkKind::Redirect, depth: ticket.depth };
        let (target, mut lead) = self.place(Place::Address(canon), found, false)?;
        if self.leads_back(target, ticket.id)? {
            self.settle(&ticket, Reason::RedirectLoop, None, facts, Content::Remove, false);
            return Ok(None);
        }
        if self.hops_to(&ticket)? >= self.settings.limits.redirects {
            *self.ledger.batch.counts.limits.entry("redirects").or_default() += 1;
            self.settle(&ticket, Reason::RedirectChain, None, facts, Content::Remove, false);
            return Ok(None);
        }
        if is_seed {
            self.seeds.insert(target);
        }
        lead |= self.redirect_opens(target, ticket.depth)?;
        self.settle(&ticket, Reason::Redirected, Some(target), facts, Content::Remove, false);
        let leads = if lead { vec![Lead { page: target, kind: LinkKind::Redirect, link: None }] } else { Vec::new() };
        self.consult(&ticket, Reason::Redirected, None, &leads);
        if lead {
            let host = self.host_of(target)?;
            self.hosts.feed(host);
        }
        Ok(None)
    }

    /// A known target that was kept out for its distance alone comes in by a redirect from nearer.
    fn redirect_opens(&mut self, target: PageId, depth: Depth) -> Result<bool, StoreError> {
        let (reason, so_far) = if let Some(fresh) = self.ledger.fresh(target) {
            (fresh.reason, fresh.depth)
        } else if self.loaded.contains(&target) {
            return Ok(false);
        } else {
            let Some(row) = self.ledger.store.address(target)? else { return Ok(false) };
            (row.reason, row.depth)
        };
        let kept_out = matches!(reason, Reason::DepthLimit | Reason::Loose | Reason::NotWanted | Reason::NoFollow);
        Ok(kept_out || (reason == Reason::Waiting && so_far > depth))
    }

    /// Do the aliases from `start` lead to `page`?
    fn leads_back(&mut self, start: PageId, page: PageId) -> Result<bool, StoreError> {
        let mut at = Some(start);
        // Aliases in the open batch are not in the store yet.
        let open: HashMap<PageId, PageId> =
            self.ledger.batch.settled.iter().filter_map(|s| Some((s.id, s.alias_of?))).collect();
        for _ in 0..=2 * self.settings.limits.redirects {
            let Some(here) = at else { return Ok(false) };
            if here == page {
                return Ok(true);
            }
            at = match open.get(&here) {
                Some(next) => Some(*next),
                None => self.ledger.store.address(here)?.and_then(|row| row.alias_of),
            };
        }
        Ok(true)
    }

    /// How many redirects in a row led to this page.
    fn hops_to(&mut self, ticket: &Ticket) -> Result<u64, StoreError> {
        let mut hops = 0;
        let mut row = self.ledger.store.address(ticket.id)?;
        while let Some(AddressRow { via: Some(via), via_kind: Some(LinkKind::Redirect), .. }) = row {
            hops += 1;
            if hops > self.settings.limits.redirects {
                break;
            }
            row = self.ledger.store.address(via)?;
        }
        Ok(hops)
    }

    fn host_of(&mut self, page: PageId) -> Result<HostId, StoreError> {
        if let Some(fresh) = self.ledger.fresh(page) {
            return Ok(fresh.host);
        }
        let row = self.ledger.store.address(page)?;
        row.map(|r| r.host).ok_or_else(|| StoreError::Damaged(format!("page {} is not there", page.0)))
    }

    fn absorb_page(&mut self, ticket: &Ticket, mut facts: FetchFacts, reading: Reading) -> Result<(), StoreError> {
        if self.settings.learn
            && let Some(text) = facts.text_fp
            && let Some(same_as) = self.witness(ticket, text)?
        {
            // A sample of a learned rule, or a variant that was under way when the rule became strong: it held.
            self.settle(ticket, Reason::Folded, Some(same_as), facts, Content::Remove, false);
            return Ok(());
        }
        let Reading { parsed, places, details, body } = reading;
        let nofollow = facts.nofollow;
        let mut targets = Vec::with_capacity(places.len());
        let mut leads = Vec::new();
        let known_before = self.ledger.batch.addresses.len();
        for (index, (place, link)) in places.into_iter().zip(&parsed.links).enumerate() {
            let found = Discovery { via: Some(ticket.id), kind: link.kind, depth: ticket.depth.next() };
            let (target, lead) = self.place(place, found, nofollow || link.rel.has(Rel::NOFOLLOW))?;
            targets.push(target);
            if link.kind == LinkKind::Canonical && facts.canonical.is_none() {
                facts.canonical = Some(target);
            }
            if lead {
                leads.push(Lead { page: target, kind: link.kind, link: Some(index) });
            }
        }
        self.watch_for_traps(ticket, &parsed, known_before, &mut leads);
        self.consult(ticket, Reason::Fetched, Some(&parsed), &leads);
        let changed = self.note_change(ticket, &facts, &parsed, &targets)?;
        let content = Content::Put { targets: codec::pack_targets(&targets), details, body };
        self.settle(ticket, Reason::Fetched, None, facts, content, changed);
        Ok(())
    }

    /// The number of an address; enters it if it is new. True: a strategy may want it.
    pub(crate) fn place(
        &mut self,
        place: Place,
        found: Discovery,
        nofollow: bool,
    ) -> Result<(PageId, bool), StoreError> {
        let canon = match place {
            Place::Address(canon) => canon,
            Place::Malformed(text, fp) => {
                if let Some(known) = self.ledger.find(fp)? {
                    return Ok((known.id, false));
                }
                let nowhere = self.ledger.nowhere();
                self.progress.discovered += 1;
                return Ok((self.ledger.add(fp, text, nowhere, Reason::Malformed, found, None), false));
            }
        };
        let (url, fp) = (canon.address.url, canon.address.fp);
        let hindrance = self.hindrance(found.kind, nofollow);
        if let Some(known) = self.ledger.find(fp)? {
            let lead = known.soft && hindrance.is_none();
            if lead {
                self.ledger.set_soft(fp, known.id, false);
            }
            return Ok((known.id, lead));
        }
        if let Err(reason) = canon.verdict.and_then(|()| self.scope.judge(&url)) {
            return Ok((self.enter(&url, fp, reason, found, None), false));
        }
        if let Some(reason) = hindrance {
            let id = self.enter(&url, fp, reason, found, None);
            self.ledger.set_soft(fp, id, true);
            return Ok((id, false));
        }
        if self.settings.learn
            && let Some((kind, param)) = self.learner.meaningless(&url)
            && let Some(key) = without(&url, &param)
        {
            match self.stands_for(key)? {
                None => {
                    let id = self.enter(&url, fp, Reason::NotWanted, found, None);
                    self.ledger.batch.folds.push((key, Some(id)));
                    return Ok((id, true));
                }
                Some(page) if !self.learner.sample(kind, &param) => {
                    self.note_learned(&url, &param, "");
                    return Ok((self.enter(&url, fp, Reason::Folded, found, Some(page)), false));
                }
                Some(_) => {}
            }
        }
        Ok((self.enter(&url, fp, Reason::NotWanted, found, None), true))
    }

    /// Enters a new address.
    fn enter(&mut self, url: &Url, fp: Fp, reason: Reason, found: Discovery, alias_of: Option<PageId>) -> PageId {
        self.progress.discovered += u64::from(alias_of.is_none());
        let host = self.ledger.host(url);
        self.ledger.add(fp, url.to_string(), host, reason, found, alias_of)
    }

    /// The page that stands for all variants with this key, committed or not.
    fn stands_for(&mut self, key: Fp) -> Result<Option<PageId>, StoreError> {
        match self.ledger.batch.folds.iter().rev().find(|(k, _)| *k == key) {
            Some((_, page)) => Ok(*page),
            None => self.ledger.store.folded(key),
        }
    }

    /// Why a link of this kind is not followed, if it is not.
    fn hindrance(&self, kind: LinkKind, nofollow: bool) -> Option<Reason> {
        match kind {
            LinkKind::Form => Some(Reason::NotWanted),
            kind if !kind.leads_on() && !self.settings.assets => Some(Reason::Asset),
            _ if nofollow && !self.settings.follow_nofollow => Some(Reason::NoFollow),
            _ => None,
        }
    }

    /// Keeps leads out that belong to a trap.
    fn watch_for_traps(&mut self, ticket: &Ticket, parsed: &ParsedPage, known_before: usize, leads: &mut Vec<Lead>) {
        let here = shape(&ticket.url);
        let mut shapes: HashMap<PageId, (Url, bool)> = HashMap::new();
        for address in &self.ledger.batch.addresses[known_before..] {
            if let Ok(url) = Url::parse(&address.url)
                && address.reason == Reason::NotWanted
            {
                let there = shape(&url);
                let elsewhere = there != here && self.traps.admits(there, 0);
                shapes.insert(address.id, (url, elsewhere));
            }
        }
        let elsewhere = leads.iter().any(|lead| shapes.get(&lead.page).is_some_and(|(_, other)| *other));
        let text = parsed.blocks.iter().map(|b| b.text.as_str());
        let seen = self.traps.see(here, ticket.depth.known().unwrap_or(0), elsewhere, text);
        if let Some(suspicion) = seen.suspicion {
            self.suspect(shape_text(&ticket.url), &ticket.url, suspicion);
        }
        if let Some(suspicion) = self.traps.count(quarter(&ticket.url)) {
            self.suspect(quarter_text(&ticket.url), &ticket.url, suspicion);
        }
        let run = if seen.stale { ticket.run.saturating_add(1) } else { 0 };
        let mut chain = None;
        leads.retain(|lead| {
            let Some((url, _)) = shapes.get(&lead.page) else { return true };
            let there = shape(url);
            let admitted = is_free(&self.traps, url, run);
            if !admitted && u64::from(run) >= self.settings.limits.trap_run && self.traps.tell_chain(there) {
                chain = Some(url.clone());
            }
            if let Some(address) = self.ledger.fresh(lead.page) {
                address.run = run;
                if !admitted {
                    address.reason = Reason::Trap;
                }
            }
            admitted
        });
        if let Some(url) = chain {
            self.suspect(shape_text(&url), &url, Suspicion::Chain);
        }
    }

    fn suspect(&mut self, subject: String, seen_at: &Url, suspicion: Suspicion) {
        let (says, limit) = (suspicion.says(), limit_words(suspicion, &self.settings.limits));
        self.watch.notice(&format!("trap suspected at {subject}: {says}"));
        let detail = format!("{says} ({limit}), seen at {seen_at}");
        self.ledger.batch.findings.push(Finding { kind: "trap".into(), subject, detail, since: epoch() });
        *self.ledger.batch.counts.limits.entry(suspicion.limit()).or_default() += 1;
    }

    /// Asks the strategy what to do about the leads of a visit.
    pub(crate) fn consult(&mut self, ticket: &Ticket, reason: Reason, parsed: Option<&ParsedPage>, leads: &[Lead]) {
        let mut plan = Plan::default();
        let visit = Visit { page: ticket.id, depth: ticket.depth, reason, parsed, leads };
        self.strategy.visit(&visit, &mut plan);
        self.obey(plan, if reason == Reason::Redirected { ticket.depth } else { ticket.depth.next() });
    }

    /// Carries out a plan about pages at this distance, and sees to it that their hosts are known.
    pub(crate) fn obey(&mut self, plan: Plan, depth: Depth) {
        let wanted = plan.commands.iter().filter(|c| matches!(c, groma_strategy::Command::Want(..))).count();
        self.progress.queued += wanted as u64;
        self.stop_said |= self.ledger.obey(plan, |_| depth);
        let new: Vec<(HostId, String)> = self.ledger.batch.hosts.iter().map(|h| (h.id, h.origin.clone())).collect();
        for (id, origin) in new {
            self.hosts.add(id, &origin, None);
        }
    }

    /// Addresses that a sitemap names.
    pub(crate) fn absorb_sitemap(&mut self, urls: Vec<Url>) -> Result<(), StoreError> {
        let found = Discovery { via: None, kind: LinkKind::Sitemap, depth: Depth::LOOSE };
        let mut leads = Vec::new();
        for url in urls.into_iter().filter(|u| matches!(u.scheme(), "http" | "https")) {
            let canon = self.canon(&url);
            let (page, lead) = self.place(Place::Address(canon), found, false)?;
            if lead {
                leads.push(Lead { page, kind: LinkKind::Sitemap, link: None });
            }
        }
        let mut plan = Plan::default();
        let visit =
            Visit { page: PageId(0), depth: Depth::LOOSE, reason: Reason::Fetched, parsed: None, leads: &leads };
        self.strategy.visit(&visit, &mut plan);
        self.obey(plan, Depth::LOOSE);
        Ok(())
    }

    /// An address of a host that nothing may be fetched from.
    pub(crate) fn settle_unasked(&mut self, row: &Queued, reason: Reason) {
        let facts = FetchFacts { fetched_at: epoch(), ..FetchFacts::default() };
        let settled = Settled { id: row.id, reason, alias_of: None, facts, content: Content::Keep, changed: false };
        self.log_change(row.id, row.reason, reason, None, 0);
        self.ledger.batch.settled.push(settled);
    }

    fn settle(
        &mut self,
        ticket: &Ticket,
        reason: Reason,
        alias_of: Option<PageId>,
        mut facts: FetchFacts,
        content: Content,
        changed: bool,
    ) {
        self.progress.queued = self.progress.queued.saturating_sub(1);
        let was_indexed = ticket.before == Reason::Fetched;
        self.links_moved |= was_indexed && reason != Reason::Fetched;
        match (was_indexed, reason == Reason::Fetched) {
            (false, true) => self.progress.indexed += 1,
            (true, false) => self.progress.indexed = self.progress.indexed.saturating_sub(1),
            _ => {}
        }
        if content == Content::Keep
            && reason != Reason::Fetched
            && let Some(last) = &ticket.last
        {
            // The text stays, so what is known of the text stays.
            let (status, fetched_at, note) = (facts.status, facts.fetched_at, facts.note);
            facts = FetchFacts { status, fetched_at, note, ..(**last).clone() };
        }
        self.watch.page(&PageSeen {
            url: ticket.url.as_str(),
            reason,
            status: facts.status,
            depth: ticket.depth,
            size: facts.size,
            media_type: &facts.media_type,
            title: &facts.title,
        });
        if reason != Reason::Fetched || !was_indexed {
            self.log_change(ticket.id, ticket.before, reason, alias_of, 0);
        }
        self.ledger.batch.settled.push(Settled { id: ticket.id, reason, alias_of, facts, content, changed });
    }

    /// Has the page changed since last time, and how much? Logs it.
    fn note_change(
        &mut self,
        ticket: &Ticket,
        facts: &FetchFacts,
        parsed: &ParsedPage,
        targets: &[PageId],
    ) -> Result<bool, StoreError> {
        let Some(last) = ticket.last.as_ref().filter(|_| ticket.before == Reason::Fetched) else { return Ok(true) };
        let same_text = last.text_fp == facts.text_fp;
        let same_links = self.ledger.store.targets(ticket.id)? == targets;
        self.links_moved |= !same_links;
        if same_text && same_links {
            return Ok(false);
        }
        let old = self.ledger.store.details(ticket.id)?.and_then(|packed| codec::unpack_details(&packed));
        let old: Vec<&str> = old.iter().flat_map(|d| d.blocks.iter().map(|b| b.text.as_str())).collect();
        let new: Vec<&str> = parsed.blocks.iter().map(|b| b.text.as_str()).collect();
        let amount = if same_text { 0 } else { crate::difference::per_cent(&old, &new).max(1) };
        self.log(ticket.id, ChangeKind::Changed, amount, None);
        Ok(!same_text)
    }

    /// Logs what a visit meant, if it meant anything.
    fn log_change(&mut self, page: PageId, before: Reason, now: Reason, to: Option<PageId>, amount: u8) {
        use groma_model::state::Fault;
        let was_page = before == Reason::Fetched;
        let kind = match now {
            Reason::Fetched if before == Reason::Waiting => ChangeKind::Added,
            Reason::Fetched if !was_page => ChangeKind::Back,
            Reason::Redirected | Reason::Folded if was_page => ChangeKind::Moved,
            _ if was_page && now.fault() == Some(Fault::Gone) => ChangeKind::Gone,
            _ if was_page && now.state() != State::Indexed => ChangeKind::Unreachable,
            _ => return,
        };
        self.log(page, kind, amount, to);
    }

    fn log(&mut self, page: PageId, kind: ChangeKind, amount: u8, to: Option<PageId>) {
        let run = self.ledger.batch.run;
        self.ledger.batch.changes.push(Change { seq: 0, run, at: epoch(), page, kind, amount, to });
    }
}

/// A page that is gone loses its text; one that merely could not be had keeps it.
fn fate_of_content(reason: Reason) -> Content {
    match reason {
        Reason::NotFound | Reason::Gone => Content::Remove,
        _ => Content::Keep,
    }
}

/// Which limit a suspicion reached, and what it was then.
pub(crate) fn limit_words(suspicion: Suspicion, limits: &Limits) -> String {
    format!("{} = {}", suspicion.limit(), limits.get(suspicion.limit()).unwrap_or(0))
}
