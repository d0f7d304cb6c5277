//! Where a logical site ends: what was found, its pages one by one, looking for it, and the site as SURT prefixes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use groma_desk::bounds::KeptPage;
use groma_desk::task::{Bounds, Task};
use groma_store::borders::Side;

use super::query::check_length;
#[cfg(test)]
use super::shapes::BoundsShape;
use super::{List, cursor};
use crate::app::App;
use crate::borders::{self, LONGEST, none_found};
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::{orders, words};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/bounds", get(bounds).post(find))
        .route("/sites/{site}/bounds/pages", get(pages))
        .route("/sites/{site}/bounds/surt", get(surt))
}

/// Which of the logical sites that were found in the survey.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Which {
    /// What it was found from: an address, or `keyword:WORD`; left out: the one that was found last.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    start: Option<String>,
}

impl Which {
    pub(super) fn start(&self) -> Result<String, Problem> {
        check_length("start", self.start.as_deref(), LONGEST)?;
        Ok(self.start.clone().unwrap_or_default())
    }
}

/// The logical site that was found: its head, its parts, its family, the clusters around it.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds", tag = "bounds", params(("site" = String, Path), Which),
    responses((status = 200, body = BoundsShape))))]
pub(super) async fn bounds(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<Value>, Problem> {
    let start = which.start()?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let start = borders::meant(&site, &start)?;
        let found = site.bounds(Some(&start))?.ok_or_else(none_found)?;
        let mut whole = serde_json::to_value(&found.header).unwrap_or_default();
        whole["stale"] = json!(found.stale);
        whole["prefixes"] = json!(found.prefixes);
        whole["nearby"] = json!(found.nearby);
        Ok(Json(whole))
    })
    .await
}

/// A search that was asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Searched {
    /// The number of the job that does it.
    job: u64,
}

/// Looks for a logical site: by a job.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/bounds", tag = "bounds", params(("site" = String, Path)),
    request_body = Bounds, responses((status = 201, body = Searched, headers(("Location" = String))))))]
pub(super) async fn find(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(task): Taken<Bounds>,
) -> Result<Response, Problem> {
    app.work(move |app| {
        let job = orders::ask(app, &*app.site(&name)?, Task::Bounds(task))?;
        Ok(made(&format!("/api/v1/sites/{name}/jobs/{job}"), &Searched { job }))
    })
    .await
}

/// A task as its results keep it: what is not as usual.
pub(super) fn asked(stored: &str, read: impl Fn(&str) -> Result<Task, groma_desk::Fault>) -> Value {
    read(stored).map(|task| task.said()).unwrap_or_default().into()
}

/// Something was made, and stands there.
pub(super) fn made(place: &str, what: &impl Serialize) -> Response {
    let mut response = (StatusCode::CREATED, Json(what)).into_response();
    if let Ok(place) = HeaderValue::from_str(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}

/// Which pages.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Pages {
    /// What the site was found from; left out: the one that was found last.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    start: Option<String>,
    /// On this side of the border.
    verdict: Option<String>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A page, and on which side of the border it is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct PageOfSite {
    /// Its address.
    address: String,
    /// in, undecided or out.
    verdict: &'static str,
    /// How sure that is, 0 to 1. Of pages that are far out, the average of the part they lie in.
    confidence: f64,
    /// The first member of the family it is in.
    step: Option<u32>,
    /// What speaks for it, and for all pages that have their verdict from the same part.
    reason: String,
    #[serde(skip)]
    number: u32,
}

impl PageOfSite {
    fn of(page: KeptPage<'_>) -> PageOfSite {
        PageOfSite {
            address: page.address.to_owned(),
            verdict: page.side.name(),
            confidence: (f64::from(page.confidence.clamp(0.0, 1.0)) * 1000.0).round() / 1000.0,
            step: page.step,
            reason: page.reason.into_owned(),
            number: page.number,
        }
    }
}

/// Every page of the survey, and on which side of the border of a logical site it is.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds/pages", tag = "bounds",
    params(("site" = String, Path), Pages), responses((status = 200, body = List<PageOfSite>))))]
pub(super) async fn pages(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<Pages>,
) -> Result<Json<List<PageOfSite>>, Problem> {
    check_length("start", which.start.as_deref(), LONGEST)?;
    let side = which.verdict.as_deref().map(|wanted| {
        let names: Vec<&str> = Side::ALL.iter().map(|side| side.name()).collect();
        Side::named(wanted).ok_or_else(|| Problem::bad(words::no_such("verdict"), words::one_of(&names)))
    });
    let side = side.transpose()?;
    let list = format!("bounds of {name} {:?} {side:?}", which.start);
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let start = borders::meant(&site, which.start.as_deref().unwrap_or_default())?;
        let found = site.bounds(Some(&start))?.ok_or_else(none_found)?;
        let ground = site.ground()?;
        // The cursor holds the number of the last page, and one more, so that nothing is told from page 0.
        let first = u32::try_from(part.after).unwrap_or(u32::MAX);
        let rows = found.pages(&ground, first).filter(|page| side.is_none_or(|side| page.side == side));
        let rows: Vec<PageOfSite> = rows.take(part.most + 1).map(PageOfSite::of).collect();
        Ok(Json(List::of(rows, &list, part, |page| u64::from(page.number) + 1)))
    })
    .await
}

/// The logical site as SURT prefixes: what is taken, what is not.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds/surt", tag = "bounds", params(("site" = String, Path), Which),
    responses((status = 200, body = String, content_type = "text/plain; charset=utf-8"))))]
pub(super) async fn surt(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Response, Problem> {
    let start = which.start()?;
    let text = app.work(move |app| borders::surt(&app.site(&name)?, &start)).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
