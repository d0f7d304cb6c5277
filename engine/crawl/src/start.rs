//! Beginning, going on, and going over it again: how a crawl gets from settings and a store to a running engine.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use url::Url;

use groma_fetch::Fetcher;
use groma_model::url::Canon;
use groma_model::url::learn::{Evidence, Learner, Standing};
use groma_model::url::shape::text_shape;
use groma_model::url::trap::{Suspicion, TrapWatch};
use groma_model::{Depth, LinkKind, PageId, Reason, State};
use groma_store::{AddressRow, Amend, Store, StoreError, WriteBatch};
use groma_strategy::{Lead, Plan, Strategy, Visit};

use crate::crew::Others;
use crate::engine::{Engine, EngineSettings};
use crate::frontier::{Frontier, Millis};
use crate::hosts::Hosts;
use crate::ledger::{Discovery, Ledger, epoch};
use crate::progress::{Progress, Summary, Watch};
use crate::reader::{self, Lens, Place};
use crate::render::{Errands, Studio};
use crate::settings::{CrawlSettings, listed_key};
use crate::threads::{self, Threads};

/// Addresses read at a time.
const STEP: usize = 20_000;

/// Crawls, or goes on with a crawl that was interrupted, until it is done.
pub fn crawl(
    store: &mut dyn Store,
    settings: CrawlSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &mut dyn Strategy,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    // What one that remembers did not want, another may.
    let whose = if strategy.remembers() { strategy.name() } else { "" };
    let decisions = format!("{whose} {}", settings.decisions).trim_start().to_owned();
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, "crawl")?;
    engine.look_round()?;
    engine.recall_turns()?;
    engine.place_seeds()?;
    if engine.ledger.store.value("decisions")?.is_some_and(|then| then != decisions) {
        engine.reconsider()?;
    }
    engine.ledger.batch.values.push(("decisions".into(), decisions));
    if engine.strategy.remembers() {
        engine.recall()?;
    }
    engine.begin_run()?;
    engine.run()
}

/// Asks again for everything that was ever asked for, conditionally, and for what turns up on the way.
pub fn update(
    store: &mut dyn Store,
    settings: CrawlSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &mut dyn Strategy,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, "update")?;
    engine.look_round()?;
    engine.updating = true;
    // All that is known is asked for, whatever the page limit.
    engine.progress.limit = None;
    engine.recall_turns()?;
    engine.place_seeds()?;
    if !engine.run_is_open()? {
        // The queue first, the run second: a kill in between only means that the queue is filled once more.
        engine.ledger.store.requeue(&is_asked_again)?;
        engine.progress.queued = engine.ledger.store.balance()?.queued;
        engine.ledger.batch.values.push(("sitemaps_read".into(), String::new()));
    }
    engine.begin_run()?;
    engine.run()
}

/// Lends a hand with a crawl, or with an update, of others, until it is over or nobody leads it any more.
pub fn help(
    store: &mut dyn Store,
    settings: CrawlSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &mut dyn Strategy,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
    updating: bool,
) -> Result<Summary, CrawlError> {
    let settings = CrawlSettings { sitemaps: false, ..settings };
    let kind = if updating { "update" } else { "crawl" };
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, kind)?;
    engine.updating = updating;
    engine.others = Others::new(true);
    engine.wait_for_doors()?;
    engine.find_seeds()?;
    engine.run()
}

/// What an update asks for: whatever a server once had a say about. Ignored addresses are not asked again.
fn is_asked_again(reason: Reason) -> bool {
    use Reason::*;
    let unseen = matches!(reason, Unauthorized | Forbidden | AskedToWait | Robots | RobotsUnreachable | NotArchived);
    let invalid = reason.state() == State::Invalid && reason != Malformed;
    reason == Fetched || reason == Redirected || unseen || invalid
}

/// Why a crawl could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Pages are only for those who are logged in, and we are not.
    #[error("{0}")]
    NoLogin(String),
    /// The machine would not give us threads.
    #[error("the system has no more threads for us: {0}")]
    Threads(#[from] std::io::Error),
    /// The machine would not give us what connections need.
    #[error(
        "the system has no more {0} for connections; everything so far is saved, and what was not asked for stays queued"
    )]
    Scarce(&'static str),
}

/// Kept once a start page was found to be a sitemap.
pub(crate) const LISTS: &str = "start_lists";

