//! `groma jobs`: what was asked for, how far it is, and asking for more.

mod add;
mod show;

use std::path::{Path, PathBuf};

use groma_settings::clock::now;
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_store::jobs::{Filter, JobId, JobRow, JobState, Queue};
use groma_tasks::jobs::wording::{STATES_HINT, job_is, no_such_job, no_such_state};
use groma_tasks::worker::Workshop;

use crate::Exit;
use crate::args::{JobsArgs, JobsCommand, WhichJob};
use crate::output::Out;
use crate::signals::on_signals;
use crate::wording::JOBS_HINT;

pub(crate) fn run(args: &JobsArgs) -> Result<Exit, Fault> {
    let store = args.store.as_deref();
    match &args.what {
        None => list(args),
        Some(JobsCommand::Add(what)) => add::run(what, store),
        Some(JobsCommand::Show { job, output }) => show::one(&mut queue(store)?, *job, output),
        Some(JobsCommand::Pause(which)) => change(store, which, "paused", |queue, job| queue.pause(job, now())),
        Some(JobsCommand::Resume(which)) => change(store, which, "resumed", |queue, job| queue.resume(job, now())),
        Some(JobsCommand::Cancel(which)) => change(store, which, "cancelled", |queue, job| queue.cancel(job, now())),
        Some(JobsCommand::Retry(which)) => change(store, which, "retried", |queue, job| queue.retry(job, now())),
        Some(JobsCommand::Priority { job, priority }) => {
            change(store, &WhichJob { job: *job }, "put elsewhere", |queue, job| queue.prioritize(job, *priority))
        }
        Some(JobsCommand::Work { once, workers, config }) => work(store, *once, *workers, config.as_deref()),
    }
}

/// The queue of the survey meant.
pub(crate) fn queue(store: Option<&Path>) -> Result<Queue, Fault> {
    Ok(place::find_asked(store)?.queue()?)
}

/// The surveys meant: the one named, or all in the working directory.
pub(crate) fn surveys(store: Option<&Path>) -> Result<Vec<Folder>, Fault> {
    place::find_all_asked(&store.map(Path::to_path_buf).into_iter().collect::<Vec<PathBuf>>())
}

fn list(args: &JobsArgs) -> Result<Exit, Fault> {
    let states =
        args.state.iter().map(|word| JobState::named(word).ok_or_else(|| Fault::new(no_such_state(word), STATES_HINT)));
    let filter = Filter { states: states.collect::<Result<_, _>>()?, ..Filter::default() };
    let mut rows: Vec<(String, JobRow)> = Vec::new();
    for folder in surveys(args.store.as_deref())? {
        let Some(mut queue) = folder.queue_if_any()? else { continue };
        let name = folder.shown().display().to_string();
        rows.extend(queue.jobs(&filter, None, args.most)?.into_iter().map(|job| (name.clone(), job)));
    }
    rows.sort_by_key(|(_, job)| std::cmp::Reverse((job.made_at, job.id)));
    rows.truncate(args.most);
    let mut out = Out::open(args.output.output.as_deref())?;
    show::list(&rows, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

/// Changes a job, or says why that cannot be.
fn change(
    store: Option<&Path>,
    which: &WhichJob,
    wanted: &str,
    call: impl Fn(&mut Queue, JobId) -> Result<bool, groma_store::StoreError>,
) -> Result<Exit, Fault> {
    let mut queue = queue(store)?;
    let job = JobId(which.job);
    if call(&mut queue, job)? {
        return Ok(Exit::Fine);
    }
    Err(match queue.job(job)? {
        Some(row) => Fault::new(job_is(which.job, row.state.name(), wanted), JOBS_HINT),
        None => Fault::new(no_such_job(which.job), JOBS_HINT),
    })
}

fn work(store: Option<&Path>, once: bool, workers: usize, config: Option<&Path>) -> Result<Exit, Fault> {
    let named = store.map(Path::to_path_buf);
    // Asked again and again: surveys may be added while it works.
    surveys(store)?;
    let folders = move || surveys(named.as_deref()).unwrap_or_default();
    let stop = on_signals()?;
    let workshop = Workshop {
        folders: Box::new(folders),
        threads: workers.max(1),
        hands: 0,
        config: config.map(Path::to_path_buf),
        stop,
    };
    super::worker::keep(&workshop, once)
}
