//! A survey made from archives, without a network: the ordinary engine crawls them, so everything is as a crawl of the same pages would
//! have made it.
//!
//! An archive does not change, needs no pause and cannot be asked to come back later: pauses, waits and second tries are left out.
//! None of that is kept with the survey, so that a later `groma update` asks the web as politely as ever.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use groma_crawl::{CrawlSettings, Summary, Watch};
use groma_model::url::ScopeKind;
use groma_model::wording::counted;
use groma_settings::meaning::Settings;
use groma_settings::{Book, Fault, address, usable};
use groma_store::{Folder, Lock, Store};
use groma_strategy::{Layers, Strategy};
use groma_url::Url;
use groma_warc_store::{Archive, Told};

use crate::archive::wording::{IMPORT_INTO_FULL_HINT, import_into_full};
use crate::crawl::survey::{Survey, Task, Whose, crawl_settings, save};

/// What is to be made a survey of.
pub struct Import {
    /// WARC or WACZ files.
    pub files: Vec<PathBuf>,
    /// Where the survey is to lie.
    pub folder: Folder,
    /// Start pages; none: as the archives say.
    pub starts: Vec<String>,
    /// Take in pages that no link leads to as well.
    pub all: bool,
    /// Replace a survey that is there.
    pub fresh: bool,
    /// All settings with their origins.
    pub book: Book,
}

/// What came of it.
pub struct Imported {
    /// What the archives hold, and what is wrong with them.
    pub told: Told,
    /// Where the survey starts.
    pub starts: Vec<Url>,
    /// How the crawl of them ended.
    pub summary: Summary,
    /// Pages in the archives that no link leads to.
    pub loose: u64,
    pub store: Box<dyn Store>,
    /// Held while it is open.
    pub lock: Lock,
}

/// Makes a survey from archives.
pub fn import(
    mut import: Import,
    watch: &mut dyn Watch,
    progress: &mut dyn FnMut(&Told),
    interrupt: &Arc<AtomicBool>,
) -> Result<Imported, Fault> {
    let settings = Settings::from_book(&mut import.book)?;
    usable::check(&settings, &import.book)?;
    if !import.fresh && is_done(&import.folder)? {
        let shown = import.folder.shown();
        return Err(Fault::new(import_into_full(&shown), IMPORT_INTO_FULL_HINT));
    }
    let archive = Archive::open(&import.files, settings.canonizer(), settings.limits(), &mut |told| {
        progress(told);
        if interrupt.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let archive = Arc::new(archive);
    let starts = starts(&import.starts, archive.told())?;
    let (mut store, lock) = if import.fresh { import.folder.open_anew(false)? } else { import.folder.open()? };
    let kept = Survey::new(Task::Crawl, import.folder, starts.clone(), import.book);
    save(&kept, &mut store)?;
    let mut crawl = |store: &mut dyn Store, seeds: &[Url]| {
        let asked =
            CrawlSettings { decisions: settings.decisions(&starts), ..unhurried(&settings, seeds, &kept.folder) };
        let mut strategy: Box<dyn Strategy> = match asked.scope.kind() {
            ScopeKind::Auto => Box::new(kept.search.strategy()),
            _ => Box::new(Layers::new(settings.depth)),
        };
        let interrupt = Arc::clone(interrupt);
        groma_crawl::crawl(store, asked, Arc::<Archive>::clone(&archive), &mut *strategy, watch, interrupt)
    };
    let mut summary = crawl(&mut store, &starts)?;
    let loose = unreached(&archive, &settings, &mut store)?;
    if import.all && !loose.is_empty() && !interrupt.load(Ordering::Relaxed) {
        let seeds: Vec<Url> = starts.iter().chain(&loose).cloned().collect();
        let before = summary.progress.fetches;
        summary = crawl(&mut store, &seeds)?;
        summary.progress.fetches += before;
    }
    let told = archive.told().clone();
    Ok(Imported { told, starts, summary, loose: loose.len() as u64, store, lock })
}

/// Is there a survey that is not an import broken off? One that was killed goes on.
fn is_done(folder: &Folder) -> Result<bool, Fault> {
    if !folder.exists() {
        return Ok(false);
    }
    let mut store = folder.read()?;
    let broken_off = store.runs()?.last().is_none_or(|run| run.ended.is_none());
    Ok(store.balance()?.discovered() > 0 && !broken_off)
}

/// Where the survey starts: as the user says, else as the archives do.
fn starts(given: &[String], told: &Told) -> Result<Vec<Url>, Fault> {
    let mut starts = Vec::new();
    for text in given {
        starts.push(address::read(text)?.url);
    }
    if starts.is_empty() {
        let read = |text: &String| Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        starts.extend(told.starts.iter().filter_map(read));
    }
    starts.dedup();
    if starts.is_empty() {
        return Err(Fault::new(
            nothing_to_import(told),
            "name the first page with --start URL, and check that these are WARC, ARC or WACZ files",
        ));
    }
    Ok(starts)
}

/// As a crawl would be made, without what is for servers only.
fn unhurried(settings: &Settings, seeds: &[Url], folder: &Folder) -> CrawlSettings {
    let mut crawl = crawl_settings(settings, seeds, Whose::default(), folder);
    let manners = &mut crawl.manners;
    (manners.delay, manners.stranger_delay) = (Duration::ZERO, Duration::ZERO);
    manners.per_host = manners.concurrency;
    let limits = &mut manners.limits;
    (limits.retries, limits.retry_ms, limits.retry_after_s) = (0, 0, 0);
    (limits.crawl_delay_s, limits.adaptive_delay_ms) = (0, 0);
    crawl
}

/// The pages of the archives that the survey does not know.
fn unreached(archive: &Archive, settings: &Settings, store: &mut dyn Store) -> Result<Vec<Url>, Fault> {
    let canonizer = settings.canonizer();
    let (mut loose, mut failed) = (Vec::new(), None);
    archive.pages(&mut |url| match store.find(canonizer.canon(&url).address.fp) {
        Ok(None) => loose.push(url),
        Ok(Some(_)) => {}
        Err(error) => failed = failed.take().or(Some(error)),
    });
    failed.map_or(Ok(loose), |error| Err(error.into()))
}

fn nothing_to_import(told: &Told) -> String {
    let wrong = told.wrong.first().map(|wrong| format!("; {} at {}: {}", wrong.file, wrong.offset, wrong.what));
    format!("no page to start at among {}{}", counted(told.records, "record", "records"), wrong.unwrap_or_default())
}
