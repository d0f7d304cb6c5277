//! Which cookies go along with a request? RFC 6265: those of a file the user gave, and those that servers set, where the user asked
//! for that. Kept in memory, for the length of a run.
//!
//! ```text
//! to whom     the host that set it; with a Domain the hosts below that too, if it is no public suffix and holds the host that sets it
//! where       below its path; if Secure only over https
//! how long    until Max-Age or, if there is none, Expires; without either until the run ends
//! ```
//!
//! Bounded in hosts, cookies and bytes; what is beyond is not kept. Cost of a request: the labels of its host and the cookies of
//! those domains. Not done: SameSite and prefixes of names, which guard browsers against pages; nobody's page makes us ask.

mod file;

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use groma_model::url::registrable_domain;
use groma_url::{Host, Url};
use http::HeaderValue;

use crate::config::spelled;
pub use file::{BadCookie, Cookies};

/// Bounds: hosts, cookies of a host, bytes of a cookie.
const HOSTS: usize = 10_000;
const PER_HOST: usize = 180;
const BYTES: usize = 4096;

#[derive(Clone, PartialEq, Eq)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    secure: bool,
    /// It goes to the very host only, not to those below.
    host_only: bool,
    expires: Option<SystemTime>,
    /// The older comes first among those of equal paths.
    serial: u64,
}

#[derive(Default)]
pub(crate) struct Jar {
    by_domain: HashMap<String, Vec<Cookie>>,
    serial: u64,
}

impl Jar {
    /// With the cookies of a file.
    pub(crate) fn with(cookies: &Cookies) -> Jar {
        let mut jar = Jar::default();
        cookies.list.iter().for_each(|(domain, cookie)| jar.put(domain.clone(), cookie.clone(), false));
        jar
    }

    /// Keeps what an answer of `url` wants kept: one `Set-Cookie` value.
    pub(crate) fn keep(&mut self, url: &Url, set_cookie: &str, now: SystemTime) {
        if let Some((domain, cookie)) = read(url, set_cookie, now) {
            let gone = cookie.expires.is_some_and(|end| end <= now);
            self.put(domain, cookie, gone);
        }
    }

    fn put(&mut self, domain: String, mut cookie: Cookie, gone: bool) {
        if !self.by_domain.contains_key(&domain) && self.by_domain.len() >= HOSTS {
            return;
        }
        self.serial += 1;
        cookie.serial = self.serial;
        let cookies = self.by_domain.entry(domain).or_default();
        let same = cookies
            .iter()
            .position(|c| c.name == cookie.name && c.path == cookie.path && c.host_only == cookie.host_only);
        match (same, gone) {
            (Some(n), true) => drop(cookies.remove(n)),
            // It keeps its place: RFC 6265, 5.3.11.3.
            (Some(n), false) => cookies[n] = Cookie { serial: cookies[n].serial, ..cookie },
            (None, false) if cookies.len() < PER_HOST => cookies.push(cookie),
            (None, _) => {}
        }
    }

