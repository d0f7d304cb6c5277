//! What do searches, focused crawls and gatherings leave beside a survey? One service for all three kinds of results: which there are, one
//! of them, the jobs at work on it, forgetting it, saving it as a file; for pages and programs alike.
//!
//! All of them are brought by jobs, so nobody waits for one at a request. What only one kind can do stands in its own file.

pub(crate) mod bounds;
pub(crate) mod databases;
pub(crate) mod focus;
mod statement;

use std::io::Write;

use groma_store::jobs::{JobKind, JobRow};
use groma_store::{Folder, StoreError};
use groma_tasks::task::{FileFormat, Task};
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::Problem;
use crate::sites::Site;
use crate::spool::{Sent, Spool};
use crate::{orders, underway, words};

/// How what keeps results reads all of them, and the one with a number.
pub(crate) type ReadAll<K, R> = fn(&mut K) -> Result<Vec<R>, StoreError>;
pub(crate) type ReadOne<K, R> = fn(&mut K, u64) -> Result<Option<R>, StoreError>;

/// Results of one kind of job: how they are asked for and listed.
pub(crate) trait ResultKind: 'static {
    /// What a client sends to get such a result.
    type Request: DeserializeOwned + Send + 'static;
    /// One of them in a list.
    type Row: Send + 'static;
    const JOB: JobKind;
    /// Makes a task of a request.
    const TASK: fn(Self::Request) -> Task;

    /// All of a survey, the one that was last at work first.
    fn list(site: &Site) -> Result<Vec<Self::Row>, Problem>;
}

/// A kind of results that have numbers, and that can be gone on with, forgotten and saved.
pub(crate) trait NumberedKind: ResultKind {
    /// The store that keeps them.
    type Keeper: Send + 'static;
    /// What one is called.
    const CALLED: &'static str;
    /// Where they are listed, for whoever asks for one that is not there.
    const NO_SUCH_HINT: &'static str;
    /// Why one cannot be forgotten while a job is at work on it.
    const IS_AT_WORK: &'static str;
    /// What follows the name of a survey in the name of a file.
    const FILE: &'static str;

    /// What keeps those of a survey; nothing if there never was one.
    const KEEPER: fn(&Folder) -> Result<Option<Self::Keeper>, StoreError>;
    /// All, the one that was last at work first.
    const ROWS: ReadAll<Self::Keeper, Self::Row>;
    /// The one with this number.
    const ROW: ReadOne<Self::Keeper, Self::Row>;
    /// Removes the one with this number; false if there is none.
    const REMOVE: fn(&mut Self::Keeper, u64) -> Result<bool, StoreError>;
    const NUMBER: fn(&Self::Row) -> u64;

    /// Does a job with these arguments work on this one?
    fn is_same_task(args: &str, row: &Self::Row) -> bool;
    /// The task that goes on with one, as far as was typed.
    fn task_to_go_on(row: &Self::Row, how_far: &str) -> Result<Task, Problem>;
    /// Writes one in a format; `all` where a part of it is the usual thing.
    fn write(folder: &Folder, id: u64, format: &str, all: bool, to: &mut dyn Write) -> Result<(), Problem>;
}

/// Asks for a job that brings a result; its number.
pub(crate) fn ask<K: ResultKind>(app: &App, site: &Site, request: K::Request) -> Result<u64, Problem> {
    orders::ask(app, site, K::TASK(request))
}

/// The jobs of a kind that are under way or wait, those at work first.
pub(crate) fn open_jobs<K: ResultKind>(site: &Site) -> Result<Vec<JobRow>, Problem> {
    underway::open(site, K::JOB)
}

/// The numbered results of a survey, the one that was last at work first.
pub(crate) fn list_numbered<K: NumberedKind>(site: &Site) -> Result<Vec<K::Row>, Problem> {
    match (K::KEEPER)(&site.folder)? {
        Some(mut keeper) => Ok((K::ROWS)(&mut keeper)?),
        None => Ok(Vec::new()),
    }
}

/// The result of this number, and what keeps it.
pub(crate) fn open<K: NumberedKind>(site: &Site, id: u64) -> Result<(K::Keeper, K::Row), Problem> {
    let mut keeper = (K::KEEPER)(&site.folder)?.ok_or_else(no_such::<K>)?;
    let row = (K::ROW)(&mut keeper, id)?.ok_or_else(no_such::<K>)?;
    Ok((keeper, row))
}

/// The job that is at work on a result, or waits to be.
pub(crate) fn job_at_work<K: NumberedKind>(site: &Site, row: &K::Row) -> Result<Option<JobRow>, Problem> {
    Ok(open_jobs::<K>(site)?.into_iter().find(|job| K::is_same_task(&job.args, row)))
}

/// Goes on with a result, as far as was typed; the number of the job.
pub(crate) fn go_on<K: NumberedKind>(app: &App, site: &Site, id: u64, how_far: &str) -> Result<u64, Problem> {
    let (_, row) = open::<K>(site, id)?;
    orders::ask(app, site, K::task_to_go_on(&row, how_far)?)
}

/// Forgets a result. One that a job is at work on cannot be forgotten.
pub(crate) fn forget<K: NumberedKind>(site: &Site, id: u64) -> Result<(), Problem> {
    let (mut keeper, row) = open::<K>(site, id)?;
    if job_at_work::<K>(site, &row)?.is_some() {
        return Err(Problem::conflict(K::IS_AT_WORK, "cancel its job first, or wait for its end"));
    }
    if (K::REMOVE)(&mut keeper, id)? { Ok(()) } else { Err(no_such::<K>()) }
}

/// A result as a file that is gone when it has been sent.
pub(crate) fn save<K: NumberedKind>(site: &Site, id: u64, format: FileFormat, all: bool) -> Result<Sent, Problem> {
    open::<K>(site, id)?;
    let mut spool = Spool::begin()?;
    K::write(&site.folder, id, format.name, all, &mut spool)?;
    Ok(spool.finish(format!("{}-{}-{id}.{}", site.name, K::FILE, format.ending), format.media_type)?)
}

fn no_such<K: NumberedKind>() -> Problem {
    Problem::new(axum::http::StatusCode::NOT_FOUND, words::no_such(K::CALLED), K::NO_SUCH_HINT)
}
