//! `/sites/{site}/focus`: where does a topic lead? The focused crawls of a survey, their harvests side by side, and the form that
//! begins one.

mod act;
mod compare;
mod export;
mod one;
mod page;

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use groma_desk::settings::saved::Saved;
use groma_desk::task::{Job, Task};
use groma_model::wording::grouped;
use groma_store::focuses::FocusRow;
use groma_store::jobs::{JobKind, JobRow};

use self::compare::Comparison;
pub(crate) use self::export::write as write_pages;
use super::jobs::view::JobView;
use super::layout::{Frame, Tab, short, show, show_as};
use super::wording::Moment;
use super::words;
use crate::app::{App, now};
use crate::door::{Path, Query, TaskForm};
use crate::error::Problem;
use crate::sites::Site;
use crate::{focuses, underway};

/// Letters of a topic on a page.
const TOPIC: usize = 160;
/// Start pages that are named in the form.
const STARTS: usize = 5;

/// The pages, what their forms do, and the files.
pub(super) fn router() -> Router<Arc<App>> {
    let pages = Router::new()
        .route("/sites/{site}/focus", get(page).post(act::begin))
        .route("/sites/{site}/focus/state", get(state))
        .route("/sites/{site}/focus/{id}", get(one::page))
        .route("/sites/{site}/focus/{id}/state", get(one::state))
        .route("/sites/{site}/focus/{id}/page", get(page::page))
        .route("/sites/{site}/focus/{id}/more", post(act::more))
        .route("/sites/{site}/focus/{id}/forget", post(act::forget));
    export::routes(pages)
}

/// What was asked for: which crawls are compared, as `c3=1`.
type Asked = BTreeMap<String, String>;

#[derive(Template)]
#[template(path = "focus.html")]
struct FocusPage {
    frame: Frame,
    site: String,
    begun: bool,
    jobs: Vec<AtWork>,
    failed: Option<JobView>,
    rows: Vec<Row>,
    comparison: Option<Comparison>,
    typed: TaskForm,
    strategies: &'static [(&'static str, &'static str, &'static str)],
    starts: Vec<String>,
    starts_more: usize,
    problem: Option<Problem>,
}

#[derive(Template)]
#[template(path = "part/focus_jobs.html")]
struct JobsPart<'a> {
    site: &'a str,
    jobs: &'a [AtWork],
}

/// A crawl as a row of the list.
struct Row {
    id: u64,
    topic: String,
    strategy: String,
    fetched: String,
    relevant: String,
    harvest: String,
    end: &'static str,
    at_work: bool,
    last: Option<Moment>,
    chosen: bool,
}

/// A job that is under way or waits, and what its crawl has brought so far.
struct AtWork {
    job: JobView,
    topic: String,
    crawl: Option<(u64, String)>,
}

async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, asked, TaskForm::default(), None).await
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
    let frame = frame.on(site, Tab::Focus);
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
) -> Result<FocusPage, Problem> {
    let begun = site.exists();
    let crawls = if begun { focuses::all(site)? } else { Vec::new() };
    let open = focuses::open_jobs(site)?;
    let failed = if open.is_empty() { underway::failed(site, JobKind::Focus)? } else { None };
    let chosen = compare::chosen(&crawls, asked);
    let comparison = Comparison::read(site, &crawls, &chosen)?;
    let row = |crawl: &FocusRow| {
        let at_work = open.iter().any(|job| focuses::is_of(&job.args, crawl));
        row(crawl, at_work, chosen.contains(&crawl.id.0))
    };
    let saved = if begun { Saved::load(&mut *site.read()?)?.unwrap_or_default() } else { Saved::default() };
    frame.refresh = (!open.is_empty()).then_some(5);
    Ok(FocusPage {
        site: site.name.clone(),
        begun,
        jobs: at_work(site, &open, &crawls),
        failed: failed.map(|job| JobView::of(&site.name, &job, now())),
        rows: crawls.iter().map(row).collect(),
        comparison,
        typed,
        strategies: words::STRATEGIES,
        starts_more: saved.seeds.len().saturating_sub(STARTS),
        starts: saved.seeds.iter().take(STARTS).map(|start| short(start, TOPIC)).collect(),
        problem,
        frame,
    })
}

fn row(crawl: &FocusRow, at_work: bool, chosen: bool) -> Row {
    Row {
        id: crawl.id.0,
        topic: topic(crawl),
        strategy: short(&crawl.strategy, 40),
        fetched: grouped(crawl.steps.into()),
        relevant: grouped(crawl.relevant.into()),
        harvest: harvest(crawl.relevant, crawl.steps),
        end: words::focus_end(&crawl.end),
        at_work,
        last: Moment::of(crawl.last),
        chosen,
    }
}

/// The topic of a crawl, fit for a line.
fn topic(crawl: &FocusRow) -> String {
    let topic = short(&crawl.topic, TOPIC);
    if topic.is_empty() { "(no words)".to_owned() } else { topic }
}

/// Relevant pages of every hundred.
fn harvest(relevant: u32, fetched: u32) -> String {
    match fetched {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", f64::from(relevant) / f64::from(fetched) * 100.0),
    }
}

/// What is under way, with the numbers of its crawl.
fn at_work(site: &Site, jobs: &[JobRow], crawls: &[FocusRow]) -> Vec<AtWork> {
    let view = |job: &JobRow| {
        let crawl = crawls.iter().find(|crawl| focuses::is_of(&job.args, crawl));
        let about = match Job::read(job.kind, &job.args).map(|job| job.task) {
            Ok(Task::Focus(task)) => task.about().map(|about| about.name()),
            _ => Ok(String::new()),
        };
        AtWork {
            job: JobView::of(&site.name, job, now()),
            topic: short(&about.unwrap_or_default(), TOPIC),
            crawl: crawl.map(|crawl| (crawl.id.0, so_far(crawl.steps, crawl.relevant))),
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
            let open = focuses::open_jobs(&of)?;
            let crawls = if open.is_empty() { Vec::new() } else { focuses::all(&of)? };
            Ok(at_work(&of, &open, &crawls))
        })
        .await?;
    if jobs.is_empty() {
        return Ok(StatusCode::RESET_CONTENT.into_response());
    }
    Ok(show(&JobsPart { site: &site.name, jobs: &jobs }))
}

/// How far a focused crawl is.
fn so_far(fetched: u32, relevant: u32) -> String {
    format!(
        "{} fetched, {} relevant",
        groma_desk::words::counted(fetched.into(), "page", "pages"),
        groma_model::wording::grouped(relevant.into())
    )
}
