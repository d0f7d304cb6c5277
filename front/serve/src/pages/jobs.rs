//! What was asked for, how far is it, what came of it? The jobs of one site or of all, and one job with its log and course.

mod act;
pub(super) mod form;
pub(super) mod view;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use groma_model::moment::rfc3339;
use groma_store::jobs::{Filter, JobId, JobKind, JobRow, JobState};
use groma_tasks::jobs::wording::{STATES_HINT, no_such_job, no_such_state};
use groma_tasks::task::Job;
use serde::Deserialize;
use serde_json::Value;

use super::layout::{Frame, Tab, query, short, show, show_as};
use super::picture::Course;
use super::words;
use crate::app::{App, now};
use crate::door::{Path, Query, TaskForm};
use crate::error::Problem;
use crate::sites::Site;
use form::{TaskView, kind_options, task_views};
use view::{JobView, Progress};

/// Jobs on a page.
const MOST: usize = 50;
/// Lines of a log that are shown.
const LINES: usize = 500;

/// `/jobs`, `/sites/{site}/jobs` and what lies below.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/jobs", get(of_all))
        .route("/jobs/part", get(of_all_part))
        .route("/sites/{site}/jobs", get(of_site).post(act::ask))
        .route("/sites/{site}/jobs/part", get(of_site_part))
        .route("/sites/{site}/jobs/{id}", get(one))
        .route("/sites/{site}/jobs/{id}/part", get(one_part))
        .route("/sites/{site}/jobs/{id}/result", get(act::result))
        .route("/sites/{site}/jobs/{id}/{wish}", post(act::wish))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct JobsQuestion {
    state: String,
    before: Option<u64>,
}

#[derive(Template)]
#[template(path = "jobs.html")]
struct Jobs<'a> {
    frame: &'a Frame,
    jobs: Vec<JobView>,
    all_sites: bool,
    here: String,
    live: bool,
    live_href: String,
    state: &'a str,
    states: &'static [(&'static str, &'static str)],
    kinds: Vec<(&'static str, &'static str)>,
    older: Option<String>,
    /// The fields of the tasks.
    tasks: Vec<TaskView>,
    typed: &'a TaskForm,
    problem: Option<&'a Problem>,
}

#[derive(Template)]
#[template(path = "part/jobs.html")]
struct JobsPart<'a> {
    frame: &'a Frame,
    jobs: Vec<JobView>,
    all_sites: bool,
}

async fn of_all(
    State(app): State<Arc<App>>,
    frame: Frame,
    Query(which): Query<JobsQuestion>,
) -> Result<Response, Problem> {
    let asked = which.clone();
    let jobs = app.work(move |app| all_jobs(app, &asked)).await?;
    Ok(show(&Jobs {
        frame: &frame,
        all_sites: true,
        here: "/jobs".to_owned(),
        live: true,
        live_href: format!("/jobs/part{}", query(&[("state", &which.state)])),
        jobs,
        state: &which.state,
        states: words::JOB_STATES,
        kinds: kind_options(),
        older: None,
        tasks: Vec::new(),
        typed: &TaskForm::default(),
        problem: None,
    }))
}

async fn of_all_part(
    State(app): State<Arc<App>>,
    frame: Frame,
    Query(which): Query<JobsQuestion>,
) -> Result<Response, Problem> {
    let jobs = app.work(move |app| all_jobs(app, &which)).await?;
    Ok(show(&JobsPart { frame: &frame, jobs, all_sites: true }))
}

/// The latest of all sites. A site whose queue cannot be read has none to show.
fn all_jobs(app: &App, which: &JobsQuestion) -> Result<Vec<JobView>, Problem> {
    let filter = filter(which)?;
    let now = now();
    let mut jobs = Vec::new();
    for site in app.sites.all() {
        let Ok(mut queue) = site.queue() else { continue };
        let rows = queue.jobs(&filter, None, MOST).unwrap_or_default();
        jobs.extend(rows.iter().map(|row| JobView::from_row(&site.name, row, now)));
    }
    jobs.sort_by_key(|job| (job.is_over(), std::cmp::Reverse((job.times.asked_at, job.id))));
    jobs.truncate(2 * MOST);
    Ok(jobs)
}

async fn of_site(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(which): Query<JobsQuestion>,
) -> Result<Response, Problem> {
    listed(&app, frame, &name, &which, &TaskForm::default(), None).await
}

/// The list of a site, with its form; after a mistake with what was typed and what is wrong with it.
async fn listed(
    app: &Arc<App>,
    frame: Frame,
    name: &str,
    which: &JobsQuestion,
    typed: &TaskForm,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let site = app.site(name)?;
    let frame = frame.on(&site, Tab::Jobs);
    let (of, asked) = (Arc::clone(&site), which.clone());
    let jobs = app.work(move |_| site_jobs(&of, &asked)).await?;
    let here = format!("/sites/{}/jobs", site.name);
    let oldest = jobs.last().filter(|_| jobs.len() == MOST).map(|job| job.id.to_string());
    let page = Jobs {
        frame: &frame,
        all_sites: false,
        live: which.before.is_none(),
        live_href: format!("{here}/part{}", query(&[("state", &which.state)])),
        jobs,
        state: &which.state,
        states: words::JOB_STATES,
        kinds: kind_options(),
        older: oldest.map(|before| format!("{here}{}", query(&[("state", &which.state), ("before", &before)]))),
        here,
        tasks: task_views(typed),
        typed,
        problem,
    };
    Ok(show_as(problem.map_or(StatusCode::OK, |problem| problem.status), &page))
}

