//! The settings of fetching, and what is wrong with those that cannot be used.

use std::net::IpAddr;
use std::str::FromStr;

use groma_model::Limits;
use groma_url::Host;
use groma_url::Url;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::cookies::Cookies;
use crate::own::OwnHosts;
use crate::proxy::Proxies;
use crate::resolve::Resolver;
use crate::session::{Login, Secret};

/// Everything a fetcher has to know beforehand.
#[derive(Clone, Debug)]
pub struct FetchConfig {
    /// The name we go by, with an address where we can be reached.
    pub user_agent: String,
    /// More header fields (`-H`), sent to [`login_at`](Self::login_at) only.
    pub headers: Vec<(String, String)>,
    /// User name and password (`-u`), sent to [`login_at`](Self::login_at) only.
    pub basic_auth: Option<(String, String)>,
    /// The hosts and ports the user named on the command line: only they may be private.
    pub own_hosts: OwnHosts,
    /// The start pages: `-H` and `-u` are sent to the same scheme, host and port only (or from http to https at the usual
    /// ports), so that a login goes neither to a third party, nor to another service of the host, nor out in the clear.
    pub login_at: Vec<Url>,
    /// Names whose address the user gave (`--resolve`). They may be private too, at that port.
    pub resolve: Vec<ResolveOverride>,
    /// Whether to go through a proxy.
    pub proxy: ProxyChoice,
    /// Take any certificate (`-k`).
    pub insecure: bool,
    /// Keep cookies for the length of the survey.
    pub cookies: bool,
    /// Cookies the user gave, each for its own domain.
    pub own_cookies: Cookies,
    /// Header fields for single hosts.
    pub host_headers: Vec<HostHeader>,
    /// A login by a form.
    pub login: Option<Login>,
    /// The table of limits.
    pub limits: Limits,
}

impl Default for FetchConfig {
    fn default() -> Self {
        FetchConfig {
            user_agent: concat!("groma/", env!("CARGO_PKG_VERSION")).into(),
            headers: Vec::new(),
            basic_auth: None,
            own_hosts: OwnHosts::default(),
            login_at: Vec::new(),
            resolve: Vec::new(),
            proxy: ProxyChoice::FromEnv,
            insecure: false,
            cookies: false,
            own_cookies: Cookies::default(),
            host_headers: Vec::new(),
            login: None,
            limits: Limits::default(),
        }
    }
}

/// A header field for one host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostHeader {
    /// Sent to the same scheme, host and port only (or from http to https at the usual ports).
    pub at: Url,
    pub name: String,
    pub value: Secret,
}

/// Whether to go through a proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// As http_proxy, https_proxy, all_proxy and no_proxy say. HTTP_PROXY in capitals is not read, since a web server
    /// sets it from a visitor's header; the others may be in capitals.
    #[default]
    FromEnv,
    /// Never use a proxy.
    None,
    /// Through this one, for every host.
    Url(String),
}

/// An address for a name, in place of what the resolver says: `HOST:PORT:ADDRESS`, as curl has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveOverride {
    /// The name to be resolved.
    pub host: String,
    /// The port it holds for.
    pub port: u16,
    /// Where to connect to.
    pub address: IpAddr,
}

impl FromStr for ResolveOverride {
    type Err = FetchError;

    fn from_str(text: &str) -> Result<Self, FetchError> {
        let parts = || {
            // The name may be an IPv6 address in brackets, and so may the address.
            let (host, rest) = match text.strip_prefix('[') {
                Some(inner) => inner.split_once("]:")?,
                None => text.split_once(':')?,
            };
            let (port, address) = rest.split_once(':')?;
            let address = address.strip_prefix('[').and_then(|a| a.strip_suffix(']')).unwrap_or(address);
            let host = plain_host(host)?;
            Some(ResolveOverride { host, port: port.parse().ok()?, address: address.parse().ok()? })
        };
        parts().ok_or_else(|| FetchError::Resolve(text.into()))
    }
}

