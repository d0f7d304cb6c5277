//! What is said to a server: the request line and the header fields.
//!
//! `-H` and `-u` go to the hosts the user named and to nobody else, fields for single hosts to those. User names in a URL (`http://user@host/`) are
//! not sent: they come from pages more often than from users.

use std::collections::HashSet;

use bytes::Bytes;
use groma_model::{Failure, Method};
use groma_url::{Position, Url};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri, header};

use crate::config::{FetchConfig, FetchError, OURS};
use crate::connect::{Place, authority};
use crate::line::{Line, Payload};

/// The fields of a request, but for those that hang on the URL.
pub(crate) struct Manners {
    all: HeaderMap,
    own: HeaderMap,
    /// Schemes, hosts and ports that what is meant for start pages is sent to.
    login_at: HashSet<String>,
    hosts: Vec<(Url, HeaderMap)>,
}

impl Manners {
    pub(crate) fn new(config: &FetchConfig) -> Result<Manners, FetchError> {
        let (all, own) = config.header_maps()?;
        let mut manners = Manners { all, own, login_at: HashSet::new(), hosts: config.host_maps()? };
        config.login_at.iter().for_each(|start| manners.login_at(start));
        Ok(manners)
    }

    /// Another start page: `-H` and `-u` are meant for it too.
    pub(crate) fn login_at(&mut self, url: &Url) {
        if self.own.is_empty() {
            return;
        }
        self.login_at.insert(place_of(url, url.scheme()));
        if url.scheme() == "http" && url.port().is_none() {
            // The one upgrade that is trusted.
            self.login_at.insert(place_of(url, "https"));
        }
    }

    /// Is this a place that what is meant for start pages is sent to?
    fn is_own(&self, url: &Url) -> bool {
        !self.own.is_empty() && self.login_at.contains(&place_of(url, url.scheme()))
    }

    /// Bytes of the cookies that the user wrote by hand for this URL, with what parts them from others.
    pub(crate) fn own_cookies(&self, url: &Url) -> usize {
        let own = self.own.get_all(header::COOKIE).iter().filter(|_| self.is_own(url));
        let hosts = self.hosts.iter().filter(|(at, _)| trusts(at, url));
        let of_hosts = hosts.flat_map(|(_, fields)| fields.get_all(header::COOKIE));
        own.chain(of_hosts).map(|value| value.len() + 2).max().unwrap_or(0)
    }

    /// Puts a request together as the connection wants it.
    pub(crate) fn ask(
        &self,
        request: &groma_model::Request,
        place: &Place,
        line: &Line,
        cookies: Option<HeaderValue>,
    ) -> Result<Request<Payload>, Failure> {
        let url = &request.url;
        let mut asked = Request::new(Payload::default());
        *asked.uri_mut() = target(url, place, line)?;
        match &request.method {
            Method::Get => {}
            Method::Head => *asked.method_mut() = http::Method::HEAD,
            Method::Post { body, .. } => {
                *asked.method_mut() = http::Method::POST;
                *asked.body_mut() = Payload::new(Bytes::copy_from_slice(body));
            }
        }
        let fields = asked.headers_mut();
        fields.reserve(self.all.len() + self.own.len() + 4);
        if let Line::One(_) = line {
            let host = HeaderValue::from_str(authority(url)).map_err(|_| unsupported(url))?;
            fields.insert(header::HOST, host);
        }
        fields.extend(self.all.clone());
        if self.is_own(url) {
            // Replaces what we would say ourselves.
            fields.extend(self.own.clone());
        }
        for (_, more) in self.hosts.iter().filter(|(at, _)| trusts(at, url)) {
            fields.extend(more.clone());
        }
        if let (Some(proxy), false) = (&place.proxy, place.secure)
            && let Some(login) = &proxy.login
        {
            fields.insert(header::PROXY_AUTHORIZATION, login.clone());
        }
        if let Method::Post { media_type, body } = &request.method {
            if body.is_empty() {
                // hyper leaves it away, and then some servers wait for more.
                fields.insert(header::CONTENT_LENGTH, 0.into());
            }
            fields.insert(header::CONTENT_TYPE, media_type.parse().map_err(|_| unsaid("Content-Type"))?);
        } else if let Some(known) = &request.validators {
            let conditions = [(header::IF_NONE_MATCH, &known.etag), (header::IF_MODIFIED_SINCE, &known.last_modified)];
            for (name, value) in conditions {
                // A validator that cannot be sent back only costs us the page once more.
                if let Some(value) = value.as_ref().and_then(|v| latin1(v)) {
                    fields.insert(name, value);
                }
            }
        }
        if let Some(kept) = cookies {
            // One field only, so the user's own cookies come first in it.
            let both = fields.get(header::COOKIE).map(|own| [own.as_bytes(), b"; ", kept.as_bytes()].concat());
            let both = both.and_then(|both| HeaderValue::from_bytes(&both).ok());
            fields.insert(header::COOKIE, both.unwrap_or(kept));
        }
        for (name, value) in &request.headers {
            let field: HeaderName = name.parse().map_err(|_| unsaid(name))?;
            if OURS.contains(&field) {
                return Err(unsaid(name));
            }
            fields.insert(field, value.parse().map_err(|_| unsaid(name))?);
        }
        Ok(asked)
    }
}

