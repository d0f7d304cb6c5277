//! Health and counters of the server, for monitoring.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use groma_store::Snapshot;

use crate::app::App;
use crate::error::Problem;
use crate::{metrics, words};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/healthz", get(healthz)).route("/metrics", get(counts))
}

/// State of the server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Health {
    /// `ok`.
    status: &'static str,
    /// Sites that can be read.
    sites: usize,
}

/// Can the accounts and the surveys be read? One survey that cannot is a matter for its pages; none at all is one for whoever
/// watches over the server.
#[cfg_attr(test, utoipa::path(get, path = "/healthz", tag = "server", security(()), responses((status = 200, body = Health))))]
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Result<Json<Health>, Problem> {
    app.work(|app| {
        app.accounts.check()?;
        let all: Vec<_> = app.sites.all().into_iter().filter(|site| site.exists()).collect();
        let good = all.iter().filter(|site| site.read().is_ok_and(|mut view| view.value("format").is_ok())).count();
        if good == 0 && !all.is_empty() {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Err(Problem::new(status, "no survey can be read", words::DISK_HINT));
        }
        Ok(Json(Health { status: "ok", sites: good }))
    })
    .await
}

/// Counts for Prometheus.
#[cfg_attr(test, utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, content_type = "application/openmetrics-text", body = String))))]
pub(super) async fn counts(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let text = app.work(metrics::text).await?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
