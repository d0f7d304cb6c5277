//! Is it our name they call, and is it our own page that sends this?
//!
//! A page of a stranger can point a name of its own at this machine (DNS rebinding) and would then be of the same origin as we
//! are: so we answer only to names that are ours. Numbers cannot be pointed elsewhere and are taken as far as we listen on them.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Uri, header};

use crate::error::Problem;
use crate::options::Options;
use crate::words;

/// The host that was called, if it is one of ours.
pub(crate) fn check(headers: &HeaderMap, uri: &Uri, options: &Options) -> Result<Authority, Problem> {
    let mut sent = headers.get_all(header::HOST).iter();
    let host = sent.next().and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<Authority>().ok());
    let host = host.filter(|host| !host.as_str().contains('@')).ok_or_else(|| refuse(""))?;
    let same = uri.authority().is_none_or(|named| named.as_str().eq_ignore_ascii_case(host.as_str()));
    if sent.next().is_some() || !same || !is_ours(&host, options) {
        return Err(refuse(host.as_str()));
    }
    Ok(host)
}

fn refuse(host: &str) -> Problem {
    let status = axum::http::StatusCode::MISDIRECTED_REQUEST;
    Problem::new(
        status,
        not_our_host(host),
        "use the address the server listens on, or start it with --public-url and the address people use",
    )
}

fn is_ours(host: &Authority, options: &Options) -> bool {
    let name = host.host().trim_end_matches('.');
    if let Some(url) = &options.public_url
        && url.host_str().is_some_and(|ours| ours.eq_ignore_ascii_case(name))
    {
        return true;
    }
    let listen = options.listen.ip().to_canonical();
    match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        Ok(ip) if ip.to_canonical().is_loopback() => listen.is_loopback() || listen.is_unspecified(),
        Ok(ip) => listen.is_unspecified() || ip.to_canonical() == listen,
        Err(_) => {
            let is_local = name.eq_ignore_ascii_case("localhost");
            is_local && (listen.is_loopback() || listen.is_unspecified())
        }
    }
}

/// Can a stranger's page not have sent this? Browsers say from where a change comes; what says nothing is no browser.
pub(crate) fn is_from_here(headers: &HeaderMap, host: &Authority, options: &Options) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text("sec-fetch-site")
        && site != "same-origin"
        && site != "none"
    {
        return false;
    }
    let Some(origin) = text("origin") else { return true };
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let fits = match scheme {
        "http" => !super::cookie::is_secure(options) || is_number_or_local(host),
        "https" => super::cookie::is_secure(options),
        _ => false,
    };
    fits && authority.eq_ignore_ascii_case(host.as_str())
}

fn is_number_or_local(host: &Authority) -> bool {
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

/// Does a request by this method change nothing?
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
}

fn not_our_host(host: &str) -> String {
    format!("this server does not answer for the host {:?}", words::short(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(listen: &str, public: Option<&str>) -> Options {
        Options {
            listen: listen.parse().unwrap(),
            public_url: public.map(|url| url.parse().unwrap()),
            ..Options::on_loopback(std::path::PathBuf::new())
        }
    }

    fn called(host: &str, options: &Options) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        check(&headers, &Uri::from_static("/"), options).is_ok()
    }

    #[test]
    fn on_loopback_only_loopback_names_are_ours() {
        let here = options("127.0.0.1:8090", None);
        for ours in ["127.0.0.1:8090", "localhost:8090", "LOCALHOST", "[::1]:8090", "localhost:9000", "localhost."] {
            assert!(called(ours, &here), "{ours}");
        }
        for other in ["evil.example", "evil.example:8090", "192.168.0.7", "localhost.evil.example", "a@localhost", ""] {
            assert!(!called(other, &here), "{other}");
        }
        assert!(!called("survey.example.org", &here));
        assert!(called("survey.example.org", &options("127.0.0.1:8090", Some("https://Survey.example.org/"))));
    }

    #[test]
    fn on_all_addresses_numbers_are_ours_and_names_are_not() {
        let all = options("0.0.0.0:8090", None);
        assert!(called("192.168.0.7:8090", &all) && called("localhost:8090", &all) && called("[fd00::1]", &all));
        assert!(!called("rebound.example:8090", &all));
        let one = options("192.168.0.7:8090", None);
        assert!(called("192.168.0.7:8090", &one) && !called("192.168.0.8:8090", &one) && !called("127.0.0.1", &one));
    }

    #[test]
    fn two_hosts_are_none() {
        let here = options("127.0.0.1:8090", None);
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(check(&headers, &Uri::from_static("/"), &here).is_err());
        assert!(check(&HeaderMap::new(), &Uri::from_static("/"), &here).is_err());
        headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(check(&headers, &Uri::from_static("http://evil.example/"), &here).is_err());
    }

    #[test]
    fn changes_come_from_our_own_pages() {
        let here = options("127.0.0.1:8090", None);
        let host: Authority = "localhost:8090".parse().unwrap();
        let sent = |pairs: &[(&'static str, &'static str)]| {
            let headers: HeaderMap = pairs.iter().map(|(k, v)| (k.parse().unwrap(), v.parse().unwrap())).collect();
            is_from_here(&headers, &host, &here)
        };
        assert!(sent(&[]) && sent(&[("origin", "http://localhost:8090"), ("sec-fetch-site", "same-origin")]));
        assert!(!sent(&[("origin", "http://localhost:8091")]), "another port is another program");
        assert!(!sent(&[("origin", "http://evil.example")]) && !sent(&[("origin", "null")]));
        assert!(!sent(&[("origin", "https://localhost:8090")]), "no TLS here");
        assert!(!sent(&[("sec-fetch-site", "cross-site")]) && !sent(&[("sec-fetch-site", "same-site")]));
        assert!(!sent(&[("origin", "http://localhost:8090"), ("sec-fetch-site", "cross-site")]));
    }
}
