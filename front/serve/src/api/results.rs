//! The routes that all kinds of results have: listing them, asking for one, one in full, forgetting it, saving it as a file. What each
//! says of itself in the description of the API stands in its own file, under the names of these handlers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use groma_tasks::task::Task;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::cursor::{self, List, ListPart, ListQuery};
use crate::app::App;
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::results::{self, NumberedKind, ResultKind};
use crate::words;

/// What numbered results look like to programs.
pub(super) trait ResultApi: NumberedKind {
    /// One of a list.
    type Listed: Serialize + Send + 'static;
    /// A single result with all it has, beyond its row in a list.
    type Full: Serialize + Send + 'static;
    /// What can be said about how full that is.
    type FullQuery: DeserializeOwned + Send + 'static;
    /// How it is to be saved.
    type ExportQuery: DeserializeOwned + Send + 'static;
    /// What they are called in paths.
    const PATH: &'static str;
    /// What the number of one is called in paths.
    const ID: &'static str;
    /// Which list it is, for its cursors.
    const LIST: &'static str;

    fn listed(row: Self::Row) -> Self::Listed;
    fn check(_: &Self::FullQuery) -> Result<(), Problem> {
        Ok(())
    }
    fn full(keeper: &mut Self::Keeper, row: Self::Row, query: &Self::FullQuery) -> Result<Self::Full, Problem>;
    /// The format that is asked for, and whether everything is.
    fn export_of(query: Self::ExportQuery) -> (Option<String>, bool);
}

/// The routes of a kind of numbered results.
pub(super) fn routes<K: ResultApi>() -> Router<Arc<App>> {
    let list = format!("/sites/{{site}}/{}", K::PATH);
    let one = format!("{list}/{{{}}}", K::ID);
    Router::new()
        .route(&list, asking::<K>().get(list_all::<K>))
        .route(&one, get(show_one::<K>).delete(forget::<K>))
        .route(&format!("{one}/export"), get(export::<K>))
}

/// Asking for a result, by a job.
pub(super) fn asking<K: ResultKind>() -> MethodRouter<Arc<App>> {
    post(ask::<K>)
}

async fn list_all<K: ResultApi>(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<K::Listed>>, Problem> {
    let list = format!("{} of {name}", K::LIST);
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let mut rows = K::list(&*app.site(&name)?)?;
        rows.retain(|row| (K::NUMBER)(row) > part.after);
        rows.sort_by_key(K::NUMBER);
        let List { items, next } = List::cut(rows, &list, part, K::NUMBER);
        Ok(Json(List { items: items.into_iter().map(K::listed).collect(), next }))
    })
    .await
}

/// A result that was asked for.
#[derive(Debug, Serialize)]
struct ResultAsked {
    /// The number of the job that brings it.
    job: u64,
}

async fn ask<K: ResultKind>(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(request): Taken<K::Request>,
) -> Result<Response, Problem> {
    app.work(move |app| {
        let job = results::ask::<K>(app, &*app.site(&name)?, request)?;
        Ok(made(&format!("/api/v1/sites/{name}/jobs/{job}"), &ResultAsked { job }))
    })
    .await
}

/// Something was made, and stands there.
pub(super) fn made(place: &str, what: &impl Serialize) -> Response {
    let mut response = (StatusCode::CREATED, Json(what)).into_response();
    if let Ok(place) = HeaderValue::from_str(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}

async fn show_one<K: ResultApi>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(query): Query<K::FullQuery>,
) -> Result<Json<K::Full>, Problem> {
    K::check(&query)?;
    app.work(move |app| {
        let (mut keeper, row) = results::open::<K>(&*app.site(&name)?, id.into())?;
        Ok(Json(K::full(&mut keeper, row, &query)?))
    })
    .await
}

async fn forget<K: ResultApi>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<StatusCode, Problem> {
    app.work(move |app| {
        results::forget::<K>(&*app.site(&name)?, id.into())?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

async fn export<K: ResultApi>(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(query): Query<K::ExportQuery>,
) -> Result<Response, Problem> {
    let (wanted, all) = K::export_of(query);
    let formats = Task::formats(K::JOB);
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let wanted = wanted.as_deref().unwrap_or(names[0]);
    let format = formats.iter().copied().find(|format| format.name == wanted);
    let format = format.ok_or_else(|| Problem::bad(words::no_such("format"), words::one_of(&names)))?;
    let sent = app.work(move |app| results::save::<K>(&*app.site(&name)?, id.into(), format, all)).await?;
    Ok(sent.into_response())
}

/// A part of what belongs to one result. `list` says which list it is; `read` reads one row more than `part.most`, to see whether it goes
/// on; `number` says where a row stands.
pub(super) async fn list_within<K: ResultApi, T: Serialize + Send + 'static>(
    app: &Arc<App>,
    (name, id): (String, u32),
    list: String,
    query: ListQuery,
    read: impl FnOnce(&mut K::Keeper, &K::Row, ListPart) -> Result<Vec<T>, Problem> + Send + 'static,
    number: fn(&T) -> u64,
) -> Result<Json<List<T>>, Problem> {
    let part = cursor::part(&list, query.cursor.as_deref(), query.limit)?;
    app.work(move |app| {
        let (mut keeper, row) = results::open::<K>(&*app.site(&name)?, id.into())?;
        let rows = read(&mut keeper, &row, part)?;
        Ok(Json(List::cut(rows, &list, part, number)))
    })
    .await
}

/// A task as its results keep it: what is not as usual.
pub(super) fn asked(stored: &str, read: impl Fn(&str) -> Result<Task, groma_settings::Fault>) -> Value {
    read(stored).map(|task| task.said()).unwrap_or_default().into()
}
