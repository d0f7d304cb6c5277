//! The engine: one loop that hands out tickets, takes in harvests, and commits what they came to.
//!
//! ```text
//! store --queued--> frontier --ticket--> fetch --outcome--> readers --harvest--> absorb --batch--> store
//! ```
//!
//! Everything but fetching and reading happens in the loop's own thread, so there is one order of events and no lock. A ticket is
//! settled only after the batch with its harvest is committed; hence at most `concurrency` pages are ever fetched but not stored,
//! and a kill at any moment costs at most those fetches.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use tokio::runtime::Runtime;
use url::Url;

use groma_fetch::{Fetcher, Lane, RobotsAnswer, Trouble};
use groma_model::url::learn::Learner;
use groma_model::url::trap::TrapWatch;
use groma_model::url::{Logout, Scope};
use groma_model::{Depth, HostId, Limits, LinkKind, PageId, Reason};
use groma_store::{Finding, StoreError};
use groma_strategy::{Plan, Strategy};

use crate::CrawlSettings;
use crate::crew::Others;
use crate::frontier::{Feedback, Frontier, LaneId, Millis};
use crate::hosts::Hosts;
use crate::ledger::{Ledger, epoch};
use crate::lessons::Turned;
use crate::progress::{End, Progress, Summary, Watch};
use crate::reader::{Got, Harvest, Lens, Work};
use crate::refill::LOADED_PER_HOST;
use crate::render::Question;
use crate::start::{CrawlError, LISTS};
use crate::ticket::Ticket;

/// Harvests taken in before a commit.
const HARVESTS_AT_ONCE: usize = 256;
/// How long the first of several visits waits for others, so that they are committed together: far less than a fetch over
/// a network takes.
const GATHERING: Duration = Duration::from_micros(500);
/// How often whoever watches is told.
const TICK: Duration = Duration::from_millis(200);

/// What happens while a crawl runs.
pub(crate) enum Event {
    /// A visit has been digested.
    Harvest(Box<Harvest>),
    /// The server of a host is known.
    Server(HostId, Lane),
    /// A host has been asked.
    Host(HostId, Lane, Box<RobotsAnswer>),
    /// A sitemap names these.
    Sitemap(LinkKind, Vec<Url>),
    /// The sitemaps of one host have been read.
    SitemapsDone,
    /// A limit was hit outside a visit.
    LimitHit(&'static str),
    /// Something was found that the user should know, outside a visit.
    Found(Finding),
    /// Something is to be fetched for a page that is being built.
    ForPage(Question),
}

/// A crawl under way.
pub(crate) struct Engine<'s> {
    pub(crate) ledger: Ledger<'s>,
    pub(crate) settings: EngineSettings,
    pub(crate) strategy: &'s mut dyn Strategy,
    pub(crate) scope: Scope,
    pub(crate) frontier: Frontier,
    pub(crate) hosts: Hosts,
    pub(crate) learner: Learner,
    pub(crate) traps: TrapWatch,
    pub(crate) watch: &'s mut dyn Watch,
    pub(crate) progress: Progress,
    pub(crate) round: u32,
    pub(crate) seeds: HashSet<PageId>,
    /// The start pages as they were given.
    pub(crate) start: Vec<Url>,
    /// Pieces of lists of start pages that the store holds.
    pub(crate) listed: u32,
    /// Their numbers, in that order.
    pub(crate) start_pages: Vec<PageId>,
    /// For a strategy with a memory: it has begun.
    pub(crate) recalled: bool,
    /// Pages were found to be other names of others, or no longer to be, since it was shown them.
    pub(crate) renamed: bool,
    /// The pages it wanted and has not been shown.
    pub(crate) wanted: Vec<PageId>,
    /// The addresses it has been told, and whether they can be pages.
    pub(crate) met: HashMap<PageId, bool>,
    /// The pages that were fetched once more for their parts.
    pub(crate) asked_again: HashSet<PageId>,
    /// Tickets in memory, waiting or under way.
    pub(crate) loaded: HashSet<PageId>,
    pub(crate) stop_said: bool,
    pub(crate) fetcher: Arc<dyn Fetcher>,
    pub(crate) runtime: Runtime,
    pub(crate) events: (Sender<Event>, Receiver<Event>),
    pub(crate) fetched: Sender<Work>,
    pub(crate) readers: Vec<JoinHandle<()>>,
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) began: Instant,
    pub(crate) last_tick: Instant,
    pub(crate) sitemaps_under_way: usize,
    /// The last layer whose pages have all been visited.
    pub(crate) finished_layer: Option<u32>,
    /// Rules whose standing changed while the batch was open.
    pub(crate) turned: Vec<Turned>,
    /// The latest two addresses that spoke for or against a rule.
    pub(crate) examples: HashMap<(String, String), String>,
    pub(crate) lens: Arc<Lens>,
    /// Pages seen before have other links now: distances may have changed.
    pub(crate) links_moved: bool,
    /// "crawl" or "update".
    pub(crate) kind: &'static str,
    /// Everything known is being asked again.
    pub(crate) updating: bool,
    /// Hosts for which the open batch queues something in this very round.
    pub(crate) to_feed: Vec<HostId>,
    /// Pages that stood for variants and turned out to be none.
    pub(crate) fallen: Vec<PageId>,
    /// Hosts being asked for their robots.txt.
    pub(crate) errands: usize,
    /// Tickets in memory for pages never fetched before.
    pub(crate) new_loaded: u64,
    /// Others who crawl the same survey.
    pub(crate) others: Others,
    /// The page that the last address asked for was found on, with its address: many in a row are found on the same.
    pub(crate) last_via: (Option<PageId>, Option<Arc<str>>),
    /// Pages are withheld: there is no login to be had.
    pub(crate) no_login: bool,
    /// Pages are withheld: the system has no more of this for us.
    pub(crate) scarce: Option<&'static str>,
    /// Fetches that had to wait for the system, as far as they have been counted.
    pub(crate) waited: u64,
    /// Pages whose links say that they end a login, found after the pages were known.
    pub(crate) farewells: HashSet<PageId>,
}

