//! What has just been done? Said once, on the page a form leads to.
//!
//! A cookie carries a code and a number, never a text: whatever somebody puts there, only sentences of ours can be shown.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::layout::cookie;
use super::words;

const COOKIE: &str = "groma-flash";

/// What has just been done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flash {
    /// What is shown to the user.
    pub(crate) text: String,
}

impl Flash {
    /// What the request before this one has done.
    pub(crate) fn read(headers: &HeaderMap) -> Option<Flash> {
        let (code, number) = cookie(headers, COOKIE)?.split_once('.')?;
        words::done(code, number.parse().ok()?).map(|text| Flash { text })
    }

    /// Class of the style sheet.
    pub(crate) fn class(&self) -> &'static str {
        "good"
    }
}

/// Leads on to a page that says what was done. The code is one that [`words::done`] knows.
pub(crate) fn done(to: &str, code: &'static str, number: u64) -> Response {
    debug_assert!(words::done(code, number).is_some(), "no words for {code}");
    let cookie = format!("{COOKIE}={code}.{number}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
    let mut response = StatusCode::SEE_OTHER.into_response();
    for (name, value) in [(header::LOCATION, to), (header::SET_COOKIE, cookie.as_str())] {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

/// What was said on a page is not said on the next one.
pub(crate) async fn forget_flash(request: Request, next: Next) -> Response {
    let said = cookie(request.headers(), COOKIE).is_some();
    let mut response = next.run(request).await;
    let is_page = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/html");
    if said && response.headers().get(header::CONTENT_TYPE).is_some_and(is_page) {
        let gone = HeaderValue::from_static("groma-flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(cookie: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        headers
    }

    #[test]
    fn only_sentences_of_ours_are_shown() {
        assert!(Flash::read(&with("a=b; groma-flash=job-asked.12")).is_some_and(|flash| flash.text.contains("12")));
        for bad in ["groma-flash=<b>x</b>.1", "groma-flash=job-asked.x", "groma-flash=job-asked", "groma-flash="] {
            assert_eq!(Flash::read(&with(bad)), None, "{bad}");
        }
    }
}
