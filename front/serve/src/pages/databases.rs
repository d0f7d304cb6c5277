//! `/sites/{site}/databases`: what stands behind the forms? The gatherings of a survey, the forms it has met, and the form that begins
//! a gathering.

mod act;
mod describe;
mod export;
mod found;
mod one;

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use groma_desk::task::{Job, Task};
use groma_model::wording::grouped;
use groma_store::gathers::GatherRow;
use groma_store::jobs::{JobKind, JobRow};

pub(crate) use self::export::write as write_file;
use self::found::FoundPart;
use super::jobs::view::JobView;
use super::layout::{Frame, Tab, outward, short, show, show_as};
use super::map::number;
use super::shown::{about, counted};
use super::wording::Moment;
use super::words;
use crate::app::{App, now};
use crate::door::{Path, Query, TaskForm};
use crate::error::Problem;
use crate::gatherings::{self, Statement};
use crate::sites::Site;
use crate::underway;

/// Letters of a title, and of an address.
const TITLE: usize = 160;
const ADDRESS: usize = 300;

/// The pages, what their forms do, and the files.
pub(super) fn router() -> Router<Arc<App>> {
    let pages = Router::new()
        .route("/sites/{site}/databases", get(page).post(act::begin))
        .route("/sites/{site}/databases/state", get(state))
        .route("/sites/{site}/databases/{id}", get(one::page))
        .route("/sites/{site}/databases/{id}/state", get(one::state))
        .route("/sites/{site}/databases/{id}/describe", get(describe::page).post(act::describe))
        .route("/sites/{site}/databases/{id}/try", post(describe::try_out))
        .route("/sites/{site}/databases/{id}/preview", post(describe::preview))
        .route("/sites/{site}/databases/{id}/more", post(act::more))
        .route("/sites/{site}/databases/{id}/forget", post(act::forget));
    export::routes(pages)
}

/// Which part of the forms that were found.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    page: String,
    /// An address to be written into the form: one was chosen elsewhere.
    address: String,
}

#[derive(Template)]
#[template(path = "databases.html")]
struct DatabasesPage {
    frame: Frame,
    site: String,
    begun: bool,
    jobs: Vec<AtWork>,
    failed: Option<JobView>,
    rows: Vec<Row>,
    found: Option<FoundPart>,
    typed: TaskForm,
    hows: &'static [(&'static str, &'static str, &'static str)],
    problem: Option<Problem>,
}

#[derive(Template)]
#[template(path = "part/databases_jobs.html")]
struct JobsPart<'a> {
    site: &'a str,
    jobs: &'a [AtWork],
}

/// A gathering as a row of a list.
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) title: String,
    pub(super) form: String,
    pub(super) form_href: String,
    pub(super) degree: String,
    pub(super) records: String,
    pub(super) end: String,
    pub(super) badge: &'static str,
    pub(super) head: String,
    pub(super) at_work: bool,
    pub(super) last: Option<Moment>,
}

/// A job that is under way or waits, and what its gathering has brought so far.
struct AtWork {
    job: JobView,
    about: String,
    gathering: Option<(u64, String)>,
}

async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let typed = TaskForm::with("url", &short(&asked.address, 2_000));
    shown(&app, frame, &site, asked, typed, None).await
}

/// The page; after a mistake with what was typed and what is wrong with it.
async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    asked: Asked,
    typed: TaskForm,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let frame = frame.on(site, Tab::Databases);
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let of = Arc::clone(site);
    let page = app.work(move |_| read(frame, &of, &asked, typed, problem)).await?;
    Ok(show_as(status, &page))
}

fn read(
    mut frame: Frame,
    site: &Arc<Site>,
    asked: &Asked,
    typed: TaskForm,
    problem: Option<Problem>,
) -> Result<DatabasesPage, Problem> {
    let begun = site.exists();
    let part = number(&asked.page, "page")?.unwrap_or(1).max(1) as usize;
    let rows = if begun { gatherings::all(site)? } else { Vec::new() };
    let open = gatherings::open_jobs(site)?;
    let failed = if open.is_empty() { underway::failed(site, JobKind::Gather)? } else { None };
    let at_work_on = |row: &GatherRow| open.iter().any(|job| gatherings::is_of(&job.args, row));
    frame.refresh = (!open.is_empty()).then_some(5);
    Ok(DatabasesPage {
        site: site.name.clone(),
        begun,
        jobs: at_work(site, &open, &rows),
        failed: failed.map(|job| JobView::of(&site.name, &job, now())),
        found: if begun { Some(FoundPart::read(site, &rows, part)?) } else { None },
        rows: rows.iter().map(|row| Row::of(&site.name, row, at_work_on(row))).collect(),
        typed,
        hows: words::HOWS,
        problem,
        frame,
    })
}

