//! What every answer tells the browser, so that a hostile text that slipped through could do no harm.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'";
/// For the search box on other people's pages.
const FRAMED: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; frame-ancestors *; base-uri 'none'";

const ALWAYS: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=(), \
         browsing-topics=()",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-permitted-cross-domain-policies", "none"),
];

/// Adds what is not said already: a handler may be stricter (the stored copy of a page is), nobody is laxer by forgetting.
pub(crate) fn add(headers: &mut HeaderMap, framed: bool, secure: bool) {
    for (name, value) in ALWAYS {
        put(headers, HeaderName::from_static(name), value);
    }
    put(headers, header::CONTENT_SECURITY_POLICY, if framed { FRAMED } else { POLICY });
    if !framed {
        put(headers, header::X_FRAME_OPTIONS, "DENY");
    }
    if secure {
        put(headers, header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    put(headers, header::CACHE_CONTROL, "private, no-store");
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
