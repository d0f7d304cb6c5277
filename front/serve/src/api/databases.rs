//! Databases behind forms: the gatherings of a survey, one with its statement and its curve, asking for one, forgetting one, what it
//! found and what it asked, and the same as a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use groma_desk::gather::{Form, pairs};
use groma_desk::task::{Gather, Task};
use groma_model::moment::rfc3339;
use groma_store::gathers::{AnswerRow, GatherRow, RecordRow};

use super::bounds::{asked, made};
use super::query::check_length;
use super::{List, cursor, sites};
use crate::app::App;
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::gatherings::{self, Plan, Report, Statement};
use crate::pages::databases::write_file;
use crate::{orders, words};

/// Points of a curve.
const POINTS: usize = 200;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/databases", get(databases).post(begin))
        .route("/sites/{site}/databases/{database}", get(database).delete(forget))
        .route("/sites/{site}/databases/{database}/records", get(records))
        .route("/sites/{site}/databases/{database}/values", get(values))
        .route("/sites/{site}/databases/{database}/answers", get(answers))
        .route("/sites/{site}/databases/{database}/export", get(export))
}

/// A gathering of a database.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Database {
    /// Its number in the survey.
    id: u64,
    /// What the database is called; empty if nobody knows.
    title: String,
    /// The address it was begun with.
    address: String,
    /// The page people use to ask the database; empty if nobody knows it yet.
    form: String,
    /// The task: everything that is not as usual.
    #[cfg_attr(test, schema(value_type = Gather))]
    task: Value,
    /// Records that are shown.
    records: u32,
    /// Requests of the gathering at work.
    requests: u32,
    /// Why it ended: certified, estimated or unknown; nothing if it has not.
    end: Option<String>,
    /// What it says of the records that are shown; nothing before a run has come to an end.
    statement: Option<Statement>,
    /// When it was begun.
    #[cfg_attr(test, schema(format = DateTime))]
    begun_at: String,
    /// When it was last at work.
    #[cfg_attr(test, schema(format = DateTime))]
    last_at: String,
}

impl Database {
    fn of(row: GatherRow) -> Database {
        Database {
            id: row.id.0,
            task: asked(&row.asked, |text| Gather::read_stored(text).map(Task::Gather)),
            statement: Statement::of(&row),
            title: row.title,
            address: row.address,
            form: row.form,
            records: row.records,
            requests: row.requests,
            end: Some(row.end).filter(|end| !end.is_empty()),
            begun_at: rfc3339(row.begun),
            last_at: rfc3339(row.last),
        }
    }
}

/// The gatherings of a survey, by their numbers.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases", tag = "databases",
    params(("site" = String, Path), sites::Part), responses((status = 200, body = List<Database>))))]
pub(super) async fn databases(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<sites::Part>,
) -> Result<Json<List<Database>>, Problem> {
    let list = format!("databases of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let mut rows = gatherings::all(&*app.site(&name)?)?;
        rows.retain(|row| row.id.0 > part.after);
        rows.sort_by_key(|row| row.id);
        let rows = rows.into_iter().take(part.most + 1).map(Database::of).collect();
        Ok(Json(List::of(rows, &list, part, |one: &Database| one.id)))
    })
    .await
}

/// A gathering with its attributes, its curve and what its last run said.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct DatabaseInFull {
    #[serde(flatten)]
    database: Database,
    /// The attributes and the number of their distinct values.
    attributes: Vec<AttributeCount>,
    /// How many records there were after how many answers, growing.
    curve: Vec<CoveragePoint>,
    /// What the last run said, whether it came to the end or not.
    last_run: Option<Statement>,
    /// What is varied and what it costs, as far as the last run could say.
    plan: Option<Plan>,
    /// How it is asked and read: `DB.*` lines; empty if nothing can be said yet.
    description: String,
}

/// An attribute.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct AttributeCount {
    /// Its name.
    name: String,
    /// Distinct values.
    values: u32,
}

/// A point of a coverage curve.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct CoveragePoint {
    /// Answers.
    answers: u32,
    /// Records.
    records: u32,
}

/// One gathering: its statement, its attributes, its curve, its plan and its description.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path)), responses((status = 200, body = DatabaseInFull))))]
pub(super) async fn database(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Json<DatabaseInFull>, Problem> {
    app.work(move |app| {
        let (mut kept, row) = gatherings::open(&*app.site(&name)?, id.into())?;
        let attributes = kept.attributes(row.id)?.into_iter();
        let curve = kept.curve(row.id, POINTS)?.into_iter();
        let report = Report::of(&row);
        let description = groma_desk::gather::described(&mut kept, &row)?;
        Ok(Json(DatabaseInFull {
            attributes: attributes.map(|(name, values)| AttributeCount { name, values }).collect(),
            curve: curve.map(|(answers, records)| CoveragePoint { answers, records }).collect(),
            last_run: report.closing,
            plan: report.planned,
            description,
            database: Database::of(row),
        }))
    })
    .await
}

/// A gathering that was asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct DatabaseAsked {
    /// The number of the job that does it.
    job: u64,
}

/// Asks for a gathering, by a job; the same words asked again go on where they stopped, or begin anew after an end.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/databases", tag = "databases", params(("site" = String, Path)),
    request_body = Gather, responses((status = 201, body = DatabaseAsked, headers(("Location" = String))))))]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Taken(task): Taken<Gather>,
) -> Result<Response, Problem> {
    app.work(move |app| {
        let job = orders::ask(app, &*app.site(&name)?, Task::Gather(task))?;
        Ok(made(&format!("/api/v1/sites/{name}/jobs/{job}"), &DatabaseAsked { job }))
    })
    .await
}

