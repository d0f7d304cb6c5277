//! Borders over the web: looking for one, deciding about it, and finding it anew after that; for pages and programs alike.
//!
//! A search is a job, so nobody waits for it at a request. What was decided holds at once; the site is found anew by a job that
//! takes the clusters that are kept. Many decisions in a row wait for one such job.

use std::sync::Arc;

use groma_desk::bounds::{self, Decision};
use groma_desk::lookup;
use groma_desk::task::{Bounds, Job, Task};
use groma_store::borders::DecisionKind;
use groma_store::jobs::{Filter, JobKind, JobRow, JobState};

use crate::error::Problem;
use crate::orders;
use crate::sites::Site;
use crate::words;

/// Letters of a start, a keyword or a subject.
pub(crate) const LONGEST: usize = 2_000;
/// Jobs looked at.
const JOBS: usize = 20;

/// What was decided, and the job that finds the site anew.
#[derive(Debug)]
pub(crate) struct Decided {
    /// As it was understood.
    pub(crate) decision: Decision,
    /// The number of the job.
    pub(crate) job: u64,
}

/// A page that nobody knows is said now, and not by a job that failed.
pub(crate) fn as_asked(site: &Site, task: Bounds) -> Result<Task, Problem> {
    if let Some(typed) = task.start.as_deref().filter(|typed| !typed.is_empty() && !typed.starts_with("keyword:")) {
        lookup::page(&mut *site.read()?, typed)?;
    }
    Ok(Task::Bounds(task))
}

/// Asks for the same search again, with what was decided since.
fn again(site: &Site, start: &str) -> Result<u64, Problem> {
    let task = match site.bounds(Some(start))? {
        Some(found) => found.request.asked().clone(),
        None => Bounds { start: start.parse().ok(), ..Bounds::default() },
    };
    place(site, task)
}

/// Finds a site anew at another price of a page, which it keeps from then on; nothing: it is chosen again.
pub(crate) fn at_price(site: &Site, start: &str, epsilon: &str) -> Result<u64, Problem> {
    let start = meant(site, start)?;
    let asked = site.bounds(Some(&start))?.ok_or_else(none_found)?.request.asked().clone();
    let wrong = |why: String| Problem::refused(format!("epsilon: {why}"), words::LONG_BODY_HINT);
    let epsilon = Some(epsilon.trim()).filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(wrong)?;
    place(site, Bounds { epsilon, ..asked })
}

/// Asks for a search that somebody was allowed to ask for before, be it on line: the pages are there, and none is fetched.
fn place(site: &Site, task: Bounds) -> Result<u64, Problem> {
    orders::ask_once(site, Job::from(Task::Bounds(task)))
}

/// The search that is under way or waits, or else the last one if it failed.
pub(crate) fn search(site: &Site) -> Result<Option<JobRow>, Problem> {
    let filter = Filter { kinds: vec![JobKind::Bound], ..Filter::default() };
    let jobs = site.queue()?.jobs(&filter, None, JOBS)?;
    let failed = jobs.first().filter(|job| job.state == JobState::Failed).cloned();
    let mut open: Vec<JobRow> = jobs.into_iter().filter(|job| !job.state.is_over()).collect();
    open.sort_by_key(|job| (job.state != JobState::Running, job.id.0));
    Ok(open.into_iter().next().or(failed))
}

/// The start of the site that is meant, as it is kept: the one that was named, or the one found last.
pub(crate) fn meant(site: &Site, start: &str) -> Result<String, Problem> {
    if !site.exists() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let start = Some(start.trim()).filter(|start| !start.is_empty());
    let all = site.starts()?;
    match start {
        None => all.into_iter().next().ok_or_else(none_found),
        Some(start) if all.iter().any(|one| one == start) => Ok(start.to_owned()),
        Some(_) => Err(none_found()),
    }
}

/// No site was found yet.
pub(crate) fn none_found() -> Problem {
    Problem::conflict(
        "no site was found in this survey yet, or not from this start",
        "look for one first: the page Borders, or POST /api/v1/sites/{site}/bounds",
    )
}

/// Puts a decision down, and lets the site be found anew.
pub(crate) fn decide(
    site: &Site,
    start: &str,
    kind: DecisionKind,
    subject: &str,
    single: bool,
    who: &str,
) -> Result<Decided, Problem> {
    if subject.chars().count() > LONGEST {
        return Err(Problem::refused(words::too_long("subject", LONGEST), words::LONG_BODY_HINT));
    }
    let start = meant(site, start)?;
    let decision = bounds::decide(&site.folder, &start, kind, subject, single, who)?;
    let job = again(site, &start)?;
    Ok(Decided { decision, job })
}

/// Takes a decision back: the one with this number, or the last that holds; and lets the site be found anew.
pub(crate) fn undo(site: &Site, start: &str, which: Option<u64>, who: &str) -> Result<Decided, Problem> {
    let start = meant(site, start)?;
    let conflict = |fault: groma_desk::Fault| Problem::conflict(fault.says, fault.hint);
    let decision = bounds::undo(&site.folder, &start, which, who).map_err(conflict)?;
    let job = again(site, if decision.site.is_empty() { &start } else { &decision.site })?;
    Ok(Decided { decision, job })
}

/// The site as SURT prefixes.
pub(crate) fn surt(site: &Arc<Site>, start: &str) -> Result<String, Problem> {
    let start = meant(site, start)?;
    let found = site.bounds(Some(&start))?.ok_or_else(none_found)?;
    Ok(found.surt(&*site.ground()?).0)
}
