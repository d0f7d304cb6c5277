//! What the forms about focused crawls do: begin one, go on with one, forget one.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use groma_desk::task::Task;
use serde::Deserialize;

use super::{Asked, one, shown};
use crate::app::App;
use crate::door::{Form, Path, TaskForm};
use crate::error::Problem;
use crate::pages::layout::{Frame, done};
use crate::{focuses, orders};

/// Asks for a crawl.
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, task) = (Arc::clone(&site), typed.read());
    match app.work(move |app| orders::ask(app, &of, Task::Focus(task?))).await {
        Ok(job) => Ok(done(&format!("/sites/{}/focus", site.name), "focus-asked", job)),
        Err(problem) => shown(&app, frame, &site, Asked::default(), typed, Some(problem)).await,
    }
}

/// How far it shall go.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct More {
    pages: String,
}

/// Goes on with a crawl.
pub(super) async fn more(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(more): Form<More>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    match app.work(move |app| focuses::go_on(app, &of, id.into(), &more.pages)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/focus/{id}", site.name), "focus-asked", job)),
        Err(problem) if problem.status.as_u16() == 422 => {
            one::shown(&app, frame, &site, id, one::Asked::default(), Some(problem)).await
        }
        Err(problem) => Err(problem),
    }
}

/// Forgets a crawl.
pub(super) async fn forget(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    app.work(move |_| focuses::forget(&of, id.into())).await?;
    Ok(done(&format!("/sites/{}/focus", site.name), "focus-forgotten", id.into()))
}