/// Forgets a gathering: its records, its answers and its statement.
#[cfg_attr(test, utoipa::path(delete, path = "/api/v1/sites/{site}/databases/{database}", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path)), responses((status = 204))))]
pub(super) async fn forget(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<StatusCode, Problem> {
    app.work(move |app| {
        gatherings::forget(&*app.site(&name)?, id.into())?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// A record.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct DatabaseRecord {
    /// Its place, from 1.
    n: u32,
    /// Values by attribute; an attribute may have several.
    values: BTreeMap<String, Vec<String>>,
    /// Where it is shown by itself.
    link: Option<String>,
    /// The question that brought it.
    question: String,
}

impl DatabaseRecord {
    fn of(row: RecordRow) -> DatabaseRecord {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (attribute, value) in pairs(&row) {
            values.entry(attribute).or_default().push(value);
        }
        DatabaseRecord {
            n: row.place.saturating_add(1),
            values,
            link: Some(row.link).filter(|link| !link.is_empty()),
            question: row.question,
        }
    }
}

/// The records of a gathering, in the order in which they were found.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/records", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), sites::Part),
    responses((status = 200, body = List<DatabaseRecord>))))]
pub(super) async fn records(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(part): Query<sites::Part>,
) -> Result<Json<List<DatabaseRecord>>, Problem> {
    let list = format!("records of {name} {id}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let (mut kept, row) = gatherings::open(&*app.site(&name)?, id.into())?;
        // Places are told from 1 and kept from 0: the cursor, the place of the last one told, is the next one kept.
        let rows = kept.records(row.id, from(part), part.most + 1)?;
        let rows = rows.into_iter().map(DatabaseRecord::of).collect();
        Ok(Json(List::of(rows, &list, part, |record: &DatabaseRecord| record.n.into())))
    })
    .await
}

fn from(part: cursor::Part) -> u32 {
    u32::try_from(part.after).unwrap_or(u32::MAX)
}

/// Which values.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichValues {
    /// Of this attribute.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    attribute: String,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A value of an attribute.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct AttributeValue {
    /// Its place, from 1.
    n: u32,
    /// The value.
    value: String,
}

/// The distinct values of an attribute, in the order in which they were found; none if there is no such attribute.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/values", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), WhichValues),
    responses((status = 200, body = List<AttributeValue>))))]
pub(super) async fn values(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(which): Query<WhichValues>,
) -> Result<Json<List<AttributeValue>>, Problem> {
    check_length("attribute", Some(&which.attribute), 2_000)?;
    let list = format!("values of {name} {id} {}", which.attribute);
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let (mut kept, row) = gatherings::open(&*app.site(&name)?, id.into())?;
        let first = from(part);
        let rows = kept.values(row.id, &which.attribute, first, part.most + 1)?.into_iter();
        let places = (1u32..).map(|n| first.saturating_add(n));
        let rows = places.zip(rows).map(|(n, value)| AttributeValue { n, value }).collect();
        Ok(Json(List::of(rows, &list, part, |value: &AttributeValue| value.n.into())))
    })
    .await
}

/// A question, and what came of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct DatabaseAnswer {
    /// Its place, from 1.
    n: u64,
    /// The question, in words.
    question: String,
    /// Where the answer came from in the end.
    address: String,
    /// The HTTP status; 0 for no answer.
    status: u16,
    /// What came of it.
    reason: &'static str,
    /// Requests it took: redirects and retries count.
    requests: u32,
    /// It was not read to its end.
    cut: bool,
    /// The server said that nothing has changed.
    unchanged: bool,
    /// When it came.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
}

impl DatabaseAnswer {
    fn of(n: u64, row: AnswerRow) -> DatabaseAnswer {
        DatabaseAnswer {
            n,
            question: row.about,
            address: row.address,
            status: row.status,
            reason: row.reason.name(),
            requests: row.requests,
            cut: row.cut,
            unchanged: row.unchanged,
            at: rfc3339(row.at),
        }
    }
}

/// What was asked of a database, in order, and what came of it.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/answers", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), sites::Part),
    responses((status = 200, body = List<DatabaseAnswer>))))]
pub(super) async fn answers(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(part): Query<sites::Part>,
) -> Result<Json<List<DatabaseAnswer>>, Problem> {
    let list = format!("answers of {name} {id}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let (mut kept, row) = gatherings::open(&*app.site(&name)?, id.into())?;
        let rows = kept.answers(row.id, from(part), part.most + 1)?.into_iter();
        let places = (1u64..).map(|n| part.after.saturating_add(n));
        let rows = places.zip(rows).map(|(n, row)| DatabaseAnswer::of(n, row)).collect();
        Ok(Json(List::of(rows, &list, part, |answer: &DatabaseAnswer| answer.n)))
    })
    .await
}

/// In which form.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Exported {
    /// json (with the statement), jsonl (an object a record), csv or soif (values by attribute).
    format: Option<String>,
}

/// What was found as a file.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/export", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), Exported),
    responses((status = 200, content((Object = "application/json"), (String = "application/jsonl; charset=utf-8"),
        (String = "text/csv; charset=utf-8"), (Vec<u8> = "application/x-soif"))))))]
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
    Query(which): Query<Exported>,
) -> Result<Response, Problem> {
    let names = Form::ALL.map(Form::name);
    let form = Form::named(which.format.as_deref().unwrap_or(Form::Json.name()));
    let form = form.ok_or_else(|| Problem::bad(words::no_such("format"), words::one_of(&names)))?;
    let sent = app.work(move |app| write_file(&*app.site(&name)?, id, form)).await?;
    Ok(sent.into_response())
}
