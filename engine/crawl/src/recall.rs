//! Strategies with a memory: they are shown what the store knows.
//!
//! Such a strategy is told nothing while pages come in. When its round is finished, it is shown the pages it wanted, in the
//! order in which it wanted them, as the store has them by then: fetched in this run, fetched long ago, refused, gone, or
//! another name of a page. What the store knows already is not fetched again. So going on after an interruption is no special
//! case: the strategy begins anew, wants what it wanted then, is shown the same, and comes to where it was without a fetch. The
//! same happens when names of pages change under it, by a learned rule, say.
//!
//! A strategy that reads is shown the texts and parts of the pages too. A page that was stored without its parts, by a crawl that
//! did not ask for them, is fetched once more.
//!
//! Links are those that lead a reader on, as on the map. An address that the scope or a rule refuses is shown as refused when
//! it is wanted; one that is malformed is not shown at all.

use url::Url;

use groma_model::{Link, PageId, ParsedPage, Reason, State, Target};
use groma_store::codec::{Details, KeptLink, unpack_details};
use groma_store::{AddressRow, Amend, StoreError};
use groma_strategy::{Command, Lead, Plan, Priority, Visit};

use crate::engine::Engine;
use crate::ledger::epoch;

impl Engine<'_> {
    /// Lets a strategy with a memory begin, or begin anew, and go as far as what the store knows takes it.
    pub(crate) fn recall(&mut self) -> Result<(), StoreError> {
        // Whatever waits was wanted by another strategy or in another run; what is still wanted will be again.
        self.commit()?;
        self.ledger.store.shelve(Reason::NotWanted, epoch())?;
        self.progress.queued = 0;
        // Pages that no link leads to are in no network of links.
        self.settings.sitemaps = false;
        (self.recalled, self.renamed) = (true, false);
        self.met.clear();
        self.wanted.clear();
        let seeds = self.start_pages.clone();
        let mut plan = Plan::default();
        self.strategy.begin(&seeds, &mut plan);
        self.go_on_with(plan, 0)
    }

    /// A round of a strategy with a memory is finished.
    pub(crate) fn show_round(&mut self, round: u32) -> Result<(), StoreError> {
        if self.renamed {
            return self.recall();
        }
        self.show_wanted()?;
        let mut plan = Plan::default();
        self.strategy.round(round, &mut plan);
        self.go_on_with(plan, round.saturating_add(1))
    }

    /// Carries out the plan for a round, and the next ones, until something has to be fetched or nothing is left to do.
    fn go_on_with(&mut self, mut plan: Plan, mut round: u32) -> Result<(), StoreError> {
        loop {
            let waiting = self.take_up(plan)?;
            let nothing = self.wanted.is_empty();
            if waiting || nothing || self.stop_said {
                self.keep_report();
                return self.commit();
            }
            self.show_wanted()?;
            plan = Plan::default();
            self.strategy.round(round, &mut plan);
            round = round.saturating_add(1);
        }
    }

    /// Queues what a plan wants and the store does not know; true if there is any.
    fn take_up(&mut self, plan: Plan) -> Result<bool, StoreError> {
        let mut waiting = false;
        for command in plan.commands {
            match command {
                Command::Want(page, turn) => {
                    self.wanted.push(page);
                    let Some(row) = self.ledger.store.address(page)? else { continue };
                    if !is_open(&row) {
                        waiting |= self.take_up_partless(&row, turn)?;
                        continue;
                    }
                    // From now on a link to it tells nothing new.
                    self.ledger.set_soft(row.fp, page, false);
                    let queue = Some((turn.round, turn.rank));
                    self.ledger.batch.amends.push(Amend { queue, ..Amend::to(page, Reason::Waiting) });
                    self.progress.queued += 1;
                    waiting = true;
                }
                Command::Drop(page, reason) => self.ledger.batch.amends.push(Amend::to(page, reason)),
                Command::Ask(_) => {}
                Command::Stop => self.stop_said = true,
            }
        }
        self.commit()?;
        Ok(waiting)
    }

    /// Queues a page once more of which the strategy needs parts that are not there; true if it was queued.
    fn take_up_partless(&mut self, row: &AddressRow, turn: Priority) -> Result<bool, StoreError> {
        let read_before = self.strategy.reads() && row.reason == Reason::Fetched && self.asked_again.insert(row.id);
        if !read_before || row.queued || self.details_of(row.id)?.is_none_or(|details| details.parts.is_some()) {
            return Ok(false);
        }
        let queue = Some((turn.round, turn.rank));
        self.ledger.batch.amends.push(Amend { queue, ..Amend::to(row.id, row.reason) });
        self.progress.queued += 1;
        Ok(true)
    }

    /// What is kept of a page that is HTML; nothing where there is nothing or it cannot be read.
    fn details_of(&mut self, page: PageId) -> Result<Option<Details>, StoreError> {
        Ok(self.ledger.store.details(page)?.and_then(|packed| unpack_details(&packed)))
    }

    /// Shows the pages that were wanted.
    fn show_wanted(&mut self) -> Result<(), StoreError> {
        for page in std::mem::take(&mut self.wanted) {
            let Some(row) = self.ledger.store.address(page)? else {
                // Nobody knows it: there is nothing to wait for.
                self.strategy.visit(&Visit::of(page, Reason::Malformed), &mut Plan::default());
                continue;
            };
            if is_open(&row) {
                continue;
            }
            self.meet(page)?;
            let (mut links, mut leads) = (Vec::new(), Vec::new());
            if row.state() == State::Indexed {
                for (place, (to, mark)) in self.ledger.store.links(page)?.into_iter().enumerate() {
                    if mark.kind().leads_on() && self.meet(to)? {
                        links.push(to);
                        leads.push(Lead { page: to, kind: mark.kind(), link: Some(place) });
                    }
                }
            }
            let parsed = if self.strategy.reads() { self.read_again(&row, &leads)? } else { None };
            let same_as = row.alias_of.filter(|_| row.state() == State::Alias);
            if let Some(of) = same_as {
                self.meet(of)?;
            }
            let leads = if parsed.is_some() { leads.as_slice() } else { &[] };
            let parsed = parsed.as_ref();
            let visit =
                Visit { depth: row.depth, parsed, leads, links: &links, same_as, ..Visit::of(page, row.reason) };
            self.strategy.visit(&visit, &mut Plan::default());
        }
        Ok(())
    }

    /// A page as the store has it: its texts, its links, with the addresses of those that lead on, and its parts.
    fn read_again(&mut self, row: &AddressRow, leads: &[Lead]) -> Result<Option<ParsedPage>, StoreError> {
        if row.state() != State::Indexed {
            return Ok(None);
        }
        let Some(details) = self.details_of(row.id)? else { return Ok(None) };
        let facts = self.ledger.store.page(row.id)?.map(|page| page.facts).unwrap_or_default();
        let mut links: Vec<Link> = details.links.into_iter().map(KeptLink::into_link).collect();
        for lead in leads {
            let link = lead.link.and_then(|place| links.get_mut(place));
            let Some((link, to)) = link.zip(self.ledger.store.address(lead.page)?) else { continue };
            link.target = Url::parse(&to.url).map_or(Target::Malformed(to.url), Target::Web);
        }
        Ok(Some(ParsedPage {
            title: facts.title,
            language: Some(facts.language).filter(|language| !language.is_empty()),
            text_fp: facts.text_fp,
            near_fp: facts.near_fp,
            words: facts.words,
            links,
            blocks: details.blocks,
            forms: details.forms,
            metas: details.metas,
            anchors: details.anchors,
            parts: details.parts.map(Box::new),
            ..ParsedPage::default()
        }))
    }

    /// Tells the address of a page that the strategy has not heard of; false if it can be none.
    fn meet(&mut self, page: PageId) -> Result<bool, StoreError> {
        if let Some(&is_page) = self.met.get(&page) {
            return Ok(is_page);
        }
        let row = self.ledger.store.address(page)?;
        let is_page = row.as_ref().is_some_and(|row| row.reason != Reason::Malformed);
        self.met.insert(page, is_page);
        if let Some(row) = row.filter(|_| is_page) {
            self.strategy.meet(page, &row.url);
        }
        Ok(is_page)
    }

    /// Keeps what the strategy has to say, if it has anything to say.
    pub(crate) fn keep_report(&mut self) {
        if let Some((key, text)) = self.strategy.report() {
            self.ledger.batch.values.push((key.into(), text));
        }
    }
}

/// May it be fetched, and has nobody done so?
fn is_open(row: &AddressRow) -> bool {
    use Reason::*;
    matches!(row.reason, Waiting | NotWanted | PageLimit | DepthLimit | Loose | Asset)
}
