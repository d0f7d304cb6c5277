//! Databases behind forms: what gatherings look like to programs, with what each found and what it asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_store::gathers::{AnswerRow, GatherRow, Gathers, RecordRow};
use groma_tasks::gather::{described as description_of, pairs};
use groma_tasks::task::{Gather, Task};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cursor::{List, ListPart, ListQuery};
use super::query::check_length;
use super::results::{ResultApi, asked, list_within, routes};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::results::databases::{Databases, Plan, Report, Statement};

/// Points of a curve.
const POINTS: usize = 200;

pub(super) fn router() -> Router<Arc<App>> {
    routes::<Databases>()
        .route("/sites/{site}/databases/{database}/records", get(records))
        .route("/sites/{site}/databases/{database}/values", get(values))
        .route("/sites/{site}/databases/{database}/answers", get(answers))
}

/// A gathering of a database.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Database {
    /// Its number in the survey.
    id: u64,
    /// What the database is called; empty if nobody knows.
    title: String,
    /// The URL it was begun with.
    url: String,
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

/// An attribute of the records.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct AttributeCount {
    /// Name of the attribute.
    name: String,
    /// Distinct values.
    values: u32,
}

/// A point of a coverage curve.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct CoveragePoint {
    /// Answers read until then.
    answers: u32,
    /// Distinct records found until then.
    records: u32,
}

/// A record that was gathered.
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
    fn read(row: RecordRow) -> DatabaseRecord {
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

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ValuesQuery {
    /// The attribute whose values are listed.
    #[cfg_attr(test, param(min_length = 1, max_length = 2000))]
    attribute: String,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A distinct value of an attribute.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct AttributeValue {
    /// Its place, from 1.
    n: u32,
    /// As it was found.
    value: String,
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
    url: String,
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
    /// Time of the answer.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
}

impl DatabaseAnswer {
    fn read(n: u64, row: AnswerRow) -> DatabaseAnswer {
        DatabaseAnswer {
            n,
            question: row.about,
            url: row.address,
            status: row.status,
            reason: row.reason.name(),
            requests: row.requests,
            cut: row.cut,
            unchanged: row.unchanged,
            at: rfc3339(row.at),
        }
    }
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ExportQuery {
    /// json (with the statement), jsonl (an object a record), csv or soif (values by attribute).
    format: Option<String>,
}

/// Nothing can be said about how full it is; what is said all the same is passed over.
#[derive(Debug, Deserialize)]
pub(super) struct NoQuery {}

impl ResultApi for Databases {
    type Listed = Database;
    type Full = DatabaseInFull;
    type FullQuery = NoQuery;
    type ExportQuery = ExportQuery;
    const PATH: &'static str = "databases";
    const ID: &'static str = "database";
    const LIST: &'static str = "databases";

    fn listed(row: GatherRow) -> Database {
        Database {
            id: row.id.0,
            task: asked(&row.asked, |text| Gather::read_stored(text).map(Task::Gather)),
            statement: Statement::shown(&row),
            title: row.title,
            url: row.address,
            form: row.form,
            records: row.records,
            requests: row.requests,
            end: Some(row.end).filter(|end| !end.is_empty()),
            begun_at: rfc3339(row.begun),
            last_at: rfc3339(row.last),
        }
    }

    fn full(keeper: &mut Gathers, row: GatherRow, _: &NoQuery) -> Result<DatabaseInFull, Problem> {
        let attributes = keeper.attributes(row.id)?.into_iter();
        let curve = keeper.curve(row.id, POINTS)?.into_iter();
        let report = Report::last_run(&row);
        let description = description_of(keeper, &row)?;
        Ok(DatabaseInFull {
            attributes: attributes.map(|(name, values)| AttributeCount { name, values }).collect(),
            curve: curve.map(|(answers, records)| CoveragePoint { answers, records }).collect(),
            last_run: report.closing,
            plan: report.planned,
            description,
            database: Databases::listed(row),
        })
    }

    fn export_of(query: ExportQuery) -> (Option<String>, bool) {
        (query.format, true)
    }
}

/// The records of a gathering, in the order in which they were found.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/records", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), ListQuery),
    responses((status = 200, body = List<DatabaseRecord>))))]
