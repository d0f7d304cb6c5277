//! One request, one answer.
//!
//! A fetch takes a kept connection or makes one, asks, reads what is wanted, and gives the connection back. Redirects are
//! not followed: each hop is a fetch of its own. A kept connection that the server had closed meanwhile is no finding: a
//! request that changes nothing on the server is sent once more over a new one; what is posted only if it is certain that the
//! server has not acted on it.
//!
//! Time: `connect_ms` for a connection (name, TCP, proxy, TLS), `idle_ms` for silence (a header must be complete within it),
//! `total_ms` for the whole.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use groma_model::{Failure, Limits, Method, Outcome, Request, Response};
use groma_url::Url;
use http::{HeaderMap, HeaderValue, Version, header};
use hyper::body::Incoming;
use tokio::time::{Instant, sleep, timeout_at};

use crate::ask::Manners;
use crate::body::{self, Appetite, BodyLimit};
use crate::config::{FetchConfig, FetchError};
use crate::connect::{Connector, Dialled, Key, Place};
use crate::cookies::Jar;
use crate::line::{self, Line, Unanswered};
use crate::means::{LEAST, LEAST_MEMORY, LOOK, Means, PATIENCE, Permit, files_allowed, memory_allowed};
use crate::pool::Pool;
use crate::record::{Exchange, Recorder, Trouble, spelled, status_line};
use crate::session::{Session, Wire};
use crate::watch::{Watch, bounded};
use crate::{BoxFuture, Fetcher, Lane, clock, fault};

/// Fetches over real sockets.
pub struct HttpFetcher {
    connector: Connector,
    manners: Manners,
    pool: Pool,
    means: Means,
    jar: Option<Mutex<Jar>>,
    /// What servers set is kept; else only the user's own cookies are sent.
    keeps: bool,
    session: Option<Session>,
    limits: Limits,
    recorder: Option<Arc<dyn Recorder>>,
    secrets: Arc<[String]>,
    private: bool,
    hits: Hits,
}

impl HttpFetcher {
    /// A fetcher. Errors are the user's to fix: a header field or a proxy that cannot be used.
    pub fn new(config: FetchConfig) -> Result<HttpFetcher, FetchError> {
        let keeps = config.cookies || config.login.is_some();
        if let Some(allowed) = files_allowed().filter(|allowed| *allowed < LEAST) {
            return Err(FetchError::Files { allowed, least: LEAST });
        }
        if let Some(allowed) = memory_allowed().filter(|allowed| *allowed < LEAST_MEMORY) {
            return Err(FetchError::Memory { allowed: allowed >> 20, least: LEAST_MEMORY >> 20 });
        }
        Ok(HttpFetcher {
            connector: Connector::new(&config)?,
            manners: Manners::new(&config)?,
            pool: Pool::default(),
            means: Means::new(config.limits.open_files),
            hits: Hits::default(),
            recorder: None,
            secrets: config.personal_fields().collect(),
            private: keeps || config.is_personal(),
            jar: (keeps || !config.own_cookies.is_empty()).then(|| Mutex::new(Jar::with(&config.own_cookies))),
            keeps,
            session: config.login.map(|login| Session::new(login, &config.limits)),
            limits: config.limits,
        })
    }

    /// Shows every exchange to somebody who keeps it.
    pub fn recorded_by(mut self, recorder: Arc<dyn Recorder>) -> HttpFetcher {
        self.recorder = Some(recorder);
        self
    }