/// Something the user asked for that cannot be done. The only errors of this room: all else is an `Outcome`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// A header field that HTTP does not allow.
    #[error("{0:?} is not a header field")]
    Header(String),
    /// A header field that only we can set rightly.
    #[error("the header field {0:?} cannot be set by hand")]
    OwnHeader(String),
    /// A name for ourselves that cannot be sent.
    #[error("{0:?} cannot be sent as a user agent")]
    UserAgent(String),
    /// A proxy that cannot be used. The text is without its password.
    #[error("{0:?} is not a proxy that can be used")]
    Proxy(String),
    /// A name that is none.
    #[error("{0:?} is not a host name or address")]
    HostName(String),
    /// A `--resolve` that does not parse.
    #[error("{0:?} does not say which address a host has")]
    Resolve(String),
    /// The system gives too few files to work with.
    #[error("this process may have {allowed} files open; {least} are the least to work with")]
    Files {
        /// So many may be open.
        allowed: u64,
        /// So many have to be.
        least: u64,
    },
    /// The system gives too little memory to work with.
    #[error("this process may use {allowed} MB of memory; {least} MB are the least to work with")]
    Memory {
        /// So many megabytes it may use.
        allowed: u64,
        /// So many it has to.
        least: u64,
    },
}

impl FetchError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            FetchError::Header(_) => "write it as -H \"Name: value\", in one line of ASCII",
            FetchError::OwnHeader(_) => "omit it; to reach a host at another IP address, use --resolve",
            FetchError::UserAgent(_) => "use one line of ASCII, for example \"mybot/1.0 (+mailto:me@example.org)\"",
            FetchError::Proxy(_) => {
                "give it as http://host:port or https://host:port (with user:password@ if needed); check http_proxy, \
                 https_proxy and all_proxy; SOCKS is not spoken"
            }
            FetchError::HostName(_) => {
                "give the bare host, with its port if only that is meant: www.example.org, 192.168.1.7:8080, ::1 or [::1]:8080"
            }
            FetchError::Resolve(_) => "write HOST:PORT:ADDRESS, for example www.example.org:443:192.168.1.7",
            FetchError::Memory { .. } => "raise the limit before you start it, for example: ulimit -v unlimited",
            FetchError::Files { .. } => "raise the limit before you start it, for example: ulimit -n 1024",
        }
    }
}

/// A host in the one spelling that can be compared: lower case, punycode, IPv6 without brackets, no dot at the end.
pub(crate) fn plain_host(host: &str) -> Option<String> {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return Some(ip.to_string());
    }
    Some(spelled(&Host::parse(bare).ok()?))
}

/// The same for a host out of an address.
pub(crate) fn spelled<S: AsRef<str>>(host: &Host<S>) -> String {
    match host {
        Host::Domain(name) => {
            let name = name.as_ref();
            name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
        }
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    }
}

/// Fields that frame a message or name its receiver: a second hand at them only does harm.
pub(crate) const OURS: [HeaderName; 7] = [
    header::HOST,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::TE,
    header::EXPECT,
];

impl FetchConfig {
    /// Could a fetcher be made of it? The errors are those of [`HttpFetcher::new`](crate::HttpFetcher::new).
    pub fn check(&self) -> Result<(), FetchError> {
        Resolver::new(self)?;
        Proxies::of_user(&self.proxy)?;
        self.header_maps()?;
        self.host_maps().map(|_| ())
    }

    /// Whoever asks may not reach further than anybody could: no private addresses, and nothing of what was meant for single hosts.
    pub fn reach_no_further(&mut self) {
        self.own_hosts = OwnHosts::default();
        (self.own_cookies, self.login) = (Cookies::default(), None);
        self.host_headers.clear();
    }

    /// Nothing is sent any more that tells the user from others: no login, no cookies, no fields but the name we go by.
    pub fn forget_user(&mut self) {
        (self.own_cookies, self.login, self.basic_auth) = (Cookies::default(), None, None);
        self.host_headers.clear();
        self.headers.retain(|(name, _)| name.eq_ignore_ascii_case("user-agent"));
    }

    /// Is anything sent that tells the user from others?
    pub fn is_personal(&self) -> bool {
        let fields = !self.headers.is_empty() || !self.host_headers.is_empty();
        fields || self.basic_auth.is_some() || self.login.is_some() || !self.own_cookies.is_empty()
    }