pub(super) async fn records(
    State(app): State<Arc<App>>,
    Path(whose): Path<(String, u32)>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<DatabaseRecord>>, Problem> {
    let list = format!("records of {} {}", whose.0, whose.1);
    let read = |keeper: &mut Gathers, row: &GatherRow, part: ListPart| {
        Ok(keeper.records(row.id, part.place(), part.most + 1)?.into_iter().map(DatabaseRecord::read).collect())
    };
    list_within::<Databases, _>(&app, whose, list, part, read, |record| record.n.into()).await
}

/// The distinct values of an attribute, in the order in which they were found; none if there is no such attribute.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/values", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), ValuesQuery),
    responses((status = 200, body = List<AttributeValue>))))]
pub(super) async fn values(
    State(app): State<Arc<App>>,
    Path(whose): Path<(String, u32)>,
    Query(query): Query<ValuesQuery>,
) -> Result<Json<List<AttributeValue>>, Problem> {
    check_length("attribute", Some(&query.attribute), 2_000)?;
    let list = format!("values of {} {} {}", whose.0, whose.1, query.attribute);
    let part = ListQuery { cursor: query.cursor, limit: query.limit };
    let read = move |keeper: &mut Gathers, row: &GatherRow, part: ListPart| {
        let values = keeper.values(row.id, &query.attribute, part.place(), part.most + 1)?;
        let places = (1u32..).map(|n| part.place().saturating_add(n));
        Ok(places.zip(values).map(|(n, value)| AttributeValue { n, value }).collect())
    };
    list_within::<Databases, _>(&app, whose, list, part, read, |value| value.n.into()).await
}

/// What was asked of a database, in order, and what came of it.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/answers", tag = "databases",
    params(("site" = String, Path), ("database" = u32, Path), ListQuery),
    responses((status = 200, body = List<DatabaseAnswer>))))]
pub(super) async fn answers(
    State(app): State<Arc<App>>,
    Path(whose): Path<(String, u32)>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<DatabaseAnswer>>, Problem> {
    let list = format!("answers of {} {}", whose.0, whose.1);
    let read = |keeper: &mut Gathers, row: &GatherRow, part: ListPart| {
        let answers = keeper.answers(row.id, part.place(), part.most + 1)?;
        let places = (1u64..).map(|n| part.after.saturating_add(n));
        Ok(places.zip(answers).map(|(n, row)| DatabaseAnswer::read(n, row)).collect())
    };
    list_within::<Databases, _>(&app, whose, list, part, read, |answer| answer.n).await
}

/// What the shared handlers say of themselves in the description of the API.
#[cfg(test)]
pub(super) mod described {
    #![allow(dead_code, reason = "only their descriptions are used")]

    use super::*;

    /// A gathering that was asked for.
    #[derive(utoipa::ToSchema)]
    pub(crate) struct DatabaseAsked {
        /// The number of the job that does it.
        job: u64,
    }

    /// The gatherings of a survey, by their numbers.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/databases", tag = "databases",
        params(("site" = String, Path), ListQuery), responses((status = 200, body = List<Database>)))]
    pub(crate) fn databases() {}

    /// Asks for a gathering, by a job; the same words asked again go on where they stopped, or begin anew after an end.
    #[utoipa::path(post, path = "/api/v1/sites/{site}/databases", tag = "databases", params(("site" = String, Path)),
        request_body = Gather, responses((status = 201, body = DatabaseAsked, headers(("Location" = String)))))]
    pub(crate) fn begin() {}

    /// One gathering: its statement, its attributes, its curve, its plan and its description.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}", tag = "databases",
        params(("site" = String, Path), ("database" = u32, Path)), responses((status = 200, body = DatabaseInFull)))]
    pub(crate) fn database() {}

    /// Forgets a gathering: its records, its answers and its statement.
    #[utoipa::path(delete, path = "/api/v1/sites/{site}/databases/{database}", tag = "databases",
        params(("site" = String, Path), ("database" = u32, Path)), responses((status = 204)))]
    pub(crate) fn forget() {}

    /// What was found as a file.
    #[utoipa::path(get, path = "/api/v1/sites/{site}/databases/{database}/export", tag = "databases",
        params(("site" = String, Path), ("database" = u32, Path), ExportQuery),
        responses((status = 200, content((Object = "application/json"), (String = "application/jsonl; charset=utf-8"),
            (String = "text/csv; charset=utf-8"), (Vec<u8> = "application/x-soif")))))]
    pub(crate) fn export() {}
}
