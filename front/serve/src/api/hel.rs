//! A rule of the extraction language, tried on a page.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use groma_hel::bounds::RULE_BYTES;

use crate::app::App;
use crate::door::Json as Taken;
use crate::error::Problem;
use crate::trial::{self, TrialRequest, Tried};
use crate::words;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/hel", post(try_out))
}

/// A rule, and the page it is tried on: HTML, or a page of a survey whose copy is kept.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub(super) struct Trial {
    /// Rule to be tried.
    #[cfg_attr(test, schema(max_length = 4096))]
    rule: String,
    /// HTML of the page.
    html: String,
    /// The name of a site.
    #[cfg_attr(test, schema(max_length = 2000))]
    site: String,
    /// The URL of a page of its survey.
    #[cfg_attr(test, schema(max_length = 2000))]
    url: String,
}

/// What a rule gives.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct TrialResult {
    /// Nothing, a string, or lists of such within one another.
    #[cfg_attr(test, schema(value_type = Value))]
    value: Value,
    /// All strings of it in order of first sight, without repetitions and blank ones.
    values: Vec<String>,
    /// The bound that has cut the page, if one has.
    cut: Option<&'static str>,
}

/// Tries a rule on a page. Nothing is fetched and nothing is kept.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/hel", tag = "databases", request_body = Trial,
    responses((status = 200, body = TrialResult))))]
pub(super) async fn try_out(
    State(app): State<Arc<App>>,
    Taken(trial): Taken<Trial>,
) -> Result<Json<TrialResult>, Problem> {
    for (key, text, most) in
        [("rule", &trial.rule, RULE_BYTES), ("site", &trial.site, 2_000), ("url", &trial.url, 2_000)]
    {
        if text.chars().count() > most {
            return Err(Problem::bad(words::too_long(key, most), words::QUERY_HINT));
        }
    }
    app.work(move |app| {
        let wanted = TrialRequest { rule: &trial.rule, html: &trial.html, site: &trial.site, url: &trial.url };
        match trial::try_out(app, &wanted)? {
            Tried::Value { value, cut } => {
                let values = value.values().into_iter().map(str::to_owned).collect();
                Ok(Json(TrialResult { value: json_of(&value), values, cut }))
            }
            Tried::Fault(fault) => Err(Problem::refused(fault.to_string(), words::RULE_HINT)),
        }
    })
    .await
}

/// Lists within lists are as deep as the rule has steps, which are few.
fn json_of(value: &groma_hel::Value) -> Value {
    match value {
        groma_hel::Value::Null => Value::Null,
        groma_hel::Value::Text(text) => Value::String(text.clone()),
        groma_hel::Value::List(list) => list.iter().map(json_of).collect(),
    }
}
