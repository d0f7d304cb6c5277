//! `groma jobs add`: queues one task, or several that go one after the other.

use std::path::Path;

use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::crawl::wording::NO_URL_HINT;
use groma_tasks::jobs::wording::{NO_LOGIN_IN_JOBS, NO_LOGIN_IN_JOBS_HINT};
use groma_tasks::task::{Bounds, Crawl, Focus, Gather, Package, Task, read_words};

use crate::Exit;
use crate::args::{JobsAddArgs, QueueArgs};
use crate::command::crawl::read_seeds;
use crate::output::{Out, tell};
use crate::wording::queued;

pub(super) fn run(args: &JobsAddArgs, store: Option<&Path>) -> Result<Exit, Fault> {
    let (mut package, queue) = match read_words::<QueueArgs>(&args.words) {
        Ok(read) => read,
        Err(error) => return crate::exit::report_usage_error(&error),
    };
    let store = queue.store.as_deref().or(store);
    let folder = place_of(&mut package, store)?;
    let ids = package.queue(&folder, queue.priority)?;
    let mut out = Out::open(None)?;
    out.line(&queued(&ids.iter().map(|id| id.0).collect::<Vec<_>>()))?;
    out.finish()?;
    tell(&format!("hint: {}", "`groma jobs work` or `groma serve` does it"));
    Ok(Exit::Fine)
}

/// The survey that a package is for: the one named, that of its first URL, or the only one here. URLs are kept as they were understood.
fn place_of(package: &mut Package, store: Option<&Path>) -> Result<Folder, Fault> {
    let mut first = None;
    for job in &mut package.0 {
        let typed: Vec<String> = match &job.task {
            Task::Crawl(Crawl { seeds, .. }) | Task::Focus(Focus { seeds, .. }) => seeds.clone(),
            Task::Gather(gather) => vec![gather.url().to_owned()],
            // A page of a survey that is there: what it is called is for the search to find out.
            Task::Bounds(Bounds { start: Some(start), .. }) if store.is_none() && start.contains("://") => {
                vec![start.to_string()]
            }
            _ => Vec::new(),
        };
        let (seeds, login) = read_seeds(&typed, false)?;
        if login.is_some() {
            return Err(Fault::new(NO_LOGIN_IN_JOBS, NO_LOGIN_IN_JOBS_HINT));
        }
        match (&mut job.task, seeds.first()) {
            (Task::Crawl(Crawl { seeds: kept, .. }) | Task::Focus(Focus { seeds: kept, .. }), _) => {
                *kept = seeds.iter().map(groma_url::Url::to_string).collect();
            }
            (Task::Gather(gather), Some(url)) => *gather = Gather::at(gather, url)?,
            _ => {}
        }
        first = first.or_else(|| seeds.into_iter().next());
    }
    let crawls = package.0.iter().any(|job| matches!(job.task, Task::Crawl(_)));
    match (store, first) {
        (store, Some(first)) => place::of_seed(store, &first),
        (Some(path), None) if crawls && !place::find(Some(path))?.exists() => {
            Err(Fault::new("a crawl needs a URL to start at", NO_URL_HINT))
        }
        (store, None) => place::find_asked(store),
    }
}
