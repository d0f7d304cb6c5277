//! Beginning, going on, and going over it again: how a crawl gets from settings and a store to a running engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use groma_fetch::Fetcher;
use groma_model::{Reason, State};
use groma_store::{Balance, Store, StoreError, WriteBatch};
use groma_strategy::Strategy;

use crate::absorb::Intake;
use crate::digest::Lens;
use crate::dispatch::Dispatch;
use crate::engine::Engine;
use crate::epoch::epoch;
use crate::error::CrawlError;
use crate::kernel::{Kernel, Manners};
use crate::learning::Learning;
use crate::ledger::Ledger;
use crate::logins::Logins;
use crate::progress::{End, Progress, Summary, Watch};
use crate::queue::Queue;
use crate::reader;
use crate::recall::Recall;
use crate::reconsider::reconsider;
use crate::render::{PoliteFetcher, Studio};
use crate::settings::{CrawlSettings, EngineSettings, Follow, Keep};
use crate::sitemaps::SITEMAPS_READ;
use crate::starts::{find_seeds, place_seeds};
use crate::survey::{LINKS_MOVED, LISTS, OpenSurvey, Starts};
use crate::threads::{self, Threads};
use crate::traps::Traps;
use crate::workers::Workers;

/// The value of the survey that holds the settings by which URLs were judged.
const DECISIONS: &str = "decisions";

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
    let whose = if strategy.memory().is_some() { strategy.name() } else { "" };
    let decisions = format!("{whose} {}", settings.decisions).trim_start().to_owned();
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, false)?;
    begin_with_seeds(&mut engine)?;
    let (survey, learning) = (&mut engine.survey, &mut engine.intake.learning);
    if survey.ledger.store.value(DECISIONS)?.is_some_and(|then| then != decisions) {
        reconsider(survey, learning)?;
    }
    survey.ledger.batch.values.push((DECISIONS.into(), decisions));
    if survey.settings.remembers {
        engine.recall.recall(survey)?;
    }
    begin_run(survey)?;
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
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, true)?;
    // All that is known is asked for, whatever the page limit.
    engine.survey.progress.limit = None;
    begin_with_seeds(&mut engine)?;
    let survey = &mut engine.survey;
    if !survey.run_is_open()? {
        // The queue first, the run second: a kill in between only means that the queue is filled once more.
        survey.ledger.store.requeue(&is_asked_again)?;
        survey.progress.queued = survey.ledger.store.balance()?.queued;
        survey.ledger.batch.values.push((SITEMAPS_READ.into(), String::new()));
    }
    begin_run(survey)?;
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
    let settings = CrawlSettings { follow: Follow { sitemaps: false, ..settings.follow }, ..settings };
    let mut engine = engine(store, settings, fetcher, strategy, watch, interrupt, updating)?;
    engine.workers = Workers::new(true);
    engine.workers.wait_for_doors(&mut engine.survey)?;
    find_seeds(&mut engine.survey)?;
    engine.run()
}

/// What an update asks for: whatever a server once had a say about. Ignored URLs are not asked again.
fn is_asked_again(reason: Reason) -> bool {
    use Reason::*;
    let unseen = matches!(reason, Unauthorized | Forbidden | AskedToWait | Robots | RobotsUnreachable | NotArchived);
    let invalid = reason.state() == State::Broken && reason != Malformed;
    reason == Fetched || reason == Redirected || unseen || invalid
}

