//! The loop: questions out, answers kept, the strategy told in the order in which it asked.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use tokio::runtime::Runtime;
use url::Url;

use groma_fetch::{Fetcher, Lane, RobotsAnswer, robots};
use groma_model::{HostId, Reason, Request, Validators};
use groma_store::gathers::{AnswerRow, GatherId, Gathers, RobotsKept};
use groma_store::{RobotsRow, StoreError};
use groma_strategy::{Answer, Ask, Command, Plan, Strategy};

use super::GatherSettings;
use super::errand::{Back, Errand, UnderWay};
use super::reply::{self, Reply};
use crate::engine::archive_trouble;
use crate::errand::Messenger;
use crate::frontier::{Feedback, Frontier, Millis};
use crate::hosts::{Errand as AtTheDoor, Hosts, Standing, lane_name, least_pause, no_answer};
use crate::ledger::epoch;
use crate::progress::{End, PageSeen, Progress, Summary, Watch};
use crate::start::CrawlError;

/// How often whoever watches is told.
const TICK: Duration = Duration::from_millis(200);
/// Questions of one gathering that may wait at once: a strategy that asks more has lost its way.
const WAITING: usize = 1_000_000;

/// What happens while questions are asked.
pub(super) enum Event {
    /// An errand came home.
    Back(Box<Back>),
    /// A host has been asked for its robots.txt.
    Host(HostId, Lane, Box<RobotsAnswer>),
}

struct Question {
    ask: Ask,
    /// Somebody has been sent with it and is not back.
    under_way: bool,
}

/// A gathering under way.
pub(super) struct Asking<'s> {
    keeper: &'s mut Gathers,
    id: GatherId,
    settings: GatherSettings,
    strategy: &'s mut dyn Strategy,
    watch: &'s mut dyn Watch,
    fetcher: Arc<dyn Fetcher>,
    runtime: Runtime,
    frontier: Frontier<Errand>,
    hosts: Hosts,
    origins: HashMap<String, HostId>,
    /// Questions whose answers have not been told, in the order in which they were asked.
    queue: VecDeque<Question>,
    /// The number of the first of them.
    first: u64,
    /// Those before this number have been looked at.
    sent: u64,
    /// Errands that wait for a word from their host.
    at_doors: Vec<Errand>,
    events: (Sender<Event>, Receiver<Event>),
    interrupt: Arc<AtomicBool>,
    stop_said: bool,
    /// Requests of this generation.
    requests: u64,
    progress: Progress,
    began: Instant,
    last_tick: Instant,
}

