//! Beginning, going on, and going over it again: how a crawl gets from settings and a store to a running engine.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Instant;

use url::Url;

use groma_fetch::Fetcher;
use groma_model::url::learn::{Evidence, Learner, Standing};
use groma_model::url::shape::text_shape;
use groma_model::url::trap::{Suspicion, TrapWatch};
use groma_model::{Depth, LinkKind, PageId, Reason, State};
use groma_store::{Amend, Store, StoreError};
use groma_strategy::{Lead, Plan, Strategy, Visit};

use crate::CrawlSettings;
use crate::engine::{Engine, EngineSettings};
use crate::frontier::{Frontier, Millis};
use crate::hosts::Hosts;
use crate::ledger::{Discovery, Ledger};
use crate::progress::{Progress, Summary, Watch};
use crate::reader::{self, Lens, Place};

/// Addresses read at a time.
const STEP: usize = 20_000;

/// Crawls, or goes on with a crawl that was interrupted, until it is done.
pub fn crawl<F: Fetcher>(
    store: &mut dyn Store,
    settings: CrawlSettings,
    fetcher: F,
    strategy: Box<dyn Strategy>,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    let decisions = settings.decisions.clone();
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt)?;
    engine.place_seeds()?;
    if engine.ledger.store.value("decisions")?.is_some_and(|then| then != decisions) {
        engine.reconsider()?;
    }
    engine.ledger.batch.values.push(("decisions".into(), decisions));
    engine.begin_run("crawl")?;
    Ok(engine.run()?)
}

/// Asks again for everything that was ever asked for, conditionally, and for what turns up on the way.
pub fn update<F: Fetcher>(
    store: &mut dyn Store,
    mut settings: CrawlSettings,
    fetcher: F,
    strategy: Box<dyn Strategy>,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    settings.max_pages = None;
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt)?;
    engine.place_seeds()?;
    let unfinished = engine.ledger.store.runs()?.last().is_some_and(|run| run.ended.is_none() && run.kind == "update");
    if !unfinished {
        // The queue first, the run second: a kill in between only means that the queue is filled once more.
        engine.ledger.store.requeue(&is_asked_again)?;
        engine.ledger.batch.values.push(("sitemaps_read".into(), String::new()));
    }
    engine.begin_run("update")?;
    Ok(engine.run()?)
}

/// What an update asks for: whatever a server once had a say about. Ignored addresses are not asked again.
fn is_asked_again(reason: Reason) -> bool {
    use Reason::*;
    let unseen = matches!(reason, Unauthorized | Forbidden | AskedToWait | Robots | RobotsUnreachable);
    let invalid = reason.state() == State::Invalid && reason != Malformed;
    reason == Fetched || reason == Redirected || unseen || invalid
}

/// Why a crawl could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The machine would not give us threads.
    #[error("no threads to be had: {0}")]
    Threads(#[from] std::io::Error),
}

fn engine<'s, F: Fetcher>(
    store: &'s mut dyn Store,
    settings: CrawlSettings,
    fetcher: F,
    strategy: Box<dyn Strategy>,
    watch: &'s mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Engine<'s, F>, CrawlError> {
    let keep = EngineSettings::of(&settings);
    let lens = Arc::new(Lens {
        canonizer: settings.canonizer,
        limits: settings.limits.clone(),
        keep_bodies: settings.keep_bodies,
        agent: settings.agent.clone(),
    });
    let cores = available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores.min(4)).enable_all().build()?;
    // No bound is needed: never more than `concurrency` fetches are under way.
    let (fetched, outcomes) = crossbeam_channel::unbounded();
    let events = crossbeam_channel::unbounded();
    let readers = reader::start(cores, &lens, &outcomes, &events.0);
    let balance = store.balance()?;
    let progress = Progress {
        discovered: balance.discovered(),
        indexed: balance.state(State::Indexed),
        queued: balance.queued,
        ..Progress::default()
    };
    let (learner, traps) = remembered(store, &settings.limits)?;
    let mut hosts = Hosts::default();
    hosts.add_rows(store.hosts()?);
    let run = match store.runs()?.last() {
        Some(last) if last.ended.is_none() => last.id,
        Some(last) => last.id + 1,
        None => 1,
    };
    let mut scope = settings.scope;
    for seed in &settings.seeds {
        scope.add_seed(seed.clone());
    }
    let most_pause = settings.limits.adaptive_delay_ms;
    Ok(Engine {
        ledger: Ledger::open(store, run)?,
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
        loaded: HashSet::new(),
        stop_said: false,
        fetcher: Arc::new(fetcher),
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
        examples: std::collections::HashMap::new(),
        lens,
        links_moved: false,
    })
}

