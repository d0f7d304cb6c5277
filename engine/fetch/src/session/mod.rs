//! Are we logged in, and still? A login by a form: made before the first page of its site is asked for, noticed when it is lost, and
//! renewed.
//!
//! ```text
//! page asked for --> looks like a lost login? --no--> the page
//!        ^                    | yes: behind the gate, one at a time
//!        |                    v
//!        +-- renewed <-- somebody has renewed it meanwhile, or: the place where the login led is asked for,
//!                        and if the login still holds, the answer is the page's own (a 403 that is meant)
//! ```
//!
//! Pages in flight that notice a loss at the same time wait at the gate for one renewal. What looked like a lost login is never
//! given out as the page. Where a login is refused, or has to be renewed more than `limits.login_renewals` times within
//! `limits.login_window_s`, nothing of its site is asked for any more ([`Failure::NoLogin`]), and [`trouble`](Session::trouble) says why.
//!
//! Manners: requests of our own (form, probe, page once more) are part of the fetch they serve, so that no more are under way than
//! allowed, and keep the pause of the server among all requests to the site. The guard holds for each of them. robots.txt is not asked
//! about the login page and where its form leads: the user named it, and a browser would go there for them; all that a crawl finds
//! by itself still obeys it. Only answers to GET are looked at: what is posted is never sent twice.

mod form;
mod signs;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use groma_model::{Failure, Limits, Method, Outcome, Request};
use groma_url::Url;
use tokio::time::{Instant, sleep, sleep_until};

use crate::ask::trusts;
use crate::client::Sent;
use crate::watch::bounded;
use signs::Signs;
pub use signs::{Sign, SignError};

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A login by a form, as the user described it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The page with the form.
    pub page: Url,
    /// Which form of that page, from 1; the first that has all the fields if nothing is said.
    pub form: Option<usize>,
    /// What to put into which field.
    pub fields: Vec<LoginField>,
    /// What shows that it worked; nothing said: that the form is not shown again.
    pub done: Option<Sign>,
    /// What shows that it is lost, besides a redirect to the login page, its form in place of a page, and 401.
    pub lost: Vec<Sign>,
    /// Least time between two requests to the site.
    pub pause: Duration,
}

/// What is put into a field of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginField {
    pub name: String,
    pub value: Secret,
    /// It stands in plain sight where the login is described: a password may not.
    pub in_sight: bool,
}

/// Sends one request; what [`crate::HttpFetcher`] does without a session.
pub(crate) trait Wire: Sync {
    /// `own`: a step of logging in. No record is kept of it, since it holds secrets; its whole answer is wanted.
    fn send(&self, request: &Request, own: bool) -> impl Future<Output = Sent> + Send;

    /// It counts: whoever keeps records is shown it.
    fn keep(&self, sent: Sent) -> impl Future<Output = Outcome> + Send;
}

/// A login in use.
pub(crate) struct Session {
    login: Login,
    signs: Signs,
    limits: Limits,
    gate: tokio::sync::Mutex<Gate>,
    pace: Pace,
    trouble: OnceLock<String>,
}

/// Behind the gate: what only one may change at a time.
#[derive(Default)]
struct Gate {
    /// How often a login was made; 0: not yet.
    logins: u64,
    /// When renewals were made, of late.
    renewed: VecDeque<Instant>,
    /// Where the login led: there it shows whether it holds.
    landing: Option<Url>,
}

/// What became of a look behind the gate.
enum Renewal {
    /// There is another login than the one that was lost: its number.
    Renewed(u64),
    /// It was not lost.
    Holds,
    /// There is none to be had.
    Failed,
}

impl Session {
    pub(crate) fn new(login: Login, limits: &Limits) -> Session {
        Session {
            signs: Signs::new(&login, limits),
            limits: limits.clone(),
            gate: tokio::sync::Mutex::default(),
            pace: Pace { pause: Mutex::new(login.pause), next: tokio::sync::Mutex::new(None) },
            trouble: OnceLock::new(),
            login,
        }
    }

    /// Is a URL one of the site that the login is for?
    pub(crate) fn covers(&self, url: &Url) -> bool {
        trusts(&self.login.page, url)
    }

