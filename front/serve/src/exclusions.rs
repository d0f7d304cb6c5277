//! Exclusions for a crawl that is under way: what a pattern would drop, and dropping it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_model::url::Pattern;
use groma_store::Snapshot;
use groma_store::jobs::{Filter, JobId, JobKind, JobRequest, JobRow, JobState};
use groma_tasks::task::{Crawl, Job, Task, Update};
use groma_url::Url;

use crate::app::{App, now};
use crate::error::Problem;
use crate::sites::Site;
use crate::words;

/// URLs shown as examples.
const SAMPLES: usize = 20;
/// URLs read at a time.
const STEP: usize = 10_000;
/// Letters of a pattern.
pub(crate) const LONGEST: usize = 1_000;
/// How long a running job may take to pause.
const PAUSE: Duration = Duration::from_secs(20);

/// What a pattern would drop.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// URLs that wait for their turn.
    pub(crate) queued: u64,
    /// Those of them that match.
    pub(crate) dropped: u64,
    /// Pages that have been read and match: they would be ignored from now on.
    pub(crate) read: u64,
    /// Some of those that wait and match.
    pub(crate) samples: Vec<String>,
}

/// Reads a pattern as it was typed.
pub(crate) fn pattern(typed: &str) -> Result<Pattern, Problem> {
    let typed = typed.trim();
    if typed.is_empty() || typed.chars().count() > LONGEST {
        return Err(Problem::refused("a pattern of 1 to 1,000 letters is expected", words::PATTERN_HINT));
    }
    Pattern::parse(typed).map_err(|error| Problem::refused(error.to_string(), words::PATTERN_HINT))
}

/// Counts what patterns would drop. Cost: a reading of all URLs.
pub(crate) fn preview(site: &Site, typed: &[String]) -> Result<Preview, Problem> {
    let patterns: Vec<Pattern> = typed.iter().map(|typed| pattern(typed)).collect::<Result<_, _>>()?;
    let matches = |url: &str| Url::parse(url).is_ok_and(|url| patterns.iter().any(|pattern| pattern.matches(&url)));
    let mut view = site.read()?;
    let mut preview = Preview::default();
    let mut after = None;
    loop {
        let rows = view.addresses(after, STEP)?;
        let Some(last) = rows.last() else { return Ok(preview) };
        after = Some(last.id);
        for row in &rows {
            preview.queued += u64::from(row.queued);
            let read = row.state() == groma_model::State::Fetched;
            if !(row.queued || read) || !matches(&row.url) {
                continue;
            }
            preview.read += u64::from(read);
            preview.dropped += u64::from(row.queued);
            if row.queued && preview.samples.len() < SAMPLES {
                preview.samples.push(row.url.clone());
            }
        }
    }
}

/// Adds patterns to the crawl or update that is under way, or waits: a running one is paused, changed, and goes on. Returns how
/// many URLs of the queue they drop.
pub(crate) async fn apply(app: &Arc<App>, site: &Arc<Site>, typed: Vec<String>) -> Result<u64, Problem> {
    let site = Arc::clone(site);
    app.work(move |_| {
        let dropped = if site.exists() { preview(&site, &typed)?.dropped } else { 0 };
        change(&site, &typed)?;
        Ok(dropped)
    })
    .await
}

fn change(site: &Site, typed: &[String]) -> Result<(), Problem> {
    for typed in typed {
        pattern(typed)?;
    }
    let filter = Filter {
        states: vec![JobState::Running, JobState::Waiting, JobState::Paused],
        kinds: vec![JobKind::Crawl, JobKind::Update],
        package: None,
    };
    let found = site.queue()?.jobs(&filter, None, 100)?;
    let job = found.iter().find(|job| job.state == JobState::Running).or(found.last());
    let job = job.ok_or_else(|| {
        Problem::conflict(
            "no crawl or update is under way, and none waits",
            "give `exclude` when you ask for the next crawl or update",
        )
    })?;
    let running = job.state == JobState::Running && job.request == JobRequest::None;
    if running && !site.queue()?.pause(job.id, now())? {
        return Err(Problem::conflict(words::MOVED_ON, words::MOVED_ON_HINT));
    }
    let rested = if job.state == JobState::Running { wait_for_rest(site, job.id)? } else { Some(job.clone()) };
    let changed = match rested {
        Some(row) => amend(site, &row, typed)?,
        None => false,
    };
    if running {
        site.queue()?.resume(job.id, now())?;
    }
    if changed { Ok(()) } else { Err(Problem::conflict(words::MOVED_ON, words::MOVED_ON_HINT)) }
}

fn wait_for_rest(site: &Site, id: JobId) -> Result<Option<JobRow>, Problem> {
    let began = Instant::now();
    while began.elapsed() < PAUSE {
        let row = site.queue()?.job(id)?;
        match row {
            Some(row) if matches!(row.state, JobState::Paused | JobState::Waiting) => return Ok(Some(row)),
            Some(row) if row.state == JobState::Running => std::thread::sleep(Duration::from_millis(100)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

fn amend(site: &Site, job: &JobRow, typed: &[String]) -> Result<bool, Problem> {
    let mut asked = Job::read(job.kind, &job.args)?;
    if let Task::Crawl(Crawl { also_exclude, .. }) | Task::Update(Update { also_exclude, .. }) = &mut asked.task {
        for typed in typed.iter().map(|typed| typed.trim()) {
            if !also_exclude.iter().any(|known| known == typed) {
                also_exclude.push(typed.to_owned());
            }
        }
    }
    Ok(site.queue()?.amend(job.id, &asked.text())?)
}
