//! The engine: one loop that hands out slots, takes in harvests, and commits what they came to.
//!
//! ```text
//! store --queued--> lanes --slot--> fetch --outcome--> readers --harvest--> absorb --batch--> store
//! ```
//!
//! Everything but fetching and reading happens in the loop's own thread, so there is one order of events and no lock. A slot is
//! settled only after the batch with its harvest is committed; hence at most `concurrency` pages are ever fetched but not stored,
//! and a kill at any moment costs at most those fetches.
//!
//! The loop owns order and time. What is learned, recalled, leased or logged in to is the business of parts with their own
//! state; the loop lends them the survey, and carries out what they return.

use std::collections::{HashSet, VecDeque};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use groma_model::{Depth, HostId, Reason};
use groma_store::StoreError;
use groma_strategy::Plan;

use crate::absorb::Intake;
use crate::dispatch::Dispatch;
use crate::epoch::epoch;
use crate::error::CrawlError;
use crate::event::Event;
use crate::harvest::{Got, Harvest};
use crate::kernel::{Feedback, HostNews, LaneId, Standing};
use crate::progress::{End, Summary};
use crate::recall::Recall;
use crate::refill::refill;
use crate::relayer::count_layers;
use crate::render::answer_for_page;
use crate::robots::{host_answered, server_known};
use crate::sitemaps::{SITEMAPS_READ, begin_to_read, hosts_of_seeds};
use crate::slot::Slot;
use crate::survey::{LINKS_MOVED, OpenSurvey};
use crate::workers::{Workers, begin_with, foresee, may_fetch, own_hosts};

/// Harvests taken in before a commit.
const HARVESTS_AT_ONCE: usize = 256;
/// How long the first of several visits waits for others, so that they are committed together: far less than a fetch over
/// a network takes.
const GATHERING: Duration = Duration::from_micros(500);
/// How long to wait for events where nothing else is to be done.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a worker without work waits before it looks for some.
const IDLE: Duration = Duration::from_millis(200);
/// How long hosts are waited for that other workers have.
const COMING_BACK: Duration = Duration::from_secs(30);

/// A crawl under way.
pub(crate) struct Engine<'s> {
    pub(crate) survey: OpenSurvey<'s>,
    pub(crate) intake: Intake,
    pub(crate) recall: Recall,
    pub(crate) workers: Workers,
    pub(crate) dispatch: Dispatch,
    pub(crate) events: (Sender<Event>, Receiver<Event>),
    pub(crate) readers: Vec<JoinHandle<()>>,
    /// Hosts whose sitemaps are being read.
    pub(crate) sitemaps_under_way: usize,
    /// The last layer whose pages have all been visited.
    pub(crate) finished_layer: Option<u32>,
    /// Pages are withheld: the system has no more of this for us.
    pub(crate) scarce: Option<&'static str>,
}