    /// The names of fields whose values are nobody's business, in lower case.
    pub(crate) fn personal_fields(&self) -> impl Iterator<Item = String> + '_ {
        let names =
            self.headers.iter().map(|(name, _)| name).chain(self.host_headers.iter().map(|header| &header.name));
        names.map(|name| name.trim().to_ascii_lowercase())
    }

    /// What single hosts are shown besides.
    pub(crate) fn host_maps(&self) -> Result<Vec<(Url, HeaderMap)>, FetchError> {
        let of = |header: &HostHeader| {
            let mut map = HeaderMap::new();
            let (name, value) = own_field(&header.name, &header.value.0)?;
            map.insert(name, value);
            Ok((header.at.clone(), map))
        };
        self.host_headers.iter().map(of).collect()
    }

    /// What every request carries, and what own hosts are shown besides.
    pub(crate) fn header_maps(&self) -> Result<(HeaderMap, HeaderMap), FetchError> {
        let agent = self.user_agent.parse().map_err(|_| FetchError::UserAgent(self.user_agent.clone()))?;
        let all = HeaderMap::from_iter([
            (header::USER_AGENT, agent),
            (
                header::ACCEPT,
                HeaderValue::from_static("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
            ),
            (header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd")),
        ]);
        let mut own = HeaderMap::new();
        if let Some((user, password)) = &self.basic_auth {
            let login = format!("Basic {}", base64(format!("{user}:{password}").as_bytes()));
            let mut login: HeaderValue = login.parse().map_err(|_| FetchError::Header("Authorization".into()))?;
            login.set_sensitive(true);
            own.insert(header::AUTHORIZATION, login);
        }
        for (name, value) in &self.headers {
            let (field, value) = own_field(name, value)?;
            own.append(field, value);
        }
        Ok((all, own))
    }
}

/// A header field of the user's. Of one that cannot be sent only the name is told: the value may be a secret.
fn own_field(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), FetchError> {
    let bad = || FetchError::Header(name.to_owned());
    let field: HeaderName = name.trim().parse().map_err(|_| bad())?;
    if OURS.contains(&field) {
        return Err(FetchError::OwnHeader(name.to_owned()));
    }
    let mut value = HeaderValue::from_bytes(value.trim().as_bytes()).map_err(|_| bad())?;
    value.set_sensitive(true);
    Ok((field, value))
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for place in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_rfc_4648() {
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in vectors {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }

    #[test]
    fn a_resolve_override_takes_names_and_both_kinds_of_address() {
        let read = |text: &str| text.parse::<ResolveOverride>().map(|r| (r.host, r.port, r.address.to_string()));
        assert_eq!(read("WWW.Example.org:443:10.0.0.1"), Ok(("www.example.org".into(), 443, "10.0.0.1".into())));
        assert_eq!(read("a.test:80:[::1]"), Ok(("a.test".into(), 80, "::1".into())));
        assert_eq!(read("a.test:80:::1"), Ok(("a.test".into(), 80, "::1".into())));
        assert_eq!(read("[2001:db8::1]:80:127.0.0.1"), Ok(("2001:db8::1".into(), 80, "127.0.0.1".into())));
        for bad in ["", "a.test", "a.test:80", "a.test:x:127.0.0.1", "a.test:80:b.test", ":80:127.0.0.1"] {
            assert_eq!(read(bad), Err(FetchError::Resolve(bad.into())), "{bad}");
        }
    }

    #[test]
    fn a_bad_header_is_told_without_its_value() {
        let with = |name: &str, value: &str| FetchConfig {
            headers: vec![(name.into(), value.into())],
            ..FetchConfig::default()
        };
        let error = with("X Y", "secret").header_maps().unwrap_err();
        assert_eq!(error, FetchError::Header("X Y".into()));
        assert!(!error.to_string().contains("secret"));
        assert!(with("X", "line\nbreak").header_maps().is_err());
        assert_eq!(with("Host", "x").header_maps().unwrap_err(), FetchError::OwnHeader("Host".into()));
        assert!(with("Cookie", "a=b").header_maps().is_ok());
    }

    #[test]
    fn one_host_has_one_spelling() {
        for (typed, plain) in
            [("EXAMPLE.org.", "example.org"), ("[::1]", "::1"), ("0:0::1", "::1"), ("bücher.de", "xn--bcher-kva.de")]
        {
            assert_eq!(plain_host(typed).as_deref(), Some(plain));
        }
        assert_eq!(plain_host("a b"), None);
    }

    #[test]
    fn a_forgotten_user_sends_nothing_of_their_own() {
        let mut config = FetchConfig {
            headers: vec![("X-Key".into(), "secret".into())],
            basic_auth: Some(("ann".into(), "secret".into())),
            ..FetchConfig::default()
        };
        assert!(config.is_personal());
        config.forget_user();
        assert!(!config.is_personal());
        config.headers = vec![("User-Agent".into(), "mybot/1.0".into())];
        config.forget_user();
        assert_eq!(config.headers.len(), 1, "the name we go by is no secret");
    }
}
