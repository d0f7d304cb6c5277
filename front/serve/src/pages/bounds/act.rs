//! What the buttons of the bounds do: decide about a site, find it anew at another price, take a decision back, save it as a file.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use groma_store::bounds::DecisionKind;

use crate::app::App;
use crate::door::{Form, Path, Query, Visitor};
use crate::error::Problem;
use crate::pages::layout::{done, query, short};
use crate::results::bounds::{self, Decided};
use crate::sites::Site;
use crate::words;

/// A decision, as a button sends it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Decision {
    start: String,
    kind: String,
    subject: String,
    /// With anything in it, one page is meant.
    single: String,
}

/// Puts a decision down.
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Form(said): Form<Decision>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let kinds = [DecisionKind::Accept, DecisionKind::Reject, DecisionKind::Merge];
    let kind = kinds.into_iter().find(|kind| kind.name() == said.kind);
    let kind = kind.ok_or_else(|| {
        let names = kinds.map(DecisionKind::name);
        Problem::bad(words::no_such(&format!("decision as {:?}", short(&said.kind, 40))), words::one_of(&names))
    })?;
    let who = visitor.name.unwrap_or_default();
    let of = Arc::clone(&site);
    let decided =
        app.work(move |_| bounds::decide(&of, &said.start, kind, &said.subject, !said.single.is_empty(), &who)).await?;
    Ok(back(&site, &decided, "bounds-decided"))
}

/// A price of a page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Priced {
    start: String,
    /// Empty: it is chosen.
    epsilon: String,
}

/// Finds a site anew at a price, which it keeps from then on.
pub(super) async fn price(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Form(said): Form<Priced>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    let start = said.start.clone();
    let job = app.work(move |_| bounds::at_price(&of, &said.start, &said.epsilon)).await?;
    Ok(done(&format!("/sites/{}/bounds{}", site.name, query(&[("start", &start)])), "bounds-asked", job))
}

/// Which decision is taken back.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Undone {
    start: String,
    /// Its number; the last one if there is none.
    which: Option<u64>,
}

/// Takes a decision back.
pub(super) async fn undo(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Form(said): Form<Undone>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let who = visitor.name.unwrap_or_default();
    let of = Arc::clone(&site);
    let decided = app.work(move |_| bounds::undo(&of, &said.start, said.which, &who)).await?;
    Ok(back(&site, &decided, "bounds-undone"))
}

fn back(site: &Site, decided: &Decided, code: &'static str) -> Response {
    let to = format!("/sites/{}/bounds{}", site.name, query(&[("start", &decided.decision.site)]));
    done(&to, code, decided.job)
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StartQuestion {
    start: String,
}

/// The site as SURT prefixes, to be kept.
pub(super) async fn surt(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(question): Query<StartQuestion>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let file = format!("attachment; filename=\"{}.surt\"", site.name);
    let text = app.work(move |_| bounds::surt(&site, &question.start)).await?;
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CONTENT_DISPOSITION, &file)];
    Ok((headers, text).into_response())
}
