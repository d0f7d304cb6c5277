//! The engine: one loop that hands out tickets, takes in harvests, and commits what they came to.
//!
//! ```text
//! store --queued--> frontier --ticket--> fetch --outcome--> readers --harvest--> absorb --batch--> store
//! ```
//!
//! Everything but fetching and reading happens in the loop's own thread, so there is one order of events and no lock. A ticket is
//! settled only after the batch with its harvest is committed; hence at most `concurrency` pages are ever fetched but not stored,
//! and a kill at any moment costs at most those fetches.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use tokio::runtime::Runtime;
use url::Url;

use groma_fetch::{Fetcher, Lane, RobotsAnswer, robots};
use groma_model::url::Scope;
use groma_model::url::learn::Learner;
use groma_model::url::shape::{Shape, quarter, shape};
use groma_model::url::trap::TrapWatch;
use groma_model::{Depth, HostId, Limits, PageId, Reason, Request, Validators};
use groma_store::{Amend, Queued, StoreError};
use groma_strategy::{Plan, Strategy};

use crate::frontier::{Feedback, Frontier, Millis};
use crate::hosts::{Errand, Hosts, Standing, lane_name};
use crate::ledger::{Ledger, epoch};
use crate::lessons::Turned;
use crate::progress::{End, Progress, Summary, Watch};
use crate::reader::{Fetched, Harvest, Lens};
use crate::ticket::Ticket;
use crate::{CrawlSettings, sitemaps};

/// Tickets a host has in memory; more are loaded when half of them are used.
const LOADED_PER_HOST: usize = 128;
/// Tickets in memory over all hosts.
const LOADED_AT_MOST: usize = 20_000;
/// Harvests taken in before a commit.
const HARVESTS_AT_ONCE: usize = 256;
/// How often whoever watches is told.
const TICK: Duration = Duration::from_millis(200);

/// What happens while a crawl runs.
pub(crate) enum Event {
    /// A visit has been digested.
    Harvest(Box<Harvest>),
    /// A host has been asked.
    Host(HostId, Lane, Box<RobotsAnswer>),
    /// A sitemap names these.
    Sitemap(Vec<Url>),
    /// The sitemaps of one host have been read.
    SitemapsDone,
    /// A limit was hit outside a visit.
    LimitHit(&'static str),
}

/// A crawl under way.
pub(crate) struct Engine<'s, F> {
    pub(crate) ledger: Ledger<'s>,
    pub(crate) settings: EngineSettings,
    pub(crate) strategy: Box<dyn Strategy>,
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
    /// Tickets in memory, waiting or under way.
    pub(crate) loaded: HashSet<PageId>,
    pub(crate) stop_said: bool,
    pub(crate) fetcher: Arc<F>,
    pub(crate) runtime: Runtime,
    pub(crate) events: (Sender<Event>, Receiver<Event>),
    pub(crate) fetched: Sender<Fetched>,
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
    pub(crate) examples: HashMap<(Shape, String), String>,
    pub(crate) lens: Arc<Lens>,
    /// Pages seen before have other links now: distances may have changed.
    pub(crate) links_moved: bool,
}

/// What the engine keeps of the settings.
pub(crate) struct EngineSettings {
    pub(crate) max_pages: Option<u64>,
    pub(crate) concurrency: usize,
    pub(crate) delay: Duration,
    pub(crate) agent: String,
    pub(crate) robots: bool,
    pub(crate) follow_nofollow: bool,
    pub(crate) assets: bool,
    pub(crate) sitemaps: bool,
    pub(crate) learn: bool,
    pub(crate) limits: Limits,
}

impl EngineSettings {
    pub(crate) fn of(settings: &CrawlSettings) -> EngineSettings {
        EngineSettings {
            max_pages: settings.max_pages,
            concurrency: settings.concurrency.max(1),
            delay: settings.delay,
            agent: settings.agent.clone(),
            robots: settings.robots,
            follow_nofollow: settings.follow_nofollow,
            assets: settings.assets,
            sitemaps: settings.sitemaps,
            learn: settings.learn,
            limits: settings.limits.clone(),
        }
    }
}