fn engine<'s>(
    store: &'s mut dyn Store,
    settings: CrawlSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &'s mut dyn Strategy,
    watch: &'s mut dyn Watch,
    interrupt: Arc<AtomicBool>,
    kind: &'static str,
) -> Result<Engine<'s>, CrawlError> {
    let mut keep = EngineSettings::of(&settings);
    let wanted = keep.concurrency;
    if let Some(most) = fetcher.most_at_once().filter(|most| *most < keep.concurrency) {
        watch.notice(&format!(
            "{most} fetches at once instead of {}: the system gives no more files (ulimit -n)",
            keep.concurrency
        ));
        keep.concurrency = most;
    }
    let studio = Studio::open(&settings.rendered, &settings.limits);
    let lens = Arc::new(Lens {
        canonizer: settings.canonizer,
        limits: settings.limits.clone(),
        keep_bodies: settings.keep_bodies,
        parts: settings.parts || strategy.reads(),
        agent: settings.agent.clone(),
        studio: studio.as_ref().map(|(studio, _)| Arc::clone(studio)),
        shows: false,
        lists: AtomicBool::new(store.value(LISTS)?.is_some()),
    });
    let cores = available_parallelism().map_or(2, usize::from);
    let Threads { workers, readers } = Threads::within((cores / 2).clamp(1, 4), cores)?;
    let runtime = threads::runtime(workers)?;
    // No bound is needed: never more than `concurrency` fetches are under way.
    let (fetched, outcomes) = crossbeam_channel::unbounded();
    let events = crossbeam_channel::unbounded();
    let readers = reader::start(readers, &lens, &outcomes, &events.0)?;
    if let Some((studio, orders)) = studio {
        studio.recall(store)?;
        let errands = Errands::new(
            Arc::clone(&fetcher),
            events.0.clone(),
            settings.agent.clone(),
            settings.robots,
            settings.stranger_delay,
            settings.limits.clone(),
        );
        studio.work(&runtime, orders, errands, fetched.clone());
    }
    let balance = store.balance()?;
    let progress = Progress {
        discovered: balance.discovered(),
        indexed: balance.state(State::Indexed),
        queued: balance.queued,
        limit: keep.max_pages,
        ..Progress::default()
    };
    let (learner, traps) = remembered(store, &settings.limits)?;
    let mut hosts = Hosts::default();
    hosts.add_rows(store.hosts()?);
    let helps = store.crew().is_some_and(|crew| !crew.leads());
    let run = if helps { store.runs()?.last().map_or(1, |last| last.id) } else { run_to_go_on_with(store, kind)? };
    let rows = store.learned()?;
    let examples = rows.into_iter().map(|row| ((row.shape, row.param), row.example)).collect();
    let links_moved = store.value("links_moved")?.is_some_and(|v| !v.is_empty());
    let mut scope = settings.scope;
    for seed in &settings.seeds {
        scope.add_seed(seed);
    }
    let most_pause = settings.limits.adaptive_delay_ms;
    let mut ledger = Ledger::open(store, run)?;
    if keep.concurrency < wanted {
        *ledger.batch.counts.limits.entry("open_files").or_default() += 1;
    }
    Ok(Engine {
        ledger,
        settings: keep,
        strategy,
        scope,
        frontier: Frontier::new(settings.per_host, settings.delay.as_millis() as Millis, most_pause),
        hosts,
        learner,
        traps,
        watch,
        progress,
        round: 0,
        seeds: HashSet::new(),
        start: settings.seeds,
        listed: settings.listed,
        start_pages: Vec::new(),
        recalled: false,
        renamed: false,
        wanted: Vec::new(),
        met: HashMap::new(),
        asked_again: HashSet::new(),
        loaded: HashSet::new(),
        stop_said: false,
        fetcher,
        runtime,
        events,
        fetched,
        readers,
        interrupt,
        began: Instant::now(),
        last_tick: Instant::now(),
        sitemaps_under_way: 0,
        finished_layer: balance.finished_layer,
        turned: Vec::new(),
        examples,
        lens,
        links_moved,
        kind,
        updating: false,
        to_feed: Vec::new(),
        fallen: Vec::new(),
        errands: 0,
        new_loaded: 0,
        others: Others::new(false),
        last_via: (None, None),
        no_login: false,
        scarce: None,
        waited: 0,
        farewells: HashSet::new(),
    })
}

/// The number of the run to go on with, or of a new one. An unfinished run of another kind is over.
fn run_to_go_on_with(store: &mut dyn Store, kind: &str) -> Result<u32, StoreError> {
    let Some(last) = store.runs()?.pop() else { return Ok(1) };
    if last.ended.is_none() && last.kind == kind {
        return Ok(last.id);
    }
    if last.ended.is_none() {
        let run_ends = Some(crate::End::Interrupted.name().to_string());
        store.commit(&WriteBatch { now: epoch(), run: last.id, run_ends, ..WriteBatch::default() })?;
    }
    Ok(last.id + 1)
}

