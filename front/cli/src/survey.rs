//! Running the engine for a command: settings into the store, a fetcher, a watch, an end, a summary, an exit code.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use url::Url;

use groma_crawl::{CrawlSettings, End, Summary};
use groma_fetch::HttpFetcher;
use groma_model::{Depth, State};
use groma_store::{Folder, Snapshot, SqliteStore, Store, WriteBatch};
use groma_strategy::Layers;

use crate::Exit;
use crate::args::TalkArgs;
use crate::fault::Fault;
use crate::output::{Format, Out, tell};
use crate::results::Results;
use crate::settings::meaning::{AGENT, Settings};
use crate::settings::saved::{self, Saved};
use crate::settings::{Book, usable};
use crate::standing::Standing;
use crate::watch::Teller;
use crate::words;

/// Crawl, or ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Crawl, or go on.
    Crawl,
    /// Ask again for everything.
    Update,
}

/// A survey to be run.
pub(crate) struct Survey<'a> {
    /// What to do.
    pub(crate) task: Task,
    /// Where it lives.
    pub(crate) folder: Folder,
    /// Where to start.
    pub(crate) seeds: Vec<Url>,
    /// All settings with their origins.
    pub(crate) book: Book,
    /// User name and password out of an address.
    pub(crate) login: Option<(String, String)>,
    /// The sites are the user's own.
    pub(crate) owned: bool,
    /// Say what it came to: ranks, map, checks.
    pub(crate) whole: bool,
    /// Keep a copy of the survey as it stands.
    pub(crate) keep: bool,
    /// Start over.
    pub(crate) fresh: bool,
    /// It is removed afterwards: nobody need be told where it is.
    pub(crate) passing: bool,
    /// Secrets it was once made with.
    pub(crate) not_kept: Vec<String>,
    /// What people see.
    pub(crate) talk: &'a TalkArgs,
    /// How rows and the summary are written.
    pub(crate) format: Format,
    /// Where.
    pub(crate) output: Option<PathBuf>,
}

#[derive(Serialize)]
struct LastLine<'a> {
    summary: Ended<'a>,
}

#[derive(Serialize)]
struct Ended<'a> {
    #[serde(flatten)]
    standing: &'a Standing,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Results>,
}

