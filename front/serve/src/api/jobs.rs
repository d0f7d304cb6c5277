//! Jobs: what was asked for, how far it is, and what is wanted of it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_store::StoreError;
use groma_store::jobs::{Filter, JobId, JobKind, JobRow, JobState, PackageId, Queue};
use groma_tasks::task::{self, Task};
use serde::{Deserialize, Serialize};

use super::cursor::{self, List, ListQuery};
use crate::app::{App, now};
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::{orders, words};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/jobs", get(jobs).post(ask))
        .route("/sites/{site}/jobs/{job}", get(job))
        .route("/sites/{site}/jobs/{job}/log", get(log))
        .route("/sites/{site}/jobs/{job}/curve", get(curve))
        .route("/sites/{site}/jobs/{job}/pause", post(pause))
        .route("/sites/{site}/jobs/{job}/resume", post(resume))
        .route("/sites/{site}/jobs/{job}/cancel", post(cancel))
        .route("/sites/{site}/jobs/{job}/retry", post(retry))
        .route("/sites/{site}/jobs/{job}/priority", put(priority))
}

/// A job, and how far it is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Job {
    /// Its number in the survey.
    id: u64,
    /// What is asked for.
    kind: &'static str,
    /// Its fields, as far as they are not as usual.
    #[cfg_attr(test, schema(value_type = Object))]
    task: serde_json::Value,
    /// It may not reach into private networks.
    guarded: bool,
    /// The higher the sooner.
    priority: i32,
    /// The package it belongs to: jobs that go one after the other.
    package: Option<u64>,
    /// State of the job.
    state: &'static str,
    /// What somebody wants of it while it runs: `none`, `pause` or `cancel`.
    requested: &'static str,
    /// When it was asked for.
    #[cfg_attr(test, schema(format = DateTime))]
    made_at: String,
    /// When it was first taken.
    #[cfg_attr(test, schema(format = DateTime))]
    started_at: Option<String>,
    /// Time of its end.
    #[cfg_attr(test, schema(format = DateTime))]
    ended_at: Option<String>,
    /// How far it is; what it tells depends on its kind.
    #[cfg_attr(test, schema(value_type = Object))]
    progress: serde_json::Value,
    /// How it ended, in words.
    outcome: String,
    /// The schedule that asked for it.
    schedule: Option<u64>,
}

impl Job {
    /// As programs see it. Text of strangers (titles of pages) may be in its progress.
    pub(crate) fn from_row(row: JobRow) -> Job {
        let object = |text: &str| {
            let value = serde_json::from_str(text).ok().filter(serde_json::Value::is_object);
            value.unwrap_or_else(|| serde_json::json!({}))
        };
        let at = |moment: i64| (moment > 0).then(|| rfc3339(moment));
        let job = task::Job::read(row.kind, &row.args);
        Job {
            id: row.id.0,
            kind: row.kind.name(),
            task: job.as_ref().map(|job| job.task.said().into()).unwrap_or_else(|_| object(&row.args)),
            guarded: job.is_ok_and(|job| job.guarded),
            priority: row.priority,
            package: row.package.map(|package| package.0),
            state: row.state.name(),
            requested: row.request.name(),
            made_at: rfc3339(row.made_at),
            started_at: at(row.started_at),
            ended_at: at(row.ended_at),
            progress: object(&row.progress),
            outcome: row.outcome,
            schedule: row.schedule.map(|schedule| schedule.0),
        }
    }
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct JobsQuery {
    /// Only jobs in this state.
    state: Option<String>,
    /// Only jobs of this kind.
    kind: Option<String>,
    /// Only jobs of this package.
    #[cfg_attr(test, param(minimum = 1))]
    package: Option<i64>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

fn kind_named(name: &str) -> Result<JobKind, Problem> {
    let names: Vec<&str> = JobKind::ALL.iter().map(|kind| kind.name()).collect();
    JobKind::named(name).ok_or_else(|| Problem::bad(words::no_such("kind"), words::one_of(&names)))
}

/// The jobs of a site, the latest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/jobs", tag = "jobs", params(("site" = String, Path), JobsQuery),
    responses((status = 200, body = List<Job>))))]
