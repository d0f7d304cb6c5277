//! For whom does a proxy speak? Its word is taken only if it was named.
//!
//! A proxy that nobody named makes a server reachable that was meant for this machine, and a client that invents these headers
//! would have somebody else's wrong passwords counted: both are refused, with a sentence that says what to do.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

use super::visitor::Caller;
use crate::error::Problem;
use crate::options::Options;
use crate::words;

/// Addresses of proxies: one, or a network such as `172.16.0.0/12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyNet {
    base: IpAddr,
    /// Leading bits of an address that must match `base`.
    length: u32,
}

impl FromStr for ProxyNet {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ProxyNet, &'static str> {
        let (base, length) = match text.split_once('/') {
            Some((base, length)) => (base, Some(length.parse::<u32>().map_err(|_| words::BAD_PROXY)?)),
            None => (text, None),
        };
        let base: IpAddr = base.parse::<IpAddr>().map_err(|_| words::BAD_PROXY)?.to_canonical();
        let bits = if base.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(bits);
        if length > bits { Err(words::BAD_PROXY) } else { Ok(ProxyNet { base, length }) }
    }
}

impl fmt::Display for ProxyNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.length)
    }
}

impl ProxyNet {
    fn holds(&self, address: IpAddr) -> bool {
        match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(one)) => {
                let mask = u32::MAX.checked_shl(32 - self.length).unwrap_or(0);
                base.to_bits() & mask == one.to_bits() & mask
            }
            (IpAddr::V6(base), IpAddr::V6(one)) => {
                let mask = u128::MAX.checked_shl(128 - self.length).unwrap_or(0);
                base.to_bits() & mask == one.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl Options {
    /// Does this address belong to a proxy of ours? With `public_url` and no proxy named, one on this machine does.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        if self.proxies.is_empty() {
            return self.public_url.is_some() && address.to_canonical().is_loopback();
        }
        self.proxies.iter().any(|net| net.holds(address))
    }
}

/// The header by which a proxy says for whom it speaks, if one is there.
fn forwarding(headers: &HeaderMap) -> Option<&str> {
    let is_one = |name: &str| name.starts_with("x-forwarded") || matches!(name, "forwarded" | "x-real-ip");
    headers.keys().map(|name| name.as_str()).find(|name| is_one(name))
}

/// Who asks: the other end of the connection, or whom a named proxy speaks for.
pub(super) fn caller(options: &Options, headers: &HeaderMap, peer: Caller) -> Result<Caller, Problem> {
    let Some(header) = forwarding(headers) else { return Ok(peer) };
    if !options.is_proxy(peer.0) {
        let hint = proxy_hint(&peer.0.to_canonical().to_string());
        return Err(Problem::forbidden(unnamed_proxy(header), hint));
    }
    // The last one that is no proxy of ours: what stands before it is what the client says about itself.
    let mut client = None;
    for address in stations(headers).into_iter().rev() {
        let Some(address) = address else { break };
        client = Some(Caller(address));
        if !options.is_proxy(address) {
            break;
        }
    }
    Ok(client.unwrap_or(peer))
}

/// The addresses a request came by, the client first; nothing where one is not said.
fn stations(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = |name: &str| {
        let all = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
        all.flat_map(|line| line.split(',')).map(str::trim).collect::<Vec<_>>()
    };
    let listed = lines("x-forwarded-for");
    if !listed.is_empty() {
        return listed.into_iter().map(address).collect();
    }
    let listed = lines("forwarded");
    if !listed.is_empty() {
        return listed.into_iter().map(forwarded_for).collect();
    }
    lines("x-real-ip").into_iter().map(address).collect()
}

/// The `for` of an element of `Forwarded` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    address(value.trim().trim_matches('"'))
}

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
fn address(text: &str) -> Option<IpAddr> {
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Some(ip);
    }
    if let Some(rest) = text.strip_prefix('[') {
        return rest.split(']').next()?.parse().ok();
    }
    text.split(':').next()?.parse().ok()
}

