//! `crawl` and `update`: the survey itself.

use groma_crawl::{End, Summary};
use groma_model::State;
use groma_settings::Fault;
use groma_settings::saved::Saved;
use groma_store::{Folder, RunRow, Snapshot};

use crate::crawl::prepare::{CrawlRequest, Requester};
use crate::crawl::seeds::{self, Seeds};
use crate::crawl::survey::{Survey, Task, first_failure};
use crate::jobs::bench::{Bench, Memo};
use crate::jobs::course::Course;
use crate::jobs::wording::SOMEBODY_WRITES;
use crate::jobs::worked::Worked;
use crate::outcome::{Outcome, RunOutcome};
use crate::task;

/// Seconds until a survey that somebody else is writing to is tried again.
pub(crate) const BUSY: i64 = 30;

pub(crate) fn crawl(
    folder: &Folder,
    task: &task::Crawl,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
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
) -> Result<Worked, Fault> {
    if let Some(ended) = ended_before(folder, bench.memo.run)? {
        bench.log(&run_had_ended(ended.id));
        return Ok(Worked::Done(Outcome::Run(RunOutcome::EndedBefore { end: ended.outcome })));
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
) -> Result<Worked, Fault> {
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
        return Ok(Worked::Later { seconds: BUSY, says: SOMEBODY_WRITES.to_owned() });
    };
    bench.memo.begun = fresh;
    bench.memo.run = Some(coming_run(opened.store.runs()?.last(), task));
    bench.remember()?;
    if bench.is_stopped() {
        return Ok(Worked::Stopped);
    }
    let known_before = opened.known_before;
    let mut course = Course::new(bench, if task == Task::Crawl { "crawling" } else { "updating" });
    let (summary, mut store, _lock) = opened.crawl_and_ask(&mut course, bench.stop().clone())?;
    let phase = if summary.end == End::Interrupted { "stopped" } else { "done" };
    course.close(&summary.progress, phase);
    if summary.end == End::Interrupted {
        return Ok(Worked::Stopped);
    }
    if store.balance()?.state(State::Fetched) == 0 {
        return Err(first_failure(&mut store)?);
    }
    Ok(Worked::Done(Outcome::Run(outcome(task, &summary, known_before))))
}

fn outcome(task: Task, summary: &Summary, known_before: bool) -> RunOutcome {
    let progress = &summary.progress;
    if task == Task::Crawl && known_before && progress.fetches == 0 {
        return RunOutcome::NothingLeft { limited: summary.end == End::PageLimit };
    }
    RunOutcome::Ended {
        end: summary.end.name(),
        seconds: progress.elapsed.as_secs_f64(),
        fetches: progress.fetches,
        pages: progress.fetched,
    }
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

fn run_had_ended(run: u32) -> String {
    format!("run {run} had come to its end before this worker took the job up: it is not run again")
}
