//! What is wrong with a site.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use groma_check::{Finding, Kind, Severity};
use groma_model::moment::rfc3339;

use super::cursor;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::words;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/findings", get(findings))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct FindingsQuery {
    /// Only findings of this kind.
    kind: Option<String>,
    /// As bad as this.
    severity: Option<String>,
    /// Only those that the last notice did not know, or only those it did.
    new: Option<bool>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    limit: Option<u32>,
}

/// A finding. Its texts come from strangers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FindingRow {
    /// Kind of finding.
    kind: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// The URL of the page to act on.
    from: String,
    /// Where the link leads, or the page it is a double of.
    to: Option<String>,
    /// The text of the link.
    anchor: String,
    /// The block the link stands in.
    block: Option<&'static str>,
    /// Why the target is in its state.
    reason: Option<&'static str>,
    /// When it was first found.
    #[cfg_attr(test, schema(format = DateTime))]
    since: Option<String>,
    /// What else there is to know.
    detail: String,
    /// What to do about it.
    next_step: &'static str,
    /// The last notice did not know it.
    new: bool,
}

/// Findings, and how many there are of each kind.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FindingList {
    /// The rows.
    items: Vec<FindingRow>,
    /// To be given as `cursor` for the rows after these; nothing if these are the last.
    next: Option<String>,
    /// Findings that the filters take, of those kept.
    total: u64,
    /// There are more findings than the server keeps in memory: `groma check` tells all of them.
    cut: bool,
    /// While a crawl is under way: the last layer that was checked.
    up_to_layer: Option<u32>,
}

impl FindingRow {
    fn from_finding(finding: &Finding) -> FindingRow {
        FindingRow {
            kind: finding.kind.name(),
            severity: finding.kind.severity().name(),
            from: finding.from.clone(),
            to: finding.to.clone(),
            anchor: finding.anchor.clone(),
            block: finding.block.map(|block| block.name()),
            reason: finding.reason.map(|reason| reason.name()),
            since: Some(finding.since).filter(|since| *since > 0).map(rfc3339),
            detail: finding.detail.clone(),
            next_step: finding.next,
            new: finding.new,
        }
    }
}

/// The findings of all checks, in order of their kinds, the worst first.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/findings", tag = "survey", params(("site" = String, Path), FindingsQuery),
    responses((status = 200, body = FindingList))))]
pub(super) async fn findings(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(which): Query<FindingsQuery>,
) -> Result<Json<FindingList>, Problem> {
    let kind = which.kind.as_deref().map(|wanted| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Kind::named(wanted).ok_or_else(|| Problem::bad(words::no_such("kind"), words::one_of(&names)))
    });
    let severity = which.severity.as_deref().map(|wanted| {
        let names: Vec<&str> = Severity::ALL.iter().map(|one| one.name()).collect();
        let found = Severity::ALL.into_iter().find(|one| one.name() == wanted);
        found.ok_or_else(|| Problem::bad(words::no_such("severity"), words::one_of(&names)))
    });
    let (kind, severity) = (kind.transpose()?, severity.transpose()?);
    let list = format!("findings of {name} {:?} {:?} {:?}", which.kind, which.severity, which.new);
    let part = cursor::part(&list, which.cursor.as_deref(), which.limit)?;
    app.work(move |app| {
        let findings = app.site(&name)?.findings()?;
        let takes = |finding: &&Finding| {
            kind.is_none_or(|kind| finding.kind == kind)
                && severity.is_none_or(|severity| finding.kind.severity() == severity)
                && which.new.is_none_or(|new| finding.new == new)
        };
        let total = findings.all.iter().filter(takes).count() as u64;
        let rows = findings.all.iter().filter(takes).skip(usize::try_from(part.after).unwrap_or(usize::MAX));
        let items: Vec<FindingRow> = rows.take(part.most).map(FindingRow::from_finding).collect();
        let end = part.after.saturating_add(items.len() as u64);
        let next = (end < total && !items.is_empty()).then(|| cursor::write(&list, end));
        Ok(Json(FindingList { items, next, total, cut: findings.cut, up_to_layer: findings.horizon }))
    })
    .await
}
