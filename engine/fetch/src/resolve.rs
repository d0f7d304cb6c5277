//! Which addresses does a host have, and which of them may we connect to?
//!
//! Rule: a `--resolve` override comes first, then an address written out, then the system's resolver (getaddrinfo).
//! What the resolver says is kept for five minutes, that a name does not exist for one; trouble is not kept. Addresses
//! that are not public are taken out unless the user named the host with this port. The caller connects to exactly these addresses and
//! asks no resolver again, so a name that changes its address between check and connection gains nothing.
//!
//! NOT guaranteed: the time to live of the record, which getaddrinfo does not tell.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_model::Failure;
use groma_url::Url;

use crate::config::{FetchConfig, FetchError, plain_host};
use crate::fault::lacking;
use crate::guard::guard;
use crate::own::OwnHosts;

/// How long an answer is kept; the second is for names that do not exist.
const KEPT: [Duration; 2] = [Duration::from_secs(300), Duration::from_secs(60)];
/// Names remembered at once.
const NAMES: usize = 8192;

type Known = HashMap<String, (Instant, Vec<IpAddr>)>;

/// The resolver with its memory.
pub(crate) struct Resolver {
    overrides: HashMap<(String, u16), Vec<IpAddr>>,
    named: OwnHosts,
    known: Mutex<Known>,
}

impl Resolver {
    pub(crate) fn new(config: &FetchConfig) -> Result<Resolver, FetchError> {
        let mut named = config.own_hosts.clone();
        let mut overrides: HashMap<_, Vec<_>> = HashMap::new();
        for given in &config.resolve {
            let host = plain_host(&given.host).ok_or_else(|| FetchError::HostName(given.host.clone()))?;
            named.insert(&host, Some(given.port));
            overrides.entry((host, given.port)).or_default().push(given.address);
        }
        Ok(Resolver { overrides, named, known: Mutex::default() })
    }

    /// The user names another host.
    pub(crate) fn own(&mut self, url: &Url) {
        self.named.add(url);
    }

    /// Can its addresses be told without asking anybody?
    pub(crate) fn knows(&self, host: &str, port: u16) -> bool {
        let given = || !self.overrides.is_empty() && self.overrides.contains_key(&(host.to_owned(), port));
        host.parse::<IpAddr>().is_ok() || given() || self.recall(host).is_some()
    }

    /// Without asking anybody: is this host, written as an address, one we may go to?
    pub(crate) fn check_literal(&self, host: &str, port: u16) -> Result<(), Failure> {
        match host.parse() {
            Ok(ip) if !guard(ip) && !self.named.has(host, port) => Err(Failure::PrivateAddress(ip)),
            _ => Ok(()),
        }
    }

    /// The addresses of a host (spelled as [`plain_host`] does) that we may connect to; never an empty list.
    pub(crate) async fn addresses(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, Failure> {
        if !self.overrides.is_empty()
            && let Some(given) = self.overrides.get(&(host.to_owned(), port))
        {
            return Ok(given.clone());
        }
        let mut found = self.look_up(host).await?;
        if !self.named.has(host, port) {
            let first = found.first().copied();
            found.retain(|ip| guard(*ip));
            if let (Some(private), true) = (first, found.is_empty()) {
                return Err(Failure::PrivateAddress(private));
            }
        }
        if found.is_empty() { Err(Failure::NoSuchHost) } else { Ok(found) }
    }

    /// The addresses of a host that the user chose, such as a proxy: whatever they are.
    pub(crate) async fn look_up(&self, host: &str) -> Result<Vec<IpAddr>, Failure> {
        if let Ok(ip) = host.parse() {
            return Ok(vec![ip]);
        }
        if !sound(host) {
            return Err(Failure::NoSuchHost);
        }
        if let Some(found) = self.recall(host) {
            return if found.is_empty() { Err(Failure::NoSuchHost) } else { Ok(found) };
        }
        match tokio::net::lookup_host((host, 0)).await {
            Ok(found) => {
                let mut list: Vec<IpAddr> = Vec::new();
                found.map(|a| a.ip()).for_each(|ip| {
                    if !list.contains(&ip) {
                        list.push(ip)
                    }
                });
                self.remember(host, list.clone());
                Ok(list)
            }
            Err(error) if no_such_host(&error) => {
                self.remember(host, Vec::new());
                Err(Failure::NoSuchHost)
            }
            Err(error) => Err(match lacking(&error) {
                Some(what) => Failure::Scarce(what),
                None => Failure::DnsTrouble(error.to_string()),
            }),
        }
    }

    fn recall(&self, host: &str) -> Option<Vec<IpAddr>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, found) = known.get(host)?;
        (since.elapsed() < kept(found)).then(|| found.clone())
    }

    fn remember(&self, host: &str, found: Vec<IpAddr>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= NAMES {
            known.retain(|_, (since, found)| since.elapsed() < kept(found));
            // Still full: forget everything rather than keep books on what is old. It costs a look-up each.
            if known.len() >= NAMES {
                known.clear();
            }
        }
        known.insert(host.to_owned(), (Instant::now(), found));
    }
}

