//! Redirects: the target is an address of its own, the redirecting one becomes another name of it.
//!
//! Every hop is a fetch with its own scope, robots.txt and guard. Aliases never run in circles: the page whose redirect would close
//! the circle is named as the loop, and one redirect too many in a row ends the chain.

use url::Url;

use groma_model::url::Canon;
use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::batch::Content;
use groma_store::{AddressRow, FetchFacts, StoreError};
use groma_strategy::Lead;

use crate::absorb::Again;
use crate::engine::Engine;
use crate::ledger::Discovery;
use crate::reader::Place;
use crate::ticket::Ticket;

/// Other spellings of one canonical address that are tried before its redirects count as a circle.
const SPELLINGS: u32 = 5;

impl Engine<'_> {
    pub(crate) fn absorb_redirect(
        &mut self,
        ticket: Ticket,
        facts: FetchFacts,
        raw: Url,
        canon: Canon,
    ) -> Result<Option<Again>, StoreError> {
        let (url, fp) = (canon.address.url.clone(), canon.address.fp);
        if fp == Fp::of(ticket.url.as_str().as_bytes()) {
            return Ok(self.another_spelling(ticket, facts, raw));
        }
        let is_seed = self.seeds.contains(&ticket.id);
        if is_seed && self.scope.judge(&url).is_err() {
            self.scope.add_seed(&url);
            self.watch.notice(&format!("the start page moved to {url}: the survey follows"));
        }
        let found = Discovery { via: Some(ticket.id), kind: LinkKind::Redirect, depth: ticket.depth };
        let (target, mut lead) = self.place(Place::Address(canon), found, false)?;
        if self.ledger.alias_of(target)? == Some(ticket.id) && self.is_folded(target)? {
            // A learned rule calls the target a variant of this very page.
            return Ok(self.another_spelling(ticket, facts, raw));
        }
        if self.leads_back(target, ticket.id)? {
            self.settle(&ticket, Reason::RedirectLoop, None, facts, Content::Remove, false);
            return Ok(None);
        }
        if self.hops_to(&ticket)? >= self.settings.limits.redirects {
            *self.ledger.batch.counts.limits.entry("redirects").or_default() += 1;
            if lead {
                // Nobody asked for the target after all; a link may yet.
                self.ledger.set_soft(fp, target, true);
            }
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
            self.to_feed.push(host);
        }
        Ok(None)
    }

    /// The server sends us to another spelling of the same page (with a session id, say): ask for that one, within reason, and if
    /// robots.txt allows it.
    fn another_spelling(&mut self, mut ticket: Ticket, facts: FetchFacts, mut raw: Url) -> Option<Again> {
        raw.set_fragment(None);
        if *ticket.asks() != raw && ticket.spellings < SPELLINGS {
            if !self.allows(&raw) {
                self.settle(&ticket, Reason::Robots, None, facts, Content::Keep, false);
                return None;
            }
            ticket.spellings += 1;
            ticket.spelling = Some(raw);
            return Some((ticket, 0));
        }
        self.settle(&ticket, Reason::RedirectLoop, None, facts, Content::Remove, false);
        None
    }

    fn is_folded(&mut self, page: PageId) -> Result<bool, StoreError> {
        if let Some(fresh) = self.ledger.fresh(page) {
            return Ok(fresh.reason == Reason::Folded);
        }
        Ok(self.ledger.store.address(page)?.is_some_and(|row| row.reason == Reason::Folded))
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
        let later = reason == Reason::Waiting && so_far > depth && !self.strategy.remembers();
        Ok(kept_out || later)
    }

    /// Do the aliases from `start` lead to `page`?
    fn leads_back(&mut self, start: PageId, page: PageId) -> Result<bool, StoreError> {
        let mut at = Some(start);
        for _ in 0..=2 * self.settings.limits.redirects {
            let Some(here) = at else { return Ok(false) };
            if here == page {
                return Ok(true);
            }
            at = self.ledger.alias_of(here)?;
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
}
