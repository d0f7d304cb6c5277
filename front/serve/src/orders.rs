//! Jobs asked for over the web: a task is looked at, and waits for its turn.

mod asked;

use std::sync::Arc;

use groma_settings::place;
use groma_settings::saved::Saved;
use groma_store::jobs::{Filter, JobId};
use groma_tasks::task::{Crawl, Job, Package, Task};

use crate::allowed::{check, check_door, is_own, outside, start_pages};
use crate::app::App;
use crate::error::Problem;
use crate::sites::Site;
use crate::{underway, words};

/// Of what somebody who sits before the screen asks for.
const SOON: i32 = 10;
/// Priorities go from minus this to this.
pub(crate) const MOST_PRIORITY: i32 = 100;

/// A survey that was begun, or that was there before.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) site: Arc<Site>,
    /// Its jobs; none if the site was there before.
    pub(crate) jobs: Vec<JobId>,
}

/// Begins a survey: crawl, check and index, one after the other. Nothing happens if there is one of this URL already.
pub(crate) fn begin(app: &App, typed: &str, crawl: Crawl, priority: i32) -> Result<Begun, Problem> {
    let url = outside(app, typed, |_| false)?;
    let own = is_own(&url, &app.options);
    let folder = place::usual(&url);
    let crawl = Task::Crawl(Crawl { seeds: vec![url.to_string()], ..crawl });
    // Before anything is made: what cannot be taken leaves nothing behind.
    check(app, &crawl, &[url], None)?;
    check_priority(priority)?;
    let site = app.sites.begin(&folder);
    if site.exists() || !site.queue()?.jobs(&Filter::default(), None, 1)?.is_empty() {
        return Ok(Begun { site, jobs: Vec::new() });
    }
    let jobs = queue(&site, Job { guarded: !own, ..Job::from(crawl) }, false, priority)?;
    Ok(Begun { site, jobs })
}

/// A task as it may be done at a survey that is there, or why it may not.
pub(crate) fn job(app: &App, site: &Site, task: Task, format: &str) -> Result<Job, Problem> {
    if !site.exists() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let saved = Saved::load(&mut *site.read()?)?.unwrap_or_default();
    let (task, guarded) = match task.checked()? {
        Task::Focus(task) => asked::focus(app, &saved, task)?,
        Task::Gather(task) => asked::gather(app, &saved, &task)?,
        Task::Bounds(task) => (asked::bounds(site, task)?, false),
        task => (task, false),
    };
    match &task {
        Task::Crawl(Crawl { seeds, .. }) if !seeds.is_empty() => {
            return Err(Problem::refused(
                "start pages of a survey that is there cannot be added over the web",
                "omit them, or survey the other site on its own",
            ));
        }
        Task::Crawl(_) | Task::Update(_) => {
            let seeds = start_pages(&saved);
            if seeds.is_empty() {
                return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
            }
            check(app, &task, &seeds, Some(&saved))?;
        }
        task => check_door(task)?,
    }
    Ok(Job { format: format.to_owned(), guarded, ..Job::from(task) }.checked()?)
}

/// Queues a job with what belongs to it, unless it is to stay alone.
pub(crate) fn queue(site: &Site, job: Job, alone: bool, priority: i32) -> Result<Vec<JobId>, Problem> {
    check_priority(priority)?;
    let package = Package(vec![job]);
    let package = if alone { package } else { package.with_what_follows() };
    Ok(package.queue(&site.folder, priority)?)
}

/// Queues what somebody who sits before the screen asks for, with what belongs to it; the number of its job. The very same that waits
/// already is not queued twice.
pub(crate) fn ask(app: &App, site: &Site, task: Task) -> Result<u64, Problem> {
    ask_once(site, job(app, site, task, "")?)
}

/// The same of a job that is known to be allowed.
pub(crate) fn ask_once(site: &Site, job: Job) -> Result<u64, Problem> {
    if let Some(waits) = underway::waiting(site, job.task.kind(), &job.text())? {
        return Ok(waits);
    }
    let ids = queue(site, job, false, SOON)?;
    Ok(ids.first().map_or(0, |id| id.0))
}

fn check_priority(priority: i32) -> Result<(), Problem> {
    if priority.abs() > MOST_PRIORITY {
        return Err(Problem::refused(words::BAD_PRIORITY, words::PRIORITY_HINT));
    }
    Ok(())
}