/// What the engine keeps of the settings.
pub(crate) struct EngineSettings {
    pub(crate) max_pages: Option<u64>,
    pub(crate) concurrency: usize,
    pub(crate) delay: Duration,
    pub(crate) stranger_delay: Duration,
    pub(crate) agent: String,
    pub(crate) robots: bool,
    pub(crate) follow_nofollow: bool,
    pub(crate) assets: bool,
    pub(crate) sitemaps: bool,
    pub(crate) learn: bool,
    pub(crate) logout: Option<Logout>,
    pub(crate) limits: Limits,
}

impl EngineSettings {
    pub(crate) fn of(settings: &CrawlSettings) -> EngineSettings {
        EngineSettings {
            max_pages: settings.max_pages,
            concurrency: settings.concurrency.max(1),
            delay: settings.delay,
            stranger_delay: settings.stranger_delay,
            agent: settings.agent.clone(),
            robots: settings.robots,
            follow_nofollow: settings.follow_nofollow,
            assets: settings.assets,
            sitemaps: settings.sitemaps,
            learn: settings.learn,
            logout: settings.logout.clone(),
            limits: settings.limits.clone(),
        }
    }
}

impl Engine<'_> {
    /// Runs until there is nothing left to do, a limit is reached, or somebody interrupts.
    pub(crate) fn run(mut self) -> Result<Summary, CrawlError> {
        let result = self.rounds();
        let withheld = if self.no_login { self.fetcher.withheld() } else { None };
        let scarce = self.scarce;
        // Whatever happened, no thread is left behind.
        let Engine { runtime, fetched, readers, mut progress, began, .. } = self;
        drop(fetched);
        runtime.shutdown_timeout(Duration::from_millis(200));
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
        self.no_login || self.scarce.is_some() || self.interrupt.load(Ordering::Relaxed)
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        let mut before = None;
        let end = loop {
            self.look_round()?;
            let next = self.next_round()?;
            if self.is_interrupted() {
                break End::Interrupted;
            }
            if self.stop_said {
                break End::Stopped;
            }
            if self.is_dismissed() || (next.is_none() && self.others.helps && !self.others.company.led) {
                break End::Finished;
            }
            if next.is_none() && self.others.helps {
                self.give_all_back()?;
                std::thread::sleep(TICK);
                continue;
            }
            let Some(round) = next else {
                if self.strategy.remembers() && !self.recalled {
                    self.recall()?;
                    continue;
                }
                break End::Finished;
            };
            if self.page_limit_reached() {
                break End::PageLimit;
            }
            let standing = Some((round, self.progress.fetches, self.progress.queued));
            if before == standing && !self.is_shared() {
                return Err(StoreError::Damaged(format!("round {round} makes no progress")));
            }
            before = standing;
            self.round = round;
            self.progress.layer = Depth(round).known().filter(|_| !self.recalled);
            for host in self.own_hosts(round)? {
                self.hosts.feed(host);
            }
            if let Some(end) = self.one_round()? {
                break end;
            }
            if self.recalled {
                self.show_round(round)?;
            } else if !self.strategy.remembers() && !self.others.helps && self.is_done(round)? {
                self.finish_layer(round)?;
            }
        };
        self.commit()?;
        if self.is_shared() {
            self.give_all_back()?;
        }
        if self.others.helps {
            self.tell(true);
            return Ok(end);
        }
        self.dismiss(end != End::Interrupted)?;
        // Somebody's last batch may have brought more, after the queue was empty for a moment.
        if end == End::Finished && self.is_shared() && self.ledger.store.first_round()?.is_some() {
            return self.rounds();
        }
        self.links_moved |= self.ledger.store.value("links_moved")?.is_some_and(|moved| !moved.is_empty());
        let end = self.end_of(end)?;
        // Rounds of a strategy with a memory are no layers.
        let out_of_order = self.recalled && end != End::Interrupted && self.progress.fetches > 0;
        if (end == End::Finished && self.links_moved) || out_of_order {
            self.count_layers()?;
        }
        if end != End::Interrupted && self.run_is_open()? {
            self.ledger.batch.run_ends = Some(end.name().into());
            self.commit()?;
        }
        self.tell(true);
        Ok(end)
    }

    /// Is nothing left of a round, nor of those before it? Alone that is so when it has been worked through.
    fn is_done(&mut self, round: u32) -> Result<bool, StoreError> {
        Ok(!self.is_shared() || self.ledger.store.first_round()?.is_none_or(|first| first > round))
    }

    fn finish_layer(&mut self, round: u32) -> Result<(), StoreError> {
        let mut plan = Plan::default();
        self.strategy.round(round, &mut plan);
        self.stop_said |= self.ledger.obey(plan, |_| Depth(round));
        if let Some(layer) = Depth(round).known().filter(|layer| self.finished_layer.is_none_or(|f| f < *layer)) {
            self.finished_layer = Some(layer);
            self.ledger.batch.values.push(("finished_layer".into(), layer.to_string()));
        }
        self.commit()
    }

    /// The page limit ends a crawl only if it kept something out.
    fn end_of(&mut self, end: End) -> Result<End, StoreError> {
        match end {
            End::PageLimit if self.ledger.store.first_round()?.is_none() => Ok(End::Finished),
            End::PageLimit => {
                self.ledger.store.shelve(Reason::PageLimit, epoch())?;
                Ok(End::PageLimit)
            }
            End::Finished if self.page_limit_reached() => {
                let kept_out = self.ledger.store.balance()?.tally.contains_key(&Reason::PageLimit);
                Ok(if kept_out { End::PageLimit } else { End::Finished })
            }
            other => Ok(other),
        }
    }

    pub(crate) fn run_is_open(&mut self) -> Result<bool, StoreError> {
        let run = self.ledger.batch.run;
        Ok(self.ledger.store.runs()?.last().is_some_and(|last| last.id == run && last.ended.is_none()))
    }

    /// Commits the batch; then, and only then, its new hosts are known and what it queued for this round can be loaded.
    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        // What is in the survey is in its archive, so what the archive could not take does not get into the survey.
        self.fetcher.settle().map_err(archive_trouble)?;
        self.count_waits();
        if self.lens.lists.load(Ordering::Relaxed) && self.ledger.store.value(LISTS)?.is_none() {
            self.ledger.batch.values.push((LISTS.into(), epoch().to_string()));
        }
        if self.is_shared() {
            let ours = self.progress.indexed as i64 - self.others.told as i64;
            self.ledger.batch.counts.indexed = ours;
            let renamed = self.ledger.commit()?;
            for (old, found) in &renamed {
                if self.seeds.remove(old) {
                    self.seeds.insert(found.id);
                }
            }
            self.others.told = self.progress.indexed;
            // Only hosts that are ours are known here; those of others are none of our business.
            for id in std::mem::take(&mut self.to_feed) {
                self.hosts.feed(id);
            }
            return Ok(());
        }
        let hosts: Vec<(HostId, String)> = self.ledger.batch.hosts.iter().map(|h| (h.id, h.origin.clone())).collect();
        self.ledger.commit()?;
        for (id, origin) in hosts {
            self.hosts.add(id, &origin, None);
        }
        for id in std::mem::take(&mut self.to_feed) {
            self.hosts.feed(id);
        }
        Ok(())
    }

    /// Fetches that had to wait because the system gives no more files are a limit that was hit.
    fn count_waits(&mut self) {
        let waited = self.fetcher.waited();
        if waited > self.waited {
            if self.waited == 0 {
                self.watch.notice("slower: fetches wait, since the system gives no more files (ulimit -n)");
            }
            *self.ledger.batch.counts.limits.entry("open_files").or_default() += waited - self.waited;
            self.waited = waited;
        }
    }

    /// The first round with anything queued. Sitemaps are read when links lead no farther.
    fn next_round(&mut self) -> Result<Option<u32>, StoreError> {
        let first = self.ledger.store.first_round()?;
        // Among others, hosts come back when there is nothing left at all.
        let early = first.is_some_and(|round| round != Depth::LOOSE.0 || self.is_shared());
        if early || !self.settings.sitemaps {
            return Ok(first);
        }
        self.settings.sitemaps = false;
        if self.ledger.store.value("sitemaps_read")?.is_some_and(|when| !when.is_empty()) || self.page_limit_reached() {
            return Ok(first);
        }
        self.read_sitemaps()?;
        self.ledger.store.first_round()
    }

    /// Works until the round has nothing left; says so if the whole crawl has to end.
    fn one_round(&mut self) -> Result<Option<End>, StoreError> {
        loop {
            self.look_round()?;
            let interrupted = self.is_interrupted();
            let limited = self.page_limit_reached();
            let halt = interrupted || limited || self.stop_said || self.is_dismissed();
            if !halt {
                self.lease_more()?;
                self.refill()?;
                if self.may_fetch() {
                    self.dispatch();
                }
            }
            if self.frontier.under_way() == 0 {
                if interrupted {
                    return Ok(Some(End::Interrupted));
                }
                if limited {
                    return Ok(Some(End::PageLimit));
                }
                if self.stop_said {
                    return Ok(Some(End::Stopped));
                }
                if self.is_dismissed() {
                    return Ok(Some(End::Finished));
                }
                if self.frontier.is_drained() && !self.hosts.any_hungry() && !self.hosts.any_unanswered() {
                    // What is left of the round may be others'.
                    if !self.is_shared() || self.ledger.store.first_round()? != Some(self.round) {
                        return Ok(None);
                    }
                }
            }
            self.take_events(self.patience(halt))?;
            self.tell(false);
        }
    }

    /// How long to wait for an event. Where nothing more can be handed out, only an event changes anything.
    fn patience(&self, halt: bool) -> Duration {
        if halt || !self.has_room() {
            return TICK;
        }
        let wake = self.frontier.wake_at().into_iter().chain(self.hosts.wake_at()).min();
        let wait = wake.map_or(TICK, |at| Duration::from_millis(at.saturating_sub(self.now())));
        wait.clamp(Duration::from_millis(1), TICK)
    }

    /// May another fetch be begun, as far as connections and the page limit go?
    pub(crate) fn has_room(&self) -> bool {
        let under_way = self.frontier.under_way();
        let most = self.settings.max_pages.filter(|_| !self.updating);
        let within_limit = most.is_none_or(|most| self.progress.indexed + (under_way as u64) < most);
        under_way < self.settings.concurrency && within_limit
    }

    /// The canonical form of an address by the written rules.
    pub(crate) fn canon(&self, url: &Url) -> groma_model::url::Canon {
        self.lens.canonizer.canon(url)
    }

    pub(crate) fn now(&self) -> Millis {
        self.began.elapsed().as_millis() as Millis
    }

    /// An update asks again for all that is known, whatever their number; the limit then holds for new pages only.
    fn page_limit_reached(&self) -> bool {
        !self.updating && self.settings.max_pages.is_some_and(|most| self.progress.indexed >= most)
    }

    /// Waits for events, takes in all that are there, commits, and only then gives the tickets back.
    pub(crate) fn take_events(&mut self, wait: Duration) -> Result<(), StoreError> {
        let Ok(first) = self.events.1.recv_timeout(wait) else { return Ok(()) };
        if self.events.1.len() + 1 < self.frontier.under_way().div_ceil(2) {
            std::thread::sleep(GATHERING);
        }
        let mut events = VecDeque::from([first]);
        if self.is_shared() {
            events.extend(self.events.1.try_iter().take(HARVESTS_AT_ONCE - 1));
            self.foresee(events.iter())?;
        }
        let mut next = events.pop_front();
        let mut settled = Vec::new();
        let mut taken = 0;
        while let Some(event) = next {
            match event {
                Event::Server(id, lane) => self.server_known(id, lane)?,
                Event::Harvest(harvest) => settled.extend(self.take_harvest(*harvest)?),
                Event::Host(id, lane, answer) => self.host_answered(id, &lane, &answer)?,
                Event::Sitemap(kind, urls) => self.absorb_sitemap(kind, urls)?,
                Event::SitemapsDone => self.sitemaps_under_way -= 1,
                Event::Found(finding) => self.ledger.batch.findings.push(finding),
                Event::LimitHit(key) => *self.ledger.batch.counts.limits.entry(key).or_default() += 1,
                Event::ForPage(question) => self.answer_for_page(question),
            }
            taken += 1;
            let more = taken < HARVESTS_AT_ONCE && !self.is_shared();
            next = events.pop_front().or_else(|| if more { self.events.1.try_recv().ok() } else { None });
        }
        self.remember_turns();
        for (key, times) in self.fetcher.limits_hit() {
            *self.ledger.batch.counts.limits.entry(key).or_default() += times;
        }
        self.commit()?;
        for (ticket, lane, feedback) in settled {
            self.loaded.remove(&ticket.id);
            self.new_loaded -= u64::from(ticket.before == Reason::Waiting);
            self.frontier.settle(lane, feedback, self.now());
            let Some(host) = self.hosts.get(ticket.host) else { continue };
            host.loaded -= 1;
            if host.more && host.loaded < LOADED_PER_HOST / 2 {
                self.hosts.feed(ticket.host);
            }
        }
        self.after_commit()
    }

    fn take_harvest(&mut self, harvest: Harvest) -> Result<Option<(Ticket, LaneId, Feedback)>, StoreError> {
        let (lane, ticket) = (harvest.lane, harvest.ticket.clone());
        let asked = harvest.asked.saturating_duration_since(self.began).as_millis() as Millis;
        let feedback = Feedback { asked, latency: harvest.latency, strained: harvest.strained, rest: harvest.rest };
        if let Got::Withheld = harvest.got {
            // The address stays queued as it is.
            self.no_login = true;
            return Ok(Some((ticket, lane, feedback)));
        }
        if let Got::Scarce(what) = harvest.got {
            self.scarce = Some(what);
            return Ok(Some((ticket, lane, feedback)));
        }
        let (fetches, bytes) = (1 + harvest.aside.0, harvest.wire_bytes + harvest.aside.1);
        self.progress.fetches += fetches;
        self.progress.bytes += bytes;
        self.progress.rendered += u64::from(harvest.built);
        self.ledger.batch.counts.fetches += fetches;
        self.ledger.batch.counts.bytes += bytes;
        self.ledger.batch.counts.rendered += u64::from(harvest.built);
        self.ledger.batch.findings.extend(harvest.finding.clone());
        for key in &harvest.cuts {
            *self.ledger.batch.counts.limits.entry(key).or_default() += 1;
        }
        match self.absorb(harvest)? {
            None => Ok(Some((ticket, lane, feedback))),
            Some((again, wait)) => {
                self.frontier.settle(lane, feedback, self.now());
                self.frontier.offer_at(lane, again, self.now() + wait);
                Ok(None)
            }
        }
    }

    fn tell(&mut self, now: bool) {
        if now || self.last_tick.elapsed() >= TICK {
            self.last_tick = Instant::now();
            self.progress.elapsed = self.began.elapsed();
            self.progress.under_way = self.frontier.under_way();
            self.progress.servers = self.frontier.busiest();
            self.watch.tick(&self.progress);
        }
    }
}

/// The archive cannot take any more.
pub(crate) fn archive_trouble(trouble: Trouble) -> StoreError {
    let Trouble { path, kind, says } = trouble;
    match kind {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => StoreError::NoRoom(path),
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(path),
        _ => StoreError::Io { path, source: std::io::Error::new(kind, says) },
    }
}
