//! Pages by their PageRank.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use groma_model::PageId;
use groma_store::Snapshot;

use super::cursor::{self, List, ListQuery};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/rank", get(rank))
}

/// A page and its rank.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Ranked {
    /// Its place, from 1.
    place: u64,
    /// Its PageRank, un-normalised: at least 1 - k.
    rank: f64,
    /// URL of the page.
    url: String,
    /// Page title, as crawled (untrusted text).
    title: String,
    /// State of the page.
    state: Option<&'static str>,
}

/// The pages of a survey, the highest rank first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/rank", tag = "survey", params(("site" = String, Path), ListQuery),
    responses((status = 200, body = List<Ranked>))))]
pub(super) async fn rank(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<Ranked>>, Problem> {
    let list = format!("rank of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let drawn = site.drawn()?;
        let mut view = site.read()?;
        let from = usize::try_from(part.after).unwrap_or(usize::MAX);
        let mut items = Vec::new();
        for (place, node) in drawn.graph.by_rank().enumerate().skip(from).take(part.most + 1) {
            items.push(Ranked {
                place: place as u64 + 1,
                rank: drawn.graph.ranks.values.get(node as usize).copied().unwrap_or_default(),
                url: drawn.graph.standings.names.url(node).to_owned(),
                title: view.page(PageId(node))?.map(|page| page.facts.title).unwrap_or_default(),
                state: drawn.graph.standings.state(node).map(|state| state.name()),
            });
        }
        Ok(Json(List::cut(items, &list, part, |row| row.place)))
    })
    .await
}
