//! What the forms about focused crawls do: begin one, go on with one, forget one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Asked, one, shown};
use crate::app::App;
use crate::door::{Form, Path};
use crate::error::Problem;
use crate::focuses;
use crate::pages::layout::{Frame, done};

/// What was typed to begin a crawl.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Wanted {
    pub(super) topic: String,
    pub(super) text: String,
    pub(super) name: String,
    pub(super) like: String,
    pub(super) seeds: String,
    pub(super) strategy: String,
    pub(super) pages: String,
    pub(super) any_type: String,
    pub(super) threshold: String,
}

impl Wanted {
    fn words(&self) -> BTreeMap<String, String> {
        // A name is the name of a text: without one it says nothing.
        let name = if self.text.trim().is_empty() { "" } else { &self.name };
        let pairs = [
            ("topic", self.topic.as_str()),
            ("text", &self.text),
            ("name", name),
            ("like", &self.like),
            ("seeds", &self.seeds),
            ("strategy", &self.strategy),
            ("pages", &self.pages),
            ("any-type", &self.any_type),
            ("threshold", &self.threshold),
        ];
        pairs.into_iter().map(|(key, text)| (key.to_owned(), text.trim().to_owned())).collect()
    }

    /// Something of the less usual was typed: it is shown.
    pub(super) fn is_unusual(&self) -> bool {
        [&self.text, &self.like, &self.seeds, &self.threshold].iter().any(|text| !text.trim().is_empty())
    }
}

/// Asks for a crawl.
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, said) = (Arc::clone(&site), wanted.words());
    match app.work(move |app| focuses::ask(app, &of, said, BTreeMap::new())).await {
        Ok(job) => Ok(done(&format!("/sites/{}/focus", site.name), "focus-asked", job)),
        Err(problem) => shown(&app, frame, &site, Asked::default(), wanted, Some(problem)).await,
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