    /// Does none of these hosts exist, as far as names tell? Behind a proxy, which looks them up itself, nobody knows; of many URLs only
    /// the first are looked at. For whoever has no runtime.
    pub fn knows_none(&self, urls: &[Url]) -> bool {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return false };
        let unknown = |url: &Url| {
            let proxied = self.connector.place(url).map_or(true, |place| place.proxy.is_some());
            !proxied && matches!(runtime.block_on(self.lane(url)), Lane::Host(_))
        };
        !urls.is_empty() && urls.len() <= LOOKED_UP && urls.iter().all(unknown)
    }

    /// The user names another start page: its host may be private, and what is meant for start pages is sent there.
    pub fn own(&mut self, url: &Url) {
        self.connector.resolver.own(url);
        self.manners.login_at(url);
    }

    async fn outcome(&self, request: &Request, appetite: Appetite) -> Outcome {
        let sent = self.sent(request, appetite).await;
        self.keep(sent).await
    }

    async fn sent(&self, request: &Request, appetite: Appetite) -> Sent {
        match self.answer(request, appetite).await {
            Ok((answer, slip)) => Sent { outcome: Outcome::Answer(Box::new(answer)), slip },
            Err(failure) => Sent { outcome: Outcome::Failed(failure), slip: None },
        }
    }

    async fn answer(&self, request: &Request, appetite: Appetite) -> Result<(Response, Option<Slip>), Failure> {
        let place = self.connector.place(&request.url)?;
        let key = place.key();
        let (mut line, mut watch) = self.line(&place, &key, None).await?;
        let at = clock::now();
        let answer = match self.exchange(request, &place, &mut line, &mut watch).await {
            Err(Stumble::Stale) => {
                // What it held may be all that there is.
                drop(line);
                (line, watch) = self.line(&place, &key, Some(std::time::Instant::now())).await?;
                self.exchange(request, &place, &mut line, &mut watch).await
            }
            other => other,
        };
        let Heard { answer, sent, said } = answer.map_err(|stumble| self.failure(stumble, &key, &line))?;

        let (head, incoming) = answer.into_parts();
        self.check_count(&head.headers)?;
        self.keep_cookies(&request.url, &head.headers);
        let wanted = appetite.body_limit(head.status, &head.headers, &self.limits);
        let read = if self.recorder.is_some() { appetite.for_record(wanted, &self.limits) } else { wanted };
        let taken = body::read(&mut line, incoming, read, &mut watch, &self.limits).await?;
        let remote = line.remote();
        let heads = if self.recorder.is_some() { line.heads() } else { (None, None) };
        if let (Line::One(one), true) = (line, taken.clean) {
            self.pool.put(key, one, || self.means.is_wanted());
        }
        let response = Response {
            status: head.status.as_u16(),
            headers: fields(&head.headers),
            body: taken.body,
            cut: taken.cut,
            remote,
            version: version(head.version),
            elapsed: sent.elapsed(),
        };
        let slip = self.recorder.is_some().then(|| Slip {
            request: request.clone(),
            sent: heads.0.or(said).unwrap_or_default(),
            head: heads.1.unwrap_or_else(|| spelled(&status_line(head.status), &head.headers)),
            at,
            wanted,
        });
        Ok((response, slip))
    }

    /// A connection: kept, shared, or new; and the clocks of the fetch, which do not count how long the system let us wait.
    async fn line(
        &self,
        place: &Place,
        key: &Key,
        after: Option<std::time::Instant>,
    ) -> Result<(Line, Watch), Failure> {
        let begun = Instant::now();
        loop {
            let start = || Watch::start(self.limits.idle_ms, self.limits.total_ms);
            if let Some(line) = self.pool.take(key, after) {
                return Ok((line, start()));
            }
            let mut permit = self.means.connection(&self.pool).await;
            let turn = if self.connector.has_to_look_up(place) { self.means.lookup().await } else { None };
            let mut watch = start();
            match self.new_line(place, key, after, watch.deadline, &mut permit).await {
                Err(Failure::Scarce(_)) if begun.elapsed() < PATIENCE => {
                    drop(turn);
                    self.means.refused(permit);
                    while self.pool.let_go() {}
                    sleep(LOOK).await;
                }
                made => {
                    watch.heard();
                    return made.map(|line| (line, watch));
                }
            }
        }
    }

    /// A connection of our own, or one that somebody else made meanwhile and shares.
    async fn new_line(
        &self,
        place: &Place,
        key: &Key,
        after: Option<std::time::Instant>,
        deadline: Instant,
        permit: &mut Option<Permit>,
    ) -> Result<Line, Failure> {
        let until = Instant::now() + bounded(self.limits.connect_ms);
        let (until, late) = if deadline < until { (deadline, "total") } else { (until, "connect") };
        let made = timeout_at(until, async {
            let _held = match self.pool.gate(key) {
                Some(gate) => {
                    let held = gate.lock_owned().await;
                    if let Some(line) = self.pool.take(key, after) {
                        return Ok(line);
                    }
                    // Whoever held the gate before may have found that there is nothing to share.
                    self.pool.gate(key).map(|_| held)
                }
                None => None,
            };
            let dialled = self.connector.dial(place, until).await?;
            let dialled = Dialled { permit: permit.take(), ..dialled };
            let line = line::begin(dialled, &self.limits, self.recorder.is_some()).await?;
            self.pool.learn(key, &line);
            Ok(line)
        });
        made.await.unwrap_or(Err(Failure::TimeOut(late)))
    }

    /// Sends the request and waits for the header of its answer.
    async fn exchange(
        &self,
        request: &Request,
        place: &Place,
        line: &mut Line,
        watch: &mut Watch,
    ) -> Result<Heard, Stumble> {
        let asked = self.manners.ask(request, place, line, self.cookies(&request.url)).map_err(Stumble::Failed)?;
        // Where nobody hears what is said, it is put down beforehand.
        let unheard = self.recorder.is_some() && matches!(line, Line::Two(_));
        let said = unheard.then(|| {
            let path = asked.uri().path_and_query().map_or("/", |path| path.as_str());
            let host = asked.uri().authority().map_or("", |host| host.as_str());
            spelled(&format!("{} {path} HTTP/1.1\r\nhost: {host}", asked.method()), asked.headers())
        });
        match watch.over(line.send(asked, &self.limits)).await {
            Ok(Ok((answer, sent))) => Ok(Heard { answer, sent, said }),
            Ok(Err(why)) if line.served() && may_repeat(&request.method, &why) => Err(Stumble::Stale),
            Ok(Err(Unanswered::Http { error, .. })) => Err(Stumble::Failed(self.fault(&error))),
            Ok(Err(Unanswered::Interim)) => {
                self.hits.count("interim_answers");
                let says = "the server keeps sending interim answers (1xx), and no real one".to_owned();
                Err(Stumble::Failed(Failure::BadAnswer(says)))
            }
            Err(late) => Err(Stumble::Failed(Failure::TimeOut(late))),
        }
    }

    fn failure(&self, stumble: Stumble, key: &Key, line: &Line) -> Failure {
        match stumble {
            Stumble::Stale => Failure::Reset,
            Stumble::Failed(failure) => {
                if let Line::Two(two) = line
                    && (matches!(failure, Failure::TimeOut(_)) || two.is_flooded())
                {
                    self.pool.forget(key, two);
                }
                failure
            }
        }
    }

    /// HTTP/1.1 is counted while it is parsed, HTTP/2 here.
    fn check_count(&self, fields: &HeaderMap) -> Result<(), Failure> {
        let most = self.limits.headers;
        let many = u64::try_from(fields.len()).is_ok_and(|count| count > most);
        if many {
            self.hits.count("headers");
            return Err(Failure::BadAnswer(format!("more than {most} headers")));
        }
        Ok(())
    }

    /// What an error of HTTP is called; a limit that it reached is counted.
    fn fault(&self, error: &hyper::Error) -> Failure {
        if fault::too_large(error) {
            self.hits.count("header_bytes");
        }
        fault::of_http(error, &self.limits)
    }

    /// The cookies for a request, as many as fit beside those that the user sends anyway.
    fn cookies(&self, url: &Url) -> Option<HeaderValue> {
        let jar = self.jar.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let room = usize::try_from(self.limits.cookie_bytes).unwrap_or(usize::MAX);
        let (value, left_out) = jar.show(url, SystemTime::now(), room.saturating_sub(self.manners.own_cookies(url)));
        if left_out > 0 {
            self.hits.count("cookie_bytes");
        }
        value
    }

    fn keep_cookies(&self, url: &Url, fields: &HeaderMap) {
        if let Some(jar) = self.jar.as_ref().filter(|_| self.keeps) {
            let mut jar = jar.lock().unwrap_or_else(PoisonError::into_inner);
            let set = fields.get_all(header::SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
            set.for_each(|value| jar.keep(url, value, SystemTime::now()));
        }
    }
}