fn unnamed_proxy(header: &str) -> String {
    format!("the request came through a proxy that was not named (it has the header {header:?})")
}

fn proxy_hint(peer: &str) -> String {
    format!(
        "if the proxy is yours, start the server with --trusted-proxy {peer} (and --public-url URL, if people use another one)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(public: bool, proxies: &[&str]) -> Options {
        Options {
            public_url: public.then(|| "https://survey.example.org/".parse().unwrap()),
            proxies: proxies.iter().map(|text| text.parse().unwrap()).collect(),
            ..Options::on_loopback(std::path::PathBuf::new())
        }
    }

    fn asked(options: &Options, peer: &str, headers: &[(&'static str, &'static str)]) -> Result<String, u16> {
        let all = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let mut map = HeaderMap::new();
        for (name, value) in all {
            let _: bool = map.append::<axum::http::HeaderName>(name, value);
        }
        let from = caller(options, &map, Caller(peer.parse().unwrap()));
        from.map(|caller| caller.0.to_string()).map_err(|problem| problem.status.as_u16())
    }

    #[test]
    fn a_proxy_nobody_named_is_refused() {
        let alone = options(false, &[]);
        assert_eq!(asked(&alone, "127.0.0.1", &[]).as_deref(), Ok("127.0.0.1"));
        for header in ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip"] {
            assert_eq!(asked(&alone, "127.0.0.1", &[(header, "203.0.113.9")]), Err(403), "{header}");
        }
        let public = options(true, &[]);
        assert_eq!(asked(&public, "203.0.113.9", &[("x-forwarded-for", "192.0.2.1")]), Err(403), "not on this machine");
        let named = options(true, &["10.0.0.5"]);
        assert_eq!(asked(&named, "127.0.0.1", &[("x-forwarded-for", "192.0.2.1")]), Err(403), "another one is named");
    }

    #[test]
    fn a_named_proxy_says_who_asks() {
        let public = options(true, &[]);
        let from = |value| asked(&public, "127.0.0.1", &[("x-forwarded-for", value)]);
        assert_eq!(from("192.0.2.1").as_deref(), Ok("192.0.2.1"));
        assert_eq!(from("6.6.6.6, 192.0.2.1").as_deref(), Ok("192.0.2.1"), "the client cannot say who it is");
        assert_eq!(from("192.0.2.1, 127.0.0.1").as_deref(), Ok("192.0.2.1"), "through two of ours");
        assert_eq!(from("unknown").as_deref(), Ok("127.0.0.1"));
        assert_eq!(from("[2001:db8::1]:4711").as_deref(), Ok("2001:db8::1"));
        let net = options(true, &["10.0.0.0/8", "fd00::/8"]);
        let by = |peer, value| asked(&net, peer, &[("forwarded", value)]);
        assert_eq!(by("10.1.2.3", "for=192.0.2.60;proto=http;by=203.0.113.43").as_deref(), Ok("192.0.2.60"));
        assert_eq!(by("fd00::1", "for=\"[2001:db8:cafe::17]:4711\"").as_deref(), Ok("2001:db8:cafe::17"));
        assert_eq!(by("10.1.2.3", "for=_hidden").as_deref(), Ok("10.1.2.3"));
        assert_eq!(by("11.1.2.3", "for=192.0.2.60"), Err(403));
    }

    #[test]
    fn networks_are_read_strictly() {
        for bad in ["", "localhost", "10.0.0.0/33", "10.0.0.0/x", "::1/129", "10.0.0/8"] {
            assert!(bad.parse::<ProxyNet>().is_err(), "{bad}");
        }
        let all: ProxyNet = "0.0.0.0/0".parse().unwrap();
        assert!(all.holds("192.0.2.1".parse().unwrap()) && !all.holds("2001:db8::1".parse().unwrap()));
        let mapped: ProxyNet = "127.0.0.1".parse().unwrap();
        assert!(mapped.holds("::ffff:127.0.0.1".parse().unwrap()));
    }
}
