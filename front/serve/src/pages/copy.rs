//! `/sites/{site}/copy?url=...`: the stored copy of a page, as a document that can do nothing.
//!
//! A crawled page is hostile. Its copy is sent with a policy of its own: sandboxed (no script, no forms, no pop-ups, an origin of its
//! own, so none of our cookies), nothing may be loaded but what is in it. What a policy does not cover is taken out before: elements
//! that make a browser connect ahead of time (`link`), go elsewhere by itself or set cookies (`meta`), or turn addresses around
//! (`base`). Only our own pages may frame it. What is no text is offered as a file, never shown.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use groma_desk::lookup;
use groma_page::charset;
use groma_store::Snapshot;

use crate::app::App;
use crate::door::Query;
use crate::error::Problem;

/// What the copy may do: be read.
const POLICY: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
/// Elements that reach the network, or elsewhere, in spite of it.
const DISARMED: [&str; 3] = ["link", "meta", "base"];

/// The route.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/copy", get(copy))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    url: String,
}

/// How a body is given back.
enum Copied {
    /// As a page.
    Html(String),
    /// As it is written.
    Text(String),
    /// As a file.
    File(Vec<u8>),
}

async fn copy(
    State(app): State<Arc<App>>,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let copied = app.work(move |app| read(app, &site, &asked.url)).await?;
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

fn read(app: &App, site: &str, typed: &str) -> Result<Copied, Problem> {
    let site = app.site(site)?;
    let mut store = site.read()?;
    let id = lookup::page(&mut *store, typed)?;
    let missing = || {
        Problem::missing("no copy of this page is kept; copies are kept where the survey is made with bodies = keep")
    };
    let body = store.body(id)?.ok_or_else(missing)?;
    let facts = store.page(id)?.map(|page| page.facts).unwrap_or_default();
    Ok(copied(body, &facts.media_type, &facts.charset))
}

fn copied(body: Vec<u8>, media_type: &str, charset: &str) -> Copied {
    let label = Some(charset).filter(|charset| !charset.is_empty());
    let text = |body: &[u8]| charset::decode(body, label).0.into_owned();
    match media_type {
        "text/html" | "application/xhtml+xml" => Copied::Html(disarmed(&text(&body))),
        kind if kind.starts_with("text/") || kind.ends_with("xml") || kind.ends_with("json") => {
            Copied::Text(text(&body))
        }
        _ => Copied::File(body),
    }
}

/// Markup whose dangerous elements have names that no browser knows; its length stays.
fn disarmed(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + 1);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, after) = (&rest[..=at], &rest[at + 1..]);
        out.push_str(before);
        let name = DISARMED.iter().find(|name| {
            after.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                && !after[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        });
        match name {
            Some(name) => {
                out.push_str(&format!("x-{}", &"off-off"[..name.len() - 2]));
                rest = &after[name.len()..];
            }
            None => rest = after,
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_policy_does_not_cover_is_taken_out() {
        let hostile = "<LINK rel=preconnect href=//evil><meta http-equiv=refresh content='0;url=//evil'>\
            <base href=//evil><link\nrel=x><linked>a < b</linked><header>é</header><";
        let safe = disarmed(hostile);
        assert_eq!(safe.len(), hostile.len());
        let lower = safe.to_ascii_lowercase();
        for name in ["<link ", "<link\n", "<meta", "<base"] {
            assert!(!lower.contains(name), "{name}: {safe}");
        }
        assert!(safe.contains("<linked>a < b</linked><header>é</header><"));
    }

    #[test]
    fn only_text_is_shown() {
        assert!(matches!(copied(b"<p>x".to_vec(), "text/html", ""), Copied::Html(_)));
        assert!(matches!(copied(b"x".to_vec(), "text/plain", "utf-8"), Copied::Text(_)));
        assert!(matches!(copied(b"<svg/>".to_vec(), "image/svg+xml", ""), Copied::Text(_)));
        assert!(matches!(copied(vec![0, 1], "application/pdf", ""), Copied::File(_)));
        assert!(matches!(copied(vec![0, 1], "", ""), Copied::File(_)));
    }

    #[test]
    fn a_copy_is_read_in_its_own_encoding() {
        let Copied::Html(text) = copied(b"<p>\xe9".to_vec(), "text/html", "windows-1252") else { panic!("a page") };
        assert_eq!(text, "<p>é");
    }
}
