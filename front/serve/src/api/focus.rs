//! Focused crawls: what they look like to programs, with their curves and their steps one by one.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_store::focuses::{FocusRow, Focuses, StepRow};
use groma_tasks::focus::{Closing, Line};
use groma_tasks::task::{Focus, Task};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cursor::{List, ListPart, ListQuery};
use super::query::check_number;
use super::results::{ResultApi, asked, list_within, routes};
#[cfg(test)]
use super::shapes::FocusStepShape;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::results::focus::FocusedCrawls;
use crate::words;

/// Points of a curve unless told otherwise, and at most.
const POINTS: u32 = 200;
const MOST_POINTS: u32 = 2_000;

pub(super) fn router() -> Router<Arc<App>> {
    routes::<FocusedCrawls>().route("/sites/{site}/focus/{crawl}/steps", get(steps))
}

/// A focused crawl, and what came of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FocusedCrawl {
    /// Its number in the survey.
    id: u64,
    /// The topic as people see it.
    topic: String,
    /// The order in which it goes.
    strategy: String,
    /// The task: everything that is not as usual.
    #[cfg_attr(test, schema(value_type = Focus))]
    task: Value,
    /// Pages fetched.
    fetched: u32,
    /// Relevant pages among them.
    relevant: u32,
    /// Relevant pages by pages fetched.
    harvest: f64,
    /// Why it ended: budget, frontier-exhausted, weight-too-low; nothing if it has not.
    end: Option<String>,
    /// When it was begun.
    #[cfg_attr(test, schema(format = DateTime))]
    begun_at: String,
    /// When it was last at work.
    #[cfg_attr(test, schema(format = DateTime))]
    last_at: String,
}

/// A focused crawl and its curve.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FocusedCrawlWithCurve {
    #[serde(flatten)]
    crawl: FocusedCrawl,
    /// How many relevant pages there were after how many fetched, growing; the last step is among them.
    curve: Vec<CurvePoint>,
}

/// A point of a harvest curve.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct CurvePoint {
    /// Pages fetched.
    fetched: u32,
    /// Relevant pages among them.
    relevant: u32,
}

/// How fine the curve is.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct CurveQuery {
    /// Points of the curve at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 2000))]
    points: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct StepsQuery {
    /// The relevant pages alone.
    relevant: Option<bool>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// In which form, and which pages.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ExportQuery {
    /// csv, json (an object a line) or warc (the pages themselves).
    format: Option<String>,
    /// All pages that were fetched, not the relevant ones alone.
    all: Option<bool>,
}

impl ResultApi for FocusedCrawls {
    type Listed = FocusedCrawl;
    type Full = FocusedCrawlWithCurve;
    type FullQuery = CurveQuery;
    type ExportQuery = ExportQuery;
    const PATH: &'static str = "focus";
    const ID: &'static str = "crawl";
    const LIST: &'static str = "focused crawls";

    fn listed(row: FocusRow) -> FocusedCrawl {
        FocusedCrawl {
            id: row.id.0,
            task: asked(&row.asked, |text| Focus::read_stored(text).map(Task::Focus)),
            topic: row.topic,
            strategy: row.strategy,
            fetched: row.steps,
            relevant: row.relevant,
            harvest: Closing::rate(row.relevant, row.steps),
            end: Some(row.end).filter(|end| !end.is_empty()),
            begun_at: rfc3339(row.begun),
            last_at: rfc3339(row.last),
        }
    }

    fn check(query: &CurveQuery) -> Result<(), Problem> {
        if query.points == Some(0) {
            return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
        }
        check_number("points", query.points.unwrap_or(POINTS), MOST_POINTS).map(drop)
    }

    fn full(keeper: &mut Focuses, row: FocusRow, query: &CurveQuery) -> Result<FocusedCrawlWithCurve, Problem> {
        let curve = keeper.curve(row.id, query.points.unwrap_or(POINTS) as usize)?;
        let curve = curve.into_iter().map(|(fetched, relevant)| CurvePoint { fetched, relevant }).collect();
        Ok(FocusedCrawlWithCurve { crawl: FocusedCrawls::listed(row), curve })
    }

    fn export_of(query: ExportQuery) -> (Option<String>, bool) {
        (query.format, query.all.unwrap_or(false))
    }
}

/// The pages a focused crawl went to, in the order in which they were fetched.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}/steps", tag = "focus",
    params(("site" = String, Path), ("crawl" = u32, Path), StepsQuery),
    responses((status = 200, body = List<FocusStepShape>))))]
pub(super) async fn steps(
    State(app): State<Arc<App>>,
    Path(whose): Path<(String, u32)>,
    Query(query): Query<StepsQuery>,
) -> Result<Json<List<Line>>, Problem> {
    let relevant = query.relevant.unwrap_or(false);
    let list = format!("steps of {} {} {relevant}", whose.0, whose.1);
    let part = ListQuery { cursor: query.cursor, limit: query.limit };
    let read = move |keeper: &mut Focuses, row: &FocusRow, part: ListPart| {
        let steps = keeper.steps(row.id, part.place(), part.most + 1, relevant)?;
        Ok(steps.into_iter().map(line).collect())
    };
    list_within::<FocusedCrawls, _>(&app, whose, list, part, read, |step| step.n.into()).await
}

/// What was said of a step, with the place and the URL that it is kept under.
fn line(row: StepRow) -> Line {
    let said: Line = serde_json::from_str(&row.said).unwrap_or_default();
    Line { n: row.order.saturating_add(1), url: row.address, ..said }
}

/// What the shared handlers say of themselves in the description of the API.
#[cfg(test)]
pub(super) mod described {
    #![allow(dead_code, reason = "only their descriptions are used")]

    use super::*;

    /// A focused crawl that was asked for.
    #[derive(utoipa::ToSchema)]
    pub(crate) struct FocusAsked {
        /// The number of the job that does it.
        job: u64,
    }

    /// The focused crawls of a survey, by their numbers.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/focus", tag = "focus",
        params(("site" = String, Path), ListQuery), responses((status = 200, body = List<FocusedCrawl>)))]
    pub(crate) fn crawls() {}

    /// Asks for a focused crawl, by a job; the same words asked again go on where they stopped.
    #[utoipa::path(post, path = "/api/v1/sites/{site}/focus", tag = "focus", params(("site" = String, Path)),
        request_body = Focus, responses((status = 201, body = FocusAsked, headers(("Location" = String)))))]
    pub(crate) fn begin() {}

    /// One focused crawl, with its harvest curve.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}", tag = "focus",
        params(("site" = String, Path), ("crawl" = u32, Path), CurveQuery),
        responses((status = 200, body = FocusedCrawlWithCurve)))]
    pub(crate) fn crawl() {}

    /// Forgets a focused crawl; its pages stay in the survey.
    #[utoipa::path(delete, path = "/api/v1/sites/{site}/focus/{crawl}", tag = "focus",
        params(("site" = String, Path), ("crawl" = u32, Path)), responses((status = 204)))]
    pub(crate) fn forget() {}

    /// The relevant pages of a focused crawl as a file.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}/export", tag = "focus",
        params(("site" = String, Path), ("crawl" = u32, Path), ExportQuery),
        responses((status = 200, content((String = "text/csv; charset=utf-8"), (String = "application/jsonl; charset=utf-8"),
            (Vec<u8> = "application/warc")))))]
    pub(crate) fn export() {}
}
