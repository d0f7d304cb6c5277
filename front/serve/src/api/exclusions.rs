//! Exclusions for a crawl that is under way: what a pattern would drop, and dropping it.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::query::check_length;
use crate::app::App;
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::exclusions::LONGEST;

pub(crate) use crate::exclusions::{apply, preview};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/exclusions", get(look).post(exclude))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ExclusionQuery {
    /// A glob such as `*/calendar/*`, or `re:` and a regular expression.
    #[cfg_attr(test, param(min_length = 1, max_length = 1000))]
    pattern: String,
}

/// What a pattern would drop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Dropped {
    /// URLs that wait for their turn.
    queued: u64,
    /// Those of them that match.
    dropped: u64,
    /// Pages that have been read and match: they would be ignored from now on.
    read: u64,
    /// Some of those that wait and match.
    samples: Vec<String>,
}

/// How many URLs of the queue a pattern would drop.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/exclusions", tag = "jobs", params(("site" = String, Path), ExclusionQuery),
    responses((status = 200, body = Dropped))))]
pub(super) async fn look(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<ExclusionQuery>,
) -> Result<Json<Dropped>, Problem> {
    check_length("pattern", Some(&which.pattern), LONGEST)?;
    app.work(move |app| {
        let seen = preview(&*app.site(&name)?, &[which.pattern])?;
        Ok(Json(Dropped { queued: seen.queued, dropped: seen.dropped, read: seen.read, samples: seen.samples }))
    })
    .await
}

/// A pattern to be added.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewExclusion {
    /// A glob such as `*/calendar/*`, or `re:` and a regular expression.
    #[cfg_attr(test, schema(min_length = 1, max_length = 1000))]
    pattern: String,
}

/// A pattern that was added.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Excluded {
    /// URLs of the queue that it drops.
    dropped: u64,
}

/// Adds a pattern to the crawl or update under way: it is paused, changed, and goes on.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/exclusions", tag = "jobs", params(("site" = String, Path)),
    request_body = NewExclusion, responses((status = 200, body = Excluded))))]
pub(super) async fn exclude(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(new): Taken<NewExclusion>,
) -> Result<Json<Excluded>, Problem> {
    check_length("pattern", Some(&new.pattern), LONGEST)?;
    let site = app.site(&name)?;
    Ok(Json(Excluded { dropped: apply(&app, &site, vec![new.pattern]).await? }))
}
