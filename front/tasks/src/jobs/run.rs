//! How each kind of job is done: one file per kind. A job sees its folder, what was asked for, and a [`Bench`]; it knows nothing of
//! queues, leases and threads.

use std::path::Path;

use groma_settings::Fault;
use groma_store::Folder;

use crate::crawl::prepare::Requester;
use crate::jobs::bench::Bench;
use crate::jobs::worked::Worked;
use crate::task::{Job, Task};
use crate::{bounds, check, crawl, export, extract, focus, gather, index, map, notify, rank, report};

/// Does the job's task, until it is done or stopped.
pub(crate) fn work(folder: &Folder, job: &Job, config: Option<&Path>, bench: &mut Bench) -> Result<Worked, Fault> {
    let format = job.format.as_str();
    let requester = Requester { owned: job.owned, guarded: job.guarded, config };
    match &job.task {
        Task::Crawl(task) => crawl::job::crawl(folder, task, requester, bench),
        Task::Update(task) => crawl::job::update(folder, task, requester, bench),
        Task::Rank(task) => rank::job::rank(folder, task, format, bench),
        Task::Map(task) => map::job::map(folder, task, format, bench),
        Task::Check(task) => check::job::check(folder, task, format, requester, bench),
        Task::Index(task) => index::job::index(folder, task, bench),
        Task::Bounds(task) => bounds::job::bound(folder, task, format, bench),
        Task::Focus(task) => focus::job::focus(folder, task, format, requester, bench),
        Task::Gather(task) => gather::job::gather(folder, task, format, requester, bench),
        Task::Cluster(task) => bounds::job::cluster(folder, task, format, bench),
        Task::Report(task) => report::job::report(folder, task, format, bench),
        Task::Export(task) => export::job::export(folder, task, format, bench),
        Task::Extract(task) => extract::job::extract(folder, task, format, requester, bench),
        Task::Notify(_) => notify::job::notify(folder, config, bench),
    }
}
