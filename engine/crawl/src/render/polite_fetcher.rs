//! What pages ask for while they are built, and sitemaps, are fetched like anything else: by the same fetcher, so behind the same guard; after
//! asking robots.txt; and in the lanes of the crawl, each start a pause after the one before, whoever made it.
//!
//! A page that is being built holds its place in its lane, and does not fetch itself; so it may have one thing fetched at a time
//! at each server, and its own server never has more under way than it would without a browser. At other servers each page that is
//! being built counts for itself.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::Sender;
use groma_url::Url;
use tokio::sync::{OnceCell, oneshot};

use groma_fetch::{Fetcher, retry_after, robots};
use groma_model::outcome::Cut;
use groma_model::{Limits, Outcome, Request, Response};
use groma_page::inflate::{inflate, true_coding};
use groma_page::robots::{Access, Robots};
use groma_render::{SubresourceRequest, Supplied, Supply};

use super::cache::Cache;
use super::leave::{Leave, Question};
use crate::kernel::{Feedback, Manners, Millis, lane_name, least_pause};

/// Origins whose robots.txt is remembered beside those of the survey.
const DOORS: usize = 10_000;

/// A host that was asked, once: what stands at its door, or why nothing of it is asked for.
type Knocked = OnceCell<Result<Door, String>>;

const FORBIDDEN: &str = "robots.txt forbids it";

/// Fetches subresources and sitemaps for all pages of a crawl, as politely as pages.
pub(crate) struct PoliteFetcher {
    fetcher: Arc<dyn Fetcher>,
    /// Asks the loop; false if it is over.
    ask: Box<dyn Fn(Question) -> bool + Send + Sync>,
    agent: String,
    robots: bool,
    stranger_delay: Duration,
    limits: Limits,
    doors: Mutex<HashMap<String, Arc<Knocked>>>,
    cache: Mutex<Cache>,
}

/// A host that is not part of the survey.
struct Door {
    robots: Robots,
    lane: String,
    pause: Millis,
    /// When its robots.txt was asked for.
    asked: Option<Instant>,
}

