//! Where a logical site ends: what was found, its pages one by one, looking for it, and the site as SURT prefixes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use groma_store::bounds::Side;
use groma_tasks::bounds::KeptPage;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cursor::{self, List};
use super::query::check_length;
use super::results::asking;
#[cfg(test)]
use super::shapes::BoundsShape;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::results::bounds::{BoundsResults, LONGEST};
use crate::{results, words};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/bounds", asking::<BoundsResults>().get(bounds))
        .route("/sites/{site}/bounds/pages", get(pages))
        .route("/sites/{site}/bounds/surt", get(surt))
}

/// Which of the logical sites that were found in the survey.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct StartQuery {
    /// What it was found from: a URL, or `keyword:WORD`; left out: the one that was found last.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    start: Option<String>,
}

impl StartQuery {
    pub(super) fn start(&self) -> Result<String, Problem> {
        check_length("start", self.start.as_deref(), LONGEST)?;
        Ok(self.start.clone().unwrap_or_default())
    }
}

/// The logical site that was found: its head, its parts, its family, the clusters around it.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds", tag = "bounds", params(("site" = String, Path), StartQuery),
    responses((status = 200, body = BoundsShape))))]
pub(super) async fn bounds(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<StartQuery>,
) -> Result<Json<Value>, Problem> {
    let start = query.start()?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let found = results::bounds::found(&site, &start)?;
        let mut whole = serde_json::to_value(&found.header).unwrap_or_default();
        whole["stale"] = json!(found.stale);
        whole["prefixes"] = json!(found.prefixes);
        whole["nearby"] = json!(found.nearby);
        Ok(Json(whole))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct VerdictQuery {
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
    /// URL of the page.
    url: String,
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
    fn read(page: KeptPage<'_>) -> PageOfSite {
        PageOfSite {
            url: page.address.to_owned(),
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
    params(("site" = String, Path), VerdictQuery), responses((status = 200, body = List<PageOfSite>))))]
pub(super) async fn pages(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<VerdictQuery>,
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
        let found = results::bounds::found(&site, which.start.as_deref().unwrap_or_default())?;
        let ground = site.ground()?;
        // The cursor holds the number of the last page, and one more, so that nothing is told from page 0.
        let first = u32::try_from(part.after).unwrap_or(u32::MAX);
        let rows = found.pages(&ground, first).filter(|page| side.is_none_or(|side| page.side == side));
        let rows: Vec<PageOfSite> = rows.take(part.most + 1).map(PageOfSite::read).collect();
        Ok(Json(List::cut(rows, &list, part, |page| u64::from(page.number) + 1)))
    })
    .await
}

/// The logical site as SURT prefixes: what is taken, what is not.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds/surt", tag = "bounds", params(("site" = String, Path), StartQuery),
    responses((status = 200, body = String, content_type = "text/plain; charset=utf-8"))))]
pub(super) async fn surt(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<StartQuery>,
) -> Result<Response, Problem> {
    let start = query.start()?;
    let text = app.work(move |app| results::bounds::surt(&app.site(&name)?, &start)).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// What the shared handlers say of themselves in the description of the API.
#[cfg(test)]
pub(super) mod described {
    #![allow(dead_code, reason = "only their descriptions are used")]

    use groma_tasks::task::Bounds;

    /// A search that was asked for.
    #[derive(utoipa::ToSchema)]
    pub(crate) struct Searched {
        /// The number of the job that does it.
        job: u64,
    }

    /// Looks for a logical site: by a job.
    #[utoipa::path(post, path = "/api/v1/sites/{site}/bounds", tag = "bounds", params(("site" = String, Path)),
        request_body = Bounds, responses((status = 201, body = Searched, headers(("Location" = String)))))]
    pub(crate) fn find() {}
}
