//! Focused crawls over the web: asking for one, going on with one, forgetting one; for pages and programs alike.
//!
//! A focused crawl is a job, so nobody waits for it at a request. What may be asked is what any order over the web may be: web
//! addresses only (never a file of the server), none inside the house unless whoever runs the server named the host, and what
//! others name is guarded while it is fetched.

use url::Url;

use groma_desk::settings::saved::Saved;
use groma_desk::task::{Focus, Job, Task};
use groma_store::StoreError;
use groma_store::focuses::{FocusId, FocusRow, Focuses};
use groma_store::jobs::{JobKind, JobRow};

use crate::app::App;
use crate::error::Problem;
use crate::orders;
use crate::sites::Site;
use crate::{underway, words};

/// Start pages, and example pages, at most.
pub(crate) const MOST_URLS: usize = 50;

/// The task with its URLs as they are understood, and whether it is to be guarded.
pub(crate) fn as_asked(app: &App, saved: &Saved, task: Focus) -> Result<(Task, bool), Problem> {
    let likes = urls(app, "like", &task.like, |_| false)?;
    let mut starts = urls(app, "seeds", &task.seeds, |url| is_start(url, &saved.seeds))?;
    let others = starts.iter().filter(|url| !is_start(url, &saved.seeds));
    let typed: Vec<Url> = likes.iter().chain(others).cloned().collect();
    let texts = |urls: &[Url]| urls.iter().map(Url::to_string).collect();
    let task = Task::Focus(Focus { like: texts(&likes), seeds: texts(&starts), ..task });
    if starts.is_empty() {
        starts = orders::start_pages(saved);
    }
    if starts.is_empty() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let guarded = typed.iter().any(|url| !orders::is_own(url, &app.options));
    if guarded && starts.iter().chain(&typed).any(orders::is_inside) {
        return Err(Problem::refused(
            "pages inside the house and pages of others cannot be fetched by one crawl",
            "ask for two crawls, or say what to look for by words instead of example pages",
        ));
    }
    orders::check(app, &task, &starts, Some(saved))?;
    Ok((task, guarded))
}

/// Goes on with a crawl, up to so many pages.
pub(crate) fn go_on(app: &App, site: &Site, id: u64, pages: &str) -> Result<u64, Problem> {
    let row = one(site, id)?;
    let wrong = |why: String| Problem::refused(format!("pages: {why}"), words::NO_MORE_PAGES_HINT);
    let pages = pages.trim().parse().map_err(wrong)?;
    let task = Focus { pages: Some(pages), ..Focus::read_stored(&row.asked)? };
    if task.pages() <= row.steps && !row.end.is_empty() {
        return Err(Problem::refused(no_more_pages(row.steps), words::NO_MORE_PAGES_HINT));
    }
    orders::ask(app, site, Task::Focus(task))
}

/// Forgets a crawl. One that is under way cannot be forgotten.
pub(crate) fn forget(site: &Site, id: u64) -> Result<(), Problem> {
    let row = one(site, id)?;
    if open_jobs(site)?.iter().any(|job| is_of(&job.args, &row)) {
        return Err(Problem::conflict("this focused crawl is under way", "cancel its job first, or wait for its end"));
    }
    if site.folder.focuses()?.forget(FocusId(id))? { Ok(()) } else { Err(no_such()) }
}

/// The crawls of a survey, the one that was last at work first.
pub(crate) fn all(site: &Site) -> Result<Vec<FocusRow>, Problem> {
    match keeper(site)? {
        Some(mut focuses) => Ok(focuses.focuses()?),
        None => Ok(Vec::new()),
    }
}

/// The crawl of this number.
pub(crate) fn one(site: &Site, id: u64) -> Result<FocusRow, Problem> {
    let mut focuses = keeper(site)?.ok_or_else(no_such)?;
    focuses.focus(FocusId(id))?.ok_or_else(no_such)
}

/// What keeps the crawls; nothing if there never was one.
pub(crate) fn keeper(site: &Site) -> Result<Option<Focuses>, StoreError> {
    site.folder.focuses_if_any()
}

/// There is no such crawl.
pub(crate) fn no_such() -> Problem {
    Problem::new(axum::http::StatusCode::NOT_FOUND, words::no_such("focused crawl"), words::NO_SUCH_FOCUS_HINT)
}

/// The jobs that are under way or wait, those at work first.
pub(crate) fn open_jobs(site: &Site) -> Result<Vec<JobRow>, Problem> {
    underway::open(site, JobKind::Focus)
}

/// Does this job work on this crawl? They are the same if they were asked for in the same words, however many pages; start pages
/// that nobody named are those of the survey.
pub(crate) fn is_of(args: &str, row: &FocusRow) -> bool {
    let Ok(Task::Focus(job)) = Job::read(JobKind::Focus, args).map(|job| job.task) else { return false };
    let Ok(mut crawl) = Focus::read_stored(&row.asked) else { return false };
    if job.seeds.is_empty() {
        crawl.seeds.clear();
    }
    job.is_same(&crawl)
}

/// URLs as somebody typed them. Those that are known already may be anywhere.
fn urls(app: &App, key: &str, typed: &[String], is_known: impl Fn(&Url) -> bool) -> Result<Vec<Url>, Problem> {
    if typed.len() > MOST_URLS {
        return Err(Problem::refused(too_many_addresses(key, MOST_URLS), words::LONG_BODY_HINT));
    }
    let mut urls: Vec<Url> = Vec::new();
    for typed in typed {
        let url = orders::outside(app, typed, &is_known)?;
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    Ok(urls)
}

fn is_start(url: &Url, known: &[String]) -> bool {
    known.iter().any(|start| start == url.as_str())
}

fn no_more_pages(fetched: u32) -> String {
    format!("it has fetched {fetched} pages already")
}

fn too_many_addresses(key: &str, most: usize) -> String {
    format!("{key} holds more than {most} addresses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_knows_its_crawl() {
        let task = |json: &str| -> Focus { serde_json::from_str(json).unwrap() };
        let args = |json: &str| Job::from(Task::Focus(task(json))).text();
        let row = FocusRow {
            id: FocusId(1),
            key: String::new(),
            topic: "rods".into(),
            strategy: "arms".into(),
            asked: task(r#"{"topic":"rods","seeds":["http://a.example/"],"pages":9}"#).stored(),
            begun: 0,
            last: 0,
            steps: 0,
            relevant: 0,
            end: String::new(),
        };
        assert!(is_of(&args(r#"{"topic":"rods","pages":500}"#), &row), "the start pages are the survey's");
        assert!(is_of(&args(r#"{"topic":"rods","seeds":["http://a.example/"]}"#), &row));
        assert!(!is_of(&args(r#"{"topic":"rods","seeds":["http://b.example/"]}"#), &row));
        assert!(!is_of(&args(r#"{"topic":"rods","strategy":"bfs"}"#), &row));
        assert!(!is_of("nonsense", &row));
        let older = r#"{"pages":"9","seeds":"http://a.example/","strategy":"arms","topic":"rods"}"#;
        assert!(is_of(&args(r#"{"topic":"rods"}"#), &FocusRow { asked: older.into(), ..row }), "as 0.1.0 kept it");
    }
}
