//! Every URL of a survey, with its state and reason.

use std::sync::Arc;

use axum::extract::State as Held;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use groma_model::moment::rfc3339;
use groma_model::{Depth, PageId, Reason, State};
use groma_store::{AddressRow, PageRow, Snapshot};

use super::cursor::{self, List};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::words;

/// URLs looked at for one answer: with a filter that takes few, the answer is short and goes on.
const LOOKED_AT: usize = 50_000;
const STEP: usize = 2_000;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/pages", get(pages))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct PagesQuery {
    /// Only URLs in this state.
    state: Option<String>,
    /// Only URLs with this reason.
    reason: Option<String>,
    /// Of this media type, such as `text/html`; `image/` stands for all images.
    #[cfg_attr(test, param(min_length = 1, max_length = 200))]
    r#type: Option<String>,
    /// Only URLs that begin so.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    prefix: Option<String>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most; fewer, also none, may come although the list goes on.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A URL of the survey.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Address {
    /// URL in canonical form.
    pub(super) url: String,
    /// State of the URL.
    state: &'static str,
    /// Reason of the state.
    reason: &'static str,
    /// Its link distance from the start page; nothing if no link leads to it.
    depth: Option<u32>,
    /// The HTTP status of its last fetch.
    status: Option<u16>,
    /// Media type.
    r#type: Option<String>,
    /// Bytes after decompression.
    size: Option<u64>,
    /// Page title, as crawled (untrusted text).
    title: Option<String>,
    /// Language, as a code.
    language: Option<String>,
    /// Since when it is in its state.
    #[cfg_attr(test, schema(format = DateTime))]
    since: String,
    /// When it was last fetched.
    #[cfg_attr(test, schema(format = DateTime))]
    fetched_at: Option<String>,
    /// It waits for its turn.
    queued: bool,
}

impl Address {
    fn from_rows(row: AddressRow, page: Option<PageRow>) -> Address {
        let facts = page.map(|page| page.facts).filter(|facts| facts.status != 0);
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Address {
            state: row.state().name(),
            reason: row.reason.name(),
            depth: Some(row.depth).filter(|depth| *depth != Depth::LOOSE).map(|depth| depth.0),
            status: facts.as_ref().map(|facts| facts.status),
            r#type: facts.as_ref().and_then(|facts| some(&facts.media_type)),
            size: facts.as_ref().map(|facts| facts.size),
            title: facts.as_ref().and_then(|facts| some(&facts.title)),
            language: facts.as_ref().and_then(|facts| some(&facts.language)),
            since: rfc3339(row.since),
            fetched_at: facts.as_ref().map(|facts| rfc3339(facts.fetched_at)),
            queued: row.queued,
            url: row.url,
        }
    }
}

/// The URLs of a survey, in order of their discovery.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/pages", tag = "survey", params(("site" = String, Path), PagesQuery),
    responses((status = 200, body = List<Address>))))]
pub(super) async fn pages(
    Held(app): Held<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<PagesQuery>,
) -> Result<Json<List<Address>>, Problem> {
    let no_such = |what: &str, names: Vec<&str>| Problem::bad(words::no_such(what), words::one_of(&names));
    let state = which.state.as_deref().map(|wanted| {
        let found = State::named(wanted);
        found.ok_or_else(|| no_such("state", State::ALL.iter().map(|state| state.name()).collect()))
    });
    let reason = which.reason.as_deref().map(|wanted| {
        let found = Reason::ALL.iter().find(|reason| reason.name() == wanted).copied();
        found.ok_or_else(|| no_such("reason", Reason::ALL.iter().map(|reason| reason.name()).collect()))
    });
    let (state, reason) = (state.transpose()?, reason.transpose()?);
    for (name, value) in [("type", &which.r#type), ("prefix", &which.prefix)] {
        super::query::check_length(name, value.as_deref(), if name == "type" { 200 } else { 2000 })?;
    }
    let list = format!("pages of {name} {:?} {:?} {:?} {:?}", which.state, which.reason, which.r#type, which.prefix);
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut view = site.read()?;
        let mut items = Vec::new();
        let mut after = u32::try_from(part.after).ok().filter(|after| *after > 0).map(|after| PageId(after - 1));
        let mut looked = 0;
        let takes = |row: &AddressRow| {
            state.is_none_or(|state| row.state() == state)
                && reason.is_none_or(|reason| row.reason == reason)
                && which.prefix.as_ref().is_none_or(|prefix| row.url.starts_with(prefix))
        };
        let is_of_type = |page: Option<&PageRow>| match &which.r#type {
            None => true,
            Some(wanted) => page.is_some_and(|page| {
                let found = &page.facts.media_type;
                found == wanted || (wanted.ends_with('/') && found.starts_with(wanted.as_str()))
            }),
        };
        loop {
            let rows = view.addresses(after, STEP)?;
            let Some(last) = rows.last().map(|row| row.id) else { return Ok(Json(List { items, next: None })) };
            looked += rows.len();
            for row in rows {
                after = Some(row.id);
                if !takes(&row) {
                    continue;
                }
                let page = view.page(row.id)?;
                if is_of_type(page.as_ref()) {
                    items.push(Address::from_rows(row, page));
                }
                if items.len() >= part.most {
                    break;
                }
            }
            if items.len() >= part.most || looked >= LOOKED_AT {
                let number = after.map_or(0, |id| u64::from(id.0) + 1);
                let end = after == Some(last) && view.addresses(after, 1)?.is_empty();
                let next = (!end).then(|| cursor::write(&list, number));
                return Ok(Json(List { items, next }));
            }
        }
    })
    .await
}
