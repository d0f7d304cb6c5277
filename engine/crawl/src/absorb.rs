//! From a harvest to a batch: what a visit changes in the survey.

use url::Url;

use groma_model::{Depth, LinkKind, PageId, ParsedPage, Reason, Rel};
use groma_store::batch::Content;
use groma_store::{FetchFacts, StoreError, codec};
use groma_strategy::{Command, Lead, Plan, Visit};

use crate::engine::Engine;
use crate::frontier::Millis;
use crate::ledger::Discovery;
use crate::reader::{Got, Harvest, Place, Reading};
use crate::settle::{fate_of_content, says_nothing_new};
use crate::ticket::Ticket;

/// A ticket to be used again after some time.
pub(crate) type Again = (Ticket, Millis);

impl Engine<'_> {
    /// Takes in a harvest. Gives the ticket back if the page is to be asked for again.
    pub(crate) fn absorb(&mut self, harvest: Harvest) -> Result<Option<Again>, StoreError> {
        let Harvest { mut ticket, facts, got, rest, .. } = harvest;
        if matches!(got, Got::Page(_) | Got::Bare | Got::Unchanged) {
            self.note_spelling(&ticket)?;
        }
        match got {
            Got::Fault { passing: true, .. } if u64::from(ticket.tries) < self.settings.limits.retries => {
                let wait = rest.unwrap_or(self.settings.limits.retry_ms << ticket.tries.min(3));
                ticket.tries += 1;
                return Ok(Some((ticket, wait)));
            }
            Got::Fault { reason, .. } if self.has_aged(&ticket, reason) => {
                ticket.spelling = None;
                ticket.spellings += 1;
                return Ok(Some((ticket, 0)));
            }
            Got::Fault { reason, .. } if says_nothing_new(ticket.before, reason) => {
                self.progress.queued = self.progress.queued.saturating_sub(1);
                self.leave_as_it_is(ticket.id, ticket.before)?;
            }
            Got::Fault { reason, .. } => self.settle(&ticket, reason, None, facts, fate_of_content(reason), false),
            Got::Bare => {
                let changed = self.note_bare_change(&ticket, &facts);
                self.settle(&ticket, Reason::Fetched, None, facts, Content::Remove, changed);
            }
            Got::Unchanged => {
                let last = ticket.last.take().map_or_else(FetchFacts::default, |last| *last);
                let facts = FetchFacts { fetched_at: facts.fetched_at, elapsed_ms: facts.elapsed_ms, ..last };
                self.settle(&ticket, Reason::Fetched, None, facts, Content::Keep, false);
            }
            // Seen to before.
            Got::Withheld | Got::Scarce(_) => {}
            Got::Redirect(to) => return self.absorb_redirect(ticket, facts, to.0, to.1),
            Got::Page(reading) => self.absorb_page(&ticket, facts, *reading)?,
        }
        Ok(None)
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
            let (target, lead) = if self.is_farewell(&link.text) {
                (self.place_farewell(place, found)?, false)
            } else {
                self.place(place, found, nofollow || link.rel.has(Rel::NOFOLLOW))?
            };
            targets.push(target);
            if link.kind == LinkKind::Canonical && facts.canonical.is_none() {
                facts.canonical = Some(target);
            }
            if lead {
                leads.push(Lead { page: target, kind: link.kind, link: Some(index) });
            }
        }
        leads.retain(|lead| !self.farewells.contains(&lead.page));
        self.cut_asset_chain(ticket, &mut leads)?;
        // A style sheet has no words: that it adds none says nothing.
        if facts.media_type != "text/css" {
            self.watch_for_traps(ticket, &parsed, known_before, &mut leads);
        }
        self.consult(ticket, Reason::Fetched, Some(&parsed), &leads);
        let changed = self.note_change(ticket, &facts, &parsed, &targets)?;
        let targets = codec::pack_targets(&targets, parsed.links.iter().map(codec::Mark::from_link));
        let content = Content::Put { targets, details, body };
        self.settle(ticket, Reason::Fetched, None, facts, content, changed);
        Ok(())
    }

    /// Addresses that a sitemap names: pages, or the pictures and films on them.
    pub(crate) fn absorb_sitemap(&mut self, kind: LinkKind, urls: Vec<Url>) -> Result<(), StoreError> {
        let found = Discovery { via: None, kind, depth: Depth::LOOSE };
        let mut leads = Vec::new();
        for url in urls.into_iter().filter(|u| matches!(u.scheme(), "http" | "https")) {
            let canon = self.canon(&url);
            let (page, lead) = self.place(Place::Address(canon), found, false)?;
            if lead {
                leads.push(Lead { page, kind, link: None });
            }
        }
        let visit = Visit { leads: &leads, ..Visit::of(PageId(0), Reason::Fetched) };
        self.consult_about(&visit, Depth::LOOSE);
        Ok(())
    }

    /// Asks the strategy what to do about the leads of a visit.
    pub(crate) fn consult(&mut self, ticket: &Ticket, reason: Reason, parsed: Option<&ParsedPage>, leads: &[Lead]) {
        let visit = Visit { depth: ticket.depth, parsed, leads, ..Visit::of(ticket.id, reason) };
        self.consult_about(&visit, if reason == Reason::Redirected { ticket.depth } else { ticket.depth.next() });
    }

    fn consult_about(&mut self, visit: &Visit<'_>, depth: Depth) {
        let mut plan = Plan::default();
        if self.strategy.remembers() {
            // It will see the links, and may want them then.
            visit.leads.iter().for_each(|lead| plan.drop(lead.page, Reason::NotWanted));
        } else {
            self.strategy.visit(visit, &mut plan);
        }
        self.obey(plan, depth);
    }

    /// Carries out a plan about pages at this distance.
    pub(crate) fn obey(&mut self, plan: Plan, depth: Depth) {
        let wanted = plan.commands.iter().filter(|c| matches!(c, Command::Want(..))).count();
        self.progress.queued += wanted as u64;
        self.stop_said |= self.ledger.obey(plan, |_| depth);
    }
}
