//! `/sites/{site}/copy?url=...`: the stored copy of a page, as a document that can do nothing; with its parts outlined, if asked for.
//!
//! A crawled page is hostile. Its copy is sent with a policy of its own: sandboxed (no script, no forms, no pop-ups, an origin of its
//! own, so none of our cookies), nothing may be loaded but what is in it. What a policy does not cover is taken out before: elements
//! that make a browser connect ahead of time (`link`), go elsewhere by itself or set cookies (`meta`), or turn URLs around
//! (`base`). Only our own pages may frame it. What is no text is offered as a file, never shown.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use groma_model::Limits;
use groma_page::charset;
use groma_store::Snapshot;
use groma_tasks::glance::{disarmed, outlined};
use groma_tasks::{archive, lookup};
use groma_url::Url;
use serde::Deserialize;

use crate::app::App;
use crate::door::Query;
use crate::error::Problem;

/// What the copy may do: be read.
const POLICY: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/copy", get(copy))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    url: String,
    /// With anything in it, the parts of the page are outlined.
    parts: String,
}

/// How a body is given back.
enum Copied {
    /// A page, to be shown in a sandbox.
    Html(String),
    /// As it is written.
    Text(String),
    File(Vec<u8>),
}

async fn copy(
    State(app): State<Arc<App>>,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let copied = app.work(move |app| read(app, &site, &asked)).await?;
    let (media_type, body) = match copied {
        Copied::Html(text) => ("text/html; charset=utf-8", text.into_bytes()),
        Copied::Text(text) => ("text/plain; charset=utf-8", text.into_bytes()),
        Copied::File(bytes) => ("application/octet-stream", bytes),
    };
    let mut head = vec![
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (HeaderName::from_static("x-dns-prefetch-control"), "off"),
    ];
    if media_type == "application/octet-stream" {
        head.push((header::CONTENT_DISPOSITION, "attachment; filename=\"copy.bin\""));
    }
    let mut response = body.into_response();
    for (name, value) in head {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn read(app: &App, site: &str, asked: &Asked) -> Result<Copied, Problem> {
    let site = app.site(site)?;
    let mut store = site.read()?;
    let id = lookup::page(&mut *store, &asked.url)?;
    let missing = || {
        Problem::missing(
            "no copy of this page is kept; copies are kept where the survey is made with bodies = keep, or with --warc",
        )
    };
    let body = archive::copy(&mut *store, id)?.ok_or_else(missing)?;
    let facts = store.page(id)?.map(|page| page.facts).unwrap_or_default();
    // Links hang on the URL it came from, not on the one that was typed.
    let address = store.address(id)?.and_then(|row| Url::parse(&row.url).ok());
    let with_parts = address.filter(|_| !asked.parts.is_empty());
    Ok(copied(body, &facts.media_type, &facts.charset, with_parts.as_ref()))
}

fn copied(body: Vec<u8>, media_type: &str, charset: &str, with_parts: Option<&Url>) -> Copied {
    let label = Some(charset).filter(|charset| !charset.is_empty());
    let text = |body: &[u8]| charset::decode(body, label).0.into_owned();
    match media_type {
        "text/html" | "application/xhtml+xml" => Copied::Html(match with_parts {
            Some(url) => outlined(&text(&body), url, &Limits::default()),
            None => disarmed(&text(&body)),
        }),
        kind if kind.starts_with("text/") || kind.ends_with("xml") || kind.ends_with("json") => {
            Copied::Text(text(&body))
        }
        _ => Copied::File(body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_shown() {
        assert!(matches!(copied(b"<p>x".to_vec(), "text/html", "", None), Copied::Html(_)));
        assert!(matches!(copied(b"x".to_vec(), "text/plain", "utf-8", None), Copied::Text(_)));
        assert!(matches!(copied(b"<svg/>".to_vec(), "image/svg+xml", "", None), Copied::Text(_)));
        assert!(matches!(copied(vec![0, 1], "application/pdf", "", None), Copied::File(_)));
        assert!(matches!(copied(vec![0, 1], "", "", None), Copied::File(_)));
    }

    #[test]
    fn a_copy_is_read_in_its_own_encoding() {
        let Copied::Html(text) = copied(b"<p>\xe9".to_vec(), "text/html", "windows-1252", None) else {
            panic!("a page")
        };
        assert_eq!(text, "<p>é");
    }
}
