//! The loop: hosts are taken up a few at a time, their URLs go through the lanes, answers are kept in batches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use groma_url::Url;

use groma_fetch::{Fetcher, Lane, RobotsAnswer};
use groma_model::wording::counted;
use groma_model::{Depth, Failure, HostId, Outcome, Reason, Validators};
use groma_store::outside::{Outside, OutsideAnswer, OutsideRobots};
use groma_store::{RobotsRow, Snapshot, StoreError};

use super::fresh::Fresh;
use super::list::{OutsideList, origin_of};
use super::rows::{Due, Rows, host_id};
use super::settings::OutsideSettings;
use super::task::{Back, Event, OutsideTask, UnderWay};
use super::verdict::{self, Verdict};
use crate::epoch::epoch;
use crate::error::CrawlError;
use crate::kernel::{Feedback, Host, HostNews, Kernel, LaneId, Standing, lane_name};
use crate::progress::{End, PageSeen, Progress, Summary, Watch};
use crate::threads::{self, Threads};

/// Hosts that are taken up at once, for each fetch that may be under way.
const AHEAD: usize = 16;
/// Names of the survey that are looked up to see whether names can be.
const NAMES: usize = 3;

/// Asking under way.
pub(super) struct Asking<'s> {
    survey: &'s mut dyn Snapshot,
    keeper: &'s mut Outside,
    watch: &'s mut dyn Watch,
    kernel: Kernel<OutsideTask>,
    rows: Rows,
    fresh: Fresh,
    events: (Sender<Event>, Receiver<Event>),
    now: i64,
    progress: Progress,
}

