//! The rules about URLs in force, and what they make of one.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_tasks::rules::{InForce, Tried, try_out};
use groma_tasks::standing::LearnedRule;
use serde::{Deserialize, Serialize};

use super::query::check_length;
#[cfg(test)]
use super::shapes::{LearnedShape, TriedShape};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/rules", get(rules)).route("/sites/{site}/rules/test", get(test))
}

/// The rules in force.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Rules {
    /// Those that were written, as they stand in groma.toml.
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    written: Vec<serde_json::Value>,
    /// Those that were learned.
    #[cfg_attr(test, schema(value_type = Vec<LearnedShape>))]
    learned: Vec<LearnedRule>,
    /// Parameters that never choose a page.
    noise: Vec<String>,
}

/// The rules of a survey, written and learned.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/rules", tag = "survey", params(("site" = String, Path)),
    responses((status = 200, body = Rules))))]
pub(super) async fn rules(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Rules>, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut view = site.read()?;
        let rules = InForce::read(Some(&mut *view), &[], app.options.config.as_deref())?;
        let written = rules.settings.rules.iter().map(|rule| serde_json::to_value(rule).unwrap_or_default()).collect();
        Ok(Json(Rules { written, learned: rules.learned, noise: rules.settings.noise }))
    })
    .await
}

/// A URL to be tried.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct RuleQuery {
    /// URL to which the rules are applied.
    #[cfg_attr(test, param(min_length = 1, max_length = 4000))]
    url: String,
}

/// What the rules make of a URL, step by step.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/rules/test", tag = "survey", params(("site" = String, Path), RuleQuery),
    responses((status = 200, body = TriedShape))))]
pub(super) async fn test(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<RuleQuery>,
) -> Result<Json<Tried>, Problem> {
    check_length("url", Some(&which.url), 4000)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let mut view = site.read()?;
        let rules = InForce::read(Some(&mut *view), &[], app.options.config.as_deref())?;
        Ok(Json(try_out(&rules.settings.canonizer(), &which.url)?))
    })
    .await
}
