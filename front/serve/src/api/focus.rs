//! Focused crawls: those of a survey, one with its curve, its steps one by one, asking for one, forgetting one, and its pages as a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use groma_desk::focus::{Closing, Form, Line};
use groma_desk::task::{Focus, Task};
use groma_model::moment::rfc3339;
use groma_store::focuses::{FocusId, FocusRow};

use super::bounds::{asked, made};
use super::query::check_number;
use super::{List, cursor, sites};
use crate::app::App;
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::focuses;
use crate::pages::focus::write_pages;
use crate::{orders, words};

/// Points of a curve unless told otherwise, and at most.
const POINTS: u32 = 200;
const MOST_POINTS: u32 = 2_000;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/focus", get(crawls).post(begin))
        .route("/sites/{site}/focus/{crawl}", get(crawl).delete(forget))
        .route("/sites/{site}/focus/{crawl}/steps", get(steps))
        .route("/sites/{site}/focus/{crawl}/export", get(export))
}

/// A focused crawl.
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

impl FocusedCrawl {
    fn of(row: FocusRow) -> FocusedCrawl {
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
}

/// The focused crawls of a survey, by their numbers.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/focus", tag = "focus",
    params(("site" = String, Path), sites::Part), responses((status = 200, body = List<FocusedCrawl>))))]
pub(super) async fn crawls(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<sites::Part>,
) -> Result<Json<List<FocusedCrawl>>, Problem> {
    let list = format!("focused crawls of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let mut rows = focuses::all(&*app.site(&name)?)?;
        rows.retain(|row| row.id.0 > part.after);
        rows.sort_by_key(|row| row.id);
        let rows = rows.into_iter().take(part.most + 1).map(FocusedCrawl::of).collect();
        Ok(Json(List::of(rows, &list, part, |crawl: &FocusedCrawl| crawl.id)))
    })
    .await
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
pub(super) struct Fineness {
    /// Points of the curve at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 2000))]
    points: Option<u32>,
}

/// One focused crawl, with its harvest curve.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}", tag = "focus",
    params(("site" = String, Path), ("crawl" = u32, Path), Fineness),
    responses((status = 200, body = FocusedCrawlWithCurve))))]
pub(super) async fn crawl(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(fineness): Query<Fineness>,
) -> Result<Json<FocusedCrawlWithCurve>, Problem> {
    let points = fineness.points.unwrap_or(POINTS);
    if points == 0 {
        return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
    }
    let points = check_number("points", points, MOST_POINTS)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let row = focuses::one(&site, id.into())?;
        let mut kept = focuses::keeper(&site)?.ok_or_else(focuses::no_such)?;
        let curve = kept.curve(row.id, points)?;
        let curve = curve.into_iter().map(|(fetched, relevant)| CurvePoint { fetched, relevant }).collect();
        Ok(Json(FocusedCrawlWithCurve { crawl: FocusedCrawl::of(row), curve }))
    })
    .await
}

/// A focused crawl that was asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FocusAsked {
    /// The number of the job that does it.
    job: u64,
}

/// Asks for a focused crawl, by a job; the same words asked again go on where they stopped.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/focus", tag = "focus", params(("site" = String, Path)),
    request_body = Focus, responses((status = 201, body = FocusAsked, headers(("Location" = String))))))]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(task): Taken<Focus>,
) -> Result<Response, Problem> {
    app.work(move |app| {
        let job = orders::ask(app, &*app.site(&name)?, Task::Focus(task))?;
        Ok(made(&format!("/api/v1/sites/{name}/jobs/{job}"), &FocusAsked { job }))
    })
    .await
}

/// Forgets a focused crawl; its pages stay in the survey.
#[cfg_attr(test, utoipa::path(delete, path = "/api/v1/sites/{site}/focus/{crawl}", tag = "focus",
    params(("site" = String, Path), ("crawl" = u32, Path)), responses((status = 204))))]
