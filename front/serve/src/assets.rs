//! Which files does the browser need besides pages? Styles and scripts are part of the program: nothing is read from disk, and
//! a URL changes with its content, so that browsers may keep it for good.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Name, media type, content.
const FILES: &[(&str, &str, &str)] = &[
    ("bounds.js", JS, include_str!("../assets/bounds.js")),
    ("groma.css", CSS, include_str!("../assets/groma.css")),
    ("groma.js", JS, include_str!("../assets/groma.js")),
    ("groma.svg", SVG, include_str!("../assets/groma.svg")),
    ("live.js", JS, include_str!("../assets/live.js")),
    ("map.js", JS, include_str!("../assets/map.js")),
    ("survey.css", CSS, include_str!("../assets/survey.css")),
    ("theme.js", JS, include_str!("../assets/theme.js")),
];

struct Asset {
    media_type: &'static str,
    body: &'static str,
    print: String,
}

static ASSETS: LazyLock<HashMap<&'static str, Asset>> = LazyLock::new(|| {
    let asset = |&(name, media_type, body): &(&'static str, &'static str, &'static str)| {
        let print = Sha256::digest(body.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        (name, Asset { media_type, body, print })
    };
    FILES.iter().map(asset).collect()
});

/// The URL of an asset in this version of it.
pub(crate) fn href(name: &str) -> String {
    match ASSETS.get(name) {
        Some(asset) => format!("/assets/{name}?v={}", asset.print),
        None => format!("/assets/{name}"),
    }
}

/// Route `/assets/{name}`.
pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/assets/{name}", get(asset))
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.get(name.as_str()) else { return StatusCode::NOT_FOUND.into_response() };
    let tag = format!("\"{}\"", asset.print);
    let kept = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    (kept, [(header::CONTENT_TYPE, asset.media_type)], asset.body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_an_address_that_follows_its_content() {
        for (name, _, _) in FILES {
            let href = href(name);
            assert!(href.starts_with(&format!("/assets/{name}?v=")) && href.len() > name.len() + 20, "{href}");
        }
        assert_ne!(href("groma.css").rsplit('=').next(), href("groma.js").rsplit('=').next());
    }

    #[test]
    fn scripts_and_styles_reach_nobody_else() {
        for (name, _, body) in FILES {
            let foreign = body.replace("http://www.w3.org/", "");
            assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name} names a foreign URL");
            assert!(!body.contains("innerHTML") && !body.contains("eval("), "{name} makes markup or code out of text");
        }
    }
}
