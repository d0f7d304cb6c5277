//! Cookies, where the user asked for them: kept in memory, for the length of a survey.
//!
//! RFC 6265 made small: a cookie goes back to the very host that set it (a `Domain` is passed over, so none ever reaches a
//! neighbour), below its path, and if `Secure` only over https. Of `Max-Age` and `Expires` only the wish to delete is
//! honoured. Bounded in hosts, cookies and bytes; what is beyond is not kept.

use std::collections::HashMap;
use std::time::SystemTime;

use http::HeaderValue;
use url::Url;

/// Bounds: hosts, cookies of a host, bytes of a cookie.
const HOSTS: usize = 10_000;
const PER_HOST: usize = 50;
const BYTES: usize = 4096;

#[derive(Debug, PartialEq, Eq)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    secure: bool,
}

/// The jar.
#[derive(Default)]
pub(crate) struct Jar(HashMap<String, Vec<Cookie>>);

impl Jar {
    /// Keeps what an answer of `url` wants kept: one `Set-Cookie` value.
    pub(crate) fn keep(&mut self, url: &Url, set_cookie: &str, now: SystemTime) {
        let Some(host) = url.host_str() else { return };
        let Some((cookie, gone)) = read(url, set_cookie, now) else { return };
        if !self.0.contains_key(host) && self.0.len() >= HOSTS {
            return;
        }
        let cookies = self.0.entry(host.to_owned()).or_default();
        let same = cookies.iter().position(|c| c.name == cookie.name && c.path == cookie.path);
        match (same, gone) {
            (Some(n), true) => drop(cookies.remove(n)),
            (Some(n), false) => cookies[n] = cookie,
            (None, false) if cookies.len() < PER_HOST => cookies.push(cookie),
            (None, _) => {}
        }
    }

    /// The `Cookie` value for a request: longer paths first.
    pub(crate) fn show(&self, url: &Url) -> Option<HeaderValue> {
        let cookies = self.0.get(url.host_str()?)?;
        let mut fit: Vec<&Cookie> =
            cookies.iter().filter(|c| (!c.secure || url.scheme() == "https") && below(&c.path, url.path())).collect();
        fit.sort_by_key(|c| std::cmp::Reverse(c.path.len()));
        let pairs: Vec<String> = fit.iter().map(|c| format!("{}={}", c.name, c.value)).collect();
        if pairs.is_empty() { None } else { HeaderValue::from_str(&pairs.join("; ")).ok() }
    }
}

fn read(url: &Url, set_cookie: &str, now: SystemTime) -> Option<(Cookie, bool)> {
    let mut parts = set_cookie.split(';').map(str::trim);
    let (name, value) = parts.next()?.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || set_cookie.len() > BYTES || !set_cookie.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return None;
    }
    // The folder of the page that sets it.
    let folder = url.path().rsplit_once('/').map_or("/", |(folder, _)| folder);
    let folder = if folder.is_empty() { "/" } else { folder };
    let mut cookie = Cookie { name: name.into(), value: value.into(), path: folder.into(), secure: false };
    let (mut age, mut expired) = (None, false);
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match key.trim().to_ascii_lowercase().as_str() {
            "secure" => cookie.secure = true,
            "path" if value.starts_with('/') => cookie.path = value.to_owned(),
            "max-age" => age = value.parse::<i64>().ok(),
            "expires" => expired = httpdate::parse_http_date(value).is_ok_and(|date| date <= now),
            _ => {}
        }
    }
    // Max-Age outranks Expires.
    Some((cookie, age.map_or(expired, |age| age <= 0)))
}

fn below(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(from: &str, set: &[&str]) -> Jar {
        let mut jar = Jar::default();
        set.iter().for_each(|s| jar.keep(&from.parse().unwrap(), s, SystemTime::now()));
        jar
    }

    fn shown(jar: &Jar, url: &str) -> String {
        jar.show(&url.parse().unwrap()).map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_path_only() {
        let jar = jar("https://a.test/shop/cart", &["s=1; Path=/", "t=2", "u=3; Secure; Domain=test", "no", "=x"]);
        assert_eq!(shown(&jar, "https://a.test/shop/x"), "t=2; u=3; s=1");
        assert_eq!(shown(&jar, "http://a.test/shop"), "t=2; s=1");
        assert_eq!(shown(&jar, "http://a.test/shopping"), "s=1");
        assert_eq!(shown(&jar, "http://b.a.test/"), "");
        assert_eq!(shown(&jar, "http://b.test/"), "");
    }

    #[test]
    fn a_cookie_can_be_changed_and_deleted() {
        let base = "http://a.test/";
        assert_eq!(shown(&jar(base, &["s=1", "s=2"]), base), "s=2");
        assert_eq!(shown(&jar(base, &["s=1", "s=; Max-Age=0"]), base), "");
        assert_eq!(shown(&jar(base, &["s=1", "s=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]), base), "");
        assert_eq!(shown(&jar(base, &["s=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]), base), "s=1");
    }

    #[test]
    fn the_jar_is_bounded() {
        let many: Vec<String> = (0..PER_HOST + 20).map(|n| format!("c{n}=x")).collect();
        let jar = jar("http://a.test/", &many.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(shown(&jar, "http://a.test/").matches("=x").count(), PER_HOST);
        let long = format!("long={}", "x".repeat(BYTES));
        assert_eq!(shown(&self::jar("http://a.test/", &[&long, "bad=\u{1}"]), "http://a.test/"), "");
    }
}
