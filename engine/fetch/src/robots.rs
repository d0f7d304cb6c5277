//! May we enter? The robots.txt of a host, as RFC 9309 has it fetched.
//!
//! Redirects are followed, also to other hosts, up to `limits.robots_redirects` (2.3.1.2); a failure that may pass (no
//! answer, half an answer, one that cannot be unpacked, a 5xx that does not say when to come back) is tried again `limits.retries` times but
//! at most three, after `limits.retry_ms` and then twice as long each time; `limits.robots_bytes` are read (2.5). One server is asked a
//! pause apart, here as elsewhere. What a status means for access is said by [`groma_page::robots::access`]; but a server that is in
//! trouble and says when to come back is asked again then.

use std::time::{Duration, Instant, SystemTime};

use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_page::inflate::inflate;
use groma_page::robots::{Access, access};
use groma_url::Url;

use crate::watch::bounded;
use crate::{Fetcher, retry_after};

/// A host that does not answer four times in a row is not asked more often, whatever is done for a single page: everything
/// else waits for it.
const TRIES_MORE: u64 = 3;

/// What a host's robots.txt came to.
#[derive(Clone, Debug)]
pub struct RobotsAnswer {
    /// What may be fetched.
    pub access: Access,
    /// The file, decompressed and cut to the limit; empty unless `access` is [`Access::Rules`].
    pub body: Vec<u8>,
    /// Status of the last answer.
    pub status: Option<u16>,
    /// Why there is no status.
    pub failure: Option<Failure>,
    /// How long the server asks us to wait before the next try.
    pub retry_after: Option<Duration>,
    /// When the last request for it was sent; nothing if it was not asked for.
    pub asked: Option<Instant>,
    /// It is longer than `limits.robots_bytes`.
    pub cut: bool,
}

/// Asks for the robots.txt of an origin, a server at most once in each `pause`.
pub async fn robots(fetcher: &dyn Fetcher, origin: &Url, pause: Duration, limits: &Limits) -> RobotsAnswer {
    let Ok(mut url) = origin.join("/robots.txt") else {
        return failed(Failure::Unsupported(format!("{origin} has no robots.txt")));
    };
    let mut hops = 0;
    loop {
        let (result, asked) = patiently(fetcher, &url, pause, limits).await;
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
            Some(next) if hops < limits.robots_redirects && matches!(next.scheme(), "http" | "https") => {
                if !pause.is_zero() && fetcher.lane(&next).await == fetcher.lane(&url).await {
                    tokio::time::sleep(pause.saturating_sub(asked.elapsed())).await;
                }
                url = next;
            }
            _ => return RobotsAnswer { asked: Some(asked), ..understood(response) },
        }
        hops += 1;
    }
}

/// The last answer, and when the request for it was sent.
async fn patiently(
    fetcher: &dyn Fetcher,
    url: &Url,
    pause: Duration,
    limits: &Limits,
) -> (Result<Response, Failure>, Instant) {
    let mut wait = limits.retry_ms;
    let mut left = limits.retries.min(TRIES_MORE);
    loop {
        let outcome = fetcher.fetch_whole(Request::get(url.clone()), limits.robots_bytes).await;
        let now = Instant::now();
        let asked = now.checked_sub(outcome.took()).unwrap_or(now);
        let (result, passing) = match outcome {
            // Half a file may lack the very line that keeps us out.
            Outcome::Answer(answer) if answer.status < 300 && answer.cut.is_some_and(Cut::is_partial) => {
                (Err(Failure::Reset), true)
            }
            Outcome::Answer(answer) if answer.status < 300 => {
                let unpacked = unpacked(*answer, limits.robots_bytes);
                let passing = unpacked.is_err();
                (unpacked, passing)
            }
            Outcome::Answer(answer) => {
                let passing = answer.status >= 500 && retry_after(&answer, SystemTime::now()).is_none();
                (Ok(*answer), passing)
            }
            // Whoever waited for the system in vain need not wait for the server.
            Outcome::Failed(failure) => {
                let passing = failure.passing() && !matches!(failure, Failure::Scarce(_));
                (Err(failure), passing)
            }
        };
        if left == 0 || !passing {
            return (result, asked);
        }
        tokio::time::sleep(bounded(wait).max(pause)).await;
        wait = wait.saturating_mul(2);
        left -= 1;
    }
}

/// The file as it was before it was compressed. Some servers say that it is, and send it as it is.
fn unpacked(mut response: Response, most: u64) -> Result<Response, Failure> {
    let Some(coding) = response.header("content-encoding").map(str::to_owned) else { return Ok(response) };
    let body = std::mem::take(&mut response.body);
    let text =
        std::str::from_utf8(&body).ok().filter(|text| !text.contains(|c: char| c.is_control() && !c.is_whitespace()));
    let text = text.map(|text| text.as_bytes().to_vec());
    let inflated = inflate(body, &coding, most);
    response.body = match text {
        _ if !inflated.broken || response.cut == Some(Cut::TooLarge) => inflated.bytes,
        Some(text) => text,
        None => {
            return Err(Failure::BadAnswer(format!("its robots.txt cannot be unpacked (Content-Encoding: {coding})")));
        }
    };
    if inflated.cut {
        response.cut = Some(Cut::TooLarge);
    }
    Ok(response)
}

fn understood(mut response: Response) -> RobotsAnswer {
    let wait = retry_after(&response, SystemTime::now());
    let access = match access(Some(response.status)) {
        Access::Closed if wait.is_some() => Access::Later,
        access => access,
    };
    let rules = matches!(access, Access::Rules);
    let body = if rules { std::mem::take(&mut response.body) } else { Vec::new() };
    let cut = rules && response.cut == Some(Cut::TooLarge);
    RobotsAnswer { access, body, status: Some(response.status), failure: None, retry_after: wait, asked: None, cut }
}

fn failed(failure: Failure) -> RobotsAnswer {
    let failure = Some(failure);
    let (access, body) = (access(None), Vec::new());
    RobotsAnswer { access, body, status: None, failure, retry_after: None, asked: None, cut: false }
}
