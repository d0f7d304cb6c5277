//! `crawl` and `update`: the survey itself.

use std::time::Duration;

use groma_crawl::{End, Summary};
use groma_model::State;
use groma_model::moment::spoken;
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_settings::saved::Saved;
use groma_store::{Folder, RunRow, Snapshot};

use crate::crawl::prepare::{CrawlRequest, Requester};
use crate::crawl::seeds::{self, Seeds};
use crate::crawl::survey::{Survey, Task, first_failure};
use crate::crawl::wording::{NOTHING_LEFT, NOTHING_LEFT_LIMIT};
use crate::jobs::bench::{Bench, Memo};
use crate::jobs::course::Course;
use crate::jobs::outcome::Outcome;
use crate::jobs::wording::SOMEBODY_WRITES;
use crate::task;

/// Seconds until a survey that somebody else is writing to is tried again.
pub(crate) const BUSY: i64 = 30;

pub(crate) fn crawl(
    folder: &Folder,
    task: &task::Crawl,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    let task::Crawl { seeds, fresh, also_exclude, settings } = task;
    let seeds = seeds::read(seeds, None, &mut |note| bench.log(note))?;
    let request = CrawlRequest { task: Task::Crawl, seeds, settings, also_exclude };
    run(request, *fresh, false, folder, requester, bench)
}

pub(crate) fn update(
    folder: &Folder,
    task: &task::Update,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    if let Some(ended) = ended_before(folder, bench.memo.run)? {
        bench.log(&run_had_ended(ended.id));
        return Ok(Outcome::Done(run_ended(&ended.outcome, None)));
    }
    let task::Update { keep, also_exclude, settings } = task;
    let request = CrawlRequest { task: Task::Update, seeds: Seeds::default(), settings, also_exclude };
    run(request, false, *keep, folder, requester, bench)
}

/// The run this job is about, if it came to its end when the job was worked on before.
fn ended_before(folder: &Folder, run: Option<u32>) -> Result<Option<RunRow>, Fault> {
    let Some(run) = run else { return Ok(None) };
    let runs = folder.read()?.runs()?;
    Ok(runs.into_iter().find(|row| row.id == run && row.ended.is_some() && row.kind == "update"))
}

fn run(
    request: CrawlRequest<'_>,
    fresh: bool,
    keep: bool,
    folder: &Folder,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    let task = request.task;
    let saved = saved_of(folder, &bench.memo)?;
    // A job that is taken up again does not start over once more.
    let anew = fresh && !bench.memo.begun;
    if anew && saved.is_some() {
        bench.memo.saved.clone_from(&saved);
        bench.remember()?;
    }
    let mut say = |note: &str| bench.log(note);
    let survey = Survey::requested(folder, request, saved.as_ref(), requester, &mut say)?;
    let Some(mut opened) = Survey { fresh: anew, keep, ..survey }.open_unless_busy(&mut say)? else {
        return Ok(Outcome::Later { seconds: BUSY, says: SOMEBODY_WRITES.to_owned() });
    };
    bench.memo.begun = fresh;
    bench.memo.run = Some(coming_run(opened.store.runs()?.last(), task));
    bench.remember()?;
    if bench.is_stopped() {
        return Ok(Outcome::Stopped);
    }
    let known_before = opened.known_before;
    let mut course = Course::new(bench, if task == Task::Crawl { "crawling" } else { "updating" });
    let (summary, mut store, _lock) = opened.crawl(&mut course, bench.stop().clone())?;
    let phase = if summary.end == End::Interrupted { "stopped" } else { "done" };
    course.close(&summary.progress, phase);
    if summary.end == End::Interrupted {
        return Ok(Outcome::Stopped);
    }
    if store.balance()?.state(State::Fetched) == 0 {
        return Err(first_failure(&mut store)?);
    }
    Ok(Outcome::Done(outcome(task, &summary, known_before)))
}

fn outcome(task: Task, summary: &Summary, known_before: bool) -> String {
    if task == Task::Crawl && known_before && summary.progress.fetches == 0 {
        let limited = summary.end == End::PageLimit;
        return (if limited { NOTHING_LEFT_LIMIT } else { NOTHING_LEFT }).to_owned();
    }
    let progress = &summary.progress;
    run_ended(summary.end.name(), Some((progress.elapsed, progress.fetches, progress.fetched)))
}

/// The number the run will have: the engine goes on with an open run of the same kind.
fn coming_run(last: Option<&RunRow>, task: Task) -> u32 {
    let kind = if task == Task::Crawl { "crawl" } else { "update" };
    match last {
        Some(last) if last.ended.is_none() && last.kind == kind => last.id,
        Some(last) => last.id + 1,
        None => 1,
    }
}

/// What the survey was begun with, if it was: by its store, or by what the job knew before it started it over.
pub(crate) fn saved_of(folder: &Folder, memo: &Memo) -> Result<Option<Saved>, Fault> {
    let stored = if folder.exists() { Saved::load(&mut folder.read()?)? } else { None };
    Ok(stored.or_else(|| memo.saved.clone()))
}

/// How a crawl or an update ended, and what it came to.
fn run_ended(end: &str, came_to: Option<(Duration, u64, u64)>) -> String {
    let Some((took, fetches, pages)) = came_to else { return end.to_owned() };
    format!(
        "{end} in {}: {}, {} in the survey",
        spoken(took),
        counted(fetches, "fetch", "fetches"),
        counted(pages, "page", "pages")
    )
}

fn run_had_ended(run: u32) -> String {
    format!("run {run} had come to its end before this worker took the job up: it is not run again")
}
