//! From an address to a connection: resolve, guard, connect to exactly the address that was checked, tunnel, encrypt.
//!
//! Every address of a host is tried in the order the resolver gave, each with an equal share of the time that is left, so
//! that one dead URL does not use it all up.

use std::net::IpAddr;

use groma_model::Failure;
use groma_url::{Position, Url};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::config::{FetchConfig, FetchError, spelled};
use crate::fault;
use crate::means::Permit;
use crate::proxy::{Proxies, Proxy, tunnel};
use crate::resolve::Resolver;
use crate::tls::Tls;
use crate::wire::Wire;

/// Where a request goes.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) secure: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) proxy: Option<Proxy>,
}

/// What a connection is kept under.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) secure: bool,
    proxied: bool,
    host: String,
    port: u16,
}

impl Place {
    /// Plain requests to any host may share a connection to their proxy; a tunnel belongs to one host.
    pub(crate) fn key(&self) -> Key {
        match &self.proxy {
            Some(proxy) if !self.secure => {
                Key { secure: false, proxied: true, host: proxy.host.clone(), port: proxy.port }
            }
            proxy => Key { secure: self.secure, proxied: proxy.is_some(), host: self.host.clone(), port: self.port },
        }
    }
}

/// A connection that was just opened.
pub(crate) struct Dialled {
    pub(crate) wire: Wire,
    /// Who is at the other end; nobody knows behind a proxy.
    pub(crate) remote: Option<IpAddr>,
    /// HTTP/2 was agreed on.
    pub(crate) two: bool,
    /// Held as long as the connection is.
    pub(crate) permit: Option<Permit>,
}

pub(crate) struct Connector {
    pub(crate) resolver: Resolver,
    proxies: Proxies,
    tls: Tls,
    agent: String,
}

impl Connector {
    pub(crate) fn new(config: &FetchConfig) -> Result<Connector, FetchError> {
        Ok(Connector {
            resolver: Resolver::new(config)?,
            proxies: Proxies::of_user(&config.proxy)?,
            tls: Tls::new(config.insecure),
            agent: config.user_agent.clone(),
        })
    }

    /// Where an address leads. Only http and https; a private address behind a proxy is refused here already.
    pub(crate) fn place(&self, url: &Url) -> Result<Place, Failure> {
        let secure = match url.scheme() {
            "http" => false,
            "https" => true,
            other => return Err(Failure::Unsupported(format!("{other}: is not fetched"))),
        };
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(Failure::Unsupported("the URL names no host".into()));
        };
        let place = Place { secure, host: spelled(&host), port, proxy: self.proxies.for_url(url) };
        self.resolver.check_literal(&place.host, place.port)?;
        Ok(place)
    }

    /// Does whoever makes a connection there have to look a name up?
    pub(crate) fn has_to_look_up(&self, place: &Place) -> bool {
        match &place.proxy {
            Some(proxy) => !self.resolver.knows(&proxy.host, proxy.port),
            None => !self.resolver.knows(&place.host, place.port),
        }
    }

    /// Makes a connection, until the given moment.
    pub(crate) async fn dial(&self, place: &Place, until: Instant) -> Result<Dialled, Failure> {
        let (mut wire, remote) = match &place.proxy {
            None => {
                let addresses = self.resolver.addresses(&place.host, place.port).await?;
                let (tcp, ip) = reach(&addresses, place.port, until).await?;
                (Wire::Plain(tcp), Some(ip))
            }
            Some(proxy) => (self.through(place, proxy, until).await?, None),
        };
        let mut two = false;
        if place.secure {
            (wire, two) = self.tls.to_server(wire, &place.host).await?;
        }
        Ok(Dialled { wire, remote, two, permit: None })
    }

    async fn through(&self, place: &Place, proxy: &Proxy, until: Instant) -> Result<Wire, Failure> {
        let blamed = |failure: Failure| match failure {
            Failure::NoSuchHost => Failure::Proxy(format!("{} does not exist", proxy.host)),
            Failure::Refused | Failure::Reset => {
                Failure::Proxy(format!("{}:{} does not answer", proxy.host, proxy.port))
            }
            Failure::Tls(why) => Failure::Proxy(why),
            other => other,
        };
        let addresses = self.resolver.look_up(&proxy.host).await.map_err(blamed)?;
        let (tcp, _) = reach(&addresses, proxy.port, until).await.map_err(blamed)?;
        let mut wire = Wire::Plain(tcp);
        if proxy.secure {
            wire = self.tls.to_proxy(wire, &proxy.host).await.map_err(blamed)?;
        }
        if place.secure {
            let host = if place.host.contains(':') { format!("[{}]", place.host) } else { place.host.clone() };
            wire = tunnel(wire, &format!("{host}:{}", place.port), proxy, &self.agent).await?;
        }
        Ok(wire)
    }
}

/// Host and port of an address, as a Host field has them: the port only where it is not the usual one.
pub(crate) fn authority(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

async fn reach(addresses: &[IpAddr], port: u16, until: Instant) -> Result<(TcpStream, IpAddr), Failure> {
    let mut failure = Failure::NoSuchHost;
    for (n, &ip) in addresses.iter().enumerate() {
        let left = u32::try_from(addresses.len() - n).unwrap_or(u32::MAX);
        let share = until.saturating_duration_since(Instant::now()) / left;
        match timeout(share, TcpStream::connect((ip, port))).await {
            Ok(Ok(tcp)) => {
                // A request is one small write: nothing to gain from waiting for more.
                let _ = tcp.set_nodelay(true);
                return Ok((tcp, ip));
            }
            // Another URL would not be had either.
            Ok(Err(error)) if fault::lacking(&error).is_some() => return Err(fault::of_io(&error)),
            Ok(Err(error)) => failure = fault::of_io(&error),
            Err(_) => failure = Failure::TimeOut("connect"),
        }
    }
    Err(failure)
}