impl Survey<'_> {
    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Result<Exit, Fault> {
        let settings = Settings::of(&mut self.book)?;
        usable::check(&settings, &self.book)?;
        settings.check_manners(&self.seeds, self.owned)?;
        let fetcher = HttpFetcher::new(settings.fetch_config(&self.seeds, self.login.clone()))?;
        self.say_notes(&settings);
        let mut out = Out::open(self.output.as_deref())?;
        if self.fresh {
            self.folder.clear()?;
        }
        let (mut store, _lock) = self.folder.open()?;
        if self.keep {
            self.keep_copy(&mut store)?;
        }
        let known_before = store.balance()?.discovered() > 0;
        self.save(&mut store)?;
        let interrupt = on_signals()?;
        let mut teller = Teller::new(&mut out, self.format, self.talk, Arc::clone(&interrupt));
        let strategy = Box::new(Layers::new(settings.depth));
        let crawl = crawl_settings(&settings, &self.seeds, self.owned);
        let result = match self.task {
            Task::Crawl => groma_crawl::crawl(&mut store, crawl, fetcher, strategy, &mut teller, interrupt),
            Task::Update => groma_crawl::update(&mut store, crawl, fetcher, strategy, &mut teller, interrupt),
        };
        teller.end();
        let failed = teller.failed.take();
        let summary = result?;
        match failed {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Interrupted),
            Some(error) => return Err(error.into()),
            None => {}
        }
        let idle = known_before && summary.progress.fetches == 0 && self.task == Task::Crawl;
        let exit = self.report(&mut store, &summary, idle, &mut out)?;
        out.flush()?;
        Ok(exit)
    }

    fn say_notes(&self, settings: &Settings) {
        if self.talk.quiet {
            return;
        }
        for note in &self.book.notes {
            tell(&format!("note: {note}"));
        }
        if !settings.contact_given && !settings.at_home(&self.seeds) {
            tell(&format!("note: {}", words::SUGGEST_CONTACT));
        }
    }

    /// A copy of what the last run left. One that was interrupted left nothing that could be compared.
    fn keep_copy(&self, store: &mut SqliteStore) -> Result<(), Fault> {
        match store.runs()?.last() {
            Some(run) if run.ended.is_some() => self.folder.keep(run.id)?,
            Some(run) => tell(&format!("note: {}", words::not_ended(run.id))),
            None => {}
        }
        Ok(())
    }

    /// The store remembers what it was made with.
    fn save(&self, store: &mut SqliteStore) -> Result<(), Fault> {
        let mut saved = Saved::of(&self.book, &self.seeds, self.owned);
        let before = Saved::load(store)?.unwrap_or_default();
        let new = saved.join(&before);
        if !before.seeds.is_empty() && !new.is_empty() && !self.talk.quiet {
            // Somebody may have meant another folder.
            tell(&format!("note: {}", words::adds_start_pages(&before.seeds, &new)));
        }
        saved.not_kept.extend(self.not_kept.iter().cloned());
        saved.not_kept.sort();
        saved.not_kept.dedup();
        let text = serde_json::to_string(&saved).unwrap_or_default();
        if store.value(saved::KEY)?.as_deref() == Some(text.as_str()) {
            return Ok(());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
        let values = vec![(saved::KEY.to_owned(), text)];
        Ok(store.commit(&WriteBatch { now, values, ..WriteBatch::default() })?)
    }

    fn report(&self, store: &mut SqliteStore, summary: &Summary, idle: bool, out: &mut Out) -> Result<Exit, Fault> {
        let mut standing = Standing::read(store, &self.folder)?;
        // The lock is still ours; the crawl is over.
        standing.running = false;
        let exit = match summary.end {
            End::Interrupted => Exit::Interrupted,
            _ if standing.indexed == 0 => Exit::Nothing,
            End::PageLimit => Exit::Limit,
            End::Finished | End::Stopped => Exit::Fine,
        };
        let results = if self.whole && exit != Exit::Nothing { Results::read(store)? } else { None };
        match self.format {
            Format::Json => {
                let summary = Ended { standing: &standing, end: end_word(summary.end), results };
                out.json(&LastLine { summary })?;
            }
            Format::Csv => {}
            Format::Text => {
                let end = words::ended(summary.end.name(), summary.progress.elapsed);
                let seed = self.seeds.first().map(Url::as_str).unwrap_or_default();
                out.line(&format!("{}  {end}", out.paint.heading(seed)))?;
                out.line("")?;
                standing.print(out)?;
                if let Some(results) = &results {
                    results.print(out)?;
                }
                if !self.passing && exit != Exit::Nothing {
                    self.print_next(&standing, exit, out)?;
                }
            }
        }
        if exit == Exit::Nothing {
            let (url, why) = first_failure(store)?;
            tell(&format!("groma: {}", words::nothing_fetched(&url, why.says())));
            tell(&format!("hint: {}", words::next_step(why)));
        } else if idle && !self.talk.quiet {
            let limited = summary.end == End::PageLimit;
            tell(if limited { words::NOTHING_LEFT_LIMIT } else { words::NOTHING_LEFT });
        }
        Ok(exit)
    }

    fn print_next(&self, standing: &Standing, exit: Exit, out: &mut Out) -> io::Result<()> {
        let folder = self.folder.path().display();
        out.line("")?;
        out.line(&format!("survey: {folder}"))?;
        let mut next = Vec::new();
        if matches!(exit, Exit::Interrupted) {
            next.push("run the same command again: it goes on".to_owned());
        }
        if self.whole {
            next.push(format!("groma map -f html -o map.html --store {folder}"));
            next.push(format!("groma check --store {folder}"));
            next.push(format!("groma report -o report.html --store {folder}"));
        } else if standing.invalid > 0 {
            next.push(format!("groma pages --state invalid --store {folder}"));
        } else {
            next.push(format!("groma pages --store {folder}"));
        }
        next.push(format!("groma explain URL --store {folder}"));
        if self.task == Task::Update {
            next.push(format!("groma diff --store {folder}"));
        } else {
            next.push(format!("groma update --store {folder}"));
        }
        for (at, command) in next.iter().enumerate() {
            out.line(&format!("{} {command}", if at == 0 { "next:  " } else { "       " }))?;
        }
        Ok(())
    }
}

/// The word programs see.
fn end_word(end: End) -> &'static str {
    match end {
        End::Finished => "finished",
        End::PageLimit => "page-limit",
        End::Interrupted => "interrupted",
        End::Stopped => "stopped",
    }
}

fn crawl_settings(settings: &Settings, seeds: &[Url], owned: bool) -> CrawlSettings {
    CrawlSettings {
        seeds: seeds.to_vec(),
        canonizer: settings.canonizer(),
        scope: settings.scope(seeds),
        max_pages: settings.limit,
        concurrency: settings.concurrency,
        per_host: settings.per_host,
        delay: settings.delay,
        stranger_delay: settings.stranger_delay(owned),
        agent: AGENT.to_owned(),
        robots: settings.robots,
        follow_nofollow: settings.follow_nofollow,
        assets: settings.assets,
        // Loose pages have no distance that could be within a limit.
        sitemaps: settings.sitemaps && settings.depth.is_none(),
        keep_bodies: settings.keep_bodies,
        learn: settings.learn,
        decisions: settings.decisions(seeds),
        limits: settings.limits.clone(),
    }
}

/// Why there is no page: what became of the first start page.
fn first_failure(store: &mut SqliteStore) -> Result<(String, groma_model::Reason), Fault> {
    let rows = store.addresses(None, 100)?;
    let start = rows.iter().find(|row| row.depth == Depth(0) && row.state() != State::Alias).or(rows.first());
    Ok(start.map_or((String::new(), groma_model::Reason::Waiting), |row| (row.url.clone(), row.reason)))
}

/// Ctrl-C or SIGTERM once: the flag is set. Twice: the end, at once; the store is consistent at any moment.
fn on_signals() -> Result<Arc<AtomicBool>, Fault> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The order matters: the second signal finds the flag set by the first.
        signal_hook::flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&flag))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}
