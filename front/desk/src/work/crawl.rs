//! `crawl` and `update`: the survey itself.

use groma_crawl::{End, Summary};
use groma_model::State;
use groma_store::{Folder, RunRow, Snapshot};
use url::Url;

use super::bench::Memo;
use super::course::Course;
use super::{Asker, Bench, Outcome};
use crate::settings::saved::Saved;
use crate::settings::{Book, Overrides};
use crate::survey::{Survey, Task, first_failure, saved_seeds};
use crate::task;
use crate::{Fault, address, words};

/// Seconds until a survey that somebody else is writing to is tried again.
pub(super) const BUSY: i64 = 30;

/// What a crawl, an update and a focused crawl have in common.
pub(super) struct Wanted<'t> {
    pub(super) task: Task,
    pub(super) seeds: &'t [String],
    pub(super) settings: &'t Overrides,
    pub(super) also_exclude: &'t [String],
    pub(super) fresh: bool,
    pub(super) keep: bool,
}

pub(super) fn crawl(
    folder: &Folder,
    task: &task::Crawl,
    asker: &Asker<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    let task::Crawl { seeds, fresh, also_exclude, settings } = task;
    let wanted = Wanted { task: Task::Crawl, seeds, settings, also_exclude, fresh: *fresh, keep: false };
    run(&wanted, folder, asker, bench)
}

pub(super) fn update(
    folder: &Folder,
    task: &task::Update,
    asker: &Asker<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    if let Some(ended) = ended_before(folder, bench.memo.run)? {
        bench.log(&words::run_had_ended(ended.id));
        return Ok(Outcome::Done(words::run_ended(&ended.outcome, None)));
    }
    let task::Update { keep, also_exclude, settings } = task;
    let wanted = Wanted { task: Task::Update, seeds: &[], settings, also_exclude, fresh: false, keep: *keep };
    run(&wanted, folder, asker, bench)
}

/// The run this job is about, if it came to its end when the job was worked on before.
fn ended_before(folder: &Folder, run: Option<u32>) -> Result<Option<RunRow>, Fault> {
    let Some(run) = run else { return Ok(None) };
    let runs = folder.read()?.runs()?;
    Ok(runs.into_iter().find(|row| row.id == run && row.ended.is_some() && row.kind == "update"))
}

fn run(wanted: &Wanted<'_>, folder: &Folder, asker: &Asker<'_>, bench: &mut Bench) -> Result<Outcome, Fault> {
    let task = wanted.task;
    let saved = saved_of(folder, &bench.memo)?;
    let fresh = wanted.fresh && !bench.memo.begun;
    if fresh && saved.is_some() {
        bench.memo.saved.clone_from(&saved);
        bench.remember()?;
    }
    let survey = survey(wanted, folder, asker, saved.as_ref(), fresh, bench)?;
    let ready = survey.ready()?;
    ready.notes().iter().for_each(|note| bench.log(note));
    let Some(mut opened) = ready.open_unless_busy()? else {
        return Ok(Outcome::Later { seconds: BUSY, says: words::SOMEBODY_WRITES.to_owned() });
    };
    opened.notes.iter().for_each(|note| bench.log(note));
    bench.memo.begun = wanted.fresh;
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
    if store.balance()?.state(State::Indexed) == 0 {
        return Err(first_failure(&mut store)?);
    }
    Ok(Outcome::Done(outcome(task, &summary, known_before)))
}

fn outcome(task: Task, summary: &Summary, known_before: bool) -> String {
    if task == Task::Crawl && known_before && summary.progress.fetches == 0 {
        let limited = summary.end == End::PageLimit;
        return (if limited { words::NOTHING_LEFT_LIMIT } else { words::NOTHING_LEFT }).to_owned();
    }
    let progress = &summary.progress;
    words::run_ended(summary.end.name(), Some((progress.elapsed, progress.fetches, progress.indexed)))
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
pub(super) fn saved_of(folder: &Folder, memo: &Memo) -> Result<Option<Saved>, Fault> {
    let stored = if folder.exists() { Saved::load(&mut folder.read()?)? } else { None };
    Ok(stored.or_else(|| memo.saved.clone()))
}

pub(super) fn survey(
    wanted: &Wanted<'_>,
    folder: &Folder,
    asker: &Asker<'_>,
    saved: Option<&Saved>,
    fresh: bool,
    bench: &Bench,
) -> Result<Survey, Fault> {
    let (mut seeds, mut login) = (Vec::<Url>::new(), None);
    for typed in wanted.seeds {
        let read = address::read(typed)?;
        read.note.iter().for_each(|note| bench.log(note));
        login = login.or(read.login);
        if !seeds.contains(&read.url) {
            seeds.push(read.url);
        }
    }
    if seeds.is_empty() {
        seeds = saved_seeds(saved.unwrap_or(&Saved::default()))?;
    }
    let book = Book::of_task(wanted.settings, wanted.also_exclude, asker.config, saved)?;
    let missing = saved.map(|saved| book.lacks(&saved.not_kept)).unwrap_or_default();
    if !missing.is_empty() && login.is_none() {
        bench.log(&words::not_kept(&missing));
    }
    Ok(Survey {
        task: wanted.task,
        folder: folder.clone(),
        seeds,
        listed: None,
        book,
        login,
        owned: asker.owned || saved.is_some_and(|saved| saved.owned),
        guarded: asker.guarded || saved.is_some_and(|saved| saved.guarded),
        search: crate::bounds::Search::default(),
        aside: false,
        keep: wanted.keep,
        fresh,
        not_kept: saved.map(|saved| saved.not_kept.clone()).unwrap_or_default(),
    })
}
