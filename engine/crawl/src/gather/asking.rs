//! The loop: questions out, answers kept, the strategy told in the order in which it asked.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use groma_url::Url;

use groma_fetch::{Fetcher, Lane, RobotsAnswer};
use groma_model::{HostId, Reason, Request, Validators};
use groma_page::{Filter, Html};
use groma_render::{Blind, Browser, Look};
use groma_store::gathers::{AnswerRow, GatherId, Gathers, RobotsKept};
use groma_store::{RobotsRow, StoreError};
use groma_strategy::{Answer, AskPlan, Asker};

use super::operate::{Operating, operate};
use super::question_task::{Back, Event, Held, QuestionTask, UnderWay};
use super::questions::Questions;
use super::reply::{self, Reply};
use super::settings::{GatherSettings, MayAsk};
use crate::epoch::epoch;
use crate::error::CrawlError;
use crate::kernel::{Feedback, HostNews, Kernel, Standing};
use crate::progress::{End, PageSeen, Progress, Summary, Watch};
use crate::render::{PoliteFetcher, answer_for_page};
use crate::threads::{self, Threads};

/// A gathering under way.
pub(super) struct Asking<'s> {
    keeper: &'s mut Gathers,
    id: GatherId,
    most_requests: Option<u64>,
    /// Which URLs may be asked at all.
    may_ask: MayAsk,
    asker: &'s mut dyn Asker,
    watch: &'s mut dyn Watch,
    kernel: Kernel<QuestionTask>,
    origins: HashMap<String, HostId>,
    questions: Questions,
    /// Tasks that wait for a word from their host.
    at_doors: Vec<QuestionTask>,
    events: (Sender<Event>, Receiver<Event>),
    /// Once a search box had to be operated.
    browser: Option<Arc<Browser>>,
    stop_said: bool,
    /// Requests of this generation.
    requests: u64,
    progress: Progress,
}