impl Engine<'_> {
    /// Runs until there is nothing left to do, a limit is reached, or somebody interrupts.
    pub(crate) fn run(mut self) -> Result<Summary, CrawlError> {
        let result = self.rounds();
        let Engine { survey, intake, dispatch, readers, scarce, .. } = self;
        let withheld = if intake.logins.withheld { survey.kernel.fetcher.withheld() } else { None };
        // Whatever happened, no thread is left behind.
        drop(dispatch);
        let OpenSurvey { kernel, mut progress, .. } = survey;
        let began = kernel.shut_down();
        for reader in readers {
            let _ = reader.join();
        }
        progress.elapsed = began.elapsed();
        let end = result?;
        match (withheld, scarce) {
            (Some(why), _) => Err(CrawlError::NoLogin(why)),
            (None, Some(what)) => Err(CrawlError::Scarce(what)),
            (None, None) => Ok(Summary { end, progress }),
        }
    }

    /// Is the crawl to end as soon as possible, so that it can go on later?
    fn is_interrupted(&self) -> bool {
        self.intake.logins.withheld || self.scarce.is_some() || self.survey.kernel.is_interrupted()
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        loop {
            let end = self.rounds_until_end()?;
            self.survey.commit()?;
            if self.survey.ledger.is_shared() {
                self.workers.give_all_back(&mut self.survey)?;
            }
            if self.workers.helps() {
                self.survey.tell(true);
                return Ok(end);
            }
            self.workers.dismiss(&mut self.survey, end != End::Interrupted)?;
            // Somebody's last batch may have brought more, after the queue was empty for a moment.
            let shared = self.survey.ledger.is_shared();
            if end != End::Finished || !shared || self.survey.ledger.store.first_round()?.is_none() {
                return self.close(end);
            }
        }
    }

    /// Works round by round, until it is known how the crawl ends.
    fn rounds_until_end(&mut self) -> Result<End, StoreError> {
        let mut before = None;
        loop {
            self.workers.poll(&mut self.survey)?;
            let next = self.next_round()?;
            if self.is_interrupted() {
                return Ok(End::Interrupted);
            }
            if self.survey.stop_said {
                return Ok(End::Stopped);
            }
            if self.workers.is_dismissed() || (next.is_none() && self.workers.is_abandoned()) {
                return Ok(End::Finished);
            }
            if next.is_none() && self.workers.helps() {
                self.workers.give_all_back(&mut self.survey)?;
                std::thread::sleep(IDLE);
                continue;
            }
            let Some(round) = next else {
                if self.survey.settings.remembers && !self.recall.has_begun() {
                    self.recall.recall(&mut self.survey)?;
                    continue;
                }
                return Ok(End::Finished);
            };
            if self.survey.page_limit_reached() {
                return Ok(End::PageLimit);
            }
            let standing = Some((round, self.survey.progress.fetches, self.survey.progress.queued));
            if before == standing && !self.survey.ledger.is_shared() {
                return Err(StoreError::Damaged(format!("round {round} makes no progress")));
            }
            before = standing;
            self.begin_round(round)?;
            if let Some(end) = self.one_round()? {
                return Ok(end);
            }
            self.finish_round(round)?;
        }
    }

    fn begin_round(&mut self, round: u32) -> Result<(), StoreError> {
        self.survey.queue.round = round;
        // Rounds of a strategy with a memory are no layers.
        self.survey.progress.layer = Depth(round).known().filter(|_| !self.recall.has_begun());
        for host in own_hosts(&mut self.survey, round)? {
            self.survey.kernel.hosts.feed(host);
        }
        Ok(())
    }

    fn finish_round(&mut self, round: u32) -> Result<(), StoreError> {
        if self.recall.has_begun() {
            return self.recall.show_round(&mut self.survey, round);
        }
        if self.survey.settings.remembers || self.workers.helps() {
            return Ok(());
        }
        // Among other workers it is over only when nothing is left of it, nor of those before it.
        let first = if self.survey.ledger.is_shared() { self.survey.ledger.store.first_round()? } else { None };
        if first.is_none_or(|first| first > round) {
            self.finish_layer(round)?;
        }
        Ok(())
    }

    fn finish_layer(&mut self, round: u32) -> Result<(), StoreError> {
        let mut plan = Plan::default();
        self.survey.strategy.round(round, &mut plan);
        self.survey.obey_uncounted(plan, |_| Depth(round));
        if let Some(layer) = Depth(round).known().filter(|layer| self.finished_layer.is_none_or(|f| f < *layer)) {
            self.finished_layer = Some(layer);
            self.survey.ledger.batch.values.push(("finished_layer".into(), layer.to_string()));
        }
        self.survey.commit()
    }

    /// What is left to do when all rounds are over: distances, and the end of the run.
    fn close(&mut self, end: End) -> Result<End, StoreError> {
        let survey = &mut self.survey;
        survey.links_moved |= survey.ledger.store.value(LINKS_MOVED)?.is_some_and(|moved| !moved.is_empty());
        let end = end_of(survey, end)?;
        let out_of_order = self.recall.has_begun() && end != End::Interrupted && survey.progress.fetches > 0;
        if (end == End::Finished && survey.links_moved) || out_of_order {
            count_layers(survey)?;
        }
        if end != End::Interrupted && survey.run_is_open()? {
            survey.ledger.batch.run_ends = Some(end.name().into());
            survey.commit()?;
        }
        survey.tell(true);
        Ok(end)
    }

    /// The first round with anything queued. Sitemaps are read when links lead no farther.
    fn next_round(&mut self) -> Result<Option<u32>, StoreError> {
        let survey = &mut self.survey;
        let first = survey.ledger.store.first_round()?;
        // Among others, hosts come back when there is nothing left at all.
        let early = first.is_some_and(|round| round != Depth::LOOSE.0 || survey.ledger.is_shared());
        if early || !survey.settings.follow.sitemaps {
            return Ok(first);
        }
        survey.settings.follow.sitemaps = false;
        let read = survey.ledger.store.value(SITEMAPS_READ)?.is_some_and(|when| !when.is_empty());
        if read || survey.page_limit_reached() {
            return Ok(first);
        }
        self.read_sitemaps()?;
        self.survey.ledger.store.first_round()
    }

    /// Reads the sitemaps of the hosts of the start pages.
    fn read_sitemaps(&mut self) -> Result<(), StoreError> {
        let hosts = hosts_of_seeds(&mut self.survey)?;
        self.lease_for_sitemaps(&hosts)?;
        // After a resume nobody may have been asked yet.
        for id in &hosts {
            let host = self.survey.kernel.hosts.get(*id);
            if host.is_some_and(|host| matches!(host.standing, Standing::Fresh)) {
                self.survey.kernel.ask_server(*id, &self.events.0);
            }
        }
        while self.survey.kernel.hosts.any_unanswered() && !self.survey.kernel.is_interrupted() {
            refill(&mut self.survey, &self.intake, &self.events.0)?;
            self.take_events(PAUSE)?;
        }
        // A host that others would not let go of is read next time.
        let missed = hosts.iter().any(|id| self.survey.kernel.hosts.get(*id).is_none());
        self.sitemaps_under_way += begin_to_read(&mut self.survey, hosts, &self.events.0);
        while self.sitemaps_under_way > 0 && !self.survey.kernel.is_interrupted() {
            self.take_events(PAUSE)?;
        }
        if !self.survey.kernel.is_interrupted() && !missed {
            self.survey.ledger.batch.values.push((SITEMAPS_READ.into(), epoch().to_string()));
        }
        self.survey.commit()
    }

    /// Among others: the hosts are ours while their sitemaps are read. Nobody has anything else to do by then, so they come back soon.
    fn lease_for_sitemaps(&mut self, hosts: &HashSet<HostId>) -> Result<(), StoreError> {
        let until = Instant::now() + COMING_BACK;
        while self.survey.ledger.is_shared() && Instant::now() < until && !self.survey.kernel.is_interrupted() {
            let survey = &mut self.survey;
            let missing = |id: &HostId| survey.kernel.hosts.get(*id).is_none();
            let wanted: Vec<HostId> = hosts.iter().copied().filter(missing).collect();
            let Some(workers) = survey.ledger.workers().filter(|_| !wanted.is_empty()) else { break };
            let rows = workers.lease_these(&wanted)?;
            begin_with(survey, &mut self.intake.learning, rows)?;
            self.workers.poll(survey)?;
            self.take_events(PAUSE)?;
        }
        Ok(())
    }

    /// Works until the round has nothing left; says so if the whole crawl has to end.
    fn one_round(&mut self) -> Result<Option<End>, StoreError> {
        loop {
            self.workers.poll(&mut self.survey)?;
            let end = self.end_at_hand();
            if end.is_none() {
                self.workers.lease_more(&mut self.survey, &mut self.intake.learning)?;
                refill(&mut self.survey, &self.intake, &self.events.0)?;
                if may_fetch(&mut self.survey) {
                    self.dispatch.dispatch(&mut self.survey);
                }
            }
            if self.survey.kernel.frontier.under_way() == 0 && (end.is_some() || self.is_round_over()?) {
                return Ok(end);
            }
            let idle = end.is_some() || !self.survey.has_room();
            self.take_events(self.survey.kernel.patience(idle))?;
            self.survey.tell(false);
        }
    }

    /// How the crawl ends as soon as nothing is under way, if it has to.
    fn end_at_hand(&self) -> Option<End> {
        if self.is_interrupted() {
            Some(End::Interrupted)
        } else if self.survey.page_limit_reached() {
            Some(End::PageLimit)
        } else if self.survey.stop_said {
            Some(End::Stopped)
        } else if self.workers.is_dismissed() {
            Some(End::Finished)
        } else {
            None
        }
    }

    fn is_round_over(&mut self) -> Result<bool, StoreError> {
        let survey = &mut self.survey;
        let hosts = &survey.kernel.hosts;
        if !survey.kernel.frontier.is_drained() || hosts.any_hungry() || hosts.any_unanswered() {
            return Ok(false);
        }
        // What is left of the round may be others'.
        Ok(!survey.ledger.is_shared() || survey.ledger.store.first_round()? != Some(survey.queue.round))
    }

    /// Waits for events, takes in all that are there, commits, and only then gives the slots back.
    fn take_events(&mut self, wait: Duration) -> Result<(), StoreError> {
        let Ok(first) = self.events.1.recv_timeout(wait) else { return Ok(()) };
        if self.events.1.len() + 1 < self.survey.kernel.frontier.under_way().div_ceil(2) {
            std::thread::sleep(GATHERING);
        }
        let mut events = VecDeque::from([first]);
        if self.survey.ledger.is_shared() {
            events.extend(self.events.1.try_iter().take(HARVESTS_AT_ONCE - 1));
            foresee(&mut self.survey, events.iter())?;
        }
        let mut next = events.pop_front();
        let mut settled = Vec::new();
        let mut taken = 0;
        while let Some(event) = next {
            settled.extend(self.take_event(event)?);
            taken += 1;
            let more = taken < HARVESTS_AT_ONCE && !self.survey.ledger.is_shared();
            next = events.pop_front().or_else(|| if more { self.events.1.try_recv().ok() } else { None });
        }
        let survey = &mut self.survey;
        self.intake.learning.remember_turns(&mut survey.ledger.batch);
        for (key, times) in survey.kernel.fetcher.limits_hit() {
            survey.limit_hit(key, times);
        }
        survey.commit()?;
        for (slot, lane, feedback) in settled {
            survey.queue.settle(&mut survey.kernel, &slot, lane, feedback);
        }
        let renamed = self.intake.learning.after_commit(survey)?;
        self.recall.note_renamed(renamed);
        Ok(())
    }

    /// Takes in an event. Returns the slot that is settled when the batch is committed, if it settles one.
    fn take_event(&mut self, event: Event) -> Result<Option<(Slot, LaneId, Feedback)>, StoreError> {
        let (survey, workers) = (&mut self.survey, &mut self.workers);
        match event {
            Event::Harvest(harvest) => return self.take_harvest(*harvest),
            Event::Host(HostNews::Server(id, lane)) => server_known(survey, workers, &self.events.0, id, lane)?,
            Event::Host(HostNews::Robots(id, lane, answer)) => {
                self.scarce = host_answered(survey, workers, id, &lane, &answer)?.or(self.scarce);
            }
            Event::Sitemap(kind, urls) => self.intake.absorb_sitemap(survey, kind, urls)?,
            Event::SitemapsDone => self.sitemaps_under_way -= 1,
            Event::Found(finding) => survey.ledger.batch.findings.push(finding),
            Event::LimitHit(key) => survey.limit_hit(key, 1),
            Event::ForPage(question) => answer_for_page(&mut survey.kernel, question),
        }
        Ok(None)
    }

    fn take_harvest(&mut self, harvest: Harvest) -> Result<Option<(Slot, LaneId, Feedback)>, StoreError> {
        let survey = &mut self.survey;
        let (lane, slot) = (harvest.lane, harvest.slot.clone());
        let asked = survey.kernel.clock(harvest.asked);
        let feedback = Feedback { asked, latency: harvest.latency, strained: harvest.strained, rest: harvest.rest };
        if let Got::Withheld = harvest.got {
            // The URL stays queued as it is.
            self.intake.logins.withheld = true;
            return Ok(Some((slot, lane, feedback)));
        }
        if let Got::Scarce(what) = harvest.got {
            self.scarce = Some(what);
            return Ok(Some((slot, lane, feedback)));
        }
        count(survey, &harvest);
        match self.intake.absorb(survey, harvest)? {
            None => Ok(Some((slot, lane, feedback))),
            Some((again, wait)) => {
                let now = survey.kernel.now();
                survey.kernel.frontier.settle(lane, feedback, now);
                survey.kernel.frontier.offer_at(lane, again, survey.kernel.now() + wait);
                Ok(None)
            }
        }
    }
}

