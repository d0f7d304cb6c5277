//! URLs as people type them: without a scheme, with a password, by name or by number.

use std::net::IpAddr;

use groma_fetch::ResolveOverride;
use groma_url::{Host, Url};

use crate::Fault;
use crate::wording::{ONLY_WEB, bad_address};

/// A typed URL and what was made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The URL, without user name, password and fragment.
    pub url: Url,
    /// User name and password, if they were part of it.
    pub login: Option<(String, String)>,
    /// What was assumed, for people.
    pub note: Option<String>,
}

/// Could this be a URL (rather than a misspelled command)?
pub fn looks_like_one(word: &str) -> bool {
    !word.starts_with('-') && (word.contains(['.', ':', '/']) || word.eq_ignore_ascii_case("localhost"))
}

/// Reads an address. Without a scheme it is https, but http for loopback and for hosts given by number.
pub fn read(text: &str) -> Result<Read, Fault> {
    let typed = text.trim();
    let bad = |why: &str| Fault::new(bad_address(typed, why), "write it as https://www.example.org/ or 127.0.0.1:8080");
    let (whole, assumed) = match scheme_of(typed) {
        Some(_) => (typed.to_owned(), None),
        None => {
            let guess = Url::parse(&format!("http://{typed}")).map_err(|e| bad(&e.to_string()))?;
            let by_number = !matches!(guess.host(), Some(Host::Domain(_)));
            let scheme =
                if by_number || is_loopback_name(guess.host_str().unwrap_or_default()) { "http" } else { "https" };
            (format!("{scheme}://{typed}"), Some(scheme))
        }
    };
    let mut url = Url::parse(&whole).map_err(|e| bad(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad(ONLY_WEB));
    }
    url.set_fragment(None);
    let login = (!url.username().is_empty() || url.password().is_some())
        .then(|| (decoded(url.username()), decoded(url.password().unwrap_or_default())));
    // Neither can fail for a URL with a host, and these have one.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let note = assumed.map(|scheme| assumed_scheme(scheme, url.as_str()));
    Ok(Read { url, login, note })
}

/// Schemes that people write without slashes. Any other word before a colon is a host before its port.
const BARE: [&str; 9] = ["http", "https", "mailto", "javascript", "data", "tel", "file", "about", "blob"];

fn scheme_of(typed: &str) -> Option<&str> {
    let (word, rest) = typed.split_once(':')?;
    let bare = BARE.contains(&word.to_ascii_lowercase().as_str()) && !rest.starts_with(|c: char| c.is_ascii_digit());
    (rest.starts_with("//") || bare).then_some(word)
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code =
            text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn is_loopback_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

/// Does this address lead to this machine, as far as can be told without asking anybody?
pub fn is_loopback(url: &Url, overrides: &[ResolveOverride]) -> bool {
    let port = url.port_or_known_default();
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip).to_canonical().is_loopback(),
        Some(Host::Domain(name)) => {
            let given = overrides.iter().find(|o| o.host == name.trim_end_matches('.') && Some(o.port) == port);
            given.map_or_else(|| is_loopback_name(name), |o| o.address.to_canonical().is_loopback())
        }
        None => false,
    }
}

fn assumed_scheme(scheme: &str, url: &str) -> String {
    format!("no scheme given, {scheme} assumed: {url}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_of(text: &str) -> String {
        read(text).unwrap().url.into()
    }

    #[test]
    fn a_scheme_is_assumed_and_said() {
        assert_eq!(url_of("example.org"), "https://example.org/");
        assert_eq!(url_of("example.org:8443/x"), "https://example.org:8443/x");
        assert_eq!(url_of("localhost:8000"), "http://localhost:8000/");
        assert_eq!(url_of("127.0.0.1:8000/a#b"), "http://127.0.0.1:8000/a");
        assert_eq!(url_of("[::1]:8000"), "http://[::1]:8000/");
        assert!(read("example.org").unwrap().note.unwrap().contains("https"));
        assert_eq!(read("https://example.org").unwrap().note, None);
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for bad in ["ftp://example.org", "http://", "", "http://a b", "mailto:x@y.example", "file:///etc/passwd"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_login_is_taken_out_of_the_address() {
        let read = read("http://me:p%40ss@example.org/").unwrap();
        assert_eq!(read.url.as_str(), "http://example.org/");
        assert_eq!(read.login, Some(("me".into(), "p@ss".into())));
    }

    #[test]
    fn loopback_is_seen_in_all_its_forms() {
        let url = |text: &str| Url::parse(text).unwrap();
        for text in [
            "http://127.9.9.9/",
            "http://[::1]/",
            "http://localhost:1/",
            "http://a.localhost/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(is_loopback(&url(text), &[]), "{text}");
        }
        assert!(!is_loopback(&url("http://192.168.0.1/"), &[]));
        let mapped = ["a.test:80:127.0.0.1".parse().unwrap(), "localhost:81:10.0.0.1".parse().unwrap()];
        assert!(is_loopback(&url("http://a.test/"), &mapped));
        assert!(!is_loopback(&url("http://a.test:81/"), &mapped));
        assert!(!is_loopback(&url("http://localhost:81/"), &mapped));
    }

    #[test]
    fn a_misspelled_command_is_no_address() {
        assert!(looks_like_one("example.org") && looks_like_one("localhost") && looks_like_one("http://x"));
        assert!(!looks_like_one("crwal") && !looks_like_one("--help") && !looks_like_one(""));
    }
}