pub(super) async fn jobs(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<JobsQuery>,
) -> Result<Json<List<Job>>, Problem> {
    let state = which.state.as_deref().map(|wanted| {
        let names: Vec<&str> = JobState::ALL.iter().map(|state| state.name()).collect();
        JobState::named(wanted).ok_or_else(|| Problem::bad(words::no_such("state"), words::one_of(&names)))
    });
    let package = which.package.map(|package| match u64::try_from(package) {
        Ok(package) if package > 0 => Ok(PackageId(package)),
        _ => Err(Problem::bad(words::no_such("package"), words::QUERY_HINT)),
    });
    let filter = Filter {
        states: state.transpose()?.into_iter().collect(),
        kinds: which.kind.as_deref().map(kind_named).transpose()?.into_iter().collect(),
        package: package.transpose()?,
    };
    let list = format!("jobs of {name} {filter:?}");
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let before = Some(part.after).filter(|after| *after > 0).map(JobId);
        let rows = site.queue()?.jobs(&filter, before, part.most + 1)?;
        Ok(Json(List::cut(rows.into_iter().map(Job::from_row).collect(), &list, part, |job| job.id)))
    })
    .await
}

/// A task for a site.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct NewJobs {
    /// The kind of task.
    kind: String,
    /// The fields of the task, beside its kind.
    #[serde(flatten)]
    #[cfg_attr(test, schema(ignore))]
    fields: serde_json::Map<String, serde_json::Value>,
    /// This alone. Without it, what belongs to a task follows it: check, index and notices an update, check and index a crawl, the index a
    /// focused crawl or a gathering.
    #[serde(default)]
    alone: bool,
    /// What `alone` was before: `false` says the same as `alone`.
    #[serde(default = "yes")]
    package: bool,
    /// In which form the result is kept.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 20))]
    format: String,
    /// The higher the sooner.
    #[serde(default)]
    #[cfg_attr(test, schema(minimum = -100, maximum = 100))]
    priority: i32,
}

/// Jobs that were asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct AskedFor {
    /// Their numbers, in order.
    jobs: Vec<u64>,
}

/// Asks for a job; what belongs to it follows.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/jobs", tag = "jobs", params(("site" = String, Path)),
    request_body = NewJobs, responses((status = 201, body = AskedFor, headers(("Location" = String))))))]
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(new): Taken<NewJobs>,
) -> Result<Response, Problem> {
    if !(-100..=100).contains(&new.priority) {
        return Err(Problem::bad(words::BAD_PRIORITY, words::PRIORITY_HINT));
    }
    let kind = kind_named(&new.kind)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let task = Task::from_fields(kind, &new.fields)?;
        let job = orders::job(app, &site, task, new.format.trim())?;
        let jobs = orders::queue(&site, job, new.alone || !new.package, new.priority)?;
        let jobs: Vec<u64> = jobs.into_iter().map(|id| id.0).collect();
        let place = format!("/api/v1/sites/{name}/jobs/{}", jobs.first().copied().unwrap_or_default());
        let mut response = (StatusCode::CREATED, Json(AskedFor { jobs })).into_response();
        if let Ok(place) = HeaderValue::from_str(&place) {
            response.headers_mut().insert(header::LOCATION, place);
        }
        Ok(response)
    })
    .await
}

fn yes() -> bool {
    true
}

fn no_such_job() -> Problem {
    Problem::missing(words::no_such("job"))
}

/// One job.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/jobs/{job}", tag = "jobs",
    params(("site" = String, Path), ("job" = u32, Path)), responses((status = 200, body = Job))))]
pub(super) async fn job(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Json<Job>, Problem> {
    app.work(move |app| {
        let row = app.site(&name)?.queue()?.job(JobId(id.into()))?;
        Ok(Json(Job::from_row(row.ok_or_else(no_such_job)?)))
    })
    .await
}

/// A line of a job's log.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Line {
    /// Number of the line.
    seq: u64,
    /// Time of the line.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
    /// Text of the line.
    text: String,
}

/// The log of a job, oldest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/jobs/{job}/log", tag = "jobs",
    params(("site" = String, Path), ("job" = u32, Path), ListQuery),
    responses((status = 200, body = List<Line>))))]
