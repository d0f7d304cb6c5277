//! A message posted to an address, so that a program can act on it.
//!
//! ```text
//! POST /path HTTP/1.1
//! Content-Type: application/json
//! X-Groma-Delivery: the number of the message; a second try has the same
//! X-Groma-Timestamp: seconds since 1970
//! X-Groma-Signature: sha256=HEX, HMAC-SHA256 over "TIMESTAMP.BODY" with the shared secret
//! ```
//!
//! Any 2xx means taken. Redirects are not followed: what is signed for one receiver is not shown to another.

use groma_fetch::{FetchConfig, Fetcher, HttpFetcher, OwnHosts, ProxyChoice};
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_url::Url;

use crate::error::told;
use crate::sign::signature;
use crate::{NotifyError, Secret};

/// A shorter secret can be guessed.
const LEAST_SECRET: usize = 16;
/// How long it all may take, in milliseconds.
const PATIENCE_MS: u64 = 10_000;
/// Bytes of an answer that are looked at.
const ANSWER: u64 = 4096;

/// A receiver of messages.
pub struct Hook {
    url: Url,
    secret: Secret,
    config: FetchConfig,
}

impl Hook {
    /// Messages go to this address, signed with this secret. Private addresses are refused at the moment of connecting, unless
    /// `private` says that they are meant.
    pub fn new(url: &str, secret: Secret, private: bool) -> Result<Hook, NotifyError> {
        let bad = |why: String| NotifyError::WebhookAddress(why);
        let url = Url::parse(url).map_err(|error| bad(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad(format!("{}: is neither http nor https", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(bad("it has a user name, a password or a fragment".to_owned()));
        }
        let length = secret.reveal().chars().count();
        if length < LEAST_SECRET {
            return Err(NotifyError::ShortSecret(length));
        }
        let limits =
            Limits { connect_ms: PATIENCE_MS / 2, idle_ms: PATIENCE_MS, total_ms: PATIENCE_MS, ..Limits::default() };
        let own_hosts = if private { OwnHosts::of_urls([&url]) } else { OwnHosts::default() };
        Ok(Hook { url, secret, config: FetchConfig { own_hosts, limits, ..FetchConfig::default() } })
    }

    /// The same, whatever the environment says about proxies.
    pub fn direct(mut self) -> Hook {
        self.config.proxy = ProxyChoice::None;
        self
    }

    /// The same, but everything must be over within this many milliseconds.
    pub fn within(mut self, ms: u64) -> Hook {
        let limits = &mut self.config.limits;
        (limits.connect_ms, limits.idle_ms, limits.total_ms) = (ms, ms, ms);
        self
    }

    /// Who gets the messages, for people: paths of webhooks are often secrets, so only the server is named.
    pub fn shown(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Posts a message. Waits for the answer; must not be called from asynchronous code.
    pub fn send(&self, delivery: &str, body: &str, now: i64) -> Result<(), NotifyError> {
        let who = self.shown();
        let trouble = |why: String| NotifyError::Unreachable { who: who.clone(), why };
        let fetcher = HttpFetcher::new(self.config.clone()).map_err(|error| trouble(error.to_string()))?;
        let request = Request::post(self.url.clone(), "application/json", body)
            .with("Accept", "*/*")
            .with("X-Groma-Delivery", delivery)
            .with("X-Groma-Timestamp", now.to_string())
            .with("X-Groma-Signature", signature(&self.secret, now, body.as_bytes()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| trouble(error.to_string()))?;
        match runtime.block_on(fetcher.fetch_whole(request, ANSWER)) {
            Outcome::Answer(answer) => understood(who, &answer),
            Outcome::Failed(failure) => Err(failed(who, failure)),
        }
    }
}

fn understood(who: String, answer: &Response) -> Result<(), NotifyError> {
    let says = || told(&String::from_utf8_lossy(&answer.body));
    match answer.status {
        200..=299 => Ok(()),
        410 => Err(NotifyError::Gone(who)),
        code @ 300..=399 => {
            Err(NotifyError::Redirected { who, code, to: told(&answer.location().unwrap_or_default()) })
        }
        code @ (408 | 425 | 429 | 500..=599) => Err(NotifyError::Later { who, code, says: says() }),
        code => Err(NotifyError::Refused { who, code, says: says() }),
    }
}

fn failed(who: String, failure: Failure) -> NotifyError {
    let unreachable = |who: String, why: &str| NotifyError::Unreachable { who, why: why.to_owned() };
    match failure {
        Failure::TimeOut(_) => NotifyError::TimeOut(who),
        Failure::Tls(why) => NotifyError::Tls { who, why },
        Failure::PrivateAddress(address) => NotifyError::Private { who, address },
        Failure::NoSuchHost => unreachable(who, "there is no such host"),
        Failure::DnsTrouble(why) | Failure::Proxy(why) => unreachable(who, &why),
        Failure::Refused => unreachable(who, "nobody listens there"),
        Failure::Reset => unreachable(who, "the connection broke off"),
        Failure::BadAnswer(why) => NotifyError::Protocol { who, why },
        Failure::NotArchived => unreachable(who, "it is not in the archive"),
        Failure::Unsupported(why) => NotifyError::WebhookAddress(why),
        Failure::NoLogin => unreachable(who, "it wants a login"),
        Failure::Scarce(what) => unreachable(who, &format!("the system has no more {what} for us")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(url: &str, secret: &str) -> Result<Hook, NotifyError> {
        Hook::new(url, Secret::new(secret), false)
    }

    #[test]
    fn addresses_and_secrets_are_checked_before_anything_is_sent() {
        let secret = "0123456789abcdef";
        for bad in ["", "example.org/x", "ftp://example.org/", "https://u:p@example.org/", "https://example.org/#x"] {
            assert!(matches!(hook(bad, secret), Err(NotifyError::WebhookAddress(_))), "{bad}");
        }
        assert_eq!(hook("https://example.org/", "short").err(), Some(NotifyError::ShortSecret(5)));
        let fine = hook("https://example.org/services/T0/secret", secret).unwrap();
        assert_eq!(fine.shown(), "https://example.org");
    }
}