/// Counts what a visit took.
fn count(survey: &mut OpenSurvey<'_>, harvest: &Harvest) {
    let (fetches, bytes) = (1 + harvest.aside.0, harvest.wire_bytes + harvest.aside.1);
    let (progress, batch) = (&mut survey.progress, &mut survey.ledger.batch);
    progress.fetches += fetches;
    progress.bytes += bytes;
    progress.rendered += u64::from(harvest.built);
    batch.counts.fetches += fetches;
    batch.counts.bytes += bytes;
    batch.counts.rendered += u64::from(harvest.built);
    batch.findings.extend(harvest.finding.clone());
    for key in &harvest.cuts {
        *batch.counts.limits.entry(key).or_default() += 1;
    }
}

/// The page limit ends a crawl only if it kept something out.
fn end_of(survey: &mut OpenSurvey<'_>, end: End) -> Result<End, StoreError> {
    match end {
        End::PageLimit if survey.ledger.store.first_round()?.is_none() => Ok(End::Finished),
        End::PageLimit => {
            survey.ledger.store.shelve(Reason::PageLimit, epoch())?;
            Ok(End::PageLimit)
        }
        End::Finished if survey.page_limit_reached() => {
            let kept_out = survey.ledger.store.balance()?.tally.contains_key(&Reason::PageLimit);
            Ok(if kept_out { End::PageLimit } else { End::Finished })
        }
        other => Ok(other),
    }
}
