//! What a form must bring along: a token that only a page of ours, shown to this very browser, can know.
//!
//! A session has one of its own. A browser without a session (the login form; a machine without users) has a random cookie, and
//! its token is a keyed hash of it.

use std::sync::LazyLock;

use axum::http::{HeaderMap, header};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::secret;

/// The key of this process: forms shown before a restart are to be loaded again.
static KEY: LazyLock<[u8; 32]> = LazyLock::new(|| {
    let mut key = [0u8; 32];
    // Without randomness no secret can be made, and so nobody can log in either.
    let _ = getrandom::fill(&mut key);
    key
});

/// The token of a browser without a session, by its cookie.
pub(crate) fn of_cookie(cookie: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&*KEY) else { return String::new() };
    mac.update(cookie.as_bytes());
    secret::hex(&mac.finalize().into_bytes())
}

/// The token that came with a request: as a header, or as the field `csrf` of a form.
pub(crate) fn sent(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    if let Some(token) = headers.get("x-csrf-token") {
        return token.to_str().ok().map(str::to_owned);
    }
    let kind = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    if !kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        return None;
    }
    groma_url::form_urlencoded::parse(body).find(|(name, _)| name == "csrf").map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_browser_has_its_own() {
        assert_eq!(of_cookie("a"), of_cookie("a"));
        assert_ne!(of_cookie("a"), of_cookie("b"));
    }

    #[test]
    fn it_comes_as_a_header_or_as_a_field_of_a_form() {
        let mut headers = HeaderMap::new();
        assert_eq!(sent(&headers, b"csrf=1"), None);
        headers.insert(header::CONTENT_TYPE, "application/x-www-form-urlencoded; charset=utf-8".parse().unwrap());
        assert_eq!(sent(&headers, b"a=b&csrf=1%20&csrf=2").as_deref(), Some("1 "));
        headers.insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
        assert_eq!(sent(&headers, b"csrf=1"), None);
        headers.insert("x-csrf-token", "3".parse().unwrap());
        assert_eq!(sent(&headers, b"").as_deref(), Some("3"));
    }
}
