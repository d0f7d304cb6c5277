//! Which proxy does a request go through, and how is a tunnel dug through it?
//!
//! The usual variables: http_proxy (lower case only: a web server sets HTTP_PROXY from a visitor's header), https_proxy,
//! all_proxy, no_proxy. A proxy resolves names itself, so the address guard sees only hosts that are written as
//! addresses; the proxy's own address is the user's choice and may be private.

use std::fmt::Write as _;

use groma_model::Failure;
use groma_url::{Position, Url};
use http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::config::{FetchError, ProxyChoice, plain_host};
use crate::wire::Wire;

/// A proxy's answer to CONNECT is not longer than this.
const HEAD: usize = 16 * 1024;

/// Which hosts are reached through which proxy.
pub(crate) struct Proxies(Option<Matcher>);

#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) secure: bool,
    pub(crate) login: Option<HeaderValue>,
}

impl Proxies {
    /// Reads the user's choice, and the system's variables if that is the choice.
    pub(crate) fn of_user(choice: &ProxyChoice) -> Result<Proxies, FetchError> {
        Proxies::new(choice, |name| std::env::var(name).ok())
    }

    /// Reads the user's choice; `env` gives the value of a variable.
    pub(crate) fn new(choice: &ProxyChoice, env: impl Fn(&str) -> Option<String>) -> Result<Proxies, FetchError> {
        let first = |names: &[&str]| names.iter().find_map(|n| env(n)).unwrap_or_default().trim().to_owned();
        let [http, https, all, no] = match choice {
            ProxyChoice::None => return Ok(Proxies(None)),
            ProxyChoice::Url(url) => [String::new(), String::new(), url.trim().to_owned(), String::new()],
            ProxyChoice::FromEnv => [
                first(&["http_proxy"]),
                first(&["https_proxy", "HTTPS_PROXY"]),
                first(&["all_proxy", "ALL_PROXY"]),
                first(&["no_proxy", "NO_PROXY"]),
            ],
        };
        if matches!(choice, ProxyChoice::Url(_)) || !(http.is_empty() && https.is_empty() && all.is_empty()) {
            // The matcher passes over what it cannot read; a user whose proxy is silently not used is a user betrayed.
            let given = [&http, &https, &all].into_iter().filter(|url| !url.is_empty());
            for url in given.clone() {
                usable(url).ok_or_else(|| FetchError::Proxy(without_login(url)))?;
            }
            if given.count() == 0 {
                return Err(FetchError::Proxy(String::new()));
            }
            return Ok(Proxies(Some(Matcher::builder().http(http).https(https).all(all).no(no).build())));
        }
        Ok(Proxies(None))
    }

    /// Nothing if requests for this URL go directly.
    pub(crate) fn for_url(&self, url: &Url) -> Option<Proxy> {
        let matcher = self.0.as_ref()?;
        find(matcher, &Uri::try_from(&url[..Position::AfterPort]).ok()?)
    }
}

fn usable(url: &str) -> Option<Proxy> {
    find(&Matcher::builder().all(url).build(), &Uri::from_static("http://a.test"))
}

fn find(matcher: &Matcher, target: &Uri) -> Option<Proxy> {
    let found = matcher.intercept(target)?;
    let secure = match found.uri().scheme_str()? {
        "http" => false,
        "https" => true,
        _ => return None,
    };
    let port = found.uri().port_u16().unwrap_or(if secure { 443 } else { 80 });
    Some(Proxy { host: plain_host(found.uri().host()?)?, port, secure, login: found.basic_auth().cloned() })
}

fn without_login(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, host)) => format!("...@{host}"),
        None => url.to_owned(),
    }
}

/// Asks a proxy for a tunnel to `authority` (host and port).
pub(crate) async fn tunnel(mut wire: Wire, authority: &str, proxy: &Proxy, agent: &str) -> Result<Wire, Failure> {
    let broken = |_| Failure::Proxy("the proxy closed the connection".into());
    let mut ask = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: {agent}\r\n");
    if let Some(login) = proxy.login.as_ref().and_then(|l| l.to_str().ok()) {
        let _ = write!(ask, "Proxy-Authorization: {login}\r\n");
    }
    ask.push_str("\r\n");
    wire.write_all(ask.as_bytes()).await.map_err(broken)?;
    wire.flush().await.map_err(broken)?;

    // Byte by byte would be simple and slow; whole reads are safe, since a server behind the tunnel is silent until we
    // have begun our handshake with it.
    let mut head = Vec::with_capacity(1024);
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > HEAD || wire.read_buf(&mut head).await.map_err(broken)? == 0 {
            return Err(Failure::Proxy("the proxy's answer makes no sense".into()));
        }
    }
    let line = head.split(|b| *b == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    match line.strip_prefix("HTTP/1.").and_then(|rest| rest.split_ascii_whitespace().nth(1)) {
        Some("200") => Ok(wire),
        Some("407") => Err(Failure::Proxy("the proxy asks for a login (407)".into())),
        Some(status) => {
            Err(Failure::Proxy(format!("the proxy answered {}", status.chars().take(8).collect::<String>())))
        }
        None => Err(Failure::Proxy("the proxy's answer makes no sense".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_env(vars: &[(&str, &str)]) -> Result<Proxies, FetchError> {
        Proxies::new(&ProxyChoice::FromEnv, |name| {
            vars.iter().find(|(n, _)| *n == name).map(|(_, value)| value.to_string())
        })
    }

    fn via(proxies: &Proxies, url: &str) -> Option<String> {
        proxies.for_url(&url.parse().unwrap()).map(|p| format!("{}:{}", p.host, p.port))
    }

    #[test]
    fn the_usual_variables_are_read() {
        let proxies = from_env(&[
            ("http_proxy", "http://one:3128"),
            ("HTTPS_PROXY", "two:3129"),
            ("no_proxy", "localhost, .inside.test,10.0.0.0/8"),
        ])
        .unwrap();
        assert_eq!(via(&proxies, "http://a.test/x").as_deref(), Some("one:3128"));
        assert_eq!(via(&proxies, "https://a.test/x").as_deref(), Some("two:3129"));
        assert_eq!(via(&proxies, "http://www.inside.test:8080/"), None);
        assert_eq!(via(&proxies, "http://10.1.2.3/"), None);
        let all = from_env(&[("ALL_PROXY", "http://[::1]:8888")]).unwrap();
        assert_eq!(via(&all, "https://a.test/").as_deref(), Some("::1:8888"));
    }

    #[test]
    fn a_visitors_header_cannot_set_the_proxy() {
        assert_eq!(via(&from_env(&[("HTTP_PROXY", "http://evil:1")]).unwrap(), "http://a.test/"), None);
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_an_error_that_keeps_the_password() {
        for url in ["socks5://user:secret@host:1080", "ftp://user:secret@host", "http://user:secret@:::"] {
            let error = from_env(&[("all_proxy", url)]).err().unwrap();
            assert!(!error.to_string().contains("secret"), "{error}");
            assert!(error.hint().contains("http://"));
        }
        assert!(Proxies::new(&ProxyChoice::Url(String::new()), |_| None).is_err());
        assert!(from_env(&[("http_proxy", "")]).is_ok());
    }
}