impl<'s> Asking<'s> {
    pub(super) fn new(
        survey: &'s mut dyn Snapshot,
        list: OutsideList,
        keeper: &'s mut Outside,
        settings: &OutsideSettings,
        fetcher: Arc<dyn Fetcher>,
        watch: &'s mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Asking<'s>, CrawlError> {
        let runtime = threads::runtime(Threads::within(1, 0)?.workers)?;
        let mut asking = Asking {
            survey,
            keeper,
            watch,
            kernel: Kernel::new(settings.manners.clone(), fetcher, runtime, interrupt),
            rows: Rows::default(),
            fresh: Fresh::new(),
            events: crossbeam_channel::unbounded(),
            now: list.now,
            progress: Progress { discovered: list.urls(), queued: list.urls(), ..Progress::default() },
        };
        for (origin, urls) in list.hosts {
            asking.rows.add_pages(&origin, urls);
        }
        for url in &list.left {
            asking.rows.add_hop(url, 1);
        }
        Ok(asking)
    }

    pub(super) fn run(mut self) -> Result<Summary, CrawlError> {
        let end = self.rounds().and_then(|end| self.believe_names().and_then(|()| self.keep()).map(|()| end));
        self.kernel.tick(&mut self.progress, self.watch, true);
        // Whatever happened, no thread is left behind.
        self.progress.elapsed = self.kernel.shut_down().elapsed();
        Ok(Summary { end: end?, progress: self.progress })
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        loop {
            if self.kernel.is_interrupted() {
                // What is under way is asked again next time.
                return Ok(End::Interrupted);
            }
            self.take_up()?;
            self.dispatch();
            if self.rows.is_done() {
                return Ok(End::Finished);
            }
            self.take_events(self.kernel.patience(!self.kernel.has_connection()))?;
            if self.fresh.is_due() {
                self.keep()?;
            }
            self.kernel.tick(&mut self.progress, self.watch, false);
        }
    }

    /// Takes up hosts while there is room, and asks those again that told us to come back.
    fn take_up(&mut self) -> Result<(), StoreError> {
        for id in self.kernel.hosts.due(self.kernel.now()) {
            self.kernel.ask_server(id, &self.events.0);
        }
        let concurrency = self.kernel.manners.concurrency;
        while self.rows.active < concurrency * AHEAD && self.kernel.asking < concurrency * 2 {
            let Some(place) = self.rows.take_next() else { break };
            if let Some(reason) = self.rows.row(place).closed {
                self.close(place, Some(reason))?;
                continue;
            }
            let (id, origin) = (host_id(place), self.rows.row(place).origin.clone());
            let kept = self.fresh.robots(self.keeper, &origin)?;
            let row = kept.map(|OutsideRobots { at, status, body }| RobotsRow { host: id, at, status, body });
            self.kernel.hosts.add(id, &origin, row);
            if self.kernel.hosts.get(id).is_none() {
                self.close(place, Some(Reason::Malformed))?;
                continue;
            }
            self.rows.active += 1;
            self.kernel.ask_server(id, &self.events.0);
        }
        Ok(())
    }

    /// Puts tasks of an open host into its lane: no more than can be under way, so that memory does not grow with what waits.
    fn offer(&mut self, place: usize) -> Result<(), StoreError> {
        while self.rows.row(place).out < self.kernel.manners.per_host.max(1) {
            let Some(due) = self.rows.row(place).waiting.pop_front() else { break };
            let Some(task) = self.task(place, due)? else {
                self.progress.queued = self.progress.queued.saturating_sub(1);
                continue;
            };
            let Some(host) = self.kernel.hosts.get(host_id(place)) else { break };
            let Standing::Open { robots, lane } = &host.standing else { break };
            let (lane, is_allowed) = (*lane, robots.allows(&task.url));
            if is_allowed {
                self.rows.row(place).out += 1;
                self.kernel.frontier.offer(lane, task);
            } else {
                self.note(&task, Reason::Robots, 0, None, 0, &Validators::default());
            }
        }
        let row = self.rows.row(place);
        if row.out == 0 && row.waiting.is_empty() {
            self.kernel.hosts.remove(host_id(place));
            self.rows.let_go(place);
            self.rows.active -= 1;
        }
        Ok(())
    }

    /// The right to ask what is due; nothing if it was asked meanwhile, or is gone from the survey.
    fn task(&mut self, host: usize, due: Due) -> Result<Option<OutsideTask>, StoreError> {
        let (known_as, linked, hops) = match due {
            Due::Hop(url, hops) => (url.into_string(), None, hops),
            Due::Page(id) => {
                let Some(row) = self.survey.address(id)? else { return Ok(None) };
                if !self.rows.is_new(&row.url) {
                    return Ok(None);
                }
                (row.url, self.survey.linked(id)?, 0)
            }
        };
        let linked = linked.and_then(|urls| Url::parse(urls.lines().next()?).ok());
        let linked = linked.filter(|url| origin_of(url.as_str()) == self.rows.row(host).origin);
        let Some(url) = linked.or_else(|| Url::parse(&known_as).ok()) else { return Ok(None) };
        let before = self.keeper.answer(&known_as)?.filter(|before| before.reason == Reason::Fetched);
        let given = |text: String| Some(text).filter(|text| !text.is_empty());
        let validators = before.map(|OutsideAnswer { etag, last_modified, .. }| Validators {
            etag: given(etag),
            last_modified: given(last_modified),
        });
        let validators = validators.filter(|known| known.etag.is_some() || known.last_modified.is_some());
        Ok(Some(OutsideTask { host, known_as: known_as.into(), url, validators, hops, whole: false, tries: 0 }))
    }

    /// Hands out tasks as far as politeness and connections allow.
    fn dispatch(&mut self) {
        while self.kernel.has_connection() {
            let Some((lane, task)) = self.kernel.frontier.ready(self.kernel.now()) else { break };
            let (fetcher, home) = (Arc::clone(&self.kernel.fetcher), self.events.0.clone());
            self.kernel.runtime.spawn(async move {
                let mut under_way = UnderWay { back: Some(task.clone()), lane, begun: Instant::now(), home };
                let outcome = task.ask(&*fetcher).await;
                under_way.bring(outcome);
            });
        }
    }

    fn take_events(&mut self, wait: Duration) -> Result<(), StoreError> {
        let mut next = self.events.1.recv_timeout(wait).ok();
        while let Some(event) = next {
            match event {
                Event::Back(back) => self.came_home(*back)?,
                Event::Host(HostNews::Server(id, lane)) => {
                    let is_name = |host: &mut Host| is_name(&host.origin);
                    self.fresh.resolves |=
                        matches!(lane, Lane::Ip(_)) && self.kernel.hosts.get(id).is_some_and(is_name);
                    // Hosts of one server share its pause, robots.txt among them.
                    let (now, name) = (self.kernel.now(), lane_name(&lane));
                    let server = self.kernel.frontier.lane(&name, 0);
                    let rest = Duration::from_millis(self.kernel.frontier.book(server, now));
                    self.kernel.ask_robots(id, lane, rest, &self.events.0);
                }
                Event::Host(HostNews::Robots(id, lane, answer)) => self.host_answered(id, &lane, &answer)?,
            }
            next = self.events.1.try_recv().ok();
        }
        Ok(())
    }

    fn host_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) -> Result<(), StoreError> {
        self.kernel.asking -= 1;
        self.progress.fetches += u64::from(answer.asked.is_some());
        let row = self.kernel.robots_answered(id, lane, answer);
        self.kernel.hosts.heard_from(id);
        // The list of hungry hosts is for crawls; nobody here reads it.
        while self.kernel.hosts.hungry().is_some() {}
        let place = id.0 as usize;
        // What was kept stays as old as it is.
        if let Some(RobotsRow { at, status, body, .. }) = row.filter(|_| answer.asked.is_some()) {
            let origin = self.rows.row(place).origin.clone();
            self.fresh.add_robots(origin, OutsideRobots { at, status, body });
        }
        let closed = match self.kernel.hosts.get(id).map(|host| &host.standing) {
            Some(Standing::Open { .. }) => return self.offer(place),
            Some(Standing::Closed(reason, _)) => *reason,
            _ => return Ok(()),
        };
        let is_ours =
            |failure: &Failure| matches!(failure, Failure::DnsTrouble(_) | Failure::Scarce(_) | Failure::Proxy(_));
        self.kernel.hosts.remove(id);
        self.rows.active -= 1;
        self.close(place, (!answer.failure.as_ref().is_some_and(is_ours)).then_some(closed))
    }

