//! Everything about one URL, as `groma explain` says it.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_tasks::explain::{Explanation, Window, explain};
use groma_tasks::rules::InForce;
use serde::Deserialize;

use super::query::check_length;
#[cfg(test)]
use super::shapes::ExplanationShape;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/page", get(page))
}

/// Which URL, and which of its links.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct PageQuery {
    /// The URL, in any spelling, or a path of the site.
    #[cfg_attr(test, param(min_length = 1, max_length = 4000))]
    url: String,
    /// Pages that link here, passed over.
    #[cfg_attr(test, param(minimum = 0, maximum = 100_000_000))]
    skip_in: Option<u32>,
    /// Links on the page, passed over.
    #[cfg_attr(test, param(minimum = 0, maximum = 100_000_000))]
    skip_out: Option<u32>,
    /// Links of each direction.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// What is known of a URL: its rules, its state, the way to it, its last fetch, its links.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/page", tag = "survey", params(("site" = String, Path), PageQuery),
    responses((status = 200, body = ExplanationShape))))]
pub(super) async fn page(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<PageQuery>,
) -> Result<Json<Explanation>, Problem> {
    check_length("url", Some(&which.url), 4000)?;
    let part = super::cursor::part("", None, which.limit)?;
    let skip = |skip: Option<u32>| super::query::check_number("skip", skip.unwrap_or(0), 100_000_000);
    let window = Window { skip_in: skip(which.skip_in)?, skip_out: skip(which.skip_out)?, most: part.most };
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut view = site.read()?;
        let rules = InForce::read(Some(&mut *view), &[], app.options.config.as_deref())?;
        let told = explain(&mut *view, &rules.settings, &rules.saved, &which.url, window)?;
        Ok(Json(told.with_outside(&site.folder)?))
    })
    .await
}