async fn of_site_part(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(which): Query<JobsQuestion>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let jobs = app.work(move |_| site_jobs(&site, &which)).await?;
    Ok(show(&JobsPart { frame: &frame, jobs, all_sites: false }))
}

fn site_jobs(site: &Site, which: &JobsQuestion) -> Result<Vec<JobView>, Problem> {
    let rows = site.queue()?.jobs(&filter(which)?, which.before.map(JobId), MOST)?;
    let now = now();
    Ok(rows.iter().map(|row| JobView::from_row(&site.name, row, now)).collect())
}

fn filter(which: &JobsQuestion) -> Result<Filter, Problem> {
    let state = match which.state.as_str() {
        "" => Vec::new(),
        word => vec![JobState::named(word).ok_or_else(|| Problem::bad(no_such_state(&short(word, 40)), STATES_HINT))?],
    };
    Ok(Filter { states: state, ..Filter::default() })
}

/// One job with all there is to say about it.
struct Whole {
    job: JobView,
    mates: Vec<Mate>,
    result: Option<String>,
    course: Option<Course>,
    arguments: Vec<(String, String)>,
    log: Vec<Line>,
    cut: bool,
}

/// A job of the same package.
struct Mate {
    id: u64,
    kind: &'static str,
}

/// A line of a log.
struct Line {
    exact: String,
    clock: String,
    text: String,
}

#[derive(Template)]
#[template(path = "job.html")]
struct JobPage<'a> {
    frame: &'a Frame,
    job: &'a JobView,
    mates: &'a [Mate],
    result: &'a Option<String>,
    course: &'a Option<Course>,
    arguments: &'a [(String, String)],
    log: &'a [Line],
    cut: bool,
}

#[derive(Template)]
#[template(path = "part/job.html")]
struct JobPart<'a> {
    frame: &'a Frame,
    job: &'a JobView,
    mates: &'a [Mate],
    result: &'a Option<String>,
    course: &'a Option<Course>,
    arguments: &'a [(String, String)],
    log: &'a [Line],
    cut: bool,
}

async fn one(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let mut frame = frame.on(&site, Tab::Jobs);
    let whole = app.work(move |_| whole(&site, id)).await?;
    frame.refresh = (!whole.job.is_over()).then_some(5);
    let Whole { job, mates, result, course, arguments, log, cut } = &whole;
    Ok(show(&JobPage { frame: &frame, job, mates, result, course, arguments, log, cut: *cut }))
}

async fn one_part(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let whole = app.work(move |_| whole(&site, id)).await?;
    let Whole { job, mates, result, course, arguments, log, cut } = &whole;
    Ok(show(&JobPart { frame: &frame, job, mates, result, course, arguments, log, cut: *cut }))
}

fn missing(id: u64) -> Problem {
    Problem::missing(no_such_job(id))
}

fn whole(site: &Site, id: u64) -> Result<Whole, Problem> {
    let mut queue = site.queue()?;
    let row = queue.job(JobId(id))?.ok_or_else(|| missing(id))?;
    let mut lines = queue.log_of(row.id, 0, usize::MAX >> 1)?;
    let cut = lines.len() > LINES;
    let log = lines.split_off(lines.len().saturating_sub(LINES));
    let mates = match row.package {
        Some(_) => queue.jobs(&Filter { package: row.package, ..Filter::default() }, None, MOST)?,
        None => Vec::new(),
    };
    let points = queue.curve_of(row.id)?;
    Ok(Whole {
        job: JobView::from_row(&site.name, &row, now()),
        mates: mates.iter().rev().map(|mate| Mate { id: mate.id.0, kind: mate.kind.name() }).collect(),
        result: act::result_name(&row),
        course: Course::draw(&points, Progress::read(&row).rest().filter(|_| row.state == JobState::Running)),
        arguments: arguments(&row),
        log: log.iter().map(line).collect(),
        cut,
    })
}

fn line(line: &groma_store::jobs::LogLine) -> Line {
    let exact = rfc3339(line.at);
    let clock = exact.get(11..19).unwrap_or_default().to_owned();
    Line { exact, clock, text: short(&line.text, 600) }
}

/// What a job was asked with, as people read it.
fn arguments(row: &JobRow) -> Vec<(String, String)> {
    let Ok(job) = Job::read(row.kind, &row.args) else { return vec![("task".to_owned(), short(&row.args, 600))] };
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => words::YES.to_owned(),
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ")
        }
        Value::Object(fields) => {
            let pair = |(key, value): (&String, &Value)| {
                format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            };
            fields.iter().map(pair).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    let said = job.task.said();
    let fields = said.iter().map(|(name, value)| (name.replace('_', " "), short(&text(value), 600)));
    let format = (!job.format.is_empty()).then(|| ("form".to_owned(), short(&job.format, 40)));
    let guarded =
        (job.guarded && writes(row.kind)).then(|| ("private networks".to_owned(), "are not reached".to_owned()));
    fields.chain(format).chain(guarded).collect()
}

/// Does it write to the survey?
pub(super) fn writes(kind: JobKind) -> bool {
    matches!(kind, JobKind::Crawl | JobKind::Update)
}