impl<'s> Asking<'s> {
    pub(super) fn new(
        keeper: &'s mut Gathers,
        id: GatherId,
        settings: GatherSettings,
        fetcher: Arc<dyn Fetcher>,
        strategy: &'s mut dyn Strategy,
        watch: &'s mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Asking<'s>, CrawlError> {
        let requests = keeper.gather(id)?.map_or(0, |row| u64::from(row.requests));
        let delay = settings.delay.as_millis() as Millis;
        Ok(Asking {
            keeper,
            id,
            strategy,
            watch,
            fetcher,
            runtime: crate::threads::runtime(crate::threads::Threads::within(1, 0)?.workers)?,
            frontier: Frontier::new(settings.per_host, delay, settings.limits.adaptive_delay_ms),
            hosts: Hosts::default(),
            origins: HashMap::new(),
            queue: VecDeque::new(),
            first: 0,
            sent: 0,
            at_doors: Vec::new(),
            events: crossbeam_channel::unbounded(),
            interrupt,
            stop_said: false,
            requests,
            progress: Progress { limit: settings.most_requests, ..Progress::default() },
            began: Instant::now(),
            last_tick: Instant::now(),
            settings,
        })
    }

    pub(super) fn run(mut self) -> Result<Summary, CrawlError> {
        let end = self.rounds();
        // Whatever happened, no thread is left behind.
        self.runtime.shutdown_timeout(Duration::from_millis(200));
        self.progress.elapsed = self.began.elapsed();
        Ok(Summary { end: end?, progress: self.progress })
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        let mut plan = Plan::default();
        self.strategy.begin(&[], &mut plan);
        self.take_up(plan)?;
        loop {
            self.tell_answers()?;
            let interrupted = self.interrupt.load(Ordering::Relaxed);
            let spent = self.settings.most_requests.is_some_and(|most| self.requests >= most);
            if self.frontier.under_way() == 0 {
                let end = match () {
                    () if interrupted => Some(End::Interrupted),
                    () if self.stop_said => Some(End::Stopped),
                    () if self.queue.is_empty() => Some(End::Finished),
                    () if spent => Some(End::PageLimit),
                    () => None,
                };
                if let Some(end) = end {
                    self.tick(true);
                    return Ok(end);
                }
            }
            let halt = interrupted || spent || self.stop_said;
            if !halt {
                self.send_out()?;
                self.dispatch();
            }
            self.take_events(self.patience(halt))?;
            self.tick(false);
        }
    }

    /// Takes up what the strategy asks. What has an answer is not asked again.
    fn take_up(&mut self, plan: Plan) -> Result<(), StoreError> {
        for command in plan.commands {
            match command {
                Command::Ask(ask) if self.queue.len() < WAITING => {
                    self.queue.push_back(Question { ask: *ask, under_way: false });
                }
                Command::Ask(ask) => return Err(StoreError::Damaged(format!("{}: too many questions", ask.about))),
                Command::Stop => self.stop_said = true,
                // Pages are the business of a crawl.
                Command::Want(..) | Command::Drop(..) => {}
            }
        }
        Ok(())
    }

    /// Tells the strategy all answers that are there, as long as none before them is missing.
    fn tell_answers(&mut self) -> Result<(), StoreError> {
        while let Some(question) = self.queue.front() {
            if self.stop_said || self.interrupt.load(Ordering::Relaxed) || question.under_way {
                break;
            }
            let Some(row) = self.keeper.answer(self.id, &question.ask.key)? else { break };
            let Some(question) = self.queue.pop_front() else { break };
            self.first += 1;
            self.sent = self.sent.max(self.first);
            let mut plan = Plan::default();
            self.strategy.answer(&answer_of(&question.ask.key, &row), &mut plan);
            self.take_up(plan)?;
        }
        self.progress.queued = self.queue.len() as u64;
        Ok(())
    }

    /// Sends errands out with the next questions, as many as can be under way.
    fn send_out(&mut self) -> Result<(), StoreError> {
        for id in self.hosts.due(self.now()) {
            self.ask_host(id);
        }
        let waiting = std::mem::take(&mut self.at_doors);
        for errand in waiting {
            self.admit(errand)?;
        }
        let ahead = self.first + (self.settings.concurrency.max(1) * 2) as u64;
        while self.sent < ahead && self.sent < self.first + self.queue.len() as u64 {
            let number = self.sent;
            self.sent += 1;
            let place = (number - self.first) as usize;
            let key = self.queue[place].ask.key.clone();
            if self.keeper.answer(self.id, &key)?.is_some() {
                continue;
            }
            let mut request = self.queue[place].ask.request.clone();
            if let Some(before) = self.keeper.answer_before(self.id, &key)?.filter(|row| row.reason == Reason::Fetched)
            {
                request.validators = validators(&request, &before);
            }
            self.queue[place].under_way = true;
            self.admit(Errand { question: number, request, through: Vec::new(), tries: 0, requests: 0 })?;
        }
        Ok(())
    }

    /// Lets an errand into the lane of its server, if its host is open to it.
    fn admit(&mut self, errand: Errand) -> Result<(), StoreError> {
        let url = &errand.request.url;
        if url.as_str().len() as u64 > self.settings.limits.url_bytes {
            return self.close(&errand, Reason::EndlessPath);
        }
        if !(self.settings.may_ask)(url) {
            return self.close(&errand, Reason::OutOfScope);
        }
        let id = self.host_of(url)?;
        let Some(host) = self.hosts.get(id) else { return self.close(&errand, Reason::Malformed) };
        match &host.standing {
            Standing::Fresh => {
                self.at_doors.push(errand);
                self.ask_host(id);
            }
            Standing::Asked | Standing::Later(_) => self.at_doors.push(errand),
            Standing::Closed(reason, _) => {
                let reason = *reason;
                return self.close(&errand, reason);
            }
            Standing::Open { robots, .. } if !robots.allows(url) => return self.close(&errand, Reason::Robots),
            Standing::Open { lane, .. } => self.frontier.offer(*lane, errand),
        }
        Ok(())
    }

    fn host_of(&mut self, url: &Url) -> Result<HostId, StoreError> {
        let origin = url.origin().ascii_serialization();
        if let Some(id) = self.origins.get(&origin) {
            return Ok(*id);
        }
        let id = HostId(u32::try_from(self.origins.len()).unwrap_or(u32::MAX));
        let kept = self.keeper.robots(&origin)?;
        let row = kept.map(|RobotsKept { at, status, body }| RobotsRow { host: id, at, status, body });
        self.hosts.add(id, &origin, row);
        self.origins.insert(origin, id);
        Ok(id)
    }

    fn ask_host(&mut self, id: HostId) {
        let Some(host) = self.hosts.get(id) else { return };
        let errand = host.errand(self.settings.robots, epoch(), &self.settings.limits);
        let origin = host.origin.clone();
        self.hosts.sent_for(id);
        let (fetcher, limits) = (Arc::clone(&self.fetcher), self.settings.limits.clone());
        let (delay, stranger) = (self.settings.delay, self.settings.stranger_delay);
        let nothing = Event::Host(id, Lane::Host(origin.to_string()), Box::new(no_answer()));
        let messenger = Messenger::new(self.events.0.clone(), nothing);
        self.runtime.spawn(async move {
            let lane = fetcher.lane(&origin).await;
            let answer = match errand {
                AtTheDoor::Ask => {
                    let pause = delay.max(least_pause(&lane, stranger));
                    robots(&*fetcher, &origin, pause, &limits).await
                }
                AtTheDoor::Resolve(answer) => answer,
            };
            messenger.conclude(Event::Host(id, lane, Box::new(answer)));
        });
    }

    fn host_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) -> Result<(), StoreError> {
        let now = (self.now(), epoch());
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        let (frontier, name) = (&mut self.frontier, lane_name(lane));
        let least = least_pause(lane, self.settings.stranger_delay).as_millis() as Millis;
        let lane_of = |pause: Millis| frontier.lane(&name, pause.max(least));
        let row = host.answered(id, answer, &self.settings.agent, &self.settings.limits, lane_of, now);
        if let (Standing::Open { lane, .. }, Some(asked)) = (&host.standing, answer.asked) {
            // The first question comes a pause after the robots.txt.
            let asked = asked.saturating_duration_since(self.began).as_millis() as Millis;
            self.frontier.hold_up(*lane, asked + self.frontier.pause(*lane));
        }
        let origin = host.origin.origin().ascii_serialization();
        if let Some(RobotsRow { at, status, body, .. }) = row {
            self.keeper.keep_robots(&origin, &RobotsKept { at, status, body })?;
        }
        self.hosts.heard_from(id);
        // The list of hungry hosts is for crawls; nobody here reads it.
        while self.hosts.hungry().is_some() {}
        Ok(())
    }