    /// Why no login can be had.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.get().map(String::as_str)
    }

    /// The site asks for at least this pause.
    pub(crate) fn keep_pace(&self, pause: Duration) {
        let mut known = self.pace.pause.lock().unwrap_or_else(PoisonError::into_inner);
        *known = pause.max(*known);
    }

    /// Asks for a page of the site, logged in.
    pub(crate) async fn fetch(&self, wire: &impl Wire, request: &Request) -> Outcome {
        let Some(mut seen) = self.enter(wire).await else { return Outcome::Failed(Failure::NoLogin) };
        // Every turn costs a renewal, and there are not many.
        loop {
            self.pace.step().await;
            let sent = wire.send(request, false).await;
            if request.method != Method::Get || !self.signs.lost(&request.url, &sent.outcome) {
                return wire.keep(sent).await;
            }
            match self.renew(wire, seen).await {
                Renewal::Renewed(number) => seen = number,
                Renewal::Holds => return wire.keep(sent).await,
                Renewal::Failed => return Outcome::Failed(Failure::NoLogin),
            }
        }
    }

    /// The number of the login, which is made if there is none yet.
    async fn enter(&self, wire: &impl Wire) -> Option<u64> {
        let mut gate = self.gate.lock().await;
        if self.trouble.get().is_some() {
            return None;
        }
        if gate.logins == 0 {
            self.log_in(wire, &mut gate).await?;
        }
        Some(gate.logins)
    }

    async fn renew(&self, wire: &impl Wire, seen: u64) -> Renewal {
        let mut gate = self.gate.lock().await;
        if self.trouble.get().is_some() {
            return Renewal::Failed;
        }
        if gate.logins != seen {
            return Renewal::Renewed(gate.logins);
        }
        if self.holds(wire, &gate).await {
            return Renewal::Holds;
        }
        let window = Duration::from_secs(self.limits.login_window_s);
        gate.renewed.retain(|when| when.elapsed() < window);
        if gate.renewed.len() as u64 >= self.limits.login_renewals {
            let (times, seconds) = (self.limits.login_renewals, self.limits.login_window_s);
            let _ = self
                .trouble
                .set(format!("the login does not hold: it was lost again after {times} renewals in {seconds} s"));
            return Renewal::Failed;
        }
        gate.renewed.push_back(Instant::now());
        match self.log_in(wire, &mut gate).await {
            Some(()) => Renewal::Renewed(gate.logins),
            None => Renewal::Failed,
        }
    }

    /// Does the place where the login led still look as it did?
    async fn holds(&self, wire: &impl Wire, gate: &Gate) -> bool {
        let Some(landing) = &gate.landing else { return false };
        self.pace.step().await;
        let sent = wire.send(&Request::get(landing.clone()), true).await;
        self.signs.is_in(&self.login, landing, &sent.outcome)
    }

    async fn log_in(&self, wire: &impl Wire, gate: &mut Gate) -> Option<()> {
        match form::log_in(self, wire).await {
            Ok(landing) => {
                gate.landing = Some(landing);
                gate.logins += 1;
                Some(())
            }
            Err(why) => {
                let _ = self.trouble.set(why);
                None
            }
        }
    }

    /// One request of our own, tried again where the failure may pass. What it was is told without its query: that may hold secrets.
    async fn ask(&self, wire: &impl Wire, request: &Request) -> Result<Box<groma_model::Response>, String> {
        let mut wait = self.limits.retry_ms;
        for left in (0..=self.limits.retries).rev() {
            self.pace.step().await;
            let why = match wire.send(request, true).await.outcome {
                Outcome::Answer(answer) if answer.status < 500 && answer.status != 429 => return Ok(answer),
                Outcome::Answer(answer) => format!("status {}", answer.status),
                Outcome::Failed(failure) if failure.passing() => failure.reason().says().to_owned(),
                Outcome::Failed(failure) => return Err(unreached(&request.url, failure.reason().says())),
            };
            // What was posted may have been acted on.
            if left == 0 || request.method != Method::Get {
                return Err(unreached(&request.url, &why));
            }
            sleep(bounded(wait)).await;
            wait = wait.saturating_mul(2).min(self.limits.retry_ms.saturating_mul(8));
        }
        Err(unreached(&request.url, "no answer"))
    }
}

fn unreached(url: &Url, why: &str) -> String {
    format!("the login at {} cannot be made: {why}", bare(url))
}

/// A URL without what may be a secret in it.
fn bare(url: &Url) -> &str {
    &url[..groma_url::Position::AfterPath]
}

/// Keeps requests to the site apart, whoever makes them.
struct Pace {
    pause: Mutex<Duration>,
    next: tokio::sync::Mutex<Option<Instant>>,
}

impl Pace {
    async fn step(&self) {
        let mut next = self.next.lock().await;
        if let Some(at) = *next {
            sleep_until(at).await;
        }
        let pause = *self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(Instant::now() + pause);
    }
}