/// HTTP/1.1 to a server names the path; a proxy and HTTP/2 are told the whole address.
fn target(url: &Url, place: &Place, line: &Line) -> Result<Uri, Failure> {
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let whole = matches!(line, Line::Two(_)) || (place.proxy.is_some() && !place.secure);
    let uri =
        if whole { Uri::try_from(format!("{}://{}{path}", url.scheme(), authority(url))) } else { Uri::try_from(path) };
    uri.map_err(|_| unsupported(url))
}

fn unsupported(url: &Url) -> Failure {
    Failure::Unsupported(format!("{url} cannot be asked for in HTTP"))
}

/// Only the name is shown: the value may be a secret.
fn unsaid(name: &str) -> Failure {
    Failure::Unsupported(format!("the header field {name:?} cannot be sent"))
}

/// Back to the bytes as they came: header values are kept as Latin-1.
fn latin1(text: &str) -> Option<HeaderValue> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    HeaderValue::from_bytes(&bytes?).ok()
}

/// Scheme, host and port, by which a place is known.
fn place_of(url: &Url, scheme: &str) -> String {
    let usual = if scheme == "https" { 443 } else { 80 };
    format!("{scheme}://{}:{}", url.host_str().unwrap_or_default(), url.port().unwrap_or(usual))
}

/// May what was meant for the start page be said at this URL?
pub(crate) fn trusts(start: &Url, url: &Url) -> bool {
    let same = start.scheme() == url.scheme() && start.port_or_known_default() == url.port_or_known_default();
    let upgraded =
        start.scheme() == "http" && url.scheme() == "https" && start.port().is_none() && url.port().is_none();
    start.host() == url.host() && (same || upgraded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_stays_with_its_scheme_host_and_port() {
        let trusts = |start: &str, url: &str| trusts(&Url::parse(start).unwrap(), &Url::parse(url).unwrap());
        assert!(trusts("https://h.example/a", "https://h.example/b"));
        assert!(trusts("http://h.example/", "https://h.example/"));
        assert!(!trusts("https://h.example/", "http://h.example/"));
        assert!(!trusts("https://h.example/", "https://h.example:8443/"));
        assert!(!trusts("https://h.example/", "https://other.example/"));
    }

    #[test]
    fn what_is_meant_for_start_pages_goes_where_they_are_trusted() {
        let url = |text: &str| Url::parse(text).unwrap();
        let headers = vec![("x-own".to_owned(), "1".to_owned())];
        let starts = ["http://a.example/", "https://b.example:8443/x", "http://c.example:8080/"];
        let login_at: Vec<Url> = starts.iter().map(|start| url(start)).collect();
        let manners =
            Manners::new(&FetchConfig { headers, login_at: login_at.clone(), ..FetchConfig::default() }).unwrap();
        for asked in starts.iter().copied().chain([
            "https://a.example/",
            "http://a.example:443/",
            "https://a.example:8443/",
            "http://b.example/",
            "http://b.example:8443/",
            "https://c.example:8080/",
            "https://c.example/",
        ]) {
            let trusted = login_at.iter().any(|start| trusts(start, &url(asked)));
            assert_eq!(manners.is_own(&url(asked)), trusted, "{asked}");
        }
    }
}