    /// The `Cookie` value for a request: longer paths first, then the older ones. One for which there is no room any more (of all
    /// together so many bytes) is left out, a later one that is shorter may still go. Also, how many were left out.
    pub(crate) fn show(&self, url: &Url, now: SystemTime, room: usize) -> (Option<HeaderValue>, usize) {
        let Some(host) = url.host() else { return (None, 0) };
        let name = spelled(&host);
        let mut fit: Vec<&Cookie> = Vec::new();
        let mut domain = name.as_str();
        loop {
            let exact = domain.len() == name.len();
            let goes = |c: &&Cookie| {
                (exact || !c.host_only)
                    && (!c.secure || url.scheme() == "https")
                    && c.expires.is_none_or(|end| end > now)
                    && below(&c.path, url.path())
            };
            fit.extend(self.by_domain.get(domain).into_iter().flatten().filter(goes));
            domain = match domain.split_once('.') {
                Some((_, above)) if matches!(host, Host::Domain(_)) => above,
                _ => break,
            };
        }
        fit.sort_by_key(|c| (std::cmp::Reverse(c.path.len()), c.serial));
        let (mut pairs, mut left_out) = (String::new(), 0);
        for cookie in fit {
            let parting = if pairs.is_empty() { "" } else { "; " };
            let length = parting.len() + cookie.name.len() + 1 + cookie.value.len();
            if length > room.saturating_sub(pairs.len()) {
                left_out += 1;
                continue;
            }
            for piece in [parting, &cookie.name, "=", &cookie.value] {
                pairs.push_str(piece);
            }
        }
        let value = Some(pairs).filter(|pairs| !pairs.is_empty()).and_then(|pairs| {
            let mut value = HeaderValue::from_str(&pairs).ok()?;
            value.set_sensitive(true);
            Some(value)
        });
        (value, left_out)
    }
}

fn read(url: &Url, set_cookie: &str, now: SystemTime) -> Option<(String, Cookie)> {
    let mut domain = spelled(&url.host()?);
    let mut parts = set_cookie.split(';').map(str::trim);
    let (name, value) = parts.next()?.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || set_cookie.len() > BYTES || !set_cookie.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return None;
    }
    // The folder of the page that sets it.
    let folder = url.path().rsplit_once('/').map_or("/", |(folder, _)| folder);
    let folder = if folder.is_empty() { "/" } else { folder };
    let mut cookie = Cookie {
        name: name.into(),
        value: value.into(),
        path: folder.into(),
        secure: false,
        host_only: true,
        expires: None,
        serial: 0,
    };
    let (mut age, mut wanted) = (None, String::new());
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "secure" => cookie.secure = true,
            "path" => cookie.path = if value.starts_with('/') { value.to_owned() } else { folder.to_owned() },
            "domain" => wanted = value.trim_start_matches('.').to_ascii_lowercase(),
            "max-age" => age = value.parse::<i64>().ok().or(age),
            "expires" => cookie.expires = httpdate::parse_http_date(value).ok().or(cookie.expires),
            _ => {}
        }
    }
    if !wanted.is_empty() && wanted != domain {
        // Not above what somebody can own, nor beside it.
        let own = registrable_domain(url);
        let holds = |whole: &str, part: &str| whole.strip_suffix(part).is_some_and(|rest| rest.ends_with('.'));
        let allowed = matches!(url.host(), Some(Host::Domain(_)))
            && holds(&domain, &wanted)
            && (wanted == own || holds(&wanted, &own));
        if !allowed {
            return None;
        }
        (domain, cookie.host_only) = (wanted, false);
    } else if !wanted.is_empty() {
        // Its own name: hosts below it are meant too, unless everybody can have one there.
        cookie.host_only = !matches!(url.host(), Some(Host::Domain(_))) || is_public_suffix(&domain);
    }
    // Max-Age outranks Expires.
    if let Some(age) = age {
        cookie.expires = Some(match u64::try_from(age) {
            Ok(0) | Err(_) => SystemTime::UNIX_EPOCH,
            Ok(age) => now.checked_add(Duration::from_secs(age.min(400 * 86_400))).unwrap_or(now),
        });
    }
    Some((domain, cookie))
}

