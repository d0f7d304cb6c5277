//! Gatherings over the web: asking for one, going on with one, forgetting one; for pages and programs alike.
//!
//! A gathering is a job, so nobody waits for it at a request. What may be asked is what any order over the web may be: web addresses
//! only, none inside the house unless whoever runs the server named the host or the survey was begun there, and what others name is
//! guarded while it is fetched.

mod told;

use url::Url;

use groma_desk::settings::saved::Saved;
use groma_desk::task::{Gather, Job, Requests, Task};
use groma_store::StoreError;
use groma_store::gathers::{GatherId, GatherRow, Gathers};
use groma_store::jobs::{JobKind, JobRow};

use crate::app::App;
use crate::error::Problem;
use crate::orders;
use crate::sites::Site;
use crate::{underway, words};

pub(crate) use told::{Plan, PlanField, Report, Statement};

/// Letters of a description.
pub(crate) const LONGEST_DESCRIPTION: usize = 60_000;

/// The task with its URL as it is understood, and whether it is to be guarded.
pub(crate) fn as_asked(app: &App, saved: &Saved, task: &Gather) -> Result<(Task, bool), Problem> {
    let starts = orders::start_pages(saved);
    let is_known = |url: &Url| starts.iter().any(|start| start.origin() == url.origin());
    let url = orders::outside(app, task.url(), is_known)?;
    let guarded = !is_known(&url) && !orders::is_own(&url, &app.options);
    let task = Task::Gather(task.at(&url)?);
    orders::check(app, &task, &[url], Some(saved))?;
    Ok((task, guarded))
}

/// Goes on with a gathering that has not ended, up to so many requests in all (empty: as many as it takes); gathers again one that has.
pub(crate) fn go_on(app: &App, site: &Site, id: u64, budget: &str) -> Result<u64, Problem> {
    let row = one(site, id)?;
    let wrong = |why: String| Problem::refused(format!("budget: {why}"), words::NO_MORE_REQUESTS_HINT);
    let budget: Option<Requests> =
        Some(budget.trim()).filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(wrong)?;
    let task = Gather { budget, plan: false, ..Gather::read_stored(&row.asked)? };
    if row.end.is_empty() && budget.is_some_and(|most| most.get() <= u64::from(row.requests)) {
        return Err(Problem::refused(no_more_requests(row.requests), words::NO_MORE_REQUESTS_HINT));
    }
    orders::ask(app, site, Task::Gather(task))
}

/// Gathers the same with another description.
pub(crate) fn describe(app: &App, site: &Site, id: u64, description: &str) -> Result<u64, Problem> {
    let wrong = |why: String| Problem::refused(format!("description: {why}"), words::LONG_BODY_HINT);
    let mut task = Gather { plan: false, ..Gather::read_stored(&one(site, id)?.asked)? };
    // The lines say which form is meant, where they do.
    if description.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with("db.form")) {
        task.form = None;
    }
    task.description = Some(description.parse().map_err(wrong)?);
    orders::ask(app, site, Task::Gather(task))
}

/// Forgets a gathering. One that is under way cannot be forgotten.
pub(crate) fn forget(site: &Site, id: u64) -> Result<(), Problem> {
    let row = one(site, id)?;
    if open_jobs(site)?.iter().any(|job| is_of(&job.args, &row)) {
        return Err(Problem::conflict("this database is being gathered", "cancel its job first, or wait for its end"));
    }
    if site.folder.gathers()?.forget(GatherId(id))? { Ok(()) } else { Err(no_such()) }
}

/// The gatherings of a survey, the one that was last at work first.
pub(crate) fn all(site: &Site) -> Result<Vec<GatherRow>, Problem> {
    match keeper(site)? {
        Some(mut gathers) => Ok(gathers.gathers()?),
        None => Ok(Vec::new()),
    }
}

/// The gathering of this number.
pub(crate) fn one(site: &Site, id: u64) -> Result<GatherRow, Problem> {
    open(site, id).map(|(_, row)| row)
}

/// The gathering of this number, and what keeps it.
pub(crate) fn open(site: &Site, id: u64) -> Result<(Gathers, GatherRow), Problem> {
    let mut gathers = keeper(site)?.ok_or_else(no_such)?;
    let row = gathers.gather(GatherId(id))?.ok_or_else(no_such)?;
    Ok((gathers, row))
}

/// The gatherings whose form or document is at this address, the one that was last at work first.
pub(crate) fn at(site: &Site, address: &str) -> Result<Vec<GatherRow>, Problem> {
    let mut rows = all(site)?;
    rows.retain(|row| row.address == address || row.form == address);
    Ok(rows)
}

/// What keeps the gatherings; nothing if there never was one.
pub(crate) fn keeper(site: &Site) -> Result<Option<Gathers>, StoreError> {
    site.folder.gathers_if_any()
}

/// There is no such gathering.
pub(crate) fn no_such() -> Problem {
    Problem::new(
        axum::http::StatusCode::NOT_FOUND,
        words::no_such("gathering"),
        "those of the survey are listed on the page Databases",
    )
}

/// The jobs that are under way or wait, those at work first.
pub(crate) fn open_jobs(site: &Site) -> Result<Vec<JobRow>, Problem> {
    underway::open(site, JobKind::Gather)
}

/// Does this job work on this gathering? They are the same if they were asked for in the same words, however far they go.
pub(crate) fn is_of(args: &str, row: &GatherRow) -> bool {
    let Ok(Task::Gather(job)) = Job::read(JobKind::Gather, args).map(|job| job.task) else { return false };
    Gather::read_stored(&row.asked).is_ok_and(|gathering| gathering.is_same(&job))
}

fn no_more_requests(made: u32) -> String {
    format!("it has made {made} requests already")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_knows_its_gathering() {
        let task = |json: &str| -> Gather { serde_json::from_str(json).unwrap() };
        let args = |json: &str| Job::from(Task::Gather(task(json))).text();
        let row = GatherRow {
            id: GatherId(1),
            key: String::new(),
            address: "http://a.example/".into(),
            form: String::new(),
            title: String::new(),
            asked: task(r#"{"url":"http://a.example/","budget":9}"#).stored(),
            begun: 0,
            last: 0,
            generation: 0,
            shown: 0,
            requests: 0,
            records: 0,
            end: String::new(),
            statement: String::new(),
            report: String::new(),
        };
        assert!(is_of(&args(r#"{"url":"http://a.example/","plan":true}"#), &row));
        assert!(!is_of(&args(r#"{"url":"http://b.example/"}"#), &row));
        assert!(!is_of(&args(r#"{"url":"http://a.example/","form":"2"}"#), &row));
        assert!(!is_of("nonsense", &row));
        let older = r#"{"address":"http://a.example/","how":"whole"}"#;
        assert!(
            is_of(&args(r#"{"url":"http://a.example/"}"#), &GatherRow { asked: older.into(), ..row }),
            "as 0.1.0 kept it"
        );
    }
}
