//! May we enter? The robots.txt of a host, as RFC 9309 has it fetched.
//!
//! Redirects are followed, also to other hosts, up to `limits.robots_redirects` (2.3.1.2); a failure that may pass (no
//! answer, half an answer, a 5xx that does not say when to come back) is tried again `limits.retries` times but at most three, after
//! `limits.retry_ms` and then twice as long each time; `limits.robots_bytes` are read (2.5). What a status means for access
//! is said by [`groma_page::robots::access`]; but a server that is in trouble and says when to come back is asked again then.

use std::time::{Duration, Instant, SystemTime};

use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_page::inflate::inflate;
use groma_page::robots::{Access, access};
use url::Url;

use crate::watch::bounded;
use crate::{Fetcher, retry_after};

/// A host that does not answer four times in a row is not asked more often, whatever is done for a single page: everything
/// else waits for it.
const TRIES_MORE: u64 = 3;

/// What a host's robots.txt came to.
#[derive(Clone, Debug)]
pub struct RobotsAnswer {
    /// What it means.
    pub access: Access,
    /// The file, decompressed and cut to the limit; empty unless `access` is [`Access::Rules`].
    pub body: Vec<u8>,
    /// The last status.
    pub status: Option<u16>,
    /// Why there is no status.
    pub failure: Option<Failure>,
    /// How long the server asks us to wait before the next try.
    pub retry_after: Option<Duration>,
    /// When the last request for it was sent; nothing if it was not asked for.
    pub asked: Option<Instant>,
}

/// Asks for the robots.txt of an origin.
pub async fn robots(fetcher: &dyn Fetcher, origin: &Url, limits: &Limits) -> RobotsAnswer {
    let Ok(mut url) = origin.join("/robots.txt") else {
        return failed(Failure::Unsupported(format!("{origin} has no robots.txt")));
    };
    let mut hops = 0;
    loop {
        let (result, asked) = patiently(fetcher, &url, limits).await;
        let response = match result {
            Ok(response) => response,
            Err(failure) if hops > 0 && !matches!(failure, Failure::Scarce(_)) => {
                // Nothing is wrong with the host itself.
                let failure = Failure::BadAnswer(format!("its robots.txt redirects to {url}: {failure}"));
                return RobotsAnswer { asked: Some(asked), ..failed(failure) };
            }
            Err(failure) => return RobotsAnswer { asked: Some(asked), ..failed(failure) },
        };
        let next = response.location().and_then(|place| url.join(&place).ok());
        match next {
            Some(next) if hops < limits.robots_redirects && matches!(next.scheme(), "http" | "https") => url = next,
            _ => return RobotsAnswer { asked: Some(asked), ..understood(response, limits) },
        }
        hops += 1;
    }
}

/// The last answer, and when the request for it was sent.
async fn patiently(fetcher: &dyn Fetcher, url: &Url, limits: &Limits) -> (Result<Response, Failure>, Instant) {
    let mut wait = limits.retry_ms;
    let mut left = limits.retries.min(TRIES_MORE);
    loop {
        let outcome = fetcher.fetch_whole(Request::get(url.clone()), limits.robots_bytes).await;
        let now = Instant::now();
        let asked = now.checked_sub(outcome.took()).unwrap_or(now);
        let result = match outcome {
            // Half a file may lack the very line that keeps us out.
            Outcome::Answer(answer) if answer.status < 300 && answer.cut == Some(Cut::Broken) => Err(Failure::Reset),
            Outcome::Answer(answer) => Ok(*answer),
            Outcome::Failed(failure) => Err(failure),
        };
        let passing = match &result {
            Ok(answer) => answer.status >= 500 && answer.header("retry-after").is_none(),
            // Whoever waited for the system in vain need not wait for the server.
            Err(failure) => failure.passing() && !matches!(failure, Failure::Scarce(_)),
        };
        if left == 0 || !passing {
            return (result, asked);
        }
        tokio::time::sleep(bounded(wait)).await;
        wait = wait.saturating_mul(2);
        left -= 1;
    }
}

fn understood(mut response: Response, limits: &Limits) -> RobotsAnswer {
    let wait = retry_after(&response, SystemTime::now());
    let access = match access(Some(response.status)) {
        Access::Closed if wait.is_some() => Access::Later,
        access => access,
    };
    let mut body = Vec::new();
    if matches!(access, Access::Rules) {
        body = std::mem::take(&mut response.body);
        if let Some(coding) = response.header("content-encoding") {
            body = inflate(body, coding, limits.robots_bytes).bytes;
        }
    }
    RobotsAnswer { access, body, status: Some(response.status), failure: None, retry_after: wait, asked: None }
}

fn failed(failure: Failure) -> RobotsAnswer {
    let failure = Some(failure);
    RobotsAnswer { access: access(None), body: Vec::new(), status: None, failure, retry_after: None, asked: None }
}
