//! The hosts of a crawl: asked for their robots.txt before anything else, then open, closed, or told to wait.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use groma_url::Url;

use groma_fetch::{Lane, RobotsAnswer};
use groma_model::wording::grouped;
use groma_model::{Failure, HostId, Limits, Reason};
use groma_page::robots::{Access, Robots, access};
use groma_store::{HostRow, RobotsRow};

use super::frontier::{LaneId, Millis};

/// Where a host stands.
pub(crate) enum Standing {
    /// Its robots.txt has not been requested yet.
    Fresh,
    /// Its robots.txt has been asked for.
    Asked,
    /// It asked us to come back for its robots.txt.
    Later(Millis),
    /// Pages may be fetched.
    Open { robots: Box<Robots>, lane: LaneId },
    /// Nothing of it may be fetched, for this reason, and in words where there are any.
    Closed(Reason, String),
}

pub(crate) struct Host {
    pub(crate) origin: Url,
    pub(crate) standing: Standing,
    /// Its slots in memory.
    pub(crate) loaded: usize,
    /// The store may have more for this round.
    pub(crate) more: bool,
    /// It is on the list of those that want more.
    pub(crate) listed: bool,
    robots: Option<RobotsRow>,
    postponed: u32,
}

/// How long a host is let alone that asks us to come back for its robots.txt and does not say when.
const COME_BACK_MS: Millis = 10_000;

/// The hosts of a crawl.
#[derive(Default)]
pub(crate) struct Hosts {
    all: HashMap<HostId, Host>,
    by_origin: HashMap<String, HostId>,
    hungry: VecDeque<HostId>,
    /// Those being asked, or to be asked later.
    unanswered: HashSet<HostId>,
}

/// What to do to get a host's standing.
pub(crate) enum HostTask {
    /// Resolve it and ask for robots.txt.
    Ask,
    /// Resolve it; its robots.txt is still good.
    Resolve(RobotsAnswer),
}

impl Hosts {
    /// Takes up a host.
    pub(crate) fn add(&mut self, id: HostId, origin: &str, robots: Option<RobotsRow>) {
        let Ok(origin) = Url::parse(origin) else { return };
        self.by_origin.insert(origin.origin().ascii_serialization(), id);
        let fresh =
            Host { origin, standing: Standing::Fresh, loaded: 0, more: false, listed: false, robots, postponed: 0 };
        self.all.entry(id).or_insert(fresh);
    }

    /// Takes up the hosts of a store.
    pub(crate) fn add_rows(&mut self, rows: Vec<HostRow>) {
        for row in rows {
            self.add(row.id, &row.origin, row.robots);
        }
    }

