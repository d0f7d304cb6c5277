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
//! Links are those that lead a reader on, as on the map. A URL that the scope or a rule refuses is shown as refused when
//! it is wanted; one that is malformed is not shown at all.

use std::collections::{HashMap, HashSet};

use groma_url::Url;

use groma_model::{Link, PageId, ParsedPage, Reason, State, Target};
use groma_store::codec::{Details, KeptLink, unpack_details};
use groma_store::{AddressRow, Amend, StoreError};
use groma_strategy::{Command, Lead, Plan, Priority, Visit};

use crate::epoch::epoch;
use crate::survey::OpenSurvey;

/// What a strategy with a memory has been shown, and what it waits for.
#[derive(Default)]
pub(crate) struct Recall {
    begun: bool,
    /// Pages were found to be other names of others, or no longer to be, since it was shown them.
    renamed: bool,
    /// The pages it wanted and has not been shown.
    wanted: Vec<PageId>,
    /// The URLs it has been told, and whether they can be pages.
    met: HashMap<PageId, bool>,
    /// The pages that were fetched once more for their parts.
    asked_again: HashSet<PageId>,
}

impl Recall {
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Pages have other names now, if `renamed`: what the strategy was shown may no longer be so.
    pub(crate) fn note_renamed(&mut self, renamed: bool) {
        self.renamed |= renamed;
    }

    /// Lets a strategy with a memory begin, or begin anew, and go as far as what the store knows takes it.
    pub(crate) fn recall(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        // Whatever waits was wanted by another strategy or in another run; what is still wanted will be again.
        survey.commit()?;
        survey.ledger.store.shelve(Reason::NotWanted, epoch())?;
        survey.progress.queued = 0;
        // Pages that no link leads to are in no network of links.
        survey.settings.follow.sitemaps = false;
        (self.begun, self.renamed) = (true, false);
        self.met.clear();
        self.wanted.clear();
        let seeds = survey.starts.pages.clone();
        let mut plan = Plan::default();
        survey.strategy.begin(&seeds, &mut plan);
        self.go_on_with(survey, plan, 0)
    }

    /// A round of a strategy with a memory is finished.
    pub(crate) fn show_round(&mut self, survey: &mut OpenSurvey<'_>, round: u32) -> Result<(), StoreError> {
        if self.renamed {
            return self.recall(survey);
        }
        self.show_wanted(survey)?;
        let mut plan = Plan::default();
        survey.strategy.round(round, &mut plan);
        self.go_on_with(survey, plan, round.saturating_add(1))
    }

    /// Carries out the plan for a round, and the next ones, until something has to be fetched or nothing is left to do.
    fn go_on_with(&mut self, survey: &mut OpenSurvey<'_>, mut plan: Plan, mut round: u32) -> Result<(), StoreError> {
        loop {
            let waiting = self.take_up(survey, plan)?;
            let nothing = self.wanted.is_empty();
            if waiting || nothing || survey.stop_said {
                keep_report(survey);
                return survey.commit();
            }
            self.show_wanted(survey)?;
            plan = Plan::default();
            survey.strategy.round(round, &mut plan);
            round = round.saturating_add(1);
        }
    }

    /// Queues what a plan wants and the store does not know; true if there is any.
    fn take_up(&mut self, survey: &mut OpenSurvey<'_>, plan: Plan) -> Result<bool, StoreError> {
        let mut waiting = false;
        for command in plan.commands {
            match command {
                Command::Want(page, turn) => {
                    self.wanted.push(page);
                    let Some(row) = survey.ledger.store.address(page)? else { continue };
                    if !is_open(&row) {
                        waiting |= self.take_up_partless(survey, &row, turn)?;
                        continue;
                    }
                    // From now on a link to it tells nothing new.
                    survey.ledger.set_soft(row.fp, page, false);
                    let queue = Some((turn.round, turn.rank));
                    survey.ledger.batch.amends.push(Amend { queue, ..Amend::to(page, Reason::Waiting) });
                    survey.progress.queued += 1;
                    waiting = true;
                }
                Command::Drop(page, reason) => survey.ledger.batch.amends.push(Amend::to(page, reason)),
                Command::Stop => survey.stop_said = true,
            }
        }
        survey.commit()?;
        Ok(waiting)
    }

    /// Queues a page once more of which the strategy needs parts that are not there; true if it was queued.
    fn take_up_partless(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        row: &AddressRow,
        turn: Priority,
    ) -> Result<bool, StoreError> {
        let read_before = survey.settings.reads && row.reason == Reason::Fetched && self.asked_again.insert(row.id);
        if !read_before || row.queued || details_of(survey, row.id)?.is_none_or(|details| details.parts.is_some()) {
            return Ok(false);
        }
        let queue = Some((turn.round, turn.rank));
        survey.ledger.batch.amends.push(Amend { queue, ..Amend::to(row.id, row.reason) });
        survey.progress.queued += 1;
        Ok(true)
    }