    /// Nothing of a host can be asked, for this reason; without one it is our own fault, and nothing is known.
    fn close(&mut self, place: usize, reason: Option<Reason>) -> Result<(), StoreError> {
        self.rows.let_go(place);
        self.rows.row(place).closed = reason;
        while let Some(due) = self.rows.row(place).waiting.pop_front() {
            match (self.task(place, due)?, reason) {
                (Some(task), Some(reason)) => self.note(&task, reason, 0, None, 0, &Validators::default()),
                _ => self.progress.queued = self.progress.queued.saturating_sub(1),
            }
            if self.fresh.is_due() {
                self.keep()?;
            }
        }
        Ok(())
    }

    fn came_home(&mut self, back: Back) -> Result<(), StoreError> {
        let Back { mut task, lane, outcome, asked, latency } = back;
        self.progress.fetches += 1;
        let asked = self.kernel.clock(asked);
        let mut feedback = Feedback { asked, latency, ..Feedback::default() };
        let limits = &self.kernel.manners.limits;
        let verdict = verdict::read(&outcome, &task, limits, &mut feedback);
        let retry = self.kernel.manners.retry_wait(task.tries);
        self.kernel.frontier.settle(lane, feedback, self.kernel.now());
        let response = if let Outcome::Answer(response) = &outcome { Some(response) } else { None };
        let status = response.map_or(0, |response| response.status);
        let elapsed = u32::try_from(latency).unwrap_or(u32::MAX);
        match verdict {
            Verdict::AskWhole => {
                (task.whole, task.validators) = (true, None);
                return self.again(lane, task, 0);
            }
            Verdict::Again(wait) => {
                task.tries += 1;
                return self.again(lane, task, wait.unwrap_or(retry));
            }
            // The server prefers the spelling by which the survey knows it.
            Verdict::Known(Reason::Redirected, Some(to))
                if to.as_str() == &*task.known_as && to != task.url && self.allows(task.host, &to) =>
            {
                (task.url, task.validators, task.whole) = (to, None, false);
                return self.again(lane, task, 0);
            }
            Verdict::OurTrouble => self.progress.queued = self.progress.queued.saturating_sub(1),
            Verdict::Unchanged => {
                let validators = task.validators.clone().unwrap_or_default();
                self.note(&task, Reason::Fetched, status, None, elapsed, &validators);
            }
            Verdict::Known(reason, to) => {
                let said = |name: &str| {
                    let value = response.and_then(|response| response.header(name));
                    value.map(|value| value.chars().take(400).collect::<String>())
                };
                let given = Validators { etag: said("etag"), last_modified: said("last-modified") };
                self.note(&task, reason, status, to.as_ref(), elapsed, &given);
                // Nobody is led about without end.
                let hops = task.hops + 1;
                let is_near = hops <= self.kernel.manners.limits.redirects;
                if to.is_some_and(|to| is_near && self.rows.add_hop(to.as_str(), hops)) {
                    self.progress.discovered += 1;
                    self.progress.queued += 1;
                }
            }
        }
        self.rows.row(task.host).out -= 1;
        self.offer(task.host)
    }