fn kept(found: &[IpAddr]) -> Duration {
    KEPT[usize::from(found.is_empty())]
}

/// Names no resolver can answer for are not asked: empty labels, labels and names beyond RFC 1035's lengths.
fn sound(host: &str) -> bool {
    host.len() <= 253 && host.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// getaddrinfo's "no" as against its "not now". The standard library hands its words on, and no code.
fn no_such_host(error: &std::io::Error) -> bool {
    // The words of glibc, musl and the BSDs; the numbers are those of Windows (host not found, no data).
    const WORDS: [&str; 4] =
        ["not known", "No address associated", "nodename nor servname provided", "Name does not resolve"];
    let text = error.to_string();
    WORDS.iter().any(|words| text.contains(words)) || matches!(error.raw_os_error(), Some(11001 | 11004))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn resolver(own: &[&str], resolve: &[&str]) -> Resolver {
        let config = FetchConfig {
            own_hosts: OwnHosts::from_names(own).unwrap(),
            resolve: resolve.iter().map(|r| r.parse().unwrap()).collect(),
            ..FetchConfig::default()
        };
        Resolver::new(&config).unwrap()
    }

    #[tokio::test]
    async fn private_addresses_are_taken_out_unless_the_host_was_named() {
        let loopback: IpAddr = "127.0.0.1".parse().unwrap();
        let public: IpAddr = "8.8.8.8".parse().unwrap();
        let stranger = resolver(&["other.test"], &[]);
        stranger.remember("mixed.test", vec![loopback, public]);
        stranger.remember("inside.test", vec![loopback]);
        assert_eq!(stranger.addresses("mixed.test", 80).await, Ok(vec![public]));
        assert_eq!(stranger.addresses("inside.test", 80).await, Err(Failure::PrivateAddress(loopback)));
        assert_eq!(stranger.addresses("127.0.0.1", 80).await, Err(Failure::PrivateAddress(loopback)));
        let owner = resolver(&["Inside.Test"], &[]);
        owner.remember("inside.test", vec![loopback]);
        assert_eq!(owner.addresses("inside.test", 80).await, Ok(vec![loopback]));
        let of_one = resolver(&["inside.test:8000"], &[]);
        of_one.remember("inside.test", vec![loopback]);
        assert_eq!(of_one.addresses("inside.test", 8000).await, Ok(vec![loopback]));
        assert_eq!(of_one.addresses("inside.test", 22).await, Err(Failure::PrivateAddress(loopback)));
    }

    #[tokio::test]
    async fn an_override_comes_first_and_holds_for_its_port_only() {
        let resolver = resolver(&[], &["a.test:80:10.0.0.1", "a.test:80:10.0.0.2"]);
        resolver.remember("a.test", vec!["10.9.9.9".parse().unwrap()]);
        let found = resolver.addresses("a.test", 80).await.unwrap();
        assert_eq!(found.iter().map(|ip| ip.to_string()).collect::<Vec<_>>(), ["10.0.0.1", "10.0.0.2"]);
        let elsewhere: IpAddr = "10.9.9.9".parse().unwrap();
        assert_eq!(resolver.addresses("a.test", 81).await, Err(Failure::PrivateAddress(elsewhere)));
    }

    #[tokio::test]
    async fn impossible_names_are_answered_without_a_resolver() {
        let resolver = resolver(&[], &[]);
        for host in ["a..b", &"x".repeat(64), &"abc.".repeat(80)] {
            assert_eq!(resolver.addresses(host, 80).await, Err(Failure::NoSuchHost), "{host}");
        }
    }

    #[test]
    fn the_memory_is_bounded() {
        let resolver = resolver(&[], &[]);
        (0..NAMES + 10).for_each(|n| resolver.remember(&format!("h{n}.test"), Vec::new()));
        assert!(resolver.known.lock().unwrap().len() <= NAMES);
    }

    #[test]
    fn a_missing_name_is_told_from_trouble() {
        let error = |text: &str| io::Error::other(format!("failed to lookup address information: {text}"));
        assert!(no_such_host(&error("Name or service not known")));
        assert!(no_such_host(&error("No address associated with hostname")));
        assert!(!no_such_host(&error("Temporary failure in name resolution")));
    }
}