fn remembered(store: &mut dyn Store, limits: &groma_model::Limits) -> Result<(Learner, TrapWatch), StoreError> {
    let mut learner = Learner::new(limits);
    for row in store.learned()? {
        let standing = Standing::from_code(row.standing);
        let evidence = Evidence::restored(row.equal, row.differ, standing, row.folded, row.samples);
        learner.remember(row.shape, row.param, evidence);
    }
    let mut traps = TrapWatch::new(limits);
    for finding in store.findings()?.into_iter().filter(|f| f.kind == "trap") {
        let kinds = [Suspicion::Dry, Suspicion::Chain, Suspicion::Stale, Suspicion::Many];
        let told = kinds.into_iter().find(|s| finding.detail.starts_with(s.says()));
        // A limit that was raised since then gives the pattern another chance.
        if let Some(suspicion) = told.filter(|s| finding.detail.contains(&crate::suspicion::limit_words(*s, limits))) {
            traps.remember(text_shape(&finding.subject), suspicion);
        }
    }
    Ok((learner, traps))
}

impl Engine<'_> {
    /// Enters the start pages that are not known yet and asks the strategy about them, piece by piece where there are many.
    fn place_seeds(&mut self) -> Result<(), StoreError> {
        self.place_starts(self.start.clone())?;
        for piece in 0..self.listed {
            let starts = self.listed_starts(piece)?;
            self.place_starts(starts)?;
            if self.interrupt.load(Ordering::Relaxed) {
                // The rest is entered when the crawl goes on.
                break;
            }
        }
        Ok(())
    }

    /// A piece of the lists of start pages that the store holds.
    fn listed_starts(&mut self, piece: u32) -> Result<Vec<Url>, StoreError> {
        let text = self.ledger.store.value(&listed_key(piece))?.unwrap_or_default();
        Ok(text.lines().filter_map(|line| Url::parse(line).ok()).collect())
    }

    fn place_starts(&mut self, starts: Vec<Url>) -> Result<(), StoreError> {
        let found = Discovery { via: None, kind: LinkKind::Anchor, depth: Depth(0) };
        let mut new = Vec::new();
        for url in starts {
            let canon = self.canon(&url);
            self.scope.add_seed(&canon.address.url);
            let (id, lead) = self.place(Place::Address(canon), found, false)?;
            self.seeds.insert(id);
            self.start_pages.push(id);
            if lead || self.was_kept_out(id)? {
                new.push(id);
            }
            self.follow_seed(id)?;
        }
        let mut plan = Plan::default();
        if self.strategy.remembers() {
            new.into_iter().for_each(|page| plan.drop(page, Reason::NotWanted));
        } else {
            self.strategy.begin(&new, &mut plan);
        }
        self.obey(plan, Depth(0));
        self.commit()
    }

    /// A hand waits until it is let in, or nobody wants it any more.
    fn wait_for_doors(&mut self) -> Result<(), StoreError> {
        loop {
            self.look_now()?;
            let company = self.others.company;
            if company.open || !company.led || !company.wanted || self.interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The start pages as they stand, for a hand: what belongs to the survey follows them.
    pub(crate) fn find_seeds(&mut self) -> Result<(), StoreError> {
        self.find_starts(self.start.clone())?;
        for piece in 0..self.listed {
            let starts = self.listed_starts(piece)?;
            self.find_starts(starts)?;
        }
        Ok(())
    }

    fn find_starts(&mut self, starts: Vec<Url>) -> Result<(), StoreError> {
        for url in starts {
            let canon = self.canon(&url);
            self.scope.add_seed(&canon.address.url);
            if let Some(found) = self.ledger.find(canon.address.fp)? {
                self.seeds.insert(found.id);
                self.follow_seed(found.id)?;
            }
        }
        Ok(())
    }

    /// A page that is known but was never asked for, and is now named as a start page.
    fn was_kept_out(&mut self, id: PageId) -> Result<bool, StoreError> {
        let row = self.ledger.store.address(id)?;
        Ok(row.is_some_and(|row| {
            let kept_out = self.is_decided_by_settings(row.reason) || row.reason == Reason::NoFollow;
            kept_out || (row.reason == Reason::Waiting && row.depth != Depth(0))
        }))
    }

    /// Where a start page was found to redirect earlier, the scope followed it then; it does so again.
    fn follow_seed(&mut self, id: PageId) -> Result<(), StoreError> {
        let mut at = id;
        for _ in 0..=self.settings.limits.redirects {
            let Some(next) = self.ledger.store.address(at)?.and_then(|row| row.alias_of) else { break };
            at = next;
            self.seeds.insert(at);
            let row = self.ledger.store.address(at)?;
            if let Some(url) = row.and_then(|row| Url::parse(&row.url).ok()) {
                self.scope.add_seed(&url);
            }
        }
        Ok(())
    }

    /// Begins a run, unless one is to be gone on with or there is nothing to do.
    fn begin_run(&mut self) -> Result<(), StoreError> {
        if !self.run_is_open()? && self.ledger.store.first_round()?.is_some() {
            self.ledger.batch.run_begins = Some(self.kind.into());
            self.ledger.batch.values.push(("strategy".into(), self.strategy.name().into()));
        }
        self.commit()
    }

    /// The settings differ from those under which addresses were judged: judge again those that settings decide.
    fn reconsider(&mut self) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let rows = self.ledger.store.addresses(after, STEP)?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last.id);
            let mut plan = Plan::default();
            let mut depths: HashMap<PageId, Depth> = rows.iter().map(|r| (r.id, r.depth)).collect();
            for row in &rows {
                let Ok(url) = Url::parse(&row.url) else { continue };
                let canon = self.canon(&url);
                let rewritten = canon.verdict.is_ok() && canon.address.fp != row.fp;
                let verdict = canon.verdict.and_then(|()| self.judge(&url));
                let seed = self.seeds.contains(&row.id);
                let open = row.reason == Reason::Waiting || self.is_decided_by_settings(row.reason);
                match verdict {
                    Ok(()) if rewritten && !seed && open => {
                        let page = self.rewrite(row, canon, &mut plan)?;
                        depths.entry(page).or_insert(row.depth);
                    }
                    Err(reason) if row.reason == Reason::Waiting && !seed => {
                        self.progress.queued = self.progress.queued.saturating_sub(1);
                        self.ledger.batch.amends.push(Amend::to(row.id, reason));
                    }
                    Ok(()) if open => {
                        self.judge_again(row.id, row.depth, row.via_kind, &mut plan);
                    }
                    _ => {}
                }
            }
            let waiting: HashSet<PageId> = rows.iter().filter(|r| r.reason == Reason::Waiting).map(|r| r.id).collect();
            let newly = plan
                .commands
                .iter()
                .filter(|c| matches!(c, groma_strategy::Command::Want(id, _) if !waiting.contains(id)));
            self.progress.queued += newly.count() as u64;
            self.stop_said |= self.ledger.obey(plan, |id| depths.get(&id).copied().unwrap_or(Depth::LOOSE));
            self.commit()?;
        }
    }

    /// By rules written since, this address that was never fetched has another canonical form: it becomes a name of that one.
    fn rewrite(&mut self, row: &AddressRow, canon: Canon, plan: &mut Plan) -> Result<PageId, StoreError> {
        let kind = row.via_kind.unwrap_or(LinkKind::Anchor);
        let found = Discovery { via: row.via, kind, depth: row.depth };
        // It was linked as it was linked: by that URL it is fetched, if the rules say that it is the same page.
        let linked = self.ledger.linked(row.id)?.unwrap_or_default();
        let mut linked = linked.lines().filter_map(|url| Some(self.canon(&Url::parse(url).ok()?)));
        let canon = linked.find(|as_linked| as_linked.address == canon.address).unwrap_or(canon);
        let (page, lead) = self.place(Place::Address(canon), found, false)?;
        if lead {
            self.judge_again(page, row.depth, row.via_kind, plan);
        }
        self.progress.queued = self.progress.queued.saturating_sub(u64::from(row.queued));
        self.ledger.batch.amends.push(Amend { alias_of: Some(page), ..Amend::to(row.id, Reason::Rewritten) });
        Ok(page)
    }

    fn is_decided_by_settings(&self, reason: Reason) -> bool {
        use Reason::*;
        match reason {
            DepthLimit | PageLimit | OutOfScope | Excluded | NotIncluded | Loose | Trap => true,
            NotWanted => !self.strategy.remembers(),
            Asset => self.settings.assets,
            NoFollow => self.settings.follow_nofollow,
            // Asked again, by the name we go by now.
            Robots => true,
            Logout => self.settings.logout.is_none(),
            _ => false,
        }
    }

    /// Shows a known address to the strategy as if it had just been found.
    pub(crate) fn judge_again(&mut self, page: PageId, depth: Depth, kind: Option<LinkKind>, plan: &mut Plan) {
        if self.strategy.remembers() {
            return plan.drop(page, Reason::NotWanted);
        }
        let (from, kind) = match depth {
            Depth(0) => return self.strategy.begin(&[page], plan),
            Depth::LOOSE => (Depth::LOOSE, kind.unwrap_or(LinkKind::Sitemap)),
            Depth(d) => (Depth(d - 1), LinkKind::Anchor),
        };
        let leads = [Lead { page, kind, link: None }];
        let visit = Visit { depth: from, leads: &leads, ..Visit::of(PageId(0), Reason::Fetched) };
        self.strategy.visit(&visit, plan);
    }
}