    /// Does robots.txt of an open host allow a URL of it?
    fn allows(&mut self, place: usize, url: &Url) -> bool {
        let host = self.kernel.hosts.get(host_id(place)).map(|host| &host.standing);
        matches!(host, Some(Standing::Open { robots, .. }) if robots.allows(url))
    }

    fn again(&mut self, lane: LaneId, task: OutsideTask, wait: u64) -> Result<(), StoreError> {
        let at = self.kernel.now() + wait;
        self.kernel.frontier.offer_at(lane, task, at);
        Ok(())
    }

    /// Takes an answer down.
    fn note(
        &mut self,
        task: &OutsideTask,
        reason: Reason,
        status: u16,
        to: Option<&Url>,
        elapsed_ms: u32,
        given: &Validators,
    ) {
        self.watch.page(&PageSeen {
            url: &task.known_as,
            reason,
            status,
            depth: Depth::LOOSE,
            size: 0,
            media_type: "",
            title: "",
        });
        self.progress.fetched += 1;
        self.progress.queued = self.progress.queued.saturating_sub(1);
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let is_nameless = reason == Reason::DnsFailure && !is_never_a_name(&task.url);
        let answer = OutsideAnswer {
            url: task.known_as.to_string(),
            at: epoch(),
            since: self.now,
            reason,
            status,
            leads_to: to.map(Url::to_string).unwrap_or_default(),
            by_get: task.whole,
            etag: text(&given.etag),
            last_modified: text(&given.last_modified),
            elapsed_ms,
        };
        self.fresh.add(answer, is_nameless);
    }

    /// A resolver that knows no name at all says nothing of any: this machine may be off line. The names that the survey was crawled by
    /// count, too.
    fn believe_names(&mut self) -> Result<(), StoreError> {
        if self.fresh.unbelieved() > 0 {
            let hosts = self.survey.hosts()?;
            let urls = hosts.iter().filter_map(|host| Url::parse(&host.origin).ok()).filter(is_name);
            self.fresh.resolves = urls.take(NAMES).any(|url| self.kernel.finds(&url));
        }
        let lost = self.fresh.unbelieved();
        if lost > 0 {
            self.progress.fetched = self.progress.fetched.saturating_sub(lost);
            self.watch.notice(&no_name_found(lost));
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), StoreError> {
        self.fresh.keep(self.keeper)?;
        self.kernel.settle_archive()
    }
}

/// Is the host of a URL one that has to be looked up?
fn is_name(url: &Url) -> bool {
    matches!(url.host(), Some(groma_url::Host::Domain(name)) if name != "localhost" && !name.ends_with(".localhost"))
}

/// A name that nobody will ever have (RFC 6761).
fn is_never_a_name(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host.trim_end_matches('.').ends_with(".invalid"))
}

fn no_name_found(urls: u64) -> String {
    let links = counted(urls, "link", "links");
    format!("no host name could be looked up, so {links} to other sites count as not asked: is this machine on line?")
}