impl Row {
    /// Of a gathering.
    pub(super) fn of(site: &str, row: &GatherRow, at_work: bool) -> Row {
        let said = Statement::of(row).unwrap_or_default();
        let (end, badge) = words::gather_end(if row.end.is_empty() { &said.end } else { &row.end });
        let share = said.estimated.as_ref().map(|share| format!(" {:.0} %", share.percent));
        let address = if row.form.is_empty() { &row.address } else { &row.form };
        Row {
            id: row.id.0,
            title: title(row),
            form: short(address, ADDRESS),
            form_href: about(site, address),
            degree: short(said.degree.as_deref().unwrap_or("–"), 20),
            records: match (row.records, said.values) {
                (0, values) if values > 0 => format!("{} values", grouped(values)),
                (records, _) => grouped(records.into()),
            },
            end: format!("{end}{}", share.filter(|_| !said.certified).unwrap_or_default()),
            badge,
            head: words::statement_head(&said),
            at_work,
            last: Moment::of(row.last),
        }
    }
}

/// What a database is called, fit for a line.
fn title(row: &GatherRow) -> String {
    let known = [&row.title, &row.form, &row.address].into_iter().map(|text| short(text, TITLE));
    known.into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| "(no title)".to_owned())
}

/// What was gathered, by the addresses of forms and documents: the number of the gathering that was last at work, and how much it found.
pub(super) fn marks(site: &Site) -> Result<HashMap<String, (u64, String)>, Problem> {
    let mut marks = HashMap::new();
    for row in gatherings::all(site)? {
        let values = Statement::of(&row).map_or(0, |said| said.values);
        let says = match row.records {
            0 => counted(values, "value", "values"),
            records => counted(records.into(), "record", "records"),
        };
        for address in [row.form, row.address].into_iter().filter(|address| !address.is_empty()) {
            marks.entry(address).or_insert_with(|| (row.id.0, says.clone()));
        }
    }
    Ok(marks)
}

/// What is under way, with the numbers of its gathering.
fn at_work(site: &Site, jobs: &[JobRow], rows: &[GatherRow]) -> Vec<AtWork> {
    let view = |job: &JobRow| {
        let row = rows.iter().find(|row| gatherings::is_of(&job.args, row));
        let about = match Job::read(job.kind, &job.args).map(|job| job.task) {
            Ok(Task::Gather(task)) => task.url().to_owned(),
            _ => String::new(),
        };
        AtWork {
            job: JobView::of(&site.name, job, now()),
            about: short(&about, TITLE),
            gathering: row.map(|row| (row.id.0, gathered_so_far(row.requests, row.records))),
        }
    };
    jobs.iter().map(view).collect()
}

/// What is under way alone, for a page that stays open; when it is over, the whole page is to be loaded anew.
async fn state(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    let jobs = app
        .work(move |_| {
            let open = gatherings::open_jobs(&of)?;
            let rows = if open.is_empty() { Vec::new() } else { gatherings::all(&of)? };
            Ok(at_work(&of, &open, &rows))
        })
        .await?;
    if jobs.is_empty() {
        return Ok(StatusCode::RESET_CONTENT.into_response());
    }
    Ok(show(&JobsPart { site: &site.name, jobs: &jobs }))
}

/// A link out, where a browser may be led there.
fn out(address: &str) -> Option<String> {
    outward(address).map(str::to_owned)
}

/// How far a gathering is.
fn gathered_so_far(requests: u32, records: u32) -> String {
    format!(
        "{}, {} requests",
        groma_desk::words::counted(records.into(), "record", "records"),
        grouped(requests.into())
    )
}
