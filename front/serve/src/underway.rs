//! Which jobs of a kind are under way at a site, and how did the last one end? For what is asked for by its own page: focused crawls
//! and gatherings.

use groma_store::jobs::{Filter, JobKind, JobRow, JobState};

use crate::error::Problem;
use crate::sites::Site;

/// Jobs looked at, the latest.
const JOBS: usize = 50;

/// The jobs that are under way or wait, those at work first.
pub(crate) fn open(site: &Site, kind: JobKind) -> Result<Vec<JobRow>, Problem> {
    let mut jobs = latest(site, kind)?;
    jobs.retain(|job| !job.state.is_over());
    jobs.sort_by_key(|job| (job.state != JobState::Running, job.id.0));
    Ok(jobs)
}

/// The last job, if it failed.
pub(crate) fn failed(site: &Site, kind: JobKind) -> Result<Option<JobRow>, Problem> {
    Ok(latest(site, kind)?.into_iter().next().filter(|job| job.state == JobState::Failed))
}

/// The number of the job that waits to do the very same.
pub(crate) fn waiting(site: &Site, kind: JobKind, args: &str) -> Result<Option<u64>, Problem> {
    let same = |job: &JobRow| job.state == JobState::Waiting && job.args == args;
    Ok(latest(site, kind)?.into_iter().find(same).map(|job| job.id.0))
}

fn latest(site: &Site, kind: JobKind) -> Result<Vec<JobRow>, Problem> {
    let filter = Filter { kinds: vec![kind], ..Filter::default() };
    Ok(site.queue()?.jobs(&filter, None, JOBS)?)
}
