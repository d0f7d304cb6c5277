//! The one cookie there is: a secret that says which browser it is.
//!
//! Cookies know no ports: two servers on one machine would take each other's, so the name has the port in it. Behind TLS it
//! is a `__Host-` cookie, which no other host and no plain connection can set.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::options::Options;

/// As long as a session can last, in seconds.
pub(crate) const LONGEST: i64 = 30 * 24 * 3600;

/// Do people reach the server by https?
pub(crate) fn is_secure(options: &Options) -> bool {
    options.public_url.as_ref().is_some_and(|url| url.scheme() == "https")
}

pub(crate) fn name(options: &Options) -> String {
    if is_secure(options) { "__Host-groma".to_owned() } else { format!("groma-{}", options.listen.port()) }
}

/// What the browser sent, if it could be a secret of ours. Two cookies of the name: somebody planted one, none is taken.
pub(crate) fn read(headers: &HeaderMap, options: &Options) -> Option<String> {
    let name = name(options);
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut ours = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value);
    let value = ours.next()?;
    (ours.next().is_none() && super::secret::is_one(value)).then(|| value.to_owned())
}

/// The header that sets it, for so many seconds; nothing: until the browser is closed; 0: takes it away.
pub(crate) fn set(options: &Options, value: &str, seconds: Option<i64>) -> HeaderValue {
    let mut text = format!("{}={value}; Path=/; HttpOnly; SameSite=Lax", name(options));
    if let Some(seconds) = seconds {
        text.push_str(&format!("; Max-Age={seconds}"));
    }
    if is_secure(options) {
        text.push_str("; Secure");
    }
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
