//! How each kind of job is done: one file per kind. A job sees its folder, what was asked for, and a [`Bench`]; it knows nothing of
//! queues, leases and threads.

mod bench;
mod bound;
mod check;
mod course;
mod crawl;
mod focus;
mod gather;
mod index;
mod map;
mod notify;
mod rank;
mod result;

use std::path::Path;

use groma_store::Folder;

pub(crate) use bench::{Bench, Pulse};

use crate::Fault;
use crate::survey::Requester;
use crate::task::{Job, Task};

/// How work on a job came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done; how, in words.
    Done(String),
    /// The flag was set: it can go on.
    Stopped,
    /// The moment was bad: once more in so many seconds.
    Later {
        /// From now on.
        seconds: i64,
        /// Why.
        says: String,
    },
}

/// Does a job.
pub(crate) fn work(folder: &Folder, job: &Job, config: Option<&Path>, bench: &mut Bench) -> Result<Outcome, Fault> {
    let format = job.format.as_str();
    let requester = Requester { owned: job.owned, guarded: job.guarded, config };
    match &job.task {
        Task::Crawl(task) => crawl::crawl(folder, task, requester, bench),
        Task::Update(task) => crawl::update(folder, task, requester, bench),
        Task::Rank(_) => rank::rank(folder, format, bench),
        Task::Map(_) => map::map(folder, format, bench),
        Task::Check(_) => check::check(folder, format, bench),
        Task::Index(task) => index::index(folder, task, bench),
        Task::Bounds(task) => bound::bound(folder, task, format, bench),
        Task::Focus(task) => focus::focus(folder, task, format, requester, bench),
        Task::Gather(task) => gather::gather(folder, task, format, requester, bench),
        Task::Notify(_) => notify::notify(folder, config, bench),
    }
}
