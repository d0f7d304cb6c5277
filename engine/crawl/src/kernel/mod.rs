//! What fetching pages and asking questions have in common: lanes with their pauses, hosts with their robots.txt, the clock, how long to
//! wait for an event, when to try again, and the word that somebody interrupts.
//!
//! [`Kernel`] is generic in what waits in its lanes: a page of a crawl, a question of a gathering. What is heard of hosts comes
//! back as [`HostNews`] inside the events of whichever loop asked.

mod frontier;
mod hosts;
mod messenger;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use tokio::runtime::Runtime;

use groma_fetch::{Fetcher, Lane, RobotsAnswer, Trouble, robots};
use groma_model::{HostId, Limits, Outcome};
use groma_store::{RobotsRow, StoreError};
use groma_url::Url;

pub(crate) use frontier::{Feedback, Frontier, LaneId, Millis};
pub(crate) use hosts::{Host, Hosts, Standing, lane_name, least_pause};
pub(crate) use messenger::Messenger;

use crate::epoch::epoch;
use crate::progress::{Progress, Watch};
use hosts::{HostTask, no_answer};

/// How often whoever watches is told, and the longest wait for an event.
const TICK: Duration = Duration::from_millis(200);
/// How long fetches may take to notice that nobody waits for them.
const SHUTDOWN: Duration = Duration::from_millis(200);

/// How servers are treated, by crawls, gatherings and looks at one page alike.
#[derive(Clone, Debug)]
pub struct Manners {
    /// Fetches under way at once, over all servers.
    pub concurrency: usize,
    /// Fetches under way at once at one server.
    pub per_host: usize,
    /// Least time between the starts of two fetches at one server.
    pub delay: Duration,
    /// The same at servers that are not on loopback, where `delay` was chosen for one that is.
    pub stranger_delay: Duration,
    /// The product token robots.txt files are searched for.
    pub agent: String,
    /// Whether robots.txt is obeyed.
    pub robots: bool,
    pub limits: Limits,
}

impl Manners {
    /// How long to wait before something is tried again, if the server did not say: twice as long each time, up to eight times.
    pub(crate) fn retry_wait(&self, tries: u32) -> Millis {
        self.limits.retry_ms << tries.min(3)
    }

    /// Has something that failed for a passing reason used up its tries?
    pub(crate) fn is_last_try(&self, tries: u32) -> bool {
        u64::from(tries) >= self.limits.retries
    }
}

/// What is heard of a host.
pub(crate) enum HostNews {
    /// Its server is known.
    Server(HostId, Lane),
    /// Its robots.txt has been asked for.
    Robots(HostId, Lane, Box<RobotsAnswer>),
}

/// Lanes, hosts and the clock of one loop; `T` is what waits in the lanes.
pub(crate) struct Kernel<T> {
    pub(crate) frontier: Frontier<T>,
    pub(crate) hosts: Hosts,
    pub(crate) fetcher: Arc<dyn Fetcher>,
    pub(crate) runtime: Runtime,
    pub(crate) manners: Manners,
    /// Hosts being asked for their robots.txt.
    pub(crate) asking: usize,
    interrupt: Arc<AtomicBool>,
    began: Instant,
    last_tick: Instant,
}