impl<F: Fetcher> Engine<'_, F> {
    /// Runs until there is nothing left to do, a limit is reached, or somebody interrupts.
    pub(crate) fn run(mut self) -> Result<Summary, StoreError> {
        let result = self.rounds();
        // Whatever happened, no thread is left behind.
        let Engine { runtime, fetched, readers, mut progress, began, .. } = self;
        drop(fetched);
        runtime.shutdown_timeout(Duration::from_millis(200));
        for reader in readers {
            let _ = reader.join();
        }
        progress.elapsed = began.elapsed();
        result.map(|end| Summary { end, progress })
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        let end = loop {
            if self.page_limit_reached() {
                break End::PageLimit;
            }
            let Some(round) = self.next_round()? else { break End::Finished };
            self.round = round;
            self.progress.layer = Depth(round).known();
            for host in self.ledger.store.queued_hosts(round)? {
                self.hosts.feed(host);
            }
            if let Some(end) = self.one_round()? {
                break end;
            }
            let mut plan = Plan::default();
            self.strategy.round(round, &mut plan);
            self.stop_said |= self.ledger.obey(plan, |_| Depth(round));
            if let Some(layer) = Depth(round).known().filter(|layer| self.finished_layer.is_none_or(|f| f < *layer)) {
                self.finished_layer = Some(layer);
                self.ledger.batch.values.push(("finished_layer".into(), layer.to_string()));
            }
            self.ledger.commit()?;
            if self.stop_said {
                break End::Stopped;
            }
        };
        if end == End::PageLimit {
            self.ledger.store.shelve(Reason::PageLimit)?;
        }
        if end == End::Finished && self.links_moved {
            self.count_layers()?;
        }
        if end != End::Interrupted {
            self.ledger.batch.run_ends = Some(end.name().into());
            self.ledger.commit()?;
        }
        self.tell(true);
        Ok(end)
    }

    /// The first round with anything queued. Sitemaps are read when links lead no farther.
    fn next_round(&mut self) -> Result<Option<u32>, StoreError> {
        let first = self.ledger.store.first_round()?;
        if first.is_some_and(|round| round != Depth::LOOSE.0) || !self.settings.sitemaps {
            return Ok(first);
        }
        self.settings.sitemaps = false;
        if self.ledger.store.value("sitemaps_read")?.is_some_and(|when| !when.is_empty()) || self.page_limit_reached() {
            return Ok(first);
        }
        self.read_sitemaps()?;
        self.ledger.store.first_round()
    }

    fn read_sitemaps(&mut self) -> Result<(), StoreError> {
        let mut hosts = HashSet::new();
        for seed in self.seeds.clone() {
            let mut row = self.ledger.store.address(seed)?;
            while let Some(other) = row.as_ref().and_then(|r| r.alias_of) {
                row = self.ledger.store.address(other)?;
            }
            hosts.extend(row.map(|r| r.host));
        }
        for id in hosts {
            let Some(host) = self.hosts.get(id) else { continue };
            let Standing::Open { robots, .. } = &host.standing else { continue };
            let (origin, named) = (host.origin.clone(), robots.sitemaps().to_vec());
            let (fetcher, events) = (Arc::clone(&self.fetcher), self.events.0.clone());
            let (pause, limits) = (self.settings.delay, self.settings.limits.clone());
            self.sitemaps_under_way += 1;
            self.runtime.spawn(sitemaps::gather(fetcher, origin, named, pause, limits, events));
        }
        while self.sitemaps_under_way > 0 && !self.interrupt.load(Ordering::Relaxed) {
            self.take_events(Duration::from_millis(100))?;
        }
        if self.sitemaps_under_way == 0 {
            self.ledger.batch.values.push(("sitemaps_read".into(), epoch().to_string()));
        }
        self.ledger.commit()
    }

    /// Works until the round has nothing left; says so if the whole crawl has to end.
    fn one_round(&mut self) -> Result<Option<End>, StoreError> {
        loop {
            let interrupted = self.interrupt.load(Ordering::Relaxed);
            let limited = self.page_limit_reached();
            let halt = interrupted || limited || self.stop_said;
            if !halt {
                self.refill()?;
                self.dispatch()?;
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
                if self.frontier.is_drained() && !self.hosts.any_hungry() && !self.hosts.any_unanswered() {
                    return Ok(None);
                }
            }
            let now = self.now();
            let wake = self.frontier.wake_at().into_iter().chain(self.hosts.wake_at()).min();
            let wait = wake.map_or(TICK, |at| Duration::from_millis(at.saturating_sub(now)).min(TICK));
            self.take_events(wait.max(Duration::from_millis(1)))?;
            self.tell(false);
        }
    }

    /// The canonical form of an address by the written rules.
    pub(crate) fn canon(&self, url: &Url) -> groma_model::url::Canon {
        self.lens.canonizer.canon(url)
    }

    fn now(&self) -> Millis {
        self.began.elapsed().as_millis() as Millis
    }

    fn page_limit_reached(&self) -> bool {
        self.settings.max_pages.is_some_and(|most| self.progress.indexed >= most)
    }

    /// Loads tickets for the hosts that want more, and sends for the robots.txt of those not asked yet.
    fn refill(&mut self) -> Result<(), StoreError> {
        for id in self.hosts.due(self.now()) {
            self.ask_host(id);
        }
        while self.loaded.len() < LOADED_AT_MOST {
            let Some(id) = self.hosts.hungry() else { break };
            let Some(host) = self.hosts.get(id) else { continue };
            match host.standing {
                Standing::Fresh => self.ask_host(id),
                Standing::Asked | Standing::Later(_) => {}
                Standing::Open { .. } => self.load(id)?,
                Standing::Closed(reason) => self.close(id, reason)?,
            }
        }
        Ok(())
    }

    fn ask_host(&mut self, id: HostId) {
        let Some(host) = self.hosts.get(id) else { return };
        let errand = host.errand(self.settings.robots, epoch(), &self.settings.limits);
        let origin = host.origin.clone();
        self.hosts.sent_for(id);
        let (fetcher, events) = (Arc::clone(&self.fetcher), self.events.0.clone());
        let (agent, limits) = (self.settings.agent.clone(), self.settings.limits.clone());
        self.runtime.spawn(async move {
            let lane = fetcher.lane(&origin).await;
            let answer = match errand {
                Errand::Ask => robots(&*fetcher, &origin, &agent, &limits).await,
                Errand::Resolve(answer) => answer,
            };
            let _ = events.send(Event::Host(id, lane, Box::new(answer)));
        });
    }

    /// Loads the next tickets of an open host.
    fn load(&mut self, id: HostId) -> Result<(), StoreError> {
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        let most = LOADED_PER_HOST + host.loaded;
        let rows = self.ledger.store.queued(self.round, id, most)?;
        host.more = rows.len() == most;
        for row in rows {
            if !self.loaded.contains(&row.id) {
                self.admit(id, &row)?;
            }
        }
        self.ledger.commit()
    }

    /// Puts an address into the frontier, unless robots.txt or a trap keeps it out.
    fn admit(&mut self, id: HostId, row: &Queued) -> Result<(), StoreError> {
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        let Standing::Open { robots, lane } = &host.standing else { return Ok(()) };
        let (lane, url) = (*lane, Url::parse(&row.url));
        let refused = match &url {
            Err(_) => Some(Reason::Malformed),
            Ok(url) if !robots.allows(url) => Some(Reason::Robots),
            Ok(url) if row.reason == Reason::Waiting && !is_free(&self.traps, url, row.run) => Some(Reason::Trap),
            Ok(_) => None,
        };
        if let Some(reason) = refused {
            self.progress.queued = self.progress.queued.saturating_sub(1);
            self.ledger.batch.amends.push(Amend {
                id: row.id,
                reason,
                queue: None,
                depth: None,
                alias_of: None,
                forget: false,
            });
            return Ok(());
        }
        let Ok(url) = url else { return Ok(()) };
        host.loaded += 1;
        self.loaded.insert(row.id);
        let last = match row.reason {
            Reason::Waiting => None,
            _ => self.ledger.store.page(row.id)?.map(|page| Box::new(page.facts)),
        };
        let address = if self.settings.assets { self.ledger.store.address(row.id)? } else { None };
        let head_only = address.and_then(|a| a.via_kind).is_some_and(|kind| !kind.leads_on());
        let ticket = Ticket {
            id: row.id,
            host: id,
            url,
            depth: row.depth,
            run: row.run,
            before: row.reason,
            last,
            tries: 0,
            spelling: None,
            spellings: 0,
            head_only,
        };
        self.frontier.offer(lane, ticket);
        Ok(())
    }

    /// Settles everything queued of a host that nothing may be fetched from.
    fn close(&mut self, id: HostId, reason: Reason) -> Result<(), StoreError> {
        loop {
            let rows = self.ledger.store.queued(self.round, id, 1_000)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.progress.queued = self.progress.queued.saturating_sub(1);
                self.settle_unasked(&row, reason);
            }
            self.ledger.commit()?;
        }
    }

    /// Hands out tickets as far as politeness, the number of connections and the page limit allow.
    fn dispatch(&mut self) -> Result<(), StoreError> {
        while self.frontier.under_way() < self.settings.concurrency {
            let under_way = self.frontier.under_way() as u64;
            if self.settings.max_pages.is_some_and(|most| self.progress.indexed + under_way >= most) {
                break;
            }
            let Some((lane, ticket)) = self.frontier.ready(self.now()) else { break };
            let validators = ticket.last.as_ref().filter(|last| last.status == 200).map(|last| {
                let given = |text: &String| Some(text.clone()).filter(|t| !t.is_empty());
                Validators { etag: given(&last.etag), last_modified: given(&last.last_modified) }
            });
            let url = ticket.spelling.clone().unwrap_or_else(|| ticket.url.clone());
            let request = Request { url, validators, head_only: ticket.head_only };
            let (fetcher, fetched) = (Arc::clone(&self.fetcher), self.fetched.clone());
            self.runtime.spawn(async move {
                let start = Instant::now();
                let outcome = fetcher.fetch(request).await;
                let latency = start.elapsed().as_millis() as Millis;
                let _ = fetched.send(Fetched { ticket, lane, outcome, latency, at: epoch() });
            });
        }
        Ok(())
    }

    /// Waits for events, takes in all that are there, commits, and only then gives the tickets back.
    fn take_events(&mut self, wait: Duration) -> Result<(), StoreError> {
        let Ok(first) = self.events.1.recv_timeout(wait) else { return Ok(()) };
        let mut next = Some(first);
        let mut settled = Vec::new();
        let mut taken = 0;
        while let Some(event) = next {
            match event {
                Event::Harvest(harvest) => settled.extend(self.take_harvest(*harvest)?),
                Event::Host(id, lane, answer) => self.host_answered(id, &lane, &answer),
                Event::Sitemap(urls) => self.absorb_sitemap(urls)?,
                Event::SitemapsDone => self.sitemaps_under_way -= 1,
                Event::LimitHit(key) => *self.ledger.batch.counts.limits.entry(key).or_default() += 1,
            }
            taken += 1;
            next = if taken < HARVESTS_AT_ONCE { self.events.1.try_recv().ok() } else { None };
        }
        self.ledger.commit()?;
        for (ticket, lane, feedback) in settled {
            self.loaded.remove(&ticket.id);
            self.frontier.settle(lane, feedback, self.now());
            let Some(host) = self.hosts.get(ticket.host) else { continue };
            host.loaded -= 1;
            if host.more && host.loaded < LOADED_PER_HOST / 2 {
                self.hosts.feed(ticket.host);
            }
        }
        self.after_commit()
    }

    fn take_harvest(
        &mut self,
        harvest: Harvest,
    ) -> Result<Option<(Ticket, crate::frontier::LaneId, Feedback)>, StoreError> {
        self.progress.fetches += 1;
        self.progress.bytes += harvest.wire_bytes;
        self.ledger.batch.counts.fetches += 1;
        self.ledger.batch.counts.bytes += harvest.wire_bytes;
        for key in &harvest.cuts {
            *self.ledger.batch.counts.limits.entry(key).or_default() += 1;
        }
        let (lane, ticket) = (harvest.lane, harvest.ticket.clone());
        let feedback = Feedback { latency: harvest.latency, strained: harvest.strained, rest: harvest.rest };
        match self.absorb(harvest)? {
            None => Ok(Some((ticket, lane, feedback))),
            Some((again, wait)) => {
                self.frontier.settle(lane, feedback, self.now());
                self.frontier.offer_at(lane, again, self.now() + wait);
                Ok(None)
            }
        }
    }

    fn host_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) {
        let now = (self.now(), epoch());
        let Some(host) = self.hosts.get(id) else { return };
        let (frontier, name) = (&mut self.frontier, lane_name(lane));
        let lane_of = |pause| frontier.lane(&name, pause);
        let row = host.answered(id, answer, &self.settings.agent, &self.settings.limits, lane_of, now);
        self.ledger.batch.robots.extend(row);
        self.hosts.heard_from(id);
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

/// Is an address clear of every trap suspected so far?
pub(crate) fn is_free(traps: &TrapWatch, url: &Url, run: u16) -> bool {
    traps.admits(shape(url), run) && traps.admits(quarter(url), 0)
}
