//! What runs changed: added, gone, unreachable, changed, moved, back.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use groma_model::moment::rfc3339;
use groma_store::{ChangeKind, Snapshot};

use super::cursor::{self, List};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::words;

/// Rows of the log looked at for one answer.
const LOOKED_AT: usize = 50_000;
const STEP: usize = 5_000;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/changes", get(changes))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ChangesQuery {
    /// Only changes of this run.
    #[cfg_attr(test, param(minimum = 0, maximum = 1_000_000_000))]
    run: Option<u32>,
    /// Only changes of this kind.
    kind: Option<String>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most; fewer, also none, may come although the list goes on.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A row of the change log.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct ChangeRow {
    /// Its place in the log.
    seq: u64,
    /// The run it happened in.
    run: u32,
    /// Time of the change.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
    /// Kind of change.
    kind: &'static str,
    /// URL of the page.
    url: String,
    /// How much of the text changed, in per cent; for `changed` only.
    percent: Option<u8>,
    /// Where it moved to.
    to: Option<String>,
}

/// The change log of a survey, oldest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/changes", tag = "survey", params(("site" = String, Path), ChangesQuery),
    responses((status = 200, body = List<ChangeRow>))))]
pub(super) async fn changes(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<ChangesQuery>,
) -> Result<Json<List<ChangeRow>>, Problem> {
    super::query::check_number("run", which.run.unwrap_or(0), 1_000_000_000)?;
    let kind = which.kind.as_deref().map(|wanted| {
        let names: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.name()).collect();
        let found = ChangeKind::ALL.into_iter().find(|kind| kind.name() == wanted);
        found.ok_or_else(|| Problem::bad(words::no_such("kind"), words::one_of(&names)))
    });
    let kind = kind.transpose()?;
    let list = format!("changes of {name} {:?} {:?}", which.run, which.kind);
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut view = site.read()?;
        let (mut after, mut looked, mut items) = (part.after, 0, Vec::new());
        loop {
            let rows = view.changes(after, STEP)?;
            if rows.is_empty() {
                return Ok(Json(List { items, next: None }));
            }
            looked += rows.len();
            for row in rows {
                if items.len() >= part.most {
                    return Ok(Json(List { items, next: Some(cursor::write(&list, after)) }));
                }
                after = row.seq;
                if which.run.is_some_and(|run| row.run != run) || kind.is_some_and(|kind| row.kind != kind) {
                    continue;
                }
                let mut url = |id| view.address(id).map(|found| found.map(|row| row.url).unwrap_or_default());
                items.push(ChangeRow {
                    seq: row.seq,
                    run: row.run,
                    at: rfc3339(row.at),
                    kind: row.kind.name(),
                    url: url(row.page)?,
                    percent: (row.kind == ChangeKind::Changed).then_some(row.amount),
                    to: row.to.map(&mut url).transpose()?,
                });
            }
            if looked >= LOOKED_AT {
                return Ok(Json(List { items, next: Some(cursor::write(&list, after)) }));
            }
        }
    })
    .await
}
