//! Pages that had another name in 0.1.0: bookmarks, and letters and feeds that were sent, still lead where they meant to.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Redirect;
use axum::routing::get;

use crate::app::App;
use crate::error::Problem;

/// What a page of a site was called, and what it is called now.
const RENAMED: [(&str, &str); 8] = [
    ("borders", "bounds"),
    ("borders.surt", "bounds.surt"),
    ("problems", "findings"),
    ("problems.csv", "findings.csv"),
    ("problems.jsonl", "findings.jsonl"),
    ("problems.junit.xml", "findings.junit.xml"),
    ("problems.md", "findings.md"),
    ("problems.txt", "findings.txt"),
];

pub(super) fn router() -> Router<Arc<App>> {
    RENAMED.into_iter().fold(Router::new(), |pages, (old, new)| {
        let redirect = async move |State(app): State<Arc<App>>, Path(site): Path<String>, RawQuery(query): RawQuery| {
            let site = app.site(&site)?;
            let query = query.map_or_else(String::new, |query| format!("?{query}"));
            Ok::<_, Problem>(Redirect::permanent(&format!("/sites/{}/{new}{query}", site.name)))
        };
        pages.route(&format!("/sites/{{site}}/{old}"), get(redirect))
    })
}
