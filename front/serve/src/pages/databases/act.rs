//! What the forms about databases do: plan or begin a gathering, go on with one, gather with another description, forget one.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use groma_desk::task::Task;
use serde::Deserialize;

use super::{Asked, describe as editor, one, shown};
use crate::app::App;
use crate::door::{Form, Path, TaskForm};
use crate::error::Problem;
use crate::pages::layout::{Frame, done};
use crate::{gatherings, orders};

/// Asks for a gathering, or for a plan of one.
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, task) = (Arc::clone(&site), typed.read());
    let code = if typed.has("plan") { "gather-planned" } else { "gather-asked" };
    match app.work(move |app| orders::ask(app, &of, Task::Gather(task?))).await {
        Ok(job) => Ok(done(&format!("/sites/{}/databases", site.name), code, job)),
        Err(problem) => shown(&app, frame, &site, Asked::default(), typed, Some(problem)).await,
    }
}

/// How far it shall go.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct More {
    budget: String,
}

/// Goes on with a gathering, or gathers again.
pub(super) async fn more(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(more): Form<More>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    match app.work(move |app| gatherings::go_on(app, &of, id.into(), &more.budget)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/databases/{id}", site.name), "gather-asked", job)),
        Err(problem) if problem.status.as_u16() == 422 => {
            one::shown(&app, frame, &site, id, one::Asked::default(), Some(problem)).await
        }
        Err(problem) => Err(problem),
    }
}

/// Gathers the same with another description.
pub(super) async fn describe(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Form(typed): Form<editor::Typed>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, text) = (Arc::clone(&site), typed.description.clone());
    match app.work(move |app| gatherings::describe(app, &of, id.into(), &text)).await {
        Ok(job) => Ok(done(&format!("/sites/{}/databases", site.name), "gather-asked", job)),
        Err(problem) => editor::shown(&app, frame, &site, id, typed, Some(problem)).await,
    }
}

/// Forgets a gathering.
pub(super) async fn forget(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    app.work(move |_| gatherings::forget(&of, id.into())).await?;
    Ok(done(&format!("/sites/{}/databases", site.name), "gather-forgotten", id.into()))
}