impl<T> Kernel<T> {
    pub(crate) fn new(
        manners: Manners,
        fetcher: Arc<dyn Fetcher>,
        runtime: Runtime,
        interrupt: Arc<AtomicBool>,
    ) -> Kernel<T> {
        let manners = Manners { concurrency: manners.concurrency.max(1), ..manners };
        let delay = manners.delay.as_millis() as Millis;
        let now = Instant::now();
        Kernel {
            frontier: Frontier::new(manners.per_host, delay, manners.limits.adaptive_delay_ms),
            hosts: Hosts::default(),
            fetcher,
            runtime,
            manners,
            asking: 0,
            interrupt,
            began: now,
            last_tick: now,
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.began.elapsed().as_millis() as Millis
    }

    /// A moment on the clock of the lanes; the beginning for what was before it.
    pub(crate) fn clock(&self, moment: Instant) -> Millis {
        moment.saturating_duration_since(self.began).as_millis() as Millis
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Is a connection free?
    pub(crate) fn has_connection(&self) -> bool {
        self.frontier.under_way() < self.manners.concurrency
    }

    /// How long to wait for an event. Where nothing more can be begun (`idle`), only an event changes anything.
    pub(crate) fn patience(&self, idle: bool) -> Duration {
        if idle {
            return TICK;
        }
        let wake = self.frontier.wake_at().into_iter().chain(self.hosts.wake_at()).min();
        let wait = wake.map_or(TICK, |at| Duration::from_millis(at.saturating_sub(self.now())));
        wait.clamp(Duration::from_millis(1), TICK)
    }

    /// Tells whoever watches where it stands, if it is time or `now`.
    pub(crate) fn tick(&mut self, progress: &mut Progress, watch: &mut dyn Watch, now: bool) {
        if now || self.last_tick.elapsed() >= TICK {
            self.last_tick = Instant::now();
            progress.elapsed = self.began.elapsed();
            progress.under_way = self.frontier.under_way();
            progress.servers = self.frontier.busiest();
            watch.tick(progress);
        }
    }

    /// Begins to find out where a host stands: first, which server is it?
    pub(crate) fn ask_server<E: From<HostNews> + Send + 'static>(&mut self, id: HostId, events: &Sender<E>) {
        let Some(host) = self.hosts.get(id) else { return };
        host.standing = Standing::Asked;
        let origin = host.origin.clone();
        self.hosts.sent_for(id);
        self.asking += 1;
        let fetcher = Arc::clone(&self.fetcher);
        let messenger = Messenger::new(events.clone(), unheard(id, Lane::Host(origin.to_string())));
        self.runtime.spawn(async move {
            let lane = fetcher.lane(&origin).await;
            messenger.conclude(HostNews::Server(id, lane).into());
        });
    }

    /// Then: what does its robots.txt say? It is not asked for before the server has had its `rest`.
    pub(crate) fn ask_robots<E: From<HostNews> + Send + 'static>(
        &mut self,
        id: HostId,
        lane: Lane,
        rest: Duration,
        events: &Sender<E>,
    ) {
        let Some(host) = self.hosts.get(id) else {
            self.asking -= 1;
            return;
        };
        let task = host.task(self.manners.robots, epoch(), &self.manners.limits);
        let origin = host.origin.clone();
        let messenger = Messenger::new(events.clone(), unheard(id, lane.clone()));
        let (fetcher, limits) = (Arc::clone(&self.fetcher), self.manners.limits.clone());
        let pause = self.manners.delay.max(least_pause(&lane, self.manners.stranger_delay));
        self.runtime.spawn(async move {
            let answer = match task {
                HostTask::Resolve(answer) => answer,
                HostTask::Ask => {
                    tokio::time::sleep(rest).await;
                    robots(&*fetcher, &origin, pause, &limits).await
                }
            };
            messenger.conclude(HostNews::Robots(id, lane, Box::new(answer)).into());
        });
    }

    /// Opens or closes a host by the answer to its robots.txt. Returns the row to keep, if it is worth keeping. The first fetch comes a pause
    /// after the robots.txt.
    pub(crate) fn robots_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) -> Option<RobotsRow> {
        let now = (self.now(), epoch());
        let host = self.hosts.get(id)?;
        let (frontier, name) = (&mut self.frontier, lane_name(lane));
        let least = least_pause(lane, self.manners.stranger_delay).as_millis() as Millis;
        let (fetcher, origin) = (&self.fetcher, host.origin.clone());
        let lane_of = |pause: Millis| {
            fetcher.keep_pace(&origin, Duration::from_millis(pause.max(least)));
            frontier.lane(&name, pause.max(least))
        };
        let row = host.answered(id, answer, &self.manners.agent, &self.manners.limits, lane_of, now);
        if let (Standing::Open { lane, .. }, Some(asked)) = (&host.standing, answer.asked) {
            let lane = *lane;
            self.hold_up(lane, asked);
        }
        row
    }

    /// The next fetch in this lane comes a pause after `asked`.
    pub(crate) fn hold_up(&mut self, lane: LaneId, asked: Instant) {
        let until = self.clock(asked) + self.frontier.pause(lane);
        self.frontier.hold_up(lane, until);
    }

    /// Is the host of a URL found by its name?
    pub(crate) fn finds(&self, url: &Url) -> bool {
        matches!(self.runtime.block_on(self.fetcher.lane(url)), Lane::Ip(_))
    }

    /// What an archive was shown is on disk, or it is said why it cannot be: what is in the survey is in its archive.
    pub(crate) fn settle_archive(&self) -> Result<(), StoreError> {
        self.fetcher.settle().map_err(archive_trouble)
    }

    /// Ends the fetches under way; returns when all began.
    pub(crate) fn shut_down(self) -> Instant {
        self.runtime.shutdown_timeout(SHUTDOWN);
        self.began
    }
}

