//! `/sites/{site}/screenshot?url=...`: what a page looked like to the browser that built it.
//!
//! The survey names the file, and a survey may come from anywhere: only a plain name that ends in `.png` is looked up, among the survey's
//! own pictures. It was made by the browser, not by the page; still it is sent as an image that nothing else is made of.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use groma_model::{PageId, Rendering};
use groma_page::picture::is_whole_png;
use groma_store::Snapshot;
use groma_tasks::lookup;
use serde::Deserialize;

use super::layout::query;
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::Site;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/screenshot", get(screenshot))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    url: String,
}

async fn screenshot(
    State(app): State<Arc<App>>,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let bytes = app.work(move |app| read(app, &site, &asked.url)).await?;
    Ok(([(header::CONTENT_TYPE, "image/png")], bytes).into_response())
}

fn read(app: &App, site: &str, url: &str) -> Result<Vec<u8>, Problem> {
    let site = app.site(site)?;
    let mut store = site.read()?;
    let id = lookup::page(&mut *store, url)?;
    let missing = || {
        Problem::missing(
            "no picture of this page is kept; pictures are kept where the survey is made with --screenshots",
        )
    };
    let file = file(&mut *store, id)?.ok_or_else(missing)?;
    let bytes = std::fs::read(site.folder.pictures().join(file)).map_err(|_| missing())?;
    if is_whole_png(&bytes) { Ok(bytes) } else { Err(Problem::missing("the picture of this page is damaged")) }
}

/// The file of a page's picture, among the survey's.
fn file(store: &mut dyn Snapshot, id: PageId) -> Result<Option<String>, Problem> {
    let note = store.page(id)?.map(|page| page.facts.note).unwrap_or_default();
    let named = Rendering::read(&note).and_then(|rendering| rendering.picture().map(str::to_owned));
    Ok(named.filter(|name| is_plain(name)))
}

fn is_plain(name: &str) -> bool {
    name.strip_suffix(".png")
        .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Where the picture of a page is, if there is one.
pub(super) fn href(site: &Site, store: &mut dyn Snapshot, id: PageId, url: &str) -> Result<Option<String>, Problem> {
    let there = file(store, id)?.filter(|name| site.folder.pictures().join(name).is_file());
    Ok(there.map(|_| format!("/sites/{}/screenshot{}", site.name, query(&[("url", url)]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_pictures() {
        assert!(is_plain("0123456789abcdef.png"));
        for name in ["../x.png", "/etc/x.png", "a/b.png", ".png", "x.png.new", "x.svg", "x\0.png", ""] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
