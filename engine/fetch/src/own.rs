//! Which hosts and ports did the user name? Only those may lead to private addresses.
//!
//! A name counts for the port it was given with: on one machine every port is another service, and a page of one must not lead us to
//! another. http and https at their usual ports (80 and 443) are one server, as they are for the scope of a crawl. A name without a
//! port stands for all of its ports.
//!
//! Kept as keyed fingerprints of 64 bits: 16 bytes a host, so that a list of millions of start pages can be named. Nobody who does
//! not know the key, which is made anew in every process, can look for a host that is taken for another.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use groma_url::{Host, Url};

use crate::config::{FetchError, plain_host, spelled};
use crate::guard;

/// Hosts and ports that the user named.
#[derive(Clone, Debug, Default)]
pub struct OwnHosts(Arc<Named>);

#[derive(Clone, Debug, Default)]
struct Named {
    prints: HashSet<u64>,
    key: RandomState,
}

/// The usual ports of http and https.
const USUAL: [u16; 2] = [80, 443];

impl OwnHosts {
    /// Hosts as people write them: `HOST` for all ports, `HOST:PORT` for one; an IPv6 address before a port stands in brackets.
    pub fn from_names<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Result<OwnHosts, FetchError> {
        let mut own = OwnHosts::default();
        for name in names {
            let (host, port) = parted(name.as_ref()).ok_or_else(|| FetchError::HostName(name.as_ref().to_owned()))?;
            own.insert(&host, port);
        }
        Ok(own)
    }

    /// The hosts and ports of these URLs.
    pub fn of_urls<'u>(urls: impl IntoIterator<Item = &'u Url>) -> OwnHosts {
        let mut own = OwnHosts::default();
        urls.into_iter().for_each(|url| own.add(url));
        own
    }

    /// Adds the host and port of a URL.
    pub fn add(&mut self, url: &Url) {
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else { return };
        let host = spelled(&host);
        let usual = matches!((url.scheme(), port), ("http", 80) | ("https", 443));
        let ports = if usual { &USUAL[..] } else { std::slice::from_ref(&port) };
        ports.iter().for_each(|port| self.insert(&host, Some(*port)));
    }

    /// Adds a host in its plain spelling; without a port, all of its ports.
    pub(crate) fn insert(&mut self, host: &str, port: Option<u16>) {
        let print = self.0.key.hash_one((host, port));
        if !self.0.prints.contains(&print) {
            Arc::make_mut(&mut self.0).prints.insert(print);
        }
    }

    /// Is it plain without asking anybody that this URL leads to a private address which nobody named? (Names have to be looked up first:
    /// of them only `localhost` is plain.)
    pub fn refuses(&self, url: &Url) -> bool {
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else { return false };
        let private = match &host {
            Host::Ipv4(ip) => !guard((*ip).into()),
            Host::Ipv6(ip) => !guard((*ip).into()),
            Host::Domain(name) => matches!(name.trim_end_matches('.').rsplit('.').next(), Some("localhost")),
        };
        private && !self.has(&spelled(&host), port)
    }

    /// Was this host, in its plain spelling, named with this port, or with all ports?
    pub(crate) fn has(&self, host: &str, port: u16) -> bool {
        let named = |port: Option<u16>| self.0.prints.contains(&self.0.key.hash_one((host, port)));
        !self.0.prints.is_empty() && (named(Some(port)) || named(None))
    }
}

fn parted(name: &str) -> Option<(String, Option<u16>)> {
    if let Some(host) = plain_host(name) {
        return Some((host, None));
    }
    let (host, port) = name.rsplit_once(':')?;
    // Only brackets tell the last group of an IPv6 address from a port.
    let bare_v6 = host.contains(':') && !host.starts_with('[');
    Some((plain_host(host).filter(|_| !bare_v6)?, Some(port.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_for_its_port() {
        let own = OwnHosts::from_names(["127.0.0.1:8000", "Intranet.", "[::1]:9", "::2", "b\u{fc}cher.de:81"]).unwrap();
        for (host, port) in [
            ("127.0.0.1", 8000),
            ("intranet", 80),
            ("intranet", 5432),
            ("::1", 9),
            ("::2", 1),
            ("xn--bcher-kva.de", 81),
        ] {
            assert!(own.has(host, port), "{host} {port}");
        }
        for (host, port) in [("127.0.0.1", 8001), ("127.0.0.1", 80), ("::1", 10), ("localhost", 8000), ("::3", 1)] {
            assert!(!own.has(host, port), "{host} {port}");
        }
        for bad in ["http://x/", "a b", "a:b:c", "a:99999", "a:", ""] {
            assert_eq!(OwnHosts::from_names([bad]).err(), Some(FetchError::HostName(bad.into())), "{bad}");
        }
    }

    #[test]
    fn a_url_names_its_port_and_the_usual_ports_are_one() {
        let of = |text: &str| OwnHosts::of_urls([&text.parse().unwrap()]);
        assert!(of("http://a.test/").has("a.test", 80) && of("http://a.test/").has("a.test", 443));
        assert!(of("https://A.test./x").has("a.test", 80) && !of("https://a.test/").has("a.test", 8443));
        assert!(of("http://a.test:8080/").has("a.test", 8080) && !of("http://a.test:8080/").has("a.test", 80));
        assert!(!of("http://a.test:443/").has("a.test", 80), "that is no usual port of http");
        assert!(of("http://[::1]:81/").has("::1", 81) && !of("http://[::1]:81/").has("127.0.0.1", 81));
    }
}
