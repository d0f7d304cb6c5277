//! Which part of a table does a row go to? That of its host, so that all pages of a host, and all links that begin on them, are
//! together.
//!
//! ```text
//! part = pmod(xxhash64(host), parts)
//! ```
//!
//! where xxhash64 is XXH64 with seed 42 over the bytes of the host's name, as a signed number: what Spark's `xxhash64` gives, so
//! that a join or a filter can be computed there by the same words. URLs without a host (what does not parse) go to part 0.
//! Cost: a URL is parsed only if it does not begin as the one before. Not guaranteed: that parts are of like size; one host
//! is never divided, so a survey of one host is one part (of many files, if it is large).

use groma_model::url::registrable_domain;
use groma_url::Url;
use xxhash_rust::xxh64::xxh64;

/// The seed that Spark's `xxhash64` uses.
const SEED: u64 = 42;

/// The part, of so many, to which a host belongs.
pub fn part_of(host: &str, parts: u32) -> u32 {
    if host.is_empty() || parts == 0 {
        return 0;
    }
    let hash = xxh64(host.as_bytes(), SEED) as i64;
    hash.rem_euclid(i64::from(parts)) as u32
}

/// The host of a URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    /// Scheme, name and port; empty if there is none.
    pub(crate) origin: String,
    /// The name without scheme and port.
    pub(crate) host: String,
    /// Registrable domain.
    pub(crate) domain: String,
    pub(crate) part: u32,
}

/// Finds hosts, remembering the last: URLs come host by host more often than not.
#[derive(Debug)]
pub(crate) struct Sites {
    parts: u32,
    last: Site,
}

impl Sites {
    pub(crate) fn new(parts: u32) -> Sites {
        Sites { parts, last: Site::default() }
    }

    /// The last answer is kept: URLs of one host come one after the other.
    pub(crate) fn for_url(&mut self, address: &str) -> &Site {
        if !self.is_last(address) {
            self.last = self.find(address).unwrap_or_default();
        }
        &self.last
    }

    /// Whether the URL begins with the origin of the last one, and that origin ends there.
    fn is_last(&self, address: &str) -> bool {
        let origin = &self.last.origin;
        !origin.is_empty()
            && address.strip_prefix(origin.as_str()).is_some_and(|rest| rest.starts_with(['/', '?', '#']))
    }

    fn find(&self, address: &str) -> Option<Site> {
        let url = Url::parse(address).ok().filter(Url::has_host)?;
        let host = url.host_str().filter(|host| !host.is_empty())?.to_owned();
        // Schemes that the standard gives no origin have one for us: scheme, name and port all the same.
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let origin = format!("{}://{host}{port}", url.scheme());
        let part = part_of(&host, self.parts);
        Some(Site { origin, domain: registrable_domain(&url), part, host })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_and_the_last_is_not_taken_for_a_longer_one() {
        let mut sites = Sites::new(16);
        assert_eq!(sites.for_url("https://example.org/a").origin, "https://example.org");
        assert_eq!(sites.for_url("https://example.org/b").host, "example.org");
        assert_eq!(sites.for_url("https://example.org.evil.net/").host, "example.org.evil.net");
        assert_eq!(sites.for_url("https://example.org:8443/").origin, "https://example.org:8443");
        assert_eq!(sites.for_url("https://www.example.co.uk/x").domain, "example.co.uk");
        assert_eq!(sites.for_url("http://[::1]:80/").host, "[::1]");
        assert_eq!(sites.for_url("http://user:secret@example.org/x").origin, "http://example.org");
        let broken = sites.for_url("http://[");
        assert_eq!((broken.host.as_str(), broken.part), ("", 0));
        assert_eq!(sites.for_url("node 17").origin, "");
    }

    #[test]
    fn parts_are_those_of_spark() {
        // By Spark 4.3: select pmod(xxhash64('example.org'), 16), ...
        for (host, parts, part) in SPARK {
            assert_eq!(part_of(host, parts), part, "{host} of {parts}");
        }
        assert_eq!((part_of("", 16), part_of("a", 1), part_of("a", 0)), (0, 0, 0));
    }

    const LONG: &str = "a-host-name-that-is-longer-than-thirty-two-bytes.example.net";
    const SPARK: [(&str, u32, u32); 18] = [
        ("example.org", 16, 7),
        ("example.org", 7, 0),
        ("example.org", 1000, 239),
        ("www.postgresql.org", 16, 13),
        ("www.postgresql.org", 7, 5),
        ("www.postgresql.org", 1000, 349),
        ("127.0.0.1", 16, 8),
        ("127.0.0.1", 7, 6),
        ("127.0.0.1", 1000, 824),
        ("[::1]", 16, 10),
        ("[::1]", 7, 4),
        ("[::1]", 1000, 538),
        ("xn--bcher-kva.example", 16, 6),
        ("xn--bcher-kva.example", 7, 3),
        ("xn--bcher-kva.example", 1000, 950),
        (LONG, 16, 6),
        (LONG, 7, 6),
        (LONG, 1000, 534),
    ];
}