pub(super) async fn log(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<Line>>, Problem> {
    let list = format!("log of {name} {id}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut queue = site.queue()?;
        queue.job(JobId(id.into()))?.ok_or_else(no_such_job)?;
        let lines = queue.log_of(JobId(id.into()), part.after, part.most + 1)?;
        let lines = lines.into_iter().map(|line| Line { seq: line.seq, at: rfc3339(line.at), text: line.text });
        Ok(Json(List::cut(lines.collect(), &list, part, |line| line.seq)))
    })
    .await
}

/// A point of a job's curve.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Point {
    /// When, in milliseconds since 1970.
    at_ms: i64,
    /// How much was done.
    done: u64,
    /// How much was known to be left.
    left: u64,
}

/// The curve of a job.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/jobs/{job}/curve", tag = "jobs",
    params(("site" = String, Path), ("job" = u32, Path)), responses((status = 200, body = List<Point>))))]
pub(super) async fn curve(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Json<List<Point>>, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut queue = site.queue()?;
        queue.job(JobId(id.into()))?.ok_or_else(no_such_job)?;
        let points = queue.curve_of(JobId(id.into()))?;
        let items = points.iter().map(|point| Point { at_ms: point.at_ms, done: point.done, left: point.left });
        Ok(Json(List { items: items.collect(), next: None }))
    })
    .await
}

/// Changes a job, and says how it stands now.
async fn change(
    app: Arc<App>,
    name: String,
    id: u32,
    what: impl FnOnce(&mut Queue, JobId, i64) -> Result<bool, StoreError> + Send + 'static,
) -> Result<Json<Job>, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut queue = site.queue()?;
        let id = JobId(id.into());
        let before = queue.job(id)?.ok_or_else(no_such_job)?;
        if !what(&mut queue, id, now())? {
            return Err(Problem::conflict(
                not_in_that_state(before.state.name()),
                "see its state: only some changes are possible in each",
            ));
        }
        Ok(Json(Job::from_row(queue.job(id)?.ok_or_else(no_such_job)?)))
    })
    .await
}

macro_rules! wishes {
    ($( $(#[$doc:meta])* $name:ident, $path:literal, $call:expr; )*) => { $(
        $(#[$doc])*
        #[cfg_attr(test, utoipa::path(post, path = $path, tag = "jobs", params(("site" = String, Path), ("job" = u32, Path)),
            responses((status = 200, body = Job))))]
        pub(super) async fn $name(
            State(app): State<Arc<App>>,
            Path((name, id)): Path<(String, u32)>,
        ) -> Result<Json<Job>, Problem> {
            change(app, name, id, $call).await
        }
    )* };
}

wishes! {
    /// Pauses a job: at once if it waits, soon if it runs.
    pause, "/api/v1/sites/{site}/jobs/{job}/pause", |queue, id, now| queue.pause(id, now);
    /// Lets a paused job go on.
    resume, "/api/v1/sites/{site}/jobs/{job}/resume", |queue, id, now| queue.resume(id, now);
    /// Stops a job for good, and what stands behind it in its package.
    cancel, "/api/v1/sites/{site}/jobs/{job}/cancel", |queue, id, now| queue.cancel(id, now);
    /// Lets a failed or cancelled job wait again.
    retry, "/api/v1/sites/{site}/jobs/{job}/retry", |queue, id, now| queue.retry(id, now);
}

/// Another priority.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Urgency {
    /// The higher the sooner.
    #[cfg_attr(test, schema(minimum = -100, maximum = 100))]
    priority: i32,
}

/// Gives a job another priority.
#[cfg_attr(test, utoipa::path(put, path = "/api/v1/sites/{site}/jobs/{job}/priority", tag = "jobs",
    params(("site" = String, Path), ("job" = u32, Path)), request_body = Urgency,
    responses((status = 200, body = Job))))]
pub(super) async fn priority(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Taken(urgency): Taken<Urgency>,
) -> Result<Json<Job>, Problem> {
    if urgency.priority.abs() > orders::MOST_PRIORITY {
        return Err(Problem::bad(words::BAD_PRIORITY, words::PRIORITY_HINT));
    }
    change(app, name, id, move |queue, id, _| queue.prioritize(id, urgency.priority)).await
}

fn not_in_that_state(state: &str) -> String {
    format!("a job that is {state} cannot be changed so")
}