impl<'s> Asking<'s> {
    pub(super) fn new(
        keeper: &'s mut Gathers,
        id: GatherId,
        settings: GatherSettings,
        fetcher: Arc<dyn Fetcher>,
        asker: &'s mut dyn Asker,
        watch: &'s mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Asking<'s>, CrawlError> {
        let requests = keeper.gather(id)?.map_or(0, |row| u64::from(row.requests));
        let runtime = threads::runtime(Threads::within(1, 0)?.workers)?;
        let GatherSettings { manners, most_requests, may_ask } = settings;
        Ok(Asking {
            keeper,
            id,
            most_requests,
            may_ask,
            asker,
            watch,
            kernel: Kernel::new(manners, fetcher, runtime, interrupt),
            origins: HashMap::new(),
            questions: Questions::default(),
            at_doors: Vec::new(),
            events: crossbeam_channel::unbounded(),
            browser: None,
            stop_said: false,
            requests,
            progress: Progress { limit: most_requests, ..Progress::default() },
        })
    }

    pub(super) fn run(mut self) -> Result<Summary, CrawlError> {
        let end = self.rounds();
        // Whatever happened, no thread is left behind.
        self.progress.elapsed = self.kernel.shut_down().elapsed();
        Ok(Summary { end: end?, progress: self.progress })
    }

    fn rounds(&mut self) -> Result<End, StoreError> {
        let mut plan = AskPlan::default();
        self.asker.begin(&mut plan);
        self.take_up(plan)?;
        loop {
            self.tell_answers()?;
            let interrupted = self.kernel.is_interrupted();
            let spent = self.most_requests.is_some_and(|most| self.requests >= most);
            if self.kernel.frontier.under_way() == 0 {
                let end = match () {
                    () if interrupted => Some(End::Interrupted),
                    () if self.stop_said => Some(End::Stopped),
                    () if self.questions.len() == 0 => Some(End::Finished),
                    () if spent => Some(End::PageLimit),
                    () => None,
                };
                if let Some(end) = end {
                    self.tell(true);
                    return Ok(end);
                }
            }
            let halt = interrupted || spent || self.stop_said;
            if !halt {
                self.send_out()?;
                self.dispatch();
            }
            let idle = halt || !self.kernel.has_connection();
            self.take_events(self.kernel.patience(idle))?;
            self.tell(false);
        }
    }

    /// Takes up what the strategy asks. What has an answer is not asked again.
    fn take_up(&mut self, plan: AskPlan) -> Result<(), StoreError> {
        self.stop_said |= plan.stop;
        plan.asks.into_iter().try_for_each(|ask| self.questions.ask(ask))
    }

    /// Tells the strategy all answers that are there, as long as none before them is missing.
    fn tell_answers(&mut self) -> Result<(), StoreError> {
        while !self.stop_said && !self.kernel.is_interrupted() {
            let Some(first) = self.questions.first() else { break };
            let Some(row) = self.keeper.answer(self.id, &first.key)? else { break };
            let Some(ask) = self.questions.take_first() else { break };
            let mut plan = AskPlan::default();
            self.asker.answer(&answer_of(&ask.key, &row), &mut plan);
            self.take_up(plan)?;
        }
        self.progress.queued = self.questions.len() as u64;
        Ok(())
    }

    /// Sends tasks out with the next questions, as many as can be under way.
    fn send_out(&mut self) -> Result<(), StoreError> {
        for id in self.kernel.hosts.due(self.kernel.now()) {
            self.kernel.ask_server(id, &self.events.0);
        }
        let waiting = std::mem::take(&mut self.at_doors);
        for task in waiting {
            self.admit(task)?;
        }
        let ahead = (self.kernel.manners.concurrency * 2) as u64;
        while let Some((question, ask)) = self.questions.next_unsent(ahead) {
            if self.keeper.answer(self.id, &ask.key)?.is_some() {
                continue;
            }
            let mut request = ask.request.clone();
            let before = self.keeper.answer_before(self.id, &ask.key)?;
            if let Some(before) = before.filter(|row| row.reason == Reason::Fetched) {
                request.validators = validators(&request, &before);
            }
            self.questions.set_under_way(question, true);
            self.admit(QuestionTask { question, request, through: Vec::new(), tries: 0, requests: 0 })?;
        }
        Ok(())
    }

    /// Lets a task into the lane of its server, if its host is open to it.
    fn admit(&mut self, task: QuestionTask) -> Result<(), StoreError> {
        let url = &task.request.url;
        if url.as_str().len() as u64 > self.kernel.manners.limits.url_bytes {
            return self.close(&task, Reason::EndlessPath);
        }
        if !(self.may_ask)(url) {
            return self.close(&task, Reason::OutOfScope);
        }
        let id = self.host_of(url)?;
        let Some(host) = self.kernel.hosts.get(id) else { return self.close(&task, Reason::Malformed) };
        match &host.standing {
            Standing::Fresh => {
                self.at_doors.push(task);
                self.kernel.ask_server(id, &self.events.0);
            }
            Standing::Asked | Standing::Later(_) => self.at_doors.push(task),
            Standing::Closed(reason, _) => {
                let reason = *reason;
                return self.close(&task, reason);
            }
            Standing::Open { robots, .. } if !robots.allows(url) => return self.close(&task, Reason::Robots),
            Standing::Open { lane, .. } => self.kernel.frontier.offer(*lane, task),
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
        self.kernel.hosts.add(id, &origin, row);
        self.origins.insert(origin, id);
        Ok(id)
    }

    fn host_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) -> Result<(), StoreError> {
        self.kernel.asking -= 1;
        let row = self.kernel.robots_answered(id, lane, answer);
        let Some(host) = self.kernel.hosts.get(id) else { return Ok(()) };
        let origin = host.origin.origin().ascii_serialization();
        if let Some(RobotsRow { at, status, body, .. }) = row {
            self.keeper.keep_robots(&origin, &RobotsKept { at, status, body })?;
        }
        self.kernel.hosts.heard_from(id);
        // The list of hungry hosts is for crawls; nobody here reads it.
        while self.kernel.hosts.hungry().is_some() {}
        Ok(())
    }

    /// Hands out tasks as far as politeness, connections and the budget allow.
    fn dispatch(&mut self) {
        loop {
            let under_way = self.kernel.frontier.under_way() as u64;
            let left = self.most_requests.is_none_or(|most| self.requests + under_way < most);
            if !self.kernel.has_connection() || !left {
                break;
            }
            let Some((lane, mut task)) = self.kernel.frontier.ready(self.kernel.now()) else { break };
            task.requests += 1;
            let (fetcher, most) = (Arc::clone(&self.kernel.fetcher), self.kernel.manners.limits.wire_bytes);
            let home = self.events.0.clone();
            self.kernel.runtime.spawn(async move {
                let mut under_way = UnderWay { back: Some(task.clone()), lane, begun: Instant::now(), home };
                let outcome = task.ask(&*fetcher, most).await;
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
                    self.kernel.ask_robots(id, lane, Duration::ZERO, &self.events.0);
                }
                Event::Host(HostNews::Robots(id, lane, answer)) => self.host_answered(id, &lane, &answer)?,
                Event::ForPage(question) => answer_for_page(&mut self.kernel, question),
                Event::Operated(operating) => self.was_operated(*operating)?,
            }
            next = self.events.1.try_recv().ok();
        }
        Ok(())
    }

    fn came_home(&mut self, back: Back) -> Result<(), StoreError> {
        let Back { mut task, lane, outcome, asked, latency } = back;
        self.requests += 1;
        self.progress.fetches += 1;
        let (manners, asked) = (&self.kernel.manners, self.kernel.clock(asked));
        let (limits, last) = (&manners.limits, manners.is_last_try(task.tries));
        let mut feedback = Feedback { asked, latency, ..Feedback::default() };
        let reply = reply::read(outcome, &task.request.url, last, limits, &mut feedback);
        let (most, retry) = (limits.redirects, manners.retry_wait(task.tries));
        // What came is kept before the lane is given back: a kill costs at most what is under way.
        match reply {
            Reply::Done(answer) if self.is_to_be_operated(&task, &answer) => {
                self.progress.bytes += answer.body.len() as u64;
                let seen = Err(Blind::Crashed);
                self.operate(Operating { held: (task, lane, feedback), answer: *answer, seen, cost: (0, 0) });
            }
            Reply::Done(answer) => {
                self.progress.bytes += answer.body.len() as u64;
                self.keep(&task, *answer)?;
                self.kernel.frontier.settle(lane, feedback, self.kernel.now());
            }
            Reply::Unchanged => {
                self.keep_unchanged(&task)?;
                self.kernel.frontier.settle(lane, feedback, self.kernel.now());
            }
            Reply::Again(wait) => {
                self.kernel.frontier.settle(lane, feedback, self.kernel.now());
                task.tries += 1;
                self.kernel.frontier.offer_at(lane, task, self.kernel.now() + wait.unwrap_or(retry));
            }
            Reply::Elsewhere(status, to) => {
                self.kernel.frontier.settle(lane, feedback, self.kernel.now());
                if task.request.url == to || task.through.contains(&to) {
                    return self.close(&task, Reason::RedirectLoop);
                }
                if task.through.len() as u64 >= most {
                    return self.close(&task, Reason::RedirectChain);
                }
                self.admit(task.redirected(status, to))?;
            }
        }
        Ok(())
    }

    fn is_to_be_operated(&mut self, task: &QuestionTask, answer: &AnswerRow) -> bool {
        let is_wanted = self.questions.asked(task.question).is_some_and(|ask| ask.operate);
        is_wanted && answer.reason == Reason::Fetched && Html.takes(&answer.media_type)
    }

    /// Has the search box of a page operated. Its place in the lane is held meanwhile.
    fn operate(&mut self, operating: Operating<Held>) {
        let kernel = &self.kernel;
        let limits = &kernel.manners.limits;
        let look = || Look { pages: 1, pictures: false, limits: limits.clone() };
        let browser = Arc::clone(self.browser.get_or_insert_with(|| Arc::new(Browser::new(look()))));
        let polite_fetcher = PoliteFetcher::new(Arc::clone(&kernel.fetcher), self.events.0.clone(), &kernel.manners);
        let home = self.events.0.clone();
        let come_home = move |operating| drop(home.send(Event::Operated(Box::new(operating))));
        kernel.runtime.spawn(operate(browser, Arc::new(polite_fetcher), operating, come_home));
    }

    fn was_operated(&mut self, operating: Operating<Held>) -> Result<(), StoreError> {
        let (fetches, bytes) = operating.cost;
        self.requests += fetches;
        self.progress.fetches += fetches;
        self.progress.bytes += bytes;
        let ((mut task, lane, feedback), answer, says) = operating.finish(&*self.may_ask);
        task.requests += u32::try_from(fetches).unwrap_or(u32::MAX);
        self.watch.notice(&says);
        self.keep(&task, answer)?;
        self.kernel.frontier.settle(lane, feedback, self.kernel.now());
        Ok(())
    }

    /// The answer is that of the generation before.
    fn keep_unchanged(&mut self, task: &QuestionTask) -> Result<(), StoreError> {
        let key = self.questions.asked(task.question).map(|ask| ask.key.clone()).unwrap_or_default();
        let answer = match self.keeper.answer_before(self.id, &key)? {
            Some(before) => AnswerRow { at: epoch(), unchanged: true, ..before },
            // Nobody asked conditionally: the server makes no sense.
            None => reply::nothing(&task.request.url, Reason::BadAnswer, 304),
        };
        self.keep(task, answer)
    }

    /// There will be no answer.
    fn close(&mut self, task: &QuestionTask, reason: Reason) -> Result<(), StoreError> {
        let answer = reply::nothing(&task.request.url, reason, 0);
        self.keep(task, answer)
    }

    fn keep(&mut self, task: &QuestionTask, answer: AnswerRow) -> Result<(), StoreError> {
        let Some(ask) = self.questions.asked(task.question) else { return Ok(()) };
        let (key, about) = (ask.key.clone(), ask.about.clone());
        self.questions.set_under_way(task.question, false);
        let answer = AnswerRow { key, about, requests: task.requests, ..answer };
        self.watch.page(&PageSeen {
            url: &answer.address,
            reason: answer.reason,
            status: answer.status,
            depth: groma_model::Depth(0),
            size: answer.body.len() as u64,
            media_type: &answer.media_type,
            title: &answer.about,
        });
        self.progress.fetched += 1;
        // What is in the survey is in its archive.
        self.kernel.settle_archive()?;
        if !self.keeper.keep(self.id, &answer)? {
            return Err(StoreError::Damaged(format!("gathering {} is gone", self.id.0)));
        }
        Ok(())
    }

    fn tell(&mut self, now: bool) {
        self.kernel.tick(&mut self.progress, self.watch, now);
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