    /// Hands out errands as far as politeness, connections and the budget allow.
    fn dispatch(&mut self) {
        loop {
            let under_way = self.frontier.under_way();
            let left = self.settings.most_requests.is_none_or(|most| self.requests + (under_way as u64) < most);
            if under_way >= self.settings.concurrency.max(1) || !left {
                break;
            }
            let Some((lane, mut errand)) = self.frontier.ready(self.now()) else { break };
            errand.requests += 1;
            let (fetcher, most) = (Arc::clone(&self.fetcher), self.settings.limits.wire_bytes);
            let home = self.events.0.clone();
            self.runtime.spawn(async move {
                let mut under_way = UnderWay { back: Some(errand.clone()), lane, begun: Instant::now(), home };
                let outcome = errand.ask(&*fetcher, most).await;
                under_way.bring(outcome);
            });
        }
    }

    fn take_events(&mut self, wait: Duration) -> Result<(), StoreError> {
        let mut next = self.events.1.recv_timeout(wait).ok();
        while let Some(event) = next {
            match event {
                Event::Back(back) => self.came_home(*back)?,
                Event::Host(id, lane, answer) => self.host_answered(id, &lane, &answer)?,
            }
            next = self.events.1.try_recv().ok();
        }
        Ok(())
    }

    fn came_home(&mut self, back: Back) -> Result<(), StoreError> {
        let Back { mut errand, lane, outcome, asked, latency } = back;
        self.requests += 1;
        self.progress.fetches += 1;
        let limits = &self.settings.limits;
        let last = u64::from(errand.tries) >= limits.retries;
        let asked = asked.saturating_duration_since(self.began).as_millis() as Millis;
        let mut feedback = Feedback { asked, latency, ..Feedback::default() };
        let reply = reply::read(outcome, &errand.request.url, last, limits, &mut feedback);
        let (most, retry) = (limits.redirects, limits.retry_ms << errand.tries.min(3));
        // What came is kept before the lane is given back: a kill costs at most what is under way.
        match reply {
            Reply::Done(answer) => {
                self.progress.bytes += answer.body.len() as u64;
                self.keep(&errand, *answer)?;
                self.frontier.settle(lane, feedback, self.now());
            }
            Reply::Unchanged => {
                self.keep_unchanged(&errand)?;
                self.frontier.settle(lane, feedback, self.now());
            }
            Reply::Again(wait) => {
                self.frontier.settle(lane, feedback, self.now());
                errand.tries += 1;
                self.frontier.offer_at(lane, errand, self.now() + wait.unwrap_or(retry));
            }
            Reply::Elsewhere(status, to) => {
                self.frontier.settle(lane, feedback, self.now());
                if errand.request.url == to || errand.through.contains(&to) {
                    return self.close(&errand, Reason::RedirectLoop);
                }
                if errand.through.len() as u64 >= most {
                    return self.close(&errand, Reason::RedirectChain);
                }
                self.admit(errand.redirected(status, to))?;
            }
        }
        Ok(())
    }