impl Wire for HttpFetcher {
    async fn send(&self, request: &Request, own: bool) -> Sent {
        let appetite = if own { Appetite::Whole(self.limits.page_bytes) } else { Appetite::Page };
        self.sent(request, appetite).await
    }

    async fn keep(&self, sent: Sent) -> Outcome {
        let (response, slip, recorder) = match (sent.outcome, sent.slip, &self.recorder) {
            (Outcome::Answer(response), Some(slip), Some(recorder)) => (*response, slip, recorder),
            (outcome, ..) => return outcome,
        };
        let Slip { request, sent, head, at, wanted } = slip;
        let (secrets, private) = (Arc::clone(&self.secrets), self.private);
        let exchange = Exchange { request, sent, head, response, at, secrets, private };
        match kept(Arc::clone(recorder), exchange).await {
            Ok(mut response) => {
                wanted.cut(&mut response);
                Outcome::Answer(Box::new(response))
            }
            Err(failure) => Outcome::Failed(failure),
        }
    }
}

impl Fetcher for HttpFetcher {
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            match &self.session {
                Some(session) if session.covers(&request.url) => session.fetch(self, &request).await,
                _ => self.outcome(&request, Appetite::Page).await,
            }
        })
    }

    fn fetch_whole(&self, request: Request, most: u64) -> BoxFuture<'_, Outcome> {
        Box::pin(async move { self.outcome(&request, Appetite::Whole(most)).await })
    }

    fn records(&self) -> bool {
        self.recorder.is_some()
    }

    fn settle(&self) -> Result<(), Trouble> {
        self.recorder.as_ref().map_or(Ok(()), |recorder| recorder.settle())
    }

    fn lane<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Lane> {
        Box::pin(async move {
            let host = || Lane::Host(url.host_str().unwrap_or_default().to_owned());
            let Ok(place) = self.connector.place(url) else { return host() };
            if place.proxy.is_some() {
                return host();
            }
            let _turn = if self.connector.has_to_look_up(&place) { self.means.lookup().await } else { None };
            let within = bounded(self.limits.connect_ms);
            let found = tokio::time::timeout(within, self.connector.resolver.addresses(&place.host, place.port)).await;
            let first: Option<IpAddr> = found.ok().and_then(Result::ok).and_then(|list| list.first().copied());
            first.map_or_else(host, Lane::Ip)
        })
    }

    fn keep_pace(&self, url: &Url, pause: Duration) {
        if let Some(session) = self.session.as_ref().filter(|session| session.covers(url)) {
            session.keep_pace(pause);
        }
    }

    fn most_at_once(&self) -> Option<usize> {
        Some(self.means.connections())
    }

    fn waited(&self) -> u64 {
        self.means.waited()
    }

    fn limits_hit(&self) -> Vec<(&'static str, u64)> {
        self.hits.take()
    }

    fn withheld(&self) -> Option<String> {
        self.session.as_ref().and_then(Session::trouble).map(str::to_owned)
    }
}

