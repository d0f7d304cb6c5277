//! Notices about a survey, and how their delivery went.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use groma_model::moment::rfc3339;

use super::cursor::{self, List, ListQuery};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/notices", get(notices))
}

/// A notice about new findings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Notice {
    /// Number of the notice.
    id: u64,
    /// When it was written.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
    /// The run it is about.
    run: u32,
    /// Subject, in one line.
    title: String,
    /// What is new: findings and changes.
    #[cfg_attr(test, schema(value_type = Object))]
    body: serde_json::Value,
    /// How its delivery went, by way.
    #[cfg_attr(test, schema(value_type = Object))]
    delivery: serde_json::Value,
}

/// The notices of a site, the latest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/notices", tag = "notices", params(("site" = String, Path), ListQuery),
    responses((status = 200, body = List<Notice>))))]
pub(super) async fn notices(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<Notice>>, Problem> {
    let list = format!("notices of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    let object = |text: &str| {
        let value = serde_json::from_str(text).ok().filter(serde_json::Value::is_object);
        value.unwrap_or_else(|| serde_json::json!({}))
    };
    app.work(move |app| {
        let site = app.site(&name)?;
        let before = Some(part.after).filter(|after| *after > 0);
        let rows = site.queue()?.notices(before, part.most + 1)?;
        let notice = |row: groma_store::jobs::NoticeRow| Notice {
            id: row.id,
            at: rfc3339(row.at),
            run: row.run,
            title: row.title,
            body: object(&row.body),
            delivery: object(&row.delivery),
        };
        Ok(Json(List::cut(rows.into_iter().map(notice).collect(), &list, part, |notice| notice.id)))
    })
    .await
}
