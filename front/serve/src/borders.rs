//! Borders over the web: looking for one, deciding about it, and finding it anew after that; for pages and programs alike.
//!
//! A search is a job, so nobody waits for it at a request. What was decided holds at once; the site is found anew by a job that
//! takes the clusters that are kept. Many decisions in a row wait for one such job.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_desk::bounds::{self, Beginning, Decision, Request};
use groma_desk::lookup;
use groma_desk::order::Order;
use groma_store::borders::DecisionKind;
use groma_store::jobs::{Filter, JobKind, JobRow, JobState};

use crate::app::App;
use crate::error::Problem;
use crate::orders::{self, Wanted};
use crate::sites::Site;
use crate::words;

/// Letters of a start, a keyword or a subject.
pub(crate) const LONGEST: usize = 2_000;
/// What may be said over the web about how a border is looked for.
pub(crate) const KEYS: [&str; 8] =
    ["start", "keyword", "method", "epsilon", "sigma", "likeness", "inflation", "direction"];
/// Somebody sits before the screen.
const PRIORITY: i32 = 10;
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

/// Asks for a search. What is empty is as usual.
pub(crate) fn ask(app: &App, site: &Site, mut said: BTreeMap<String, String>) -> Result<u64, Problem> {
    said.retain(|_, text| !text.trim().is_empty());
    if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(Problem::refused(words::not_over_web(key), words::one_of(&KEYS)));
    }
    if let Some((key, _)) = said.iter().find(|(_, text)| text.chars().count() > LONGEST) {
        return Err(Problem::refused(words::too_long(key, LONGEST), words::LONG_BODY_HINT));
    }
    let request = Request::of(&said)?;
    if !site.exists() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    // A page that nobody knows is said now, and not by a job that failed.
    if let Beginning::Page(typed) = &request.start
        && !typed.starts_with("keyword:")
    {
        lookup::page(&mut *site.read()?, typed)?;
    }
    place(app, site, said)
}

/// Asks for the same search again, with what was decided since.
fn again(app: &App, site: &Site, start: &str) -> Result<u64, Problem> {
    let said = match site.bounds(Some(start))? {
        Some(found) => found.request.words(),
        None => [("start".to_owned(), start.to_owned())].into(),
    };
    place(app, site, said)
}

/// Finds a site anew at another price of a page, which it keeps from then on; nothing: it is chosen again.
pub(crate) fn at_price(app: &App, site: &Site, start: &str, epsilon: &str) -> Result<u64, Problem> {
    let start = meant(site, start)?;
    let mut said = site.bounds(Some(&start))?.ok_or_else(none_found)?.request.words();
    said.remove("epsilon");
    if !epsilon.trim().is_empty() {
        said.insert("epsilon".to_owned(), epsilon.trim().chars().take(60).collect());
    }
    Request::of(&said)?;
    place(app, site, said)
}

fn place(app: &App, site: &Site, said: BTreeMap<String, String>) -> Result<u64, Problem> {
    let order = Order { bounds: said.clone(), ..Order::default() }.only_for(JobKind::Bound).to_text();
    let filter = Filter { states: vec![JobState::Waiting], kinds: vec![JobKind::Bound], ..Filter::default() };
    // One that waits has not looked at the decisions yet.
    let waits = site.queue()?.jobs(&filter, None, JOBS)?.into_iter().find(|job| job.args == order);
    if let Some(job) = waits {
        return Ok(job.id.0);
    }
    let wanted = Wanted { bounds: said, priority: PRIORITY, ..Wanted::default() };
    let ids = orders::again(app, site, &[JobKind::Bound], &wanted)?;
    Ok(ids.first().map_or(0, |id| id.0))
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
    Problem::conflict(words::NO_BORDERS, words::NO_BORDERS_HINT)
}

/// Puts a decision down, and lets the site be found anew.
pub(crate) fn decide(
    app: &App,
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
    let job = again(app, site, &start)?;
    Ok(Decided { decision, job })
}

/// Takes a decision back: the one with this number, or the last that holds; and lets the site be found anew.
pub(crate) fn undo(app: &App, site: &Site, start: &str, which: Option<u64>, who: &str) -> Result<Decided, Problem> {
    let start = meant(site, start)?;
    let conflict = |fault: groma_desk::Fault| Problem::conflict(fault.says, fault.hint);
    let decision = bounds::undo(&site.folder, &start, which, who).map_err(conflict)?;
    let job = again(app, site, if decision.site.is_empty() { &start } else { &decision.site })?;
    Ok(Decided { decision, job })
}

/// The site as SURT prefixes.
pub(crate) fn surt(site: &Arc<Site>, start: &str) -> Result<String, Problem> {
    let start = meant(site, start)?;
    let found = site.bounds(Some(&start))?.ok_or_else(none_found)?;
    Ok(found.surt(&*site.ground()?).0)
}