    /// The answer is that of the generation before.
    fn keep_unchanged(&mut self, errand: &Errand) -> Result<(), StoreError> {
        let key = self.question(errand).map(|question| question.ask.key.clone()).unwrap_or_default();
        let answer = match self.keeper.answer_before(self.id, &key)? {
            Some(before) => AnswerRow { at: epoch(), unchanged: true, ..before },
            // Nobody asked conditionally: the server makes no sense.
            None => reply::nothing(&errand.request.url, Reason::BadAnswer, 304),
        };
        self.keep(errand, answer)
    }

    /// There will be no answer.
    fn close(&mut self, errand: &Errand, reason: Reason) -> Result<(), StoreError> {
        let answer = reply::nothing(&errand.request.url, reason, 0);
        self.keep(errand, answer)
    }

    fn keep(&mut self, errand: &Errand, answer: AnswerRow) -> Result<(), StoreError> {
        let Some(question) = self.question(errand) else { return Ok(()) };
        question.under_way = false;
        let (key, about) = (question.ask.key.clone(), question.ask.about.clone());
        let answer = AnswerRow { key, about, requests: errand.requests, ..answer };
        self.watch.page(&PageSeen {
            url: &answer.address,
            reason: answer.reason,
            status: answer.status,
            depth: groma_model::Depth(0),
            size: answer.body.len() as u64,
            media_type: &answer.media_type,
            title: &answer.about,
        });
        self.progress.indexed += 1;
        // What is in the survey is in its archive.
        self.fetcher.settle().map_err(archive_trouble)?;
        if !self.keeper.keep(self.id, &answer)? {
            return Err(StoreError::Damaged(format!("gathering {} is gone", self.id.0)));
        }
        Ok(())
    }

    fn question(&mut self, errand: &Errand) -> Option<&mut Question> {
        let place = errand.question.checked_sub(self.first)?;
        self.queue.get_mut(usize::try_from(place).ok()?)
    }

    /// How long to wait for an event. Where nothing more can be handed out, only an event changes anything.
    fn patience(&self, halt: bool) -> Duration {
        if halt || self.frontier.under_way() >= self.settings.concurrency.max(1) {
            return TICK;
        }
        let wake = self.frontier.wake_at().into_iter().chain(self.hosts.wake_at()).min();
        let wait = wake.map_or(TICK, |at| Duration::from_millis(at.saturating_sub(self.now())));
        wait.clamp(Duration::from_millis(1), TICK)
    }

    fn now(&self) -> Millis {
        self.began.elapsed().as_millis() as Millis
    }

    fn tick(&mut self, now: bool) {
        if now || self.last_tick.elapsed() >= TICK {
            self.last_tick = Instant::now();
            self.progress.elapsed = self.began.elapsed();
            self.progress.under_way = self.frontier.under_way();
            self.progress.servers = self.frontier.busiest();
            self.watch.tick(&self.progress);
        }
    }
}

/// What was kept of an answer, to be told only of a change. What is posted is always asked anew.
fn validators(request: &Request, before: &AnswerRow) -> Option<Validators> {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let known = Validators { etag: given(&before.etag), last_modified: given(&before.last_modified) };
    let usable = known.etag.is_some() || known.last_modified.is_some();
    (usable && request.method == groma_model::outcome::Method::Get).then_some(known)
}

fn answer_of<'a>(key: &'a str, row: &'a AnswerRow) -> Answer<'a> {
    Answer {
        key,
        reason: row.reason,
        status: row.status,
        address: &row.address,
        media_type: &row.media_type,
        charset: Some(row.charset.as_str()).filter(|charset| !charset.is_empty()),
        body: &row.body,
        cut: row.cut,
        unchanged: row.unchanged,
    }
}
