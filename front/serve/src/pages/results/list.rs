//! `/sites/{site}/{kind}`: which results of a kind are there, what is under way, and the form that asks for another.

use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;

use groma_store::jobs::JobRow;

use crate::app::{App, now};
use crate::door::{Form, Path, Query, TaskForm};
use crate::error::Problem;
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, Tab, done, show, show_read};
use crate::results::{self, NumberedKind, ResultKind};
use crate::sites::Site;
use crate::underway;

/// How results of a kind are shown as a list.
pub(crate) trait ListPages: ResultKind + Sized {
    /// What can be asked about the list.
    type Question: DeserializeOwned + Default + Send + 'static;
    type Page: Template + Send + 'static;
    const TAB: Tab;
    /// What the kind is called in paths.
    const PATH: &'static str;
    /// Where the form is sent to, below that.
    const FORM: &'static str = "";
    /// What the list is called.
    const HEADING: &'static str;

    /// What stands in the form before anything was typed.
    fn typed(_: &Self::Question) -> TaskForm {
        TaskForm::default()
    }
    /// The code of what was done by a form as it was typed.
    fn asked_code(typed: &TaskForm) -> &'static str;
    /// What a job is about, and how far the result is that it works on.
    fn at_work(job: &JobRow, rows: &[Self::Row]) -> AtWork;
    fn page(frame: Frame, head: ListHead, listing: Listing<'_, Self>) -> Result<Self::Page, Problem>;
}

/// What every list shows.
pub(crate) struct ListHead {
    pub(crate) heading: &'static str,
    pub(crate) site: String,
    pub(crate) path: &'static str,
    /// The survey holds at least one page.
    pub(crate) begun: bool,
    pub(crate) live: LiveJobs,
    /// The last job, if it failed and none is under way.
    pub(crate) failed: Option<JobView>,
    pub(crate) typed: TaskForm,
    pub(crate) problem: Option<Problem>,
}

/// What a list is made of.
pub(crate) struct Listing<'l, K: ListPages> {
    pub(crate) site: &'l Arc<Site>,
    pub(crate) question: &'l K::Question,
    pub(crate) rows: Vec<K::Row>,
    /// The jobs that are under way or wait.
    pub(crate) open: Vec<JobRow>,
}

/// The jobs that are under way or wait: the part of the page that follows them.
#[derive(Template)]
#[template(path = "part/result_jobs.html")]
pub(crate) struct LiveJobs {
    site: String,
    path: &'static str,
    jobs: Vec<(JobView, AtWork)>,
}

impl HtmlSafe for LiveJobs {}

impl LiveJobs {
    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }
}

/// What a job is about.
#[derive(Default)]
pub(crate) struct AtWork {
    pub(crate) about: String,
    /// The number of the result it works on, and how far that is.
    pub(crate) result: Option<(u64, String)>,
    /// What follows, as a sentence.
    pub(crate) hint: &'static str,
}

/// What a job is about that works on a numbered result.
pub(crate) fn at_work_on<K: NumberedKind>(
    job: &JobRow,
    rows: &[K::Row],
    about: String,
    so_far: fn(&K::Row) -> String,
) -> AtWork {
    let row = rows.iter().find(|row| K::is_same_task(&job.args, row));
    AtWork { about, result: row.map(|row| ((K::NUMBER)(row), so_far(row))), hint: "" }
}

/// The list, what follows its jobs, and its form.
pub(crate) fn list_routes<K: ListPages>() -> Router<Arc<App>> {
    let list = format!("/sites/{{site}}/{}", K::PATH);
    Router::new()
        .route(&list, get(page::<K>))
        .route(&format!("{list}{}", K::FORM), post(ask::<K>))
        .route(&format!("{list}/state"), get(state::<K>))
}

async fn page<K: ListPages>(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(question): Query<K::Question>,
) -> Result<Response, Problem> {
    let typed = K::typed(&question);
    shown::<K>(&app, frame, app.site(&name)?, question, typed, None).await
}

/// The page; after a mistake with what was typed and what is wrong with it.
async fn shown<K: ListPages>(
    app: &Arc<App>,
    frame: Frame,
    site: Arc<Site>,
    question: K::Question,
    typed: TaskForm,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    show_read(app, problem.clone().as_ref(), move || {
        let mut frame = frame.on(&site, K::TAB);
        let begun = site.exists();
        let rows = if begun { K::list(&site)? } else { Vec::new() };
        let open = results::open_jobs::<K>(&site)?;
        let failed = if open.is_empty() { underway::failed(&site, K::JOB)? } else { None };
        frame.refresh = (!open.is_empty()).then_some(5);
        let head = ListHead {
            heading: K::HEADING,
            site: site.name.clone(),
            path: K::PATH,
            begun,
            live: live_jobs::<K>(&site, &open, &rows),
            failed: failed.map(|job| JobView::from_row(&site.name, &job, now())),
            typed,
            problem,
        };
        K::page(frame, head, Listing { site: &site, question: &question, rows, open })
    })
    .await
}

fn live_jobs<K: ListPages>(site: &Site, open: &[JobRow], rows: &[K::Row]) -> LiveJobs {
    let job = |job: &JobRow| (JobView::from_row(&site.name, job, now()), K::at_work(job, rows));
    LiveJobs { site: site.name.clone(), path: K::PATH, jobs: open.iter().map(job).collect() }
}

/// Asks for a result.
async fn ask<K: ListPages>(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, request) = (Arc::clone(&site), typed.read());
    match app.work(move |app| results::ask::<K>(app, &of, request?)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/{}", site.name, K::PATH), K::asked_code(&typed), job)),
        Err(problem) => shown::<K>(&app, frame, site, K::Question::default(), typed, Some(problem)).await,
    }
}

/// What is under way alone, for a page that stays open; when it is over, the whole page is to be loaded anew.
async fn state<K: ListPages>(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let live = app
        .work(move |_| {
            let open = results::open_jobs::<K>(&site)?;
            let rows = if open.is_empty() { Vec::new() } else { K::list(&site)? };
            Ok(live_jobs::<K>(&site, &open, &rows))
        })
        .await?;
    if live.is_empty() {
        return Ok(StatusCode::RESET_CONTENT.into_response());
    }
    Ok(show(&live))
}
