//! Schedules: which jobs are queued again and again, and when.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_store::jobs::{JobKind, ScheduleId, ScheduleRow};
use groma_tasks::period::Period;
use groma_tasks::task::{Package, Task};
use serde::{Deserialize, Serialize};

use super::cursor::{self, List, ListQuery};
use crate::app::{App, now};
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::sites::Site;
use crate::{orders, words};

/// Schedules of one site.
const MOST: usize = 100;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/schedules", get(schedules).post(make))
        .route("/sites/{site}/schedules/{schedule}", get(schedule).put(replace).delete(remove))
}

/// When which jobs are asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Schedule {
    /// Number of the schedule.
    id: u64,
    /// What people call it.
    name: String,
    /// When: "every 7 days", or five fields as in a crontab.
    period: String,
    /// The time zone in which the period is meant.
    zone: String,
    /// Each moment is put off by up to this many seconds.
    jitter: u32,
    /// What: kinds of jobs, one after the other.
    jobs: Vec<String>,
    /// The same as tasks: kinds and fields.
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    tasks: Vec<serde_json::Value>,
    /// The priority of its jobs.
    priority: i32,
    /// Whether it is enabled.
    enabled: bool,
    /// When it asks for its jobs next.
    #[cfg_attr(test, schema(format = DateTime))]
    next_at: String,
    /// When it last fired.
    #[cfg_attr(test, schema(format = DateTime))]
    last_at: Option<String>,
    /// What it asked for last.
    last_package: Option<u64>,
    /// The period in words.
    says: String,
}

impl Schedule {
    fn from_row(row: ScheduleRow) -> Schedule {
        let says = Period::read(&row.period, &row.zone, row.jitter).map(|period| period.says(row.next_at));
        let package = Package::read(&row.jobs).unwrap_or(Package(Vec::new()));
        let task = |task: &Task| {
            let mut said = task.said();
            said.insert("kind".to_owned(), task.kind().name().into());
            said.into()
        };
        Schedule {
            id: row.id.0,
            jobs: package.kinds().map(|kind| kind.name().to_owned()).collect(),
            tasks: package.0.iter().map(|job| task(&job.task)).collect(),
            next_at: rfc3339(row.next_at),
            last_at: Some(row.last_at).filter(|at| *at > 0).map(rfc3339),
            last_package: row.last_package.map(|package| package.0),
            says: says.unwrap_or_else(|fault| fault.says),
            name: row.name,
            period: row.period,
            zone: row.zone,
            jitter: row.jitter,
            priority: row.priority,
            enabled: row.enabled,
        }
    }
}

/// A schedule to be made, or what is to stand in place of one.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewSchedule {
    /// What people call it.
    #[cfg_attr(test, schema(min_length = 1, max_length = 100))]
    name: String,
    /// When: "every 7 days", "daily at 03:00", "weekly on monday at 4:30", or five fields as in a crontab.
    #[cfg_attr(test, schema(min_length = 1, max_length = 200))]
    period: String,
    /// The time zone in which the period is meant, by its IANA name; empty: UTC.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 100))]
    zone: String,
    /// Each moment is put off by up to this many seconds.
    #[serde(default)]
    #[cfg_attr(test, schema(minimum = 0, maximum = 604_800))]
    jitter: u32,
    /// What: kinds of jobs, or tasks with their fields, one after the other; none: update, check, index, notify.
    #[serde(default)]
    #[cfg_attr(test, schema(max_items = 20))]
    jobs: Vec<Scheduled>,
    /// These alone. Without it, what belongs to a single task follows it, and behind several that change the survey the index.
    #[serde(default)]
    alone: bool,
    /// Keep a copy of the survey as it stood before each update.
    #[serde(default)]
    keep: bool,
    /// The priority of its jobs.
    #[serde(default)]
    #[cfg_attr(test, schema(minimum = -100, maximum = 100))]
    priority: i32,
    /// Whether it is enabled.
    #[serde(default = "yes")]
    enabled: bool,
}

/// A task, or its kind alone.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
enum Scheduled {
    /// Name of a kind of job.
    Kind(String),
    /// The kind and the fields.
    #[cfg_attr(test, schema(value_type = Object))]
    Task(serde_json::Map<String, serde_json::Value>),
}

fn kind_named(name: &str) -> Result<JobKind, Problem> {
    let names: Vec<&str> = JobKind::ALL.iter().map(|kind| kind.name()).collect();
    JobKind::named(name).ok_or_else(|| Problem::refused(words::no_such("kind"), words::one_of(&names)))
}

fn yes() -> bool {
    true
}