/// What is taken to be heard of a host that could not even be asked.
fn unheard<E: From<HostNews>>(id: HostId, lane: Lane) -> E {
    HostNews::Robots(id, lane, Box::new(no_answer())).into()
}

/// When something that has just come home was asked for.
pub(crate) fn asked(outcome: &Outcome) -> Instant {
    let now = Instant::now();
    now.checked_sub(outcome.took()).unwrap_or(now)
}

/// The archive cannot take any more.
fn archive_trouble(trouble: Trouble) -> StoreError {
    let Trouble { path, kind, says } = trouble;
    match kind {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => StoreError::NoRoom(path),
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(path),
        _ => StoreError::Io { path, source: std::io::Error::new(kind, says) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{kernel, manners};

    impl From<HostNews> for (HostId, &'static str) {
        fn from(news: HostNews) -> Self {
            match news {
                HostNews::Server(id, _) => (id, "server"),
                HostNews::Robots(id, ..) => (id, "robots"),
            }
        }
    }

    #[test]
    fn a_host_is_asked_for_its_server_and_then_opens() {
        let mut kernel: Kernel<u32> = kernel(&Limits::default());
        let (id, (say, hear)) = (HostId(1), crossbeam_channel::unbounded::<(HostId, &str)>());
        let patience = Duration::from_secs(60);
        kernel.hosts.add(id, "http://a.test", None);
        kernel.ask_server(id, &say);
        assert_eq!((kernel.asking, hear.recv_timeout(patience)), (1, Ok((id, "server"))));
        let lane = Lane::Host("server".to_owned());
        kernel.ask_robots(id, lane.clone(), Duration::ZERO, &say);
        assert_eq!(hear.recv_timeout(patience), Ok((id, "robots")));
        let mut answer = no_answer();
        answer.access = groma_page::robots::Access::Open;
        assert!(kernel.robots_answered(id, &lane, &answer).is_none(), "nothing worth keeping was said");
        let host = kernel.hosts.get(id).unwrap();
        assert!(matches!(host.standing, Standing::Open { .. }));
    }

    #[test]
    fn a_host_that_is_gone_is_not_asked() {
        let mut kernel: Kernel<u32> = kernel(&Limits::default());
        let (say, hear) = crossbeam_channel::unbounded::<(HostId, &str)>();
        kernel.ask_server(HostId(7), &say);
        assert_eq!((kernel.asking, hear.len()), (0, 0));
    }

    #[test]
    fn each_try_waits_longer_up_to_the_last() {
        let manners = manners(&Limits { retries: 5, retry_ms: 10, ..Limits::default() });
        let waits: Vec<Millis> = (0..5).map(|tries| manners.retry_wait(tries)).collect();
        assert_eq!(waits, [10, 20, 40, 80, 80]);
        assert!(!manners.is_last_try(4) && manners.is_last_try(5));
    }

    #[test]
    fn the_loop_wakes_when_the_next_fetch_is_due_and_else_by_the_tick() {
        let mut kernel: Kernel<u32> = kernel(&Limits::default());
        assert_eq!(kernel.patience(false), TICK, "nothing waits");
        let lane = kernel.frontier.lane("server", 0);
        kernel.frontier.offer(lane, 1);
        assert_eq!(kernel.patience(false), Duration::from_millis(1));
        assert_eq!(kernel.patience(true), TICK, "nothing can be begun");
    }
}