fn remembered(store: &mut dyn Store, limits: &groma_model::Limits) -> Result<(Learner, TrapWatch), StoreError> {
    let mut learner = Learner::new(limits);
    for row in store.learned()? {
        let standing = Standing::from_code(row.standing);
        let evidence = Evidence::restored(row.equal, row.differ, standing, row.folded, row.samples);
        learner.remember(&row.shape, row.param, evidence);
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

impl<F: Fetcher> Engine<'_, F> {
    /// Enters the start pages that are not known yet and asks the strategy about them.
    fn place_seeds(&mut self) -> Result<(), StoreError> {
        let found = Discovery { via: None, kind: LinkKind::Anchor, depth: Depth(0) };
        let mut new = Vec::new();
        for url in self.start.clone() {
            let canon = self.canon(&url);
            self.scope.add_seed(canon.address.url.clone());
            let (id, lead) = self.place(Place::Address(canon), found, false)?;
            self.seeds.insert(id);
            if lead {
                new.push(id);
            } else if let Some(target) = self.moved_to(id)? {
                // The start page was found to redirect when this survey was begun: the scope followed it then, too.
                self.scope.add_seed(target);
            }
        }
        let mut plan = Plan::default();
        self.strategy.begin(&new, &mut plan);
        self.obey(plan, Depth(0));
        self.ledger.commit()
    }

    fn moved_to(&mut self, id: PageId) -> Result<Option<Url>, StoreError> {
        let mut row = self.ledger.store.address(id)?;
        let mut moved = None;
        for _ in 0..=self.settings.limits.redirects {
            let Some(next) = row.as_ref().and_then(|r| r.alias_of) else { break };
            row = self.ledger.store.address(next)?;
            moved = row.as_ref().and_then(|r| Url::parse(&r.url).ok());
        }
        Ok(moved)
    }

    /// Begins a run, unless one is to be gone on with or there is nothing to do.
    fn begin_run(&mut self, kind: &str) -> Result<(), StoreError> {
        let unfinished = self.ledger.store.runs()?.last().is_some_and(|run| run.ended.is_none());
        if !unfinished && self.ledger.store.first_round()?.is_some() {
            self.ledger.batch.run_begins = Some(kind.into());
        }
        self.ledger.commit()
    }

    /// The settings differ from those under which addresses were judged: judge again those that settings decide.
    fn reconsider(&mut self) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let rows = self.ledger.store.addresses(after, STEP)?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last.id);
            let mut plan = Plan::default();
            for row in &rows {
                let Ok(url) = Url::parse(&row.url) else { continue };
                let verdict = self.canon(&url).verdict.and_then(|()| self.scope.judge(&url));
                let seed = self.seeds.contains(&row.id);
                match verdict {
                    Err(reason) if row.reason == Reason::Waiting && !seed => {
                        self.progress.queued = self.progress.queued.saturating_sub(1);
                        self.ledger.batch.amends.push(Amend {
                            id: row.id,
                            reason,
                            queue: None,
                            depth: None,
                            alias_of: None,
                            forget: false,
                        });
                    }
                    Ok(()) if row.reason == Reason::Waiting || self.is_decided_by_settings(row.reason) => {
                        self.judge_again(row.id, row.depth, row.via_kind, &mut plan);
                    }
                    _ => {}
                }
            }
            let depths: std::collections::HashMap<PageId, Depth> = rows.iter().map(|r| (r.id, r.depth)).collect();
            let waiting: HashSet<PageId> = rows.iter().filter(|r| r.reason == Reason::Waiting).map(|r| r.id).collect();
            let newly = plan
                .commands
                .iter()
                .filter(|c| matches!(c, groma_strategy::Command::Want(id, _) if !waiting.contains(id)));
            self.progress.queued += newly.count() as u64;
            self.stop_said |= self.ledger.obey(plan, |id| depths.get(&id).copied().unwrap_or(Depth::LOOSE));
            self.ledger.commit()?;
        }
    }

    fn is_decided_by_settings(&self, reason: Reason) -> bool {
        use Reason::*;
        match reason {
            DepthLimit | PageLimit | OutOfScope | Excluded | NotIncluded | Loose | Trap => true,
            Asset => self.settings.assets,
            NoFollow => self.settings.follow_nofollow,
            Robots => !self.settings.robots,
            _ => false,
        }
    }

    /// Shows a known address to the strategy as if it had just been found.
    fn judge_again(&mut self, page: PageId, depth: Depth, kind: Option<LinkKind>, plan: &mut Plan) {
        let (from, kind) = match depth {
            Depth(0) => return self.strategy.begin(&[page], plan),
            Depth::LOOSE => (Depth::LOOSE, kind.unwrap_or(LinkKind::Sitemap)),
            Depth(d) => (Depth(d - 1), LinkKind::Anchor),
        };
        let leads = [Lead { page, kind, link: None }];
        let visit = Visit { page: PageId(0), depth: from, reason: Reason::Fetched, parsed: None, leads: &leads };
        self.strategy.visit(&visit, plan);
    }
}