impl NewSchedule {
    fn row(self, app: &App, site: &Site, before: Option<ScheduleRow>) -> Result<ScheduleRow, Problem> {
        super::query::check_length("name", Some(&self.name), 100)?;
        super::query::check_length("period", Some(&self.period), 200)?;
        super::query::check_number("jitter", self.jitter, 604_800)?;
        let long = self.zone.chars().count() > 100 || self.jobs.len() > 20;
        if long || self.priority.abs() > orders::MOST_PRIORITY {
            return Err(Problem::bad("the schedule is too long, or its priority is out of range", words::QUERY_HINT));
        }
        let period = Period::read(&self.period, &self.zone, self.jitter)?;
        let mut package = Package(Vec::new());
        for one in self.jobs {
            let mut task = match one {
                Scheduled::Kind(name) => Task::usual(kind_named(&name)?),
                Scheduled::Task(mut fields) => {
                    let kind = fields.remove("kind").unwrap_or_default();
                    Task::from_fields(kind_named(kind.as_str().unwrap_or_default())?, &fields)?
                }
            };
            if let Task::Update(update) = &mut task {
                update.keep |= self.keep;
            }
            package.0.push(orders::job(app, site, task, "")?);
        }
        if !self.alone {
            package = package.with_what_follows();
        }
        let same = before.as_ref().is_some_and(|row| {
            (row.period == self.period, row.zone == self.zone, row.jitter == self.jitter) == (true, true, true)
        });
        let next_at = before.as_ref().filter(|row| same && row.enabled).map(|row| row.next_at);
        let next_at = next_at.unwrap_or_else(|| period.first(&self.name, now()));
        Ok(ScheduleRow {
            id: before.as_ref().map_or(ScheduleId(0), |row| row.id),
            name: self.name,
            period: self.period,
            zone: self.zone,
            jitter: self.jitter,
            jobs: if package.0.is_empty() { String::new() } else { package.text() },
            priority: self.priority,
            enabled: self.enabled,
            next_at,
            last_at: before.as_ref().map_or(0, |row| row.last_at),
            last_package: before.and_then(|row| row.last_package),
        })
    }
}

fn find(rows: Vec<ScheduleRow>, id: u32) -> Result<ScheduleRow, Problem> {
    let found = rows.into_iter().find(|row| row.id.0 == u64::from(id));
    found.ok_or_else(|| Problem::missing(words::no_such("schedule")))
}

/// The schedules of a site.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/schedules", tag = "jobs",
    params(("site" = String, Path), ListQuery), responses((status = 200, body = List<Schedule>))))]
pub(super) async fn schedules(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<Schedule>>, Problem> {
    let list = format!("schedules of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let mut rows = app.site(&name)?.queue()?.schedules()?;
        rows.sort_by_key(|row| row.id);
        let rows = rows.into_iter().filter(|row| row.id.0 > part.after).map(Schedule::from_row);
        Ok(Json(List::cut(rows.collect(), &list, part, |row| row.id)))
    })
    .await
}

/// One schedule.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/schedules/{schedule}", tag = "jobs",
    params(("site" = String, Path), ("schedule" = u32, Path)), responses((status = 200, body = Schedule))))]
pub(super) async fn schedule(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Json<Schedule>, Problem> {
    app.work(move |app| Ok(Json(Schedule::from_row(find(app.site(&name)?.queue()?.schedules()?, id)?)))).await
}

/// Makes a schedule.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/schedules", tag = "jobs", params(("site" = String, Path)),
    request_body = NewSchedule,
    responses((status = 201, body = Schedule, headers(("Location" = String))))))]
pub(super) async fn make(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(new): Taken<NewSchedule>,
) -> Result<Response, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut row = new.row(app, &site, None)?;
        let mut queue = site.queue()?;
        if queue.schedules()?.len() >= MOST {
            return Err(Problem::conflict("a site has at most 100 schedules", "remove one that is not needed"));
        }
        row.id = queue.put_schedule(&row)?;
        let place = HeaderValue::from_str(&format!("/api/v1/sites/{name}/schedules/{}", row.id.0));
        let mut response = (StatusCode::CREATED, Json(Schedule::from_row(row))).into_response();
        if let Ok(place) = place {
            response.headers_mut().insert(header::LOCATION, place);
        }
        Ok(response)
    })
    .await
}

/// Puts another schedule in place of one.
#[cfg_attr(test, utoipa::path(put, path = "/api/v1/sites/{site}/schedules/{schedule}", tag = "jobs",
    params(("site" = String, Path), ("schedule" = u32, Path)), request_body = NewSchedule,
    responses((status = 200, body = Schedule))))]
pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Taken(new): Taken<NewSchedule>,
) -> Result<Json<Schedule>, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut queue = site.queue()?;
        let row = new.row(app, &site, Some(find(queue.schedules()?, id)?))?;
        queue.put_schedule(&row)?;
        Ok(Json(Schedule::from_row(row)))
    })
    .await
}

/// Removes a schedule; its jobs stay.
#[cfg_attr(test, utoipa::path(delete, path = "/api/v1/sites/{site}/schedules/{schedule}", tag = "jobs",
    params(("site" = String, Path), ("schedule" = u32, Path)), responses((status = 204))))]
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<StatusCode, Problem> {
    app.work(move |app| {
        let gone = app.site(&name)?.queue()?.drop_schedule(ScheduleId(id.into()))?;
        if gone { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::missing(words::no_such("schedule"))) }
    })
    .await
}
