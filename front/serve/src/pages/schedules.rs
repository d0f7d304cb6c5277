//! What happens again and again, and when next? Schedules of a site: in words, with a form for a new one.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use groma_store::jobs::{ScheduleId, ScheduleRow};
use groma_tasks::jobs::wording::no_such_schedule;
use groma_tasks::period::Period;
use groma_tasks::task::{Package, kind_named};

use super::jobs::form::{TaskView, kind_options, task_views};
use super::layout::{Frame, Tab, done, short, show_as};
use super::wording::Moment;
use super::words;
use crate::app::{App, now};
use crate::door::{Form, Path, TaskForm};
use crate::error::Problem;
use crate::orders;
use crate::sites::Site;

/// Schedules of a site at most.
const MOST: usize = 50;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/schedules", get(list).post(add))
        .route("/sites/{site}/schedules/{id}/{wish}", post(wish))
}

#[derive(Template)]
#[template(path = "schedules.html")]
struct SchedulesPage<'a> {
    frame: &'a Frame,
    site: &'a str,
    schedules: Vec<Shown>,
    packages: &'static [(&'static str, &'static str)],
    kinds: Vec<(&'static str, &'static str)>,
    /// The fields of the tasks.
    tasks: Vec<TaskView>,
    typed: &'a TaskForm,
    problem: Option<&'a Problem>,
}

struct Shown {
    id: u64,
    name: String,
    says: String,
    what: String,
    enabled: bool,
    next: Option<Moment>,
    last: Option<Moment>,
    last_job: Option<u64>,
}

async fn list(State(app): State<Arc<App>>, frame: Frame, Path(name): Path<String>) -> Result<Response, Problem> {
    let typed = TaskForm::filled(&[("period", "every 7 days"), ("what", "update,check,index,notify")]);
    listed(&app, frame, &name, &typed, None).await
}

async fn listed(
    app: &Arc<App>,
    frame: Frame,
    name: &str,
    typed: &TaskForm,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let site = app.site(name)?;
    let frame = frame.on(&site, Tab::Schedules);
    let of = Arc::clone(&site);
    let rows = app.work(move |_| Ok(of.queue()?.schedules()?)).await?;
    let page = SchedulesPage {
        frame: &frame,
        site: &site.name,
        schedules: rows.iter().map(shown).collect(),
        packages: words::PACKAGES,
        kinds: kind_options(),
        tasks: task_views(typed),
        typed,
        problem,
    };
    Ok(show_as(problem.map_or(StatusCode::OK, |problem| problem.status), &page))
}

fn shown(row: &ScheduleRow) -> Shown {
    let says = match Period::read(&row.period, &row.zone, row.jitter) {
        Ok(period) if row.enabled => period.says(row.next_at),
        Ok(_) => format!("{} ({})", row.period, row.zone),
        Err(fault) => fault.says,
    };
    let what = match Package::read(&row.jobs) {
        Ok(package) => package.kinds().map(|kind| kind.name()).collect::<Vec<_>>().join(", "),
        Err(fault) => fault.says,
    };
    Shown {
        id: row.id.0,
        name: short(&row.name, 100),
        says: short(&says, 200),
        what: short(&what, 200),
        enabled: row.enabled,
        next: Moment::at(row.next_at).filter(|_| row.enabled),
        last: Moment::at(row.last_at),
        last_job: row.last_package.map(|package| package.0),
    }
}

async fn add(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, asked) = (Arc::clone(&site), typed.clone());
    match app.work(move |app| put(app, &of, &asked)).await {
        Ok(id) => Ok(done(&format!("/sites/{}/schedules", site.name), "schedule-added", id)),
        Err(problem) => listed(&app, frame, &name, &typed, Some(&problem)).await,
    }
}

fn put(app: &App, site: &Site, typed: &TaskForm) -> Result<u64, Problem> {
    let text = typed.get("period").trim();
    let minutes = match typed.get("jitter").trim() {
        "" => 0,
        number => number
            .parse::<u32>()
            .ok()
            .filter(|n| *n <= 100_000)
            .ok_or_else(|| Problem::bad(words::bad_jitter(number), words::JITTER_HINT))?,
    };
    let zone = if typed.has("zone") { typed.get("zone").trim() } else { "UTC" };
    let period = Period::read(text, zone, minutes * 60)?;
    let what = typed.get("what").trim().trim_end_matches(',');
    let mut package = Package(Vec::new());
    for word in what.split(',') {
        let kind = kind_named(&short(word.trim(), 40))?;
        let (task, format) = typed.task_of(kind)?;
        package.0.push(orders::job(app, site, task, format)?);
    }
    if !typed.has("alone") {
        package = package.with_what_follows();
    }
    let mut queue = site.queue()?;
    if queue.schedules()?.len() >= MOST {
        return Err(Problem::conflict(
            "this site has as many schedules as it can have",
            "delete one that is not needed",
        ));
    }
    let name = short(typed.get("name").trim(), 100);
    let name = if name.is_empty() { short(text, 100) } else { name };
    let row = ScheduleRow {
        id: ScheduleId(0),
        period: text.to_owned(),
        zone: zone.to_owned(),
        jitter: minutes * 60,
        jobs: package.text(),
        priority: 0,
        enabled: true,
        next_at: period.first(&name, now()),
        last_at: 0,
        last_package: None,
        name,
    };
    Ok(queue.put_schedule(&row)?.0)
}

async fn wish(
    State(app): State<Arc<App>>,
    Path((name, id, wish)): Path<(String, u64, String)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let back = format!("/sites/{}/schedules", site.name);
    let code = app.work(move |_| carry_out(&site, id, &wish)).await?;
    Ok(done(&back, code, id))
}

fn carry_out(site: &Site, id: u64, wish: &str) -> Result<&'static str, Problem> {
    let mut queue = site.queue()?;
    let missing = || Problem::missing(no_such_schedule(id));
    let mut row = queue.schedules()?.into_iter().find(|row| row.id.0 == id).ok_or_else(missing)?;
    match wish {
        "on" | "off" => {
            row.enabled = wish == "on";
            if row.enabled {
                // What was missed while it was off does not count.
                row.next_at = Period::read(&row.period, &row.zone, row.jitter)?.first(&row.name, now());
            }
            queue.put_schedule(&row)?;
            Ok(if row.enabled { "schedule-on" } else { "schedule-off" })
        }
        "delete" => {
            if queue.drop_schedule(row.id)? {
                Ok("schedule-gone")
            } else {
                Err(missing())
            }
        }
        "run" => {
            let jobs = Package::read(&row.jobs)?.rows(row.priority, Some(row.id));
            // The next moment stays as it is.
            let fired = queue.fire(row.id, row.next_at, row.next_at, &jobs, now())?;
            Ok(if fired.is_some_and(|jobs| !jobs.is_empty()) { "schedule-ran" } else { "schedule-busy" })
        }
        _ => Err(Problem::missing(crate::words::NO_SUCH_PAGE)),
    }
}
