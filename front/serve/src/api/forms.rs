//! The forms of a survey that look like a search, and the documents that lead to a database.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_tasks::gather::{DocumentFound, FieldFound, FormFound};
use serde::Serialize;

use crate::app::App;
use crate::door::Path;
use crate::error::Problem;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/forms", get(forms))
}

/// What leads to databases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Leads {
    /// Forms that look like a search, the most promising first.
    forms: Vec<SearchForm>,
    /// Documents that lead to a summarizer.
    documents: Vec<SummaryDocument>,
    /// Pages that were looked at.
    looked: usize,
    /// There are pages that were not looked at, or forms that are not told.
    more: bool,
}

/// A form that looks like a search.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct SearchForm {
    /// The first page it stands on: to be given as `address` of a gathering.
    page: String,
    /// The title of that page.
    title: String,
    /// Pages it stands on, as far as they were looked at.
    pages: usize,
    /// Which form of the page, from 1: to be given as `form` of a gathering.
    form: usize,
    /// Where it is sent.
    action: String,
    /// Whether the form is sent by POST.
    posts: bool,
    /// Its page describes it by `DB.*` tags.
    described: bool,
    /// What can be varied.
    fields: Vec<SearchField>,
}

/// A field that can be varied.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct SearchField {
    /// Internal name of the field.
    name: String,
    /// What people read beside it, as far as that is known.
    label: String,
    /// What kind of field it is.
    kind: &'static str,
    /// Values to choose from; nothing where something is typed.
    values: Option<usize>,
}

/// A document that leads to a summarizer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct SummaryDocument {
    /// To be given as `url` of a gathering.
    url: String,
    /// What the database is called.
    title: String,
    /// URL of the summarizer.
    summarizer: String,
    /// How many tables it names.
    tables: usize,
    /// How many attributes it names.
    attributes: usize,
}

/// The forms of a survey that look like a search, and the documents that lead to a database.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/forms", tag = "databases", params(("site" = String, Path)),
    responses((status = 200, body = Leads))))]
pub(super) async fn forms(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Leads>, Problem> {
    app.work(move |app| {
        let found = app.site(&name)?.forms()?;
        Ok(Json(Leads {
            forms: found.forms.iter().map(form).collect(),
            documents: found.documents.iter().map(document).collect(),
            looked: found.looked,
            more: found.more,
        }))
    })
    .await
}

fn form(found: &FormFound) -> SearchForm {
    let field = |field: &FieldFound| SearchField {
        name: field.name.clone(),
        label: field.label.clone(),
        kind: field.kind,
        values: field.values,
    };
    SearchForm {
        page: found.page.clone(),
        title: found.title.clone(),
        pages: found.pages,
        form: found.nth,
        action: found.action.clone(),
        posts: found.posts,
        described: found.described,
        fields: found.fields.iter().map(field).collect(),
    }
}

fn document(found: &DocumentFound) -> SummaryDocument {
    SummaryDocument {
        url: found.address.clone(),
        title: found.title.clone(),
        summarizer: found.summarizer.clone(),
        tables: found.tables.0,
        attributes: found.tables.1,
    }
}
