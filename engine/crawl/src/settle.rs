//! What came of a visit: the new state of the page, the fate of its text, and a line in the change log.

use groma_model::state::Fault;
use groma_model::{PageId, ParsedPage, Reason, State};
use groma_store::batch::Content;
use groma_store::{Amend, Change, ChangeKind, FetchFacts, Queued, Settled, StoreError, codec};

use crate::engine::Engine;
use crate::ledger::epoch;
use crate::progress::PageSeen;
use crate::ticket::Ticket;

impl Engine<'_> {
    /// An address of a host that nothing may be fetched from.
    pub(crate) fn settle_unasked(&mut self, row: &Queued, reason: Reason, why: &str) -> Result<(), StoreError> {
        if says_nothing_new(row.reason, reason) {
            return self.leave_as_it_is(row.id, row.reason);
        }
        // What is known of its text stays known: nobody said anything about the page.
        let last = self.ledger.store.page(row.id)?.map(|page| page.facts).unwrap_or_default();
        let had_text = last.text_fp.is_some();
        let note = if why.is_empty() { last.note.clone() } else { why.to_owned() };
        let facts = FetchFacts { fetched_at: epoch(), status: 0, note, ..last };
        let settled = Settled { id: row.id, reason, alias_of: None, facts, content: Content::Keep, changed: false };
        self.log_change(row.id, row.reason, reason, had_text, None);
        self.ledger.batch.settled.push(settled);
        Ok(())
    }

    pub(crate) fn settle(
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
        if was_indexed && reason != Reason::Fetched {
            self.note_moved_links();
        }
        match (was_indexed, reason == Reason::Fetched) {
            (false, true) => self.progress.indexed += 1,
            (true, false) => self.progress.indexed = self.progress.indexed.saturating_sub(1),
            _ => {}
        }
        let had_text = ticket.last.as_ref().is_some_and(|last| last.text_fp.is_some());
        if let Some(last) = ticket.last.as_deref().filter(|_| reason != Reason::Fetched) {
            let (status, fetched_at, note) = (facts.status, facts.fetched_at, facts.note);
            facts = match content {
                // The text stays, so what is known of the text stays.
                Content::Keep => FetchFacts { status, fetched_at, note, ..last.clone() },
                // The text goes, but a report may still want to know what it was.
                _ => FetchFacts { status, fetched_at, note, text_fp: last.text_fp, ..FetchFacts::default() },
            };
        }
        if self.settings.learn && self.may_stand_for_others(ticket, reason) {
            self.fallen.push(ticket.id);
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
            self.log_change(ticket.id, ticket.before, reason, had_text, alias_of);
        }
        self.ledger.batch.settled.push(Settled { id: ticket.id, reason, alias_of, facts, content, changed });
    }

    /// Takes an address out of the queue and changes nothing else about it.
    pub(crate) fn leave_as_it_is(&mut self, id: PageId, reason: Reason) -> Result<(), StoreError> {
        let alias_of = self.ledger.store.address(id)?.and_then(|row| row.alias_of);
        self.ledger.batch.amends.push(Amend { alias_of, ..Amend::to(id, reason) });
        Ok(())
    }

    /// Has the page changed since last time, and how much? Logs it.
    pub(crate) fn note_change(
        &mut self,
        ticket: &Ticket,
        facts: &FetchFacts,
        parsed: &ParsedPage,
        targets: &[PageId],
    ) -> Result<bool, StoreError> {
        let Some(last) = ticket.last.as_ref().filter(|_| ticket.before == Reason::Fetched) else { return Ok(true) };
        let same_text = last.text_fp == facts.text_fp;
        let same_links = self.ledger.store.targets(ticket.id)? == targets;
        if !same_links {
            self.note_moved_links();
        }
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

    /// Has something that is not read changed since last time, or become such a thing? Logs it.
    pub(crate) fn note_bare_change(&mut self, ticket: &Ticket, facts: &FetchFacts) -> bool {
        let Some(last) = ticket.last.as_ref().filter(|_| ticket.before == Reason::Fetched) else { return true };
        let changed = last.size != facts.size || last.etag != facts.etag || last.media_type != facts.media_type;
        if changed {
            let amount = if last.text_fp.is_some() { 100 } else { 0 };
            self.log(ticket.id, ChangeKind::Changed, amount, None);
        }
        changed
    }

    /// A page with a query that could not be had: variants may have been folded into it.
    fn may_stand_for_others(&self, ticket: &Ticket, reason: Reason) -> bool {
        let said_no = reason.fault() == Some(Fault::Gone)
            || matches!(reason, Reason::ClientError | Reason::ServerError | Reason::RedirectLoop | Reason::BadRedirect);
        said_no && self.learner.meaningless(&ticket.url).is_some()
    }

    /// Distances are counted anew at the end, also if that end comes in another run of the program.
    fn note_moved_links(&mut self) {
        if !std::mem::replace(&mut self.links_moved, true) {
            self.ledger.batch.values.push(("links_moved".into(), "yes".into()));
        }
    }

    /// Logs what a visit meant, if it meant anything. `had_text`: there was a page once, if not last time.
    pub(crate) fn log_change(&mut self, page: PageId, before: Reason, now: Reason, had_text: bool, to: Option<PageId>) {
        let was_page = before == Reason::Fetched;
        let kind = match now {
            Reason::Fetched if before == Reason::Waiting => ChangeKind::Added,
            Reason::Fetched if !was_page => ChangeKind::Back,
            Reason::Redirected | Reason::Folded if was_page => ChangeKind::Moved,
            _ if now.fault() == Some(Fault::Gone) && before.fault() != Some(Fault::Gone) && had_text => {
                ChangeKind::Gone
            }
            Reason::Unauthorized | Reason::Forbidden | Reason::AskedToWait | Reason::Robots if was_page => {
                ChangeKind::Unknown
            }
            _ if was_page && now.state() != State::Indexed => ChangeKind::Unreachable,
            _ => return,
        };
        self.log(page, kind, 0, to);
    }

    pub(crate) fn log(&mut self, page: PageId, kind: ChangeKind, amount: u8, to: Option<PageId>) {
        let run = self.ledger.batch.run;
        self.ledger.batch.changes.push(Change { seq: 0, run, at: epoch(), page, kind, amount, to });
    }
}

/// A page that is gone loses its text; one that merely could not be had keeps it.
pub(crate) fn fate_of_content(reason: Reason) -> Content {
    match reason {
        Reason::NotFound | Reason::Gone => Content::Remove,
        _ => Content::Keep,
    }
}

/// A server that could not be reached says nothing about what it once said: a redirect stays a redirect, a missing page stays
/// missing, a closed one closed. (Of a page that was there we do say that it cannot be had.)
pub(crate) fn says_nothing_new(before: Reason, now: Reason) -> bool {
    use Reason::*;
    let silent = matches!(now, DnsFailure | Refused | Reset | Tls | TimeOut | ServerError | RobotsUnreachable);
    silent && matches!(before, Redirected | NotFound | Gone | ClientError | Unauthorized | Forbidden | Robots)
}