impl PoliteFetcher {
    /// Asks the loop that hears these events.
    pub(crate) fn new<E: From<Question> + Send + 'static>(
        fetcher: Arc<dyn Fetcher>,
        events: Sender<E>,
        manners: &Manners,
    ) -> PoliteFetcher {
        PoliteFetcher {
            fetcher,
            ask: Box::new(move |question| events.send(question.into()).is_ok()),
            agent: manners.agent.clone(),
            robots: manners.robots,
            stranger_delay: manners.stranger_delay,
            limits: manners.limits.clone(),
            doors: Mutex::default(),
            cache: Mutex::new(Cache::new(manners.limits.js_cache_bytes)),
        }
    }

    pub(crate) fn for_page(self: &Arc<Self>) -> PageErrands {
        PageErrands {
            all: Arc::clone(self),
            lanes: Mutex::default(),
            fetches: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// The lane, and how long to wait; or why it may not be fetched.
    pub(crate) async fn leave(&self, url: &Url) -> Result<(String, Millis), String> {
        let (reply, answer) = oneshot::channel();
        if !(self.ask)(Question::MayFetch(url.clone(), reply)) {
            return Err(over());
        }
        match answer.await.map_err(|_| over())? {
            Leave::Granted(lane, wait) => Ok((lane, wait)),
            Leave::Refused => Err(FORBIDDEN.to_owned()),
            Leave::Stranger => {
                let cell = self.door(&url.origin().ascii_serialization());
                let door = cell.get_or_init(|| self.knock(url)).await.as_ref().map_err(Clone::clone)?;
                if !door.robots.allows(url) {
                    return Err(FORBIDDEN.to_owned());
                }
                let wait = self.book(&door.lane, door.pause, door.asked).await.ok_or_else(over)?;
                Ok((door.lane.clone(), wait))
            }
        }
    }

    /// How long to wait before a server is asked that is not part of the survey.
    async fn book(&self, lane: &str, pause: Millis, asked: Option<Instant>) -> Option<Millis> {
        let (reply, answer) = oneshot::channel();
        (self.ask)(Question::Book(lane.to_owned(), pause, asked, reply));
        answer.await.ok()
    }

    /// How a server took it, and when it was asked.
    pub(crate) fn felt(&self, lane: &str, feedback: Feedback, asked: Instant) {
        (self.ask)(Question::Felt(lane.to_owned(), feedback, asked));
    }

    fn door(&self, origin: &str) -> Arc<Knocked> {
        let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
        if doors.len() >= DOORS && !doors.contains_key(origin) {
            doors.clear();
        }
        Arc::clone(doors.entry(origin.to_owned()).or_default())
    }

    /// Asks a host that is not part of the survey; or why nothing of it is asked for.
    async fn knock(&self, url: &Url) -> Result<Door, String> {
        let lane = self.fetcher.lane(url).await;
        let least = least_pause(&lane, self.stranger_delay);
        let mut asked = None;
        let robots = if self.robots {
            // Its server may be one of the survey's, under another name.
            let wait = self.book(&lane_name(&lane), least.as_millis() as Millis, None).await;
            let wait = wait.ok_or_else(over)?;
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let answer = robots(&*self.fetcher, url, least, &self.limits).await;
            asked = answer.asked;
            match answer.access {
                Access::Rules => Robots::parse(&answer.body, &self.agent, &self.limits),
                Access::Open => Robots::open(),
                Access::Closed | Access::Later => {
                    let why = answer.failure.map(|failure| failure.to_string());
                    return Err(why.unwrap_or_else(|| "its robots.txt cannot be read".to_owned()));
                }
            }
        } else {
            Robots::open()
        };
        let pause = robots.crawl_delay().unwrap_or_default().max(least).as_millis() as Millis;
        Ok(Door { robots, lane: lane_name(&lane), pause, asked })
    }
}

/// Why nobody says whether something may be fetched.
fn over() -> String {
    "the crawl is over".to_owned()
}

/// Fetches the subresources of one page.
pub(crate) struct PageErrands {
    all: Arc<PoliteFetcher>,
    lanes: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    fetches: AtomicU64,
    bytes: AtomicU64,
}

impl PageErrands {
    /// What it came to: fetches, and bytes over the wire.
    pub(crate) fn cost(&self) -> (u64, u64) {
        (self.fetches.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    async fn fetch(&self, wanted: &SubresourceRequest, lane: &str) -> Option<Supplied> {
        let all = &self.all;
        let request = Request { headers: wanted.headers.clone(), ..Request::get(wanted.url.clone()) };
        let start = Instant::now();
        let outcome = all.fetcher.fetch_whole(request, all.limits.wire_bytes).await;
        self.fetches.fetch_add(1, Ordering::Relaxed);
        let mut feedback = Feedback { latency: start.elapsed().as_millis() as Millis, ..Feedback::default() };
        let answer = match outcome {
            Outcome::Answer(answer) => {
                self.bytes.fetch_add(answer.body.len() as u64, Ordering::Relaxed);
                feedback.strained = matches!(answer.status, 429 | 503);
                let rest = retry_after(&answer, SystemTime::now()).map(|wait| wait.as_millis() as Millis);
                feedback.rest = rest.filter(|ms| feedback.strained && *ms <= all.limits.retry_after_s * 1000);
                Some(*answer)
            }
            Outcome::Failed(failure) => {
                feedback.strained = matches!(failure, groma_model::Failure::TimeOut(_));
                None
            }
        };
        all.felt(lane, feedback, start);
        let cap = all.limits.page_bytes;
        // Unpacking may be work: not on the threads that wait for sockets.
        tokio::task::spawn_blocking(move || unpacked(answer?, cap)).await.ok().flatten()
    }
}

impl Supply for PageErrands {
    async fn supply(&self, wanted: SubresourceRequest) -> Option<Supplied> {
        let all = &self.all;
        // What is asked for with a word of its own may be answered so.
        let common = !wanted.headers.iter().any(|(name, _)| name == "authorization" || name == "range");
        let cached = |all: &PoliteFetcher| {
            let mut cache = all.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if common { cache.get(wanted.url.as_str(), Instant::now()) } else { None }
        };
        if let Some(answer) = cached(all) {
            return Some((*answer).clone());
        }
        let (lane, wait) = all.leave(&wanted.url).await.ok()?;
        let one = {
            let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(lanes.entry(lane.clone()).or_default())
        };
        let begun = Instant::now();
        let _alone = one.lock().await;
        let wait = Duration::from_millis(wait).saturating_sub(begun.elapsed());
        tokio::time::sleep(wait).await;
        // Another page may have brought it meanwhile.
        if let Some(answer) = cached(all) {
            return Some((*answer).clone());
        }
        let answer = Arc::new(self.fetch(&wanted, &lane).await?);
        if common {
            let mut cache = all.cache.lock().unwrap_or_else(PoisonError::into_inner);
            cache.put(wanted.url.as_str(), wanted.sort, &answer, Instant::now());
        }
        Some(Arc::unwrap_or_clone(answer))
    }
}

/// The answer as a browser is given it. Half a script is none.
fn unpacked(answer: Response, cap: u64) -> Option<Supplied> {
    if matches!(answer.cut, Some(Cut::Broken | Cut::Late | Cut::TooLarge)) {
        return None;
    }
    let coding = true_coding(answer.header("content-encoding").unwrap_or_default(), &answer.body).to_owned();
    let body = inflate(answer.body, &coding, cap);
    let whole = !body.broken && !body.cut;
    whole.then_some(Supplied { status: answer.status, headers: answer.headers, body: body.bytes })
}