    /// Lets go of a host.
    pub(crate) fn remove(&mut self, id: HostId) {
        if let Some(gone) = self.all.remove(&id) {
            self.by_origin.remove(&gone.origin.origin().ascii_serialization());
        }
        self.unanswered.remove(&id);
        self.hungry.retain(|hungry| *hungry != id);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (HostId, &Host)> {
        self.all.iter().map(|(id, host)| (*id, host))
    }

    pub(crate) fn get(&mut self, id: HostId) -> Option<&mut Host> {
        self.all.get_mut(&id)
    }

    pub(crate) fn by_url(&self, url: &Url) -> Option<&Host> {
        self.by_origin.get(&url.origin().ascii_serialization()).and_then(|id| self.all.get(id))
    }

    /// The store may have more for this host.
    pub(crate) fn feed(&mut self, id: HostId) {
        if let Some(host) = self.all.get_mut(&id) {
            host.more = true;
            if !host.listed {
                host.listed = true;
                self.hungry.push_back(id);
            }
        }
    }

    /// The next host that wants more slots.
    pub(crate) fn hungry(&mut self) -> Option<HostId> {
        let id = self.hungry.pop_front()?;
        if let Some(host) = self.all.get_mut(&id) {
            host.listed = false;
        }
        Some(id)
    }

    /// Does any host want more slots?
    pub(crate) fn any_hungry(&self) -> bool {
        !self.hungry.is_empty()
    }

    /// Is a host being asked, or to be asked later?
    pub(crate) fn any_unanswered(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// A host has been sent for.
    pub(crate) fn sent_for(&mut self, id: HostId) {
        self.unanswered.insert(id);
    }

    /// A host has answered; it may have asked us to come back.
    pub(crate) fn heard_from(&mut self, id: HostId) {
        if !matches!(self.all.get(&id).map(|h| &h.standing), Some(Standing::Later(_))) {
            self.unanswered.remove(&id);
        }
        self.feed(id);
    }

    /// Hosts that are to be asked again now.
    pub(crate) fn due(&mut self, now: Millis) -> Vec<HostId> {
        self.later().filter(|(_, at)| *at <= now).map(|(id, _)| id).collect()
    }

    /// The first moment at which a host is to be asked again.
    pub(crate) fn wake_at(&self) -> Option<Millis> {
        self.later().map(|(_, at)| at).min()
    }

    fn later(&self) -> impl Iterator<Item = (HostId, Millis)> {
        self.unanswered.iter().filter_map(|id| match self.all.get(id)?.standing {
            Standing::Later(at) => Some((*id, at)),
            _ => None,
        })
    }
}

impl Host {
    /// Begins to find out where the host stands.
    pub(crate) fn task(&mut self, obey_robots: bool, now: i64, limits: &Limits) -> HostTask {
        self.standing = Standing::Asked;
        if !obey_robots {
            return HostTask::Resolve(answer(Access::Open, Vec::new(), None));
        }
        match self.robots.take() {
            Some(row) if now - row.at < limits.robots_cache_s as i64 && row.status > 0 => {
                let status = Some(row.status);
                HostTask::Resolve(answer(access(status), row.body, status))
            }
            _ => HostTask::Ask,
        }
    }

    /// The answer is there. Returns the row to keep, if it is worth keeping.
    pub(crate) fn answered(
        &mut self,
        id: HostId,
        answer: &RobotsAnswer,
        agent: &str,
        limits: &Limits,
        lane: impl FnOnce(Millis) -> LaneId,
        now: (Millis, i64),
    ) -> Option<RobotsRow> {
        let open = |robots: Robots| {
            let pause = robots.crawl_delay().unwrap_or(Duration::ZERO).as_millis() as Millis;
            Standing::Open { lane: lane(pause), robots: Box::new(robots) }
        };
        self.standing = match answer.access {
            Access::Rules => open(Robots::parse(&answer.body, agent, limits)),
            Access::Open => open(Robots::open()),
            Access::Closed => Standing::Closed(why_closed(answer.failure.as_ref()), said(answer)),
            Access::Later => {
                let wait = answer.retry_after.map_or(COME_BACK_MS, |wait| wait.as_millis() as Millis);
                let (bearable, tries) =
                    (wait <= limits.retry_after_s.saturating_mul(1000), u64::from(self.postponed) + 1);
                if bearable && tries <= limits.retries {
                    self.postponed += 1;
                    Standing::Later(now.0 + wait.max(limits.retry_ms))
                } else {
                    let seconds = grouped(wait.div_ceil(1000));
                    let why = match bearable {
                        true => format!("{}, {tries} times; it asks to wait {seconds} s", said(answer)),
                        false => format!(
                            "{} and asks to wait {seconds} s, longer than limits.retry_after_s ({} s)",
                            said(answer),
                            grouped(limits.retry_after_s)
                        ),
                    };
                    Standing::Closed(Reason::RobotsUnreachable, why)
                }
            }
        };
        let keep = matches!(answer.access, Access::Rules | Access::Open);
        let status = answer.status.filter(|_| keep)?;
        Some(RobotsRow { host: id, at: now.1, status, body: answer.body.clone() })
    }
}

/// A host that cannot be reached at all is unreachable; one that is there but keeps its robots.txt from us is closed.
fn why_closed(failure: Option<&Failure>) -> Reason {
    match failure {
        None | Some(Failure::TimeOut(_) | Failure::BadAnswer(_) | Failure::Unsupported(_)) => Reason::RobotsUnreachable,
        Some(failure) => failure.reason(),
    }
}

/// What came of asking for a robots.txt that keeps us out, in words.
fn said(answer: &RobotsAnswer) -> String {
    match (answer.status, &answer.failure) {
        (Some(status), _) => format!("robots.txt answered with status {status}"),
        (None, failure) => failure.as_ref().map(Failure::to_string).unwrap_or_default(),
    }
}

fn answer(access: Access, body: Vec<u8>, status: Option<u16>) -> RobotsAnswer {
    RobotsAnswer { access, body, status, failure: None, retry_after: None, asked: None, cut: false }
}

/// What a host is taken to have said that could not even be asked.
pub(crate) fn no_answer() -> RobotsAnswer {
    answer(Access::Closed, Vec::new(), None)
}

/// The least time between two requests at a server that was not asked for its wishes yet. What was chosen for a server on loopback (none,
/// perhaps) does not hold for others: these get `stranger` at least.
pub(crate) fn least_pause(lane: &Lane, stranger: Duration) -> Duration {
    if matches!(lane, Lane::Ip(ip) if ip.is_loopback()) { Duration::ZERO } else { stranger }
}

/// The name of a server's lane.
pub(crate) fn lane_name(lane: &Lane) -> String {
    match lane {
        Lane::Ip(ip) => ip.to_string(),
        Lane::Host(name) => name.clone(),
    }
}
