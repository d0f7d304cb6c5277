//! Bounds of logical sites: looking for one, deciding about it, and finding it anew after that; for pages and programs alike.
//!
//! A search is a job, so nobody waits for it at a request. What was decided holds at once; the site is found anew by a job that
//! takes the clusters that are kept. Many decisions in a row wait for one such job.

use std::sync::Arc;

use groma_store::bounds::DecisionKind;
use groma_store::jobs::JobKind;
use groma_tasks::bounds::{self, Decision};
use groma_tasks::task::{Bounds, Job, Task};

use super::ResultKind;
use crate::error::Problem;
use crate::sites::Site;
use crate::{orders, words};

/// Letters of a start, a keyword or a subject.
pub(crate) const LONGEST: usize = 2_000;

/// Logical sites, by what they were found from.
pub(crate) struct BoundsResults;

impl ResultKind for BoundsResults {
    type Request = Bounds;
    type Row = String;
    const JOB: JobKind = JobKind::Bound;
    const TASK: fn(Bounds) -> Task = Task::Bounds;

    fn list(site: &Site) -> Result<Vec<String>, Problem> {
        site.starts()
    }
}

/// What was decided, and the job that finds the site anew.
#[derive(Debug)]
pub(crate) struct Decided {
    /// As it was understood.
    pub(crate) decision: Decision,
    /// The number of the job.
    pub(crate) job: u64,
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
    let asked = found(site, start)?.request.asked().clone();
    let wrong = |why: String| Problem::refused(format!("epsilon: {why}"), words::LONG_BODY_HINT);
    let epsilon = Some(epsilon.trim()).filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(wrong)?;
    place(site, Bounds { epsilon, ..asked })
}

/// Asks for a search that somebody was allowed to ask for before, be it on line: the pages are there, and none is fetched.
fn place(site: &Site, task: Bounds) -> Result<u64, Problem> {
    orders::ask_once(site, Job::from(Task::Bounds(task)))
}

/// The start of the site that is meant, as it is kept: the one that was named, or the one found last.
fn meant(site: &Site, start: &str) -> Result<String, Problem> {
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
fn none_found() -> Problem {
    Problem::conflict(
        "no site was found in this survey yet, or not from this start",
        "look for one first: the page Bounds, or POST /api/v1/sites/{site}/bounds",
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
    let conflict = |fault: groma_settings::Fault| Problem::conflict(fault.says, fault.hint);
    let decision = bounds::undo(&site.folder, &start, which, who).map_err(conflict)?;
    let job = again(site, if decision.site.is_empty() { &start } else { &decision.site })?;
    Ok(Decided { decision, job })
}

/// The site that is meant, as it was found.
pub(crate) fn found(site: &Site, start: &str) -> Result<bounds::Site, Problem> {
    site.bounds(Some(&meant(site, start)?))?.ok_or_else(none_found)
}

/// The site as SURT prefixes.
pub(crate) fn surt(site: &Arc<Site>, start: &str) -> Result<String, Problem> {
    Ok(found(site, start)?.surt(&*site.ground()?).0)
}