/// May everybody have a host below this name?
fn is_public_suffix(domain: &str) -> bool {
    // The registrable domain of a host below it is longer than itself.
    Url::parse(&format!("http://x.{domain}/")).is_ok_and(|below| registrable_domain(&below) != domain)
        && Url::parse(&format!("http://x.y.{domain}/"))
            .is_ok_and(|below| registrable_domain(&below) == format!("y.{domain}"))
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
        shown_at(jar, url, SystemTime::now())
    }

    fn shown_at(jar: &Jar, url: &str, now: SystemTime) -> String {
        jar.show(&url.parse().unwrap(), now, 8192).0.map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_path_only() {
        let jar = jar("https://a.test/shop/cart", &["s=1; Path=/", "t=2", "u=3; Secure", "no", "=x"]);
        assert_eq!(shown(&jar, "https://a.test/shop/x"), "t=2; u=3; s=1");
        assert_eq!(shown(&jar, "http://a.test/shop"), "t=2; s=1");
        assert_eq!(shown(&jar, "http://a.test/shopping"), "s=1");
        assert_eq!(shown(&jar, "http://b.a.test/"), "");
        assert_eq!(shown(&jar, "http://b.test/"), "");
    }

    #[test]
    fn a_domain_reaches_hosts_below_it_and_nobody_elses() {
        let wide = jar("https://www.shop.co.uk/", &["s=1; Domain=.Shop.co.uk"]);
        for host in ["shop.co.uk", "www.shop.co.uk", "a.b.shop.co.uk"] {
            assert_eq!(shown(&wide, &format!("https://{host}/")), "s=1", "{host}");
        }
        for host in ["co.uk", "other.co.uk", "myshop.co.uk"] {
            assert_eq!(shown(&wide, &format!("https://{host}/")), "", "{host}");
        }
        // A public suffix, a neighbor, a host below, an IP address.
        for (from, set) in [
            ("https://www.shop.co.uk/", "s=1; Domain=co.uk"),
            ("https://www.shop.co.uk/", "s=1; Domain=other.co.uk"),
            ("https://shop.co.uk/", "s=1; Domain=www.shop.co.uk"),
            ("http://127.0.0.1/", "s=1; Domain=0.0.1"),
            ("http://a.test/", "s=1; Domain=test"),
        ] {
            let jar = jar(from, &[set]);
            assert!(jar.by_domain.is_empty(), "{from} {set}");
        }
        let own = jar("http://intranet/", &["s=1; Domain=intranet"]);
        assert_eq!(shown(&own, "http://intranet/"), "s=1");
        assert_eq!(shown(&own, "http://x.intranet/"), "", "a bare name is like a public suffix");
        let own = jar("http://shop.co.uk/", &["s=1; Domain=shop.co.uk"]);
        assert_eq!(shown(&own, "http://www.shop.co.uk/"), "s=1");
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
    fn a_cookie_ends_when_its_time_is_over() {
        let jar = jar("http://a.test/", &["s=1; Max-Age=60", "t=2"]);
        let later = SystemTime::now() + Duration::from_secs(61);
        assert_eq!(shown(&jar, "http://a.test/"), "s=1; t=2");
        assert_eq!(shown_at(&jar, "http://a.test/", later), "t=2");
    }

    #[test]
    fn the_jar_is_bounded() {
        let many: Vec<String> = (0..PER_HOST + 20).map(|n| format!("c{n}=x")).collect();
        let jar = jar("http://a.test/", &many.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(shown(&jar, "http://a.test/").matches("=x").count(), PER_HOST);
        let url: Url = "http://a.test/".parse().unwrap();
        let large: Vec<String> =
            (0..50).map(|n| format!("l{n}={}", "x".repeat(4000))).chain(["small=1".into()]).collect();
        let full = self::jar("http://a.test/", &large.iter().map(String::as_str).collect::<Vec<_>>());
        let (value, left_out) = full.show(&url, SystemTime::now(), 8192);
        let value = value.unwrap().to_str().unwrap().to_owned();
        assert!(value.len() <= 8192 && value.starts_with("l0=") && value.ends_with("; small=1"), "{}", value.len());
        assert_eq!(left_out, 48, "the oldest two and whatever is short enough");
        assert_eq!(full.show(&url, SystemTime::now(), 3), (None, 51));
        let long = format!("long={}", "x".repeat(BYTES));
        assert_eq!(shown(&self::jar("http://a.test/", &[&long, "bad=\u{1}"]), "http://a.test/"), "");
    }
}
