//! One page, looked at on its own: asked for as a crawl would, robots.txt and redirects and all, and read; nothing is stored.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use groma_url::Url;

use groma_fetch::{Fetcher, robots};
use groma_model::url::{Canonizer, RuleBook};
use groma_model::{Depth, HostId, PageId, ParsedPage, Reason, Request};
use groma_page::robots::{Access, Robots};
use groma_store::{FetchFacts, codec};

use crate::digest::{Lens, digest_safely};
use crate::epoch::epoch;
use crate::error::CrawlError;
use crate::harvest::{Fetched, Got};
use crate::kernel::{LaneId, Manners};
use crate::settings::Keep;
use crate::slot::Slot;

/// The outcome of fetching one page.
#[derive(Debug)]
pub struct Looked {
    /// The URL in the end, after redirects.
    pub url: Url,
    /// The URLs that redirected, in order.
    pub through: Vec<Url>,
    /// What came of it.
    pub reason: Reason,
    /// What is known from fetching it.
    pub facts: FetchFacts,
    /// The page, if there was one to read.
    pub parsed: Option<ParsedPage>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// Looks at a page.
pub fn look(fetcher: &dyn Fetcher, url: &Url, manners: &Manners) -> Result<Looked, CrawlError> {
    Looking::new(fetcher, manners)?.look(url)
}

/// Looks at one page after the other: each host is asked for its robots.txt once, and its pause holds between pages.
pub struct Looking<'l> {
    fetcher: &'l dyn Fetcher,
    manners: &'l Manners,
    runtime: tokio::runtime::Runtime,
    lens: Lens,
    hosts: HashMap<String, Visited>,
}

impl<'l> Looking<'l> {
    /// Nothing is asked for yet.
    pub fn new(fetcher: &'l dyn Fetcher, manners: &'l Manners) -> Result<Looking<'l>, CrawlError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let canonizer = Canonizer::new(RuleBook::default(), &manners.limits);
        let (limits, agent) = (manners.limits.clone(), manners.agent.clone());
        let lens = Lens {
            canonizer,
            limits,
            keep: Keep { bodies: true, parts: true },
            agent,
            studio: None,
            shows: true,
            lists: false.into(),
        };
        Ok(Looking { fetcher, manners, runtime, lens, hosts: HashMap::new() })
    }

    /// Looks at a page.
    pub fn look(&mut self, url: &Url) -> Result<Looked, CrawlError> {
        let Looking { fetcher, manners, runtime, lens, hosts } = self;
        let mut seen = Looked {
            url: url.clone(),
            through: Vec::new(),
            reason: Reason::BadAnswer,
            facts: FetchFacts::default(),
            parsed: None,
            body: Vec::new(),
        };
        loop {
            let host = hosts.entry(seen.url.origin().ascii_serialization());
            let host = host.or_insert_with(|| runtime.block_on(visited(*fetcher, &seen.url, manners)));
            let refused = match &host.robots {
                Ok(robots) => (!robots.allows(&seen.url)).then_some(Reason::Robots),
                Err(reason) => Some(*reason),
            };
            if let Some(reason) = refused {
                return Ok(Looked { reason, ..seen });
            }
            std::thread::sleep(host.asked.map_or(Duration::ZERO, |asked| host.pause.saturating_sub(asked.elapsed())));
            host.asked = Some(Instant::now());
            let start = Instant::now();
            let outcome = runtime.block_on(fetcher.fetch(Request::get(seen.url.clone())));
            let latency = start.elapsed().as_millis() as u64;
            let slot = slot(&seen.url, manners.limits.retries);
            let harvest = digest_safely(
                Fetched { slot, lane: LaneId::default(), outcome, asked: start, latency, at: epoch() },
                lens,
            );
            seen.facts = harvest.facts;
            match harvest.got {
                Got::Page(reading) => {
                    let body = reading.body.as_deref().and_then(codec::decompress).unwrap_or_default();
                    return Ok(Looked { reason: Reason::Fetched, parsed: Some(reading.parsed), body, ..seen });
                }
                Got::Redirect(to) if to.0 == seen.url || seen.through.contains(&to.0) => {
                    return Ok(Looked { reason: Reason::RedirectLoop, ..seen });
                }
                Got::Redirect(_) if seen.through.len() as u64 >= manners.limits.redirects => {
                    return Ok(Looked { reason: Reason::RedirectChain, ..seen });
                }
                Got::Redirect(to) => {
                    let from = std::mem::replace(&mut seen.url, to.0);
                    seen.through.push(from);
                }
                Got::Bare | Got::Unchanged => return Ok(Looked { reason: Reason::Fetched, ..seen }),
                Got::Withheld => return Err(CrawlError::NoLogin(fetcher.withheld().unwrap_or_default())),
                Got::Scarce(what) => return Err(CrawlError::Scarce(what)),
                Got::Fault { reason, .. } => return Ok(Looked { reason, ..seen }),
            }
        }
    }
}

/// A host, and when it was last asked for anything.
struct Visited {
    /// Its robots.txt, or why nothing of it may be asked for.
    robots: Result<Robots, Reason>,
    pause: Duration,
    asked: Option<Instant>,
}

/// Asks a host for its robots.txt.
async fn visited(fetcher: &dyn Fetcher, url: &Url, manners: &Manners) -> Visited {
    if !manners.robots {
        return Visited { robots: Ok(Robots::open()), pause: manners.delay, asked: None };
    }
    let answer = robots(fetcher, url, manners.delay, &manners.limits).await;
    let robots = match answer.access {
        Access::Rules => Ok(Robots::parse(&answer.body, &manners.agent, &manners.limits)),
        Access::Open => Ok(Robots::open()),
        Access::Closed | Access::Later => Err(Reason::RobotsUnreachable),
    };
    let wished = robots.as_ref().ok().and_then(Robots::crawl_delay).unwrap_or_default();
    Visited { robots, pause: manners.delay.max(wished), asked: answer.asked }
}

/// The right to fetch this page, which has used up its tries: half a page is shown as it came.
fn slot(url: &Url, tries: u64) -> Slot {
    Slot {
        id: PageId(0),
        host: HostId(0),
        url: url.clone(),
        depth: Depth(0),
        via: None,
        run: 0,
        before: Reason::Waiting,
        last: None,
        tries: u32::try_from(tries).unwrap_or(u32::MAX),
        spelling: None,
        spellings: 0,
    }
}
