//! The forms of a survey that look like a search, and the documents that lead to a database: part by part, each with a button.

use std::sync::Arc;

use groma_store::gathers::GatherRow;
use groma_tasks::gather::{DocumentFound, FormFound};

use super::naming::{ADDRESS, TITLE};
use crate::error::Problem;
use crate::pages::layout::{query, short};
use crate::pages::pager::{Pager, pager};
use crate::pages::shown::{Shown, counted};
use crate::sites::Site;

/// Forms at a time.
const LISTED: usize = 10;
/// Documents shown.
const DOCUMENTS: usize = 50;
/// Letters of a label.
const LABEL: usize = 60;

pub(super) struct FoundPart {
    pub(super) forms: Vec<FormRow>,
    pub(super) pager: Pager,
    pub(super) documents: Vec<DocumentRow>,
    pub(super) documents_more: usize,
    pub(super) looked: String,
}

pub(super) struct FormRow {
    pub(super) page: Shown,
    pub(super) address: String,
    pub(super) pages: String,
    pub(super) nth: usize,
    pub(super) action: String,
    pub(super) posts: bool,
    pub(super) described: bool,
    pub(super) fields: Vec<(String, String)>,
    pub(super) fields_more: usize,
    /// The gathering of its page.
    pub(super) gathering: Option<u64>,
}

/// A document that leads to a summarizer.
pub(super) struct DocumentRow {
    pub(super) page: Shown,
    pub(super) address: String,
    pub(super) summarizer: String,
    pub(super) says: String,
    pub(super) gathering: Option<u64>,
}

impl FoundPart {
    /// Of a survey with these gatherings.
    pub(super) fn read(site: &Arc<Site>, rows: &[GatherRow], part: usize) -> Result<FoundPart, Problem> {
        let found = site.forms()?;
        let gathering =
            |address: &str| rows.iter().find(|row| row.address == address || row.form == address).map(|row| row.id.0);
        let skip = (part - 1).saturating_mul(LISTED);
        let form = |form: &FormFound| form_row(&site.name, form, gathering(&form.page));
        let document = |document: &DocumentFound| document_row(&site.name, document, gathering(&document.address));
        let href = |part: &str| format!("/sites/{}/databases{}#forms", site.name, query(&[("page", part)]));
        Ok(FoundPart {
            forms: found.forms.iter().skip(skip).take(LISTED).map(form).collect(),
            pager: pager(part, LISTED, found.forms.len(), &href),
            documents: found.documents.iter().take(DOCUMENTS).map(document).collect(),
            documents_more: found.documents.len().saturating_sub(DOCUMENTS),
            looked: looked_at(found.looked, found.more),
        })
    }
}

fn form_row(site: &str, form: &FormFound, gathering: Option<u64>) -> FormRow {
    let field =
        |field: &groma_tasks::gather::FieldFound| (short(&field.label, LABEL), field_takes(field.kind, field.values));
    FormRow {
        page: Shown::titled(site, &form.page, &form.title),
        address: form.page.clone(),
        pages: if form.pages > 1 { counted(form.pages as u64, "page", "pages") } else { String::new() },
        nth: form.nth,
        action: short(&form.action, ADDRESS),
        posts: form.posts,
        described: form.described,
        fields: form.fields.iter().map(field).collect(),
        fields_more: form.fields_more,
        gathering,
    }
}

fn document_row(site: &str, document: &DocumentFound, gathering: Option<u64>) -> DocumentRow {
    let (tables, attributes) = document.tables;
    DocumentRow {
        page: Shown::titled(site, &document.address, &short(&document.title, TITLE)),
        address: document.address.clone(),
        summarizer: short(&document.summarizer, ADDRESS),
        says: format!(
            "{}, {}",
            counted(tables as u64, "table", "tables"),
            counted(attributes as u64, "attribute", "attributes")
        ),
        gathering,
    }
}

/// What a field of a form found takes.
fn field_takes(kind: &str, values: Option<usize>) -> String {
    match values {
        Some(count) => groma_model::wording::counted(count as u64, "value", "values"),
        None => kind.to_owned(),
    }
}

/// How many pages were looked at for forms.
fn looked_at(pages: usize, more: bool) -> String {
    let were = if pages == 1 { "was" } else { "were" };
    let pages = counted(pages as u64, "page", "pages");
    if more {
        format!("The first {pages} of the survey {were} looked at.")
    } else {
        format!("{pages} {were} looked at.")
    }
}