pub(super) async fn forget(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<StatusCode, Problem> {
    app.work(move |app| {
        focuses::forget(&*app.site(&name)?, id.into())?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Which steps.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Which {
    /// The relevant pages alone.
    relevant: Option<bool>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A page a focused crawl went to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FocusStep {
    /// Its place, from 1.
    n: u32,
    /// Its address.
    address: String,
    /// What came of it.
    state: String,
    /// What it is: article, book, list, other; empty if there was no page to read.
    r#type: String,
    /// How sure that is, 0 to 1.
    confidence: f64,
    /// How near it is to the topic.
    r: f64,
    /// R of its content parts.
    content: f64,
    /// R of its link parts.
    links: f64,
    /// The cosines of its parts.
    cosines: BTreeMap<String, f64>,
    /// The share of the topic's words that it is about.
    cover: f64,
    /// Its weight when its turn came.
    weight: f64,
    /// The page whose link spoke for it most.
    parent: Option<String>,
    /// The kind of link it was reached by, where the strategy learns about those.
    arm: Option<String>,
    /// It meets the demand.
    relevant: bool,
    /// Why it was fetched.
    why: String,
}

impl FocusStep {
    fn of(line: Line) -> FocusStep {
        FocusStep {
            n: line.n,
            address: line.address,
            state: line.state,
            r#type: line.r#type,
            confidence: line.confidence,
            r: line.r,
            content: line.content,
            links: line.links,
            cosines: line.cosines,
            cover: line.cover,
            weight: line.weight,
            parent: line.parent,
            arm: line.arm,
            relevant: line.relevant,
            why: line.why,
        }
    }
}

/// The pages a focused crawl went to, in the order in which they were fetched.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}/steps", tag = "focus",
    params(("site" = String, Path), ("crawl" = u32, Path), Which),
    responses((status = 200, body = List<FocusStep>))))]
pub(super) async fn steps(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(which): Query<Which>,
) -> Result<Json<List<FocusStep>>, Problem> {
    let relevant = which.relevant.unwrap_or(false);
    let list = format!("steps of {name} {id} {relevant}");
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let site = app.site(&name)?;
        focuses::one(&site, id.into())?;
        let mut kept = focuses::keeper(&site)?.ok_or_else(focuses::no_such)?;
        // Places are told from 1 and kept from 0: the cursor, the place of the last one told, is the next one kept.
        let from = u32::try_from(part.after).unwrap_or(u32::MAX);
        let rows = kept.steps(FocusId(id.into()), from, part.most + 1, relevant)?;
        let told = |row: groma_store::focuses::StepRow| {
            let line: Line = serde_json::from_str(&row.said).unwrap_or_default();
            FocusStep::of(Line { n: row.order.saturating_add(1), address: row.address, ..line })
        };
        let rows = rows.into_iter().map(told).collect();
        Ok(Json(List::of(rows, &list, part, |step: &FocusStep| step.n.into())))
    })
    .await
}

/// In which form, and which pages.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Exported {
    /// csv, json (an object a line) or warc (the pages themselves).
    format: Option<String>,
    /// All pages that were fetched, not the relevant ones alone.
    all: Option<bool>,
}

/// The relevant pages of a focused crawl as a file.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/focus/{crawl}/export", tag = "focus",
    params(("site" = String, Path), ("crawl" = u32, Path), Exported),
    responses((status = 200, content((String = "text/csv; charset=utf-8"), (String = "application/jsonl; charset=utf-8"),
        (Vec<u8> = "application/warc"))))))]
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(which): Query<Exported>,
) -> Result<Response, Problem> {
    let names = Form::ALL.map(Form::name);
    let form = Form::named(which.format.as_deref().unwrap_or(Form::Csv.name()));
    let form = form.ok_or_else(|| Problem::bad(words::no_such("format"), words::one_of(&names)))?;
    let all = which.all.unwrap_or(false);
    let sent = app.work(move |app| write_pages(&*app.site(&name)?, id, form, all)).await?;
    Ok(sent.into_response())
}