/// How often limits were reached, by their keys, since somebody asked last.
#[derive(Default)]
struct Hits {
    any: AtomicBool,
    counts: Mutex<BTreeMap<&'static str, u64>>,
}

impl Hits {
    fn count(&self, key: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        self.any.store(true, Ordering::Release);
    }

    fn take(&self) -> Vec<(&'static str, u64)> {
        if !self.any.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *counts).into_iter().collect()
    }
}

/// A longer body is put away on another thread: others wait for this one. To hand a shorter one over would cost more than to put
/// it away.
const ASIDE: usize = 64 * 1024;
/// Hosts looked up before something is removed for them.
const LOOKED_UP: usize = 8;

/// Keeps an exchange; the answer comes back when it is kept.
async fn kept(recorder: Arc<dyn Recorder>, exchange: Exchange) -> Result<Response, Failure> {
    // What is as it was has to be looked up where it was kept.
    if exchange.response.body.len() < ASIDE && exchange.response.status != 304 {
        recorder.record(&exchange);
        return Ok(exchange.response);
    }
    let done = tokio::task::spawn_blocking(move || {
        recorder.record(&exchange);
        exchange.response
    });
    done.await.map_err(|_| Failure::BadAnswer("the answer could not be kept".into()))
}

/// What came of a request, and what a record of it needs besides.
pub(crate) struct Sent {
    pub(crate) outcome: Outcome,
    slip: Option<Slip>,
}

/// An exchange but for its answer.
struct Slip {
    request: Request,
    sent: Vec<u8>,
    head: Vec<u8>,
    at: i64,
    /// What whoever asked wants of it; a record has more.
    wanted: BodyLimit,
}

/// The header of an answer.
struct Heard {
    answer: http::Response<Incoming>,
    /// When it was asked for.
    sent: std::time::Instant,
    /// What was said, where nobody hears it.
    said: Option<Vec<u8>>,
}

/// Why an exchange came to nothing.
enum Stumble {
    /// The connection had been kept, and is no more.
    Stale,
    Failed(Failure),
}

/// May a request that broke off on a kept connection be sent once more?
fn may_repeat(method: &Method, why: &Unanswered) -> bool {
    match (method, why) {
        (_, Unanswered::Interim) => false,
        (Method::Get | Method::Head, Unanswered::Http { error, .. }) => fault::broke(error),
        (Method::Post { .. }, Unanswered::Http { unseen, .. }) => *unseen,
    }
}

fn fields(map: &HeaderMap) -> Vec<(String, String)> {
    map.iter().map(|(name, value)| (name.as_str().to_owned(), latin1(value.as_bytes()))).collect()
}

fn latin1(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => text.to_owned(),
        _ => bytes.iter().copied().map(char::from).collect(),
    }
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "HTTP/0.9",
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2",
        Version::HTTP_3 => "HTTP/3",
        _ => "HTTP/1.1",
    }
}