    /// Shows the pages that were wanted.
    fn show_wanted(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        for page in std::mem::take(&mut self.wanted) {
            let Some(row) = survey.ledger.store.address(page)? else {
                // Nobody knows it: there is nothing to wait for.
                survey.strategy.visit(&Visit::without_content(page, Reason::Malformed), &mut Plan::default());
                continue;
            };
            if is_open(&row) {
                continue;
            }
            self.meet(survey, page)?;
            let (mut links, mut leads) = (Vec::new(), Vec::new());
            if row.state() == State::Fetched {
                for (place, (to, mark)) in survey.ledger.store.links(page)?.into_iter().enumerate() {
                    if mark.kind().leads_on() && self.meet(survey, to)? {
                        links.push(to);
                        leads.push(Lead { page: to, kind: mark.kind(), link: Some(place) });
                    }
                }
            }
            let parsed = if survey.settings.reads { read_again(survey, &row, &leads)? } else { None };
            let same_as = row.alias_of.filter(|_| row.state() == State::Alias);
            if let Some(of) = same_as {
                self.meet(survey, of)?;
            }
            let leads = if parsed.is_some() { leads.as_slice() } else { &[] };
            let parsed = parsed.as_ref();
            let visit = Visit {
                depth: row.depth,
                parsed,
                leads,
                links: &links,
                same_as,
                ..Visit::without_content(page, row.reason)
            };
            survey.strategy.visit(&visit, &mut Plan::default());
        }
        Ok(())
    }

    /// Tells the URL of a page that the strategy has not heard of; false if it can be none.
    fn meet(&mut self, survey: &mut OpenSurvey<'_>, page: PageId) -> Result<bool, StoreError> {
        if let Some(&is_page) = self.met.get(&page) {
            return Ok(is_page);
        }
        let row = survey.ledger.store.address(page)?;
        let is_page = row.as_ref().is_some_and(|row| row.reason != Reason::Malformed);
        self.met.insert(page, is_page);
        if let (Some(row), Some(memory)) = (row.filter(|_| is_page), survey.strategy.memory()) {
            memory.meet(page, &row.url);
        }
        Ok(is_page)
    }
}

/// What is kept of a page that is HTML; nothing where there is nothing or it cannot be read.
fn details_of(survey: &mut OpenSurvey<'_>, page: PageId) -> Result<Option<Details>, StoreError> {
    Ok(survey.ledger.store.details(page)?.and_then(|packed| unpack_details(&packed)))
}

/// A page as the store has it: its texts, its links, with the URLs of those that lead on, and its parts.
fn read_again(survey: &mut OpenSurvey<'_>, row: &AddressRow, leads: &[Lead]) -> Result<Option<ParsedPage>, StoreError> {
    if row.state() != State::Fetched {
        return Ok(None);
    }
    let Some(details) = details_of(survey, row.id)? else { return Ok(None) };
    let facts = survey.ledger.store.page(row.id)?.map(|page| page.facts).unwrap_or_default();
    let mut links: Vec<Link> = details.links.into_iter().map(KeptLink::into_link).collect();
    for lead in leads {
        let link = lead.link.and_then(|place| links.get_mut(place));
        let Some((link, to)) = link.zip(survey.ledger.store.address(lead.page)?) else { continue };
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
        structured: details.structured.map(Box::new),
        parts: details.parts.map(Box::new),
        ..ParsedPage::default()
    }))
}

/// Keeps what the strategy has to say, if it has anything to say.
fn keep_report(survey: &mut OpenSurvey<'_>) {
    if let Some((key, text)) = survey.strategy.report() {
        survey.ledger.batch.values.push((key.into(), text));
    }
}

/// May it be fetched, and has nobody done so?
fn is_open(row: &AddressRow) -> bool {
    use Reason::*;
    matches!(row.reason, Waiting | NotWanted | PageLimit | DepthLimit | Loose | Asset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{find, with_survey};
    use crate::learning::Learning;
    use groma_strategy::{Memory, Strategy};

    /// Wants the pages it was given, and counts how often each is shown.
    #[derive(Default)]
    struct Wanting {
        wants: Vec<PageId>,
        begun: u32,
    }

    impl Strategy for Wanting {
        fn name(&self) -> &'static str {
            "wanting"
        }
        fn memory(&mut self) -> Option<&mut dyn Memory> {
            Some(self)
        }
        fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
            self.begun += 1;
            for (rank, page) in self.wants.iter().chain(seeds).enumerate() {
                plan.want(*page, Priority { round: 0, rank: rank as u32 });
            }
        }
        fn visit(&mut self, visit: &Visit<'_>, _plan: &mut Plan) {
            assert!(self.wants.contains(&visit.page));
        }
        fn round(&mut self, _finished: u32, plan: &mut Plan) {
            plan.stop();
        }
    }

    impl Memory for Wanting {
        fn meet(&mut self, page: PageId, address: &str) {
            assert_eq!((page, address), (PageId(1), "http://a.test/a"));
        }
    }

    #[test]
    fn what_is_wanted_is_queued_and_new_names_begin_it_anew() {
        let mut wanting = Wanting::default();
        // Numbers are given from 1 on.
        wanting.wants.push(PageId(1));
        with_survey(&mut wanting, |survey| {
            let mut learning = Learning::load(survey.ledger.store, &survey.settings.limits).unwrap();
            let page = find(survey, &mut learning, "/a");
            let mut recall = Recall::default();
            recall.recall(survey).unwrap();
            assert!(recall.has_begun() && !survey.stop_said);
            assert_eq!((page, survey.progress.queued), (PageId(1), 1));
            assert_eq!(survey.ledger.store.first_round().unwrap(), Some(0));
            recall.note_renamed(true);
            recall.show_round(survey, 0).unwrap();
            assert!(!survey.stop_said, "it has begun anew instead of being shown the round");
            recall.show_round(survey, 0).unwrap();
            assert!(survey.stop_said);
        });
        assert_eq!(wanting.begun, 2);
    }
}
