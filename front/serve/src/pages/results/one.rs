//! `/sites/{site}/{kind}/{id}`: one result in full, what follows it while a job is at work on it, going on with it, forgetting it, and its
//! files.

use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use groma_tasks::task::{FileFormat, Task};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::list::ListPages;
use crate::app::{App, now};
use crate::door::{Form, Path, Query, TaskForm};
use crate::error::Problem;
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, done, short, show, show_read};
use crate::results::{self, NumberedKind};
use crate::sites::Site;

/// Letters of what was asked for.
const FACT: usize = 400;

/// How one result of a kind is shown.
pub(crate) trait OnePages: ListPages + NumberedKind {
    /// What can be asked about it.
    type OneQuestion: DeserializeOwned + Default + Send + 'static;
    type OnePage: Template + Send + 'static;
    /// The part of the page that follows it while a job is at work on it.
    type Numbers: Template + HtmlSafe + Send + 'static;
    /// What its files are called in paths.
    const FILES: &'static str;
    /// The field of the form that says how far to go on.
    const HOW_FAR: &'static str;
    /// The code of its having been forgotten.
    const FORGOTTEN: &'static str;
    const ONE: OneWords;

    fn title(row: &Self::Row) -> String;
    /// What was asked for, in words of ours; what is empty is left out.
    fn asked(row: &Self::Row) -> Vec<(&'static str, String)>;
    fn numbers(
        site: &Site,
        keeper: &mut Self::Keeper,
        row: &Self::Row,
        job: Option<JobView>,
    ) -> Result<Self::Numbers, Problem>;
    fn one_page(
        frame: Frame,
        head: OneHead,
        site: &Site,
        shown: (Self::Keeper, Self::Row, Self::Numbers),
        question: &Self::OneQuestion,
    ) -> Result<Self::OnePage, Problem>;
}

/// What one result of a kind is called, and its parts.
pub(crate) struct OneWords {
    pub(crate) numbers: &'static str,
    pub(crate) files: &'static str,
    /// What is forgotten, and what that means.
    pub(crate) noun: &'static str,
    pub(crate) forgetting: &'static str,
}

/// What every page about one result shows.
pub(crate) struct OneHead {
    pub(crate) words: OneWords,
    pub(crate) called: &'static str,
    /// The list it is in.
    pub(crate) list: &'static str,
    pub(crate) list_href: String,
    pub(crate) site: String,
    /// Path of this page.
    pub(crate) here: String,
    pub(crate) id: u64,
    pub(crate) title: String,
    pub(crate) at_work: bool,
    pub(crate) asked: Vec<(&'static str, String)>,
    pub(crate) files: Vec<(String, &'static str)>,
    pub(crate) problem: Option<Problem>,
}

/// The page, what follows its numbers, its forms, and a route for each file.
pub(crate) fn one_routes<K: OnePages>() -> Router<Arc<App>> {
    let one = format!("/sites/{{site}}/{}/{{id}}", K::PATH);
    let pages = Router::new()
        .route(&one, get(page::<K>))
        .route(&format!("{one}/state"), get(state::<K>))
        .route(&format!("{one}/more"), post(go_on::<K>))
        .route(&format!("{one}/forget"), post(forget::<K>));
    Task::formats(K::JOB).iter().fold(pages, |pages, format| {
        let save = move |app, path, query| save::<K>(app, path, query, *format);
        pages.route(&format!("{one}/{}.{}", K::FILES, format.ending), get(save))
    })
}

async fn page<K: OnePages>(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Query(question): Query<K::OneQuestion>,
) -> Result<Response, Problem> {
    shown::<K>(&app, frame, app.site(&name)?, id, question, None).await
}

/// The page; after a mistake with what is wrong.
async fn shown<K: OnePages>(
    app: &Arc<App>,
    frame: Frame,
    site: Arc<Site>,
    id: u32,
    question: K::OneQuestion,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    show_read(app, problem.clone().as_ref(), move || {
        let mut frame = frame.on(&site, K::TAB);
        let (mut keeper, row) = results::open::<K>(&site, id.into())?;
        let job = job_view::<K>(&site, &row)?;
        frame.refresh = job.as_ref().map(|_| 5);
        let list_href = format!("/sites/{}/{}", site.name, K::PATH);
        let here = format!("{list_href}/{id}");
        let file = |format: &FileFormat| (format!("{here}/{}.{}", K::FILES, format.ending), format.says);
        let head = OneHead {
            words: K::ONE,
            called: K::CALLED,
            list: K::HEADING,
            list_href,
            site: site.name.clone(),
            id: (K::NUMBER)(&row),
            title: K::title(&row),
            at_work: job.is_some(),
            asked: K::asked(&row).into_iter().filter(|(_, text)| !text.is_empty()).map(fact).collect(),
            files: Task::formats(K::JOB).iter().map(file).collect(),
            problem,
            here,
        };
        let numbers = K::numbers(&site, &mut keeper, &row, job)?;
        K::one_page(frame, head, &site, (keeper, row, numbers), &question)
    })
    .await
}

fn fact((name, text): (&'static str, String)) -> (&'static str, String) {
    (name, short(&text, FACT))
}

fn job_view<K: OnePages>(site: &Site, row: &K::Row) -> Result<Option<JobView>, Problem> {
    Ok(results::job_at_work::<K>(site, row)?.map(|job| JobView::from_row(&site.name, &job, now())))
}

/// The numbers alone, for a page that stays open; when the job is over, the whole page is to be loaded anew.
async fn state<K: OnePages>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let numbers = app
        .work(move |_| {
            let (mut keeper, row) = results::open::<K>(&site, id.into())?;
            let Some(job) = job_view::<K>(&site, &row)? else { return Ok(None) };
            K::numbers(&site, &mut keeper, &row, Some(job)).map(Some)
        })
        .await?;
    Ok(numbers.map_or_else(|| StatusCode::RESET_CONTENT.into_response(), |numbers| show(&numbers)))
}

async fn go_on<K: OnePages>(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, how_far) = (Arc::clone(&site), typed.get(K::HOW_FAR).to_owned());
    match app.work(move |app| results::go_on::<K>(app, &of, id.into(), &how_far)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/{}/{id}", site.name, K::PATH), K::asked_code(&typed), job)),
        Err(problem) if problem.status == StatusCode::UNPROCESSABLE_ENTITY => {
            shown::<K>(&app, frame, site, id, K::OneQuestion::default(), Some(problem)).await
        }
        Err(problem) => Err(problem),
    }
}

async fn forget<K: OnePages>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let list = format!("/sites/{}/{}", site.name, K::PATH);
    app.work(move |_| results::forget::<K>(&site, id.into())).await?;
    Ok(done(&list, K::FORGOTTEN, id.into()))
}

/// How much of a result is to be saved.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SaveQuestion {
    /// With anything in it, all of it, where a part is the usual thing.
    all: String,
}

async fn save<K: OnePages>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(question): Query<SaveQuestion>,
    format: FileFormat,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let all = !question.all.is_empty();
    Ok(app.work(move |_| results::save::<K>(&site, id.into(), format, all)).await?.into_response())
}
