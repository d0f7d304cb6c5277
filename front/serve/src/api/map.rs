//! The hierarchical map, or a branch of it, to some depth.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_model::PageId;
use groma_store::Snapshot;
use groma_tasks::lookup;
use serde::{Deserialize, Serialize};

use super::query::check_length;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::words;

/// Pages of one answer, unless told otherwise.
const USUAL: u32 = 200;
const USUAL_DEPTH: u32 = 2;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/map", get(map))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct MapQuery {
    /// The page at its top; nothing: the start page.
    #[cfg_attr(test, param(min_length = 1, max_length = 4000))]
    root: Option<String>,
    /// Layers shown below it.
    #[cfg_attr(test, param(minimum = 0, maximum = 1000))]
    depth: Option<u32>,
    /// Pages at most: layer by layer, so that the upper ones are whole first.
    #[cfg_attr(test, param(minimum = 1, maximum = 10_000))]
    limit: Option<u32>,
}

/// A place of the map.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Place {
    /// Its number, for `parent`.
    place: u32,
    /// The place above it; nothing for the top.
    parent: Option<u32>,
    /// URL of the page.
    url: String,
    /// Page title, as crawled (untrusted text).
    title: String,
    /// State of the page.
    state: Option<&'static str>,
    /// PageRank of the page.
    rank: f64,
    /// Its media type; empty if not known.
    r#type: String,
    /// Its distance from the root of the whole map.
    depth: u32,
    /// Pages at and below it.
    pages: u32,
    /// Pages directly below it.
    children: u32,
    /// Those of them that are not in this answer.
    left_out: u32,
}

/// A branch of the map.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Branch {
    /// Its places, layer by layer, siblings in the order in which they are shown.
    places: Vec<Place>,
    /// Pages of the whole map.
    pages: u32,
    /// Layers of the whole map.
    layers: u32,
    /// Pages of the site that no links lead to from the root.
    unreached: u64,
    /// While a crawl is under way: the last layer on the map.
    up_to_layer: Option<u32>,
}

/// The map from a page down to some depth, as a list of places.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/map", tag = "survey", params(("site" = String, Path), MapQuery),
    responses((status = 200, body = Branch))))]
pub(super) async fn map(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Json<Branch>, Problem> {
    check_length("root", which.root.as_deref(), 4000)?;
    let depth = super::query::check_number("depth", which.depth.unwrap_or(USUAL_DEPTH), 1000)?;
    let most = super::query::check_number("limit", which.limit.unwrap_or(USUAL), 10_000)?;
    if most == 0 {
        return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
    }
    app.work(move |app| {
        let site = app.site(&name)?;
        let drawn = site.drawn()?;
        let mut view = site.read()?;
        let tree = &drawn.tree;
        if tree.is_empty() {
            return Err(Problem::conflict(
                "there is no map: the start page could not be read",
                "see what became of the start page, and crawl again",
            ));
        }
        let top = match &which.root {
            None => 0,
            Some(typed) => {
                let page = lookup::page(&mut *view, typed).map_err(|f| Problem::missing(f.says))?;
                let node = drawn.graph.standings.page_of(page.0);
                drawn
                    .place(node)
                    .ok_or_else(|| Problem::missing("this page is not on the map: no links lead to it from the root"))?
            }
        };
        let mut places = vec![top];
        let (mut layer, mut left_out) = (vec![top], Vec::new());
        for _ in 0..depth {
            let mut next = Vec::new();
            for place in layer {
                let children = tree.children(place);
                let room = most.saturating_sub(places.len());
                let shown = children.len().min(room);
                next.extend(children.clone().take(shown));
                places.extend(children.clone().take(shown));
                left_out.push((place, (children.len() - shown) as u32));
            }
            layer = next;
        }
        left_out.extend(layer.into_iter().map(|place| (place, tree.children(place).len() as u32)));
        left_out.sort_unstable();
        let mut rows = Vec::with_capacity(places.len());
        for place in places {
            let node = tree.node(place);
            let missing = left_out.binary_search_by_key(&place, |(place, _)| *place).map_or(0, |at| left_out[at].1);
            rows.push(Place {
                place,
                parent: tree.parent(place).filter(|_| place != top),
                url: drawn.graph.standings.names.url(node).to_owned(),
                title: view.page(PageId(node))?.map(|page| page.facts.title).unwrap_or_default(),
                state: drawn.graph.standings.state(node).map(|state| state.name()),
                rank: drawn.graph.ranks.values.get(node as usize).copied().unwrap_or_default(),
                r#type: drawn.media_type(node).to_owned(),
                depth: tree.depth(place),
                pages: drawn.sizes[place as usize],
                children: tree.children(place).len() as u32,
                left_out: missing,
            });
        }
        Ok(Json(Branch {
            places: rows,
            pages: tree.len(),
            layers: tree.layer_count(),
            unreached: drawn.graph.unreached(tree),
            up_to_layer: drawn.graph.horizon,
        }))
    })
    .await
}
