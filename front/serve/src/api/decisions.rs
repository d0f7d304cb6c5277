//! What people decided about a logical site: accepted, rejected, merged, taken back.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use axum::routing::{delete, get};
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_store::bounds::DecisionKind;
use groma_tasks::bounds::{self, LogRow};
use serde::{Deserialize, Serialize};

use super::bounds::StartQuery;
use super::cursor::{self, List, ListQuery};
use super::query::check_length;
use super::results::made;
use crate::app::App;
use crate::door::{Json as Taken, Path, Query, Visitor};
use crate::error::Problem;
use crate::results::bounds::LONGEST;
use crate::{results, words};

/// What can be decided.
const KINDS: [DecisionKind; 3] = [DecisionKind::Accept, DecisionKind::Reject, DecisionKind::Merge];

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/bounds/decisions", get(decisions).post(decide))
        .route("/sites/{site}/bounds/decisions/{decision}", delete(undo))
}

/// A row of the log of decisions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema), schema(as = Row))]
pub(super) struct DecisionRow {
    /// Number of the decision.
    id: u64,
    /// The logical site it is about, by what it was found from.
    site: String,
    /// accept, reject, merge or undo.
    kind: &'static str,
    /// About what: a URL, a beginning of URLs that ends in `*`, or what another site was found from.
    subject: String,
    /// The row that is taken back.
    undoes: Option<u64>,
    /// Time of the decision.
    #[cfg_attr(test, schema(format = DateTime))]
    at: String,
    /// By whom; empty if nobody said.
    who: String,
    /// Nobody took it back, and nobody said otherwise since.
    holds: bool,
}

impl DecisionRow {
    fn read(row: LogRow) -> DecisionRow {
        DecisionRow {
            id: row.id,
            site: row.site,
            kind: row.kind,
            subject: row.subject,
            undoes: row.undoes,
            at: rfc3339(row.at),
            who: row.who,
            holds: row.holds,
        }
    }
}

/// What was decided about all logical sites of a survey, oldest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/bounds/decisions", tag = "bounds",
    params(("site" = String, Path), ListQuery), responses((status = 200, body = List<DecisionRow>))))]
pub(super) async fn decisions(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<DecisionRow>>, Problem> {
    let list = format!("decisions of {name}");
    let part = cursor::part(&list, part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let log = bounds::decisions(&app.site(&name)?.folder, None)?;
        let rows = log.into_iter().filter(|row| row.id > part.after).take(part.most + 1);
        Ok(Json(List::cut(rows.map(DecisionRow::read).collect(), &list, part, |row| row.id)))
    })
    .await
}

/// A decision to be made.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewDecision {
    /// Kind of decision: accept, reject or merge.
    #[cfg_attr(test, schema(pattern = "^(accept|reject|merge)$"))]
    kind: String,
    /// About what: a URL, a folder that ends in `/` or `*`, or what another site was found from (`merge`).
    #[cfg_attr(test, schema(min_length = 1, max_length = 2000))]
    subject: String,
    /// One page is meant, also if its URL ends in `/`.
    #[serde(default)]
    single: bool,
    /// What the site was found from; left out: the one that was found last.
    #[cfg_attr(test, schema(min_length = 1, max_length = 2000))]
    start: Option<String>,
}

/// A decision that was put down.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Decided {
    /// Its number in the log.
    id: u64,
    /// The logical site it is about.
    site: String,
    /// accept, reject, merge or undo.
    kind: &'static str,
    /// About what, as it was understood.
    subject: String,
    /// Pages of the survey that it is about.
    pages: u64,
    /// The job that finds the site anew.
    job: u64,
}

impl Decided {
    fn tell(decided: results::bounds::Decided) -> Decided {
        let results::bounds::Decided { decision, job } = decided;
        let bounds::Decision { id, site, kind, subject, pages } = decision;
        Decided { id, site, kind, subject, pages, job }
    }
}

/// Decides about a part of a logical site, which is then found anew by a job.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites/{site}/bounds/decisions", tag = "bounds",
    params(("site" = String, Path)), request_body = NewDecision,
    responses((status = 201, body = Decided, headers(("Location" = String))))))]
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Taken(new): Taken<NewDecision>,
) -> Result<Response, Problem> {
    let kind = KINDS.into_iter().find(|kind| kind.name() == new.kind);
    let kind =
        kind.ok_or_else(|| Problem::bad(words::no_such("kind"), words::one_of(&KINDS.map(DecisionKind::name))))?;
    check_length("subject", Some(&new.subject), LONGEST)?;
    check_length("start", new.start.as_deref(), LONGEST)?;
    app.work(move |app| {
        let (site, who) = (app.site(&name)?, visitor.name.unwrap_or_default());
        let start = new.start.as_deref().unwrap_or_default();
        let decided = Decided::tell(results::bounds::decide(&site, start, kind, &new.subject, new.single, &who)?);
        Ok(made(&format!("/api/v1/sites/{name}/jobs/{}", decided.job), &decided))
    })
    .await
}

/// Takes a decision back; the site is then found anew by a job.
#[cfg_attr(test, utoipa::path(delete, path = "/api/v1/sites/{site}/bounds/decisions/{decision}", tag = "bounds",
    params(("site" = String, Path), ("decision" = u32, Path), StartQuery),
    responses((status = 200, body = Decided))))]
pub(super) async fn undo(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path((name, id)): Path<(String, u32)>,
    Query(query): Query<StartQuery>,
) -> Result<Json<Decided>, Problem> {
    let start = query.start()?;
    app.work(move |app| {
        let site = app.site(&name)?;
        let log = bounds::decisions(&site.folder, None)?;
        if !log.iter().any(|row| row.id == u64::from(id)) {
            return Err(Problem::missing(words::no_such("decision")));
        }
        let who = visitor.name.unwrap_or_default();
        Ok(Json(Decided::tell(results::bounds::undo(&site, &start, Some(id.into()), &who)?)))
    })
    .await
}
