//! What the forms about databases do: plan or begin a gathering, go on with one, gather with another description, forget one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Asked, describe as editor, one, shown};
use crate::app::App;
use crate::door::{Form, Path};
use crate::error::Problem;
use crate::gatherings;
use crate::pages::layout::{Frame, done};

/// What was typed to begin a gathering.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    pub(super) address: String,
    pub(super) form: String,
    pub(super) budget: String,
    pub(super) how: String,
    pub(super) post: String,
    pub(super) description: String,
    pub(super) plan: String,
}

impl Wanted {
    fn words(&self) -> BTreeMap<String, String> {
        let pairs = [
            ("address", &self.address),
            ("form", &self.form),
            ("budget", &self.budget),
            ("how", &self.how),
            ("post", &self.post),
            ("description", &self.description),
            ("plan", &self.plan),
        ];
        pairs.into_iter().map(|(key, text)| (key.to_owned(), text.trim().to_owned())).collect()
    }

    /// Something of the less usual was typed: it is shown.
    pub(super) fn is_unusual(&self) -> bool {
        [&self.form, &self.description, &self.post].iter().any(|text| !text.trim().is_empty())
            || !matches!(self.how.as_str(), "" | "whole")
    }
}

/// Asks for a gathering, or for a plan of one.
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, said) = (Arc::clone(&site), wanted.words());
    let code = if wanted.plan.is_empty() { "gather-asked" } else { "gather-planned" };
    match app.work(move |app| gatherings::ask(app, &of, said, BTreeMap::new())).await {
        Ok(job) => Ok(done(&format!("/sites/{}/databases", site.name), code, job)),
        Err(problem) => shown(&app, frame, &site, Asked::default(), wanted, Some(problem)).await,
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