fn engine<'s>(
    store: &'s mut dyn Store,
    settings: CrawlSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &'s mut dyn Strategy,
    watch: &'s mut dyn Watch,
    interrupt: Arc<AtomicBool>,
    updating: bool,
) -> Result<Engine<'s>, CrawlError> {
    let keep = EngineSettings::new(&settings, strategy, updating);
    let mut manners = settings.manners;
    let is_narrowed = narrow(&mut manners, &*fetcher, watch);
    let studio = Studio::open(&settings.rendered, &manners.limits);
    let lens = Arc::new(Lens {
        canonizer: settings.canonizer,
        limits: manners.limits.clone(),
        keep: Keep { parts: settings.keep.parts || keep.reads, ..settings.keep },
        agent: manners.agent.clone(),
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
        let polite_fetcher = PoliteFetcher::new(Arc::clone(&fetcher), events.0.clone(), &manners);
        studio.work(&runtime, orders, polite_fetcher, fetched.clone());
    }
    let learning = Learning::load(store, &keep.limits)?;
    let intake = Intake { learning, traps: Traps::load(store, &keep.limits)?, logins: Logins::default() };
    let (balance, hosts) = (store.balance()?, store.hosts()?);
    let links_moved = store.value(LINKS_MOVED)?.is_some_and(|moved| !moved.is_empty());
    let run = run_number(store, keep.kind())?;
    let mut scope = settings.scope;
    settings.seeds.iter().for_each(|seed| scope.add_seed(seed));
    let mut survey = OpenSurvey {
        ledger: Ledger::open(store, run)?,
        kernel: Kernel::new(manners, fetcher, runtime, interrupt),
        queue: Queue::default(),
        progress: progress_of(&balance, keep.max_pages),
        settings: keep,
        strategy,
        watch,
        scope,
        starts: Starts { given: settings.seeds, listed: settings.listed, ..Starts::default() },
        lens,
        stop_said: false,
        links_moved,
        told: 0,
        waited: 0,
    };
    survey.kernel.hosts.add_rows(hosts);
    if is_narrowed {
        survey.limit_hit("open_files", 1);
    }
    Ok(Engine {
        survey,
        intake,
        recall: Recall::default(),
        workers: Workers::new(false),
        dispatch: Dispatch::new(fetched),
        events,
        readers,
        sitemaps_under_way: 0,
        finished_layer: balance.finished_layer,
        scarce: None,
    })
}

/// Where the system gives fewer files than fetches are wanted at once, there are fewer at once.
fn narrow(manners: &mut Manners, fetcher: &dyn Fetcher, watch: &mut dyn Watch) -> bool {
    let Some(most) = fetcher.most_at_once().filter(|most| *most < manners.concurrency) else { return false };
    watch.notice(&format!(
        "{most} fetches at once instead of {}: the system gives no more files (ulimit -n)",
        manners.concurrency
    ));
    manners.concurrency = most;
    true
}

fn progress_of(balance: &Balance, limit: Option<u64>) -> Progress {
    Progress {
        discovered: balance.discovered(),
        fetched: balance.state(State::Fetched),
        queued: balance.queued,
        limit,
        ..Progress::default()
    }
}

/// The number of the run: that of the leader, for a worker that helps; else that of the run to go on with, or of a new one.
fn run_number(store: &mut dyn Store, kind: &str) -> Result<u32, StoreError> {
    let helps = store.workers().is_some_and(|workers| !workers.leads());
    if helps { Ok(store.runs()?.last().map_or(1, |last| last.id)) } else { run_to_go_on_with(store, kind) }
}

/// The number of the run to go on with, or of a new one. An unfinished run of another kind is over.
fn run_to_go_on_with(store: &mut dyn Store, kind: &str) -> Result<u32, StoreError> {
    let Some(last) = store.runs()?.pop() else { return Ok(1) };
    if last.ended.is_none() && last.kind == kind {
        return Ok(last.id);
    }
    if last.ended.is_none() {
        let run_ends = Some(End::Interrupted.name().to_string());
        store.commit(&WriteBatch { now: epoch(), run: last.id, run_ends, ..WriteBatch::default() })?;
    }
    Ok(last.id + 1)
}

/// What comes before anything else of a crawl that is not somebody else's: what a kill left undone, and the start pages.
fn begin_with_seeds(engine: &mut Engine<'_>) -> Result<(), StoreError> {
    engine.workers.poll(&mut engine.survey)?;
    let renamed = engine.intake.learning.recall_turns(&mut engine.survey)?;
    engine.recall.note_renamed(renamed);
    place_seeds(&mut engine.survey, &mut engine.intake.learning)
}

/// Begins a run, unless one is to be gone on with or there is nothing to do.
fn begin_run(survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
    if !survey.run_is_open()? && survey.ledger.store.first_round()?.is_some() {
        survey.ledger.batch.run_begins = Some(survey.settings.kind().into());
        survey.ledger.batch.values.push(("strategy".into(), survey.strategy.name().into()));
    }
    survey.commit()
}
