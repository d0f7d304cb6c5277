//! What came of a visit: the new state of the page, the fate of its text, and a line in the change log.

use groma_fetch::Fetcher;
use groma_model::{PageId, ParsedPage, Reason, State};
use groma_store::batch::Content;
use groma_store::{Change, ChangeKind, FetchFacts, Queued, Settled, StoreError, codec};

use crate::engine::Engine;
use crate::ledger::epoch;
use crate::progress::PageSeen;
use crate::ticket::Ticket;

impl<F: Fetcher> Engine<'_, F> {
    /// An address of a host that nothing may be fetched from.
    pub(crate) fn settle_unasked(&mut self, row: &Queued, reason: Reason) {
        let facts = FetchFacts { fetched_at: epoch(), ..FetchFacts::default() };
        let settled = Settled { id: row.id, reason, alias_of: None, facts, content: Content::Keep, changed: false };
        self.log_change(row.id, row.reason, reason, None, 0);
        self.ledger.batch.settled.push(settled);
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
pub(crate) fn fate_of_content(reason: Reason) -> Content {
    match reason {
        Reason::NotFound | Reason::Gone => Content::Remove,
        _ => Content::Keep,
    }
}
