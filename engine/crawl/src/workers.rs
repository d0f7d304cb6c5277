//! Crawling among other workers: several processes, one survey, each on hosts of its own.
//!
//! Once a second each polls the others. Whoever leads opens the doors when somebody waits outside; whatever it has at work stays its own.
//! From then on a process leases hosts when it has room for more than its own hosts can give, waits when there are none, and
//! shares out half of its hosts when others have found nothing. Rounds are everybody's: a round is over when the queue in the
//! store has nothing left of it, so distances stay the shortest. The start and the end of a crawl, sitemaps, and the word that a layer is
//! finished belong to whoever leads.
//!
//! A server that comes from somebody who did not give it back is left alone for a whole pause first. Who could have been taken for
//! dead begins no fetch ([`Workers::may_fetch`](groma_store::workers::Workers::may_fetch)).
//!
//! Not guaranteed: the page limit to a page; it may be overrun by what is under way when it is reached. A rule learned by one process
//! is known to another when it leases the host.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use groma_model::HostId;
use groma_model::url::shape::host_of_shape;
use groma_store::workers::{Company, Handed, Sign};
use groma_store::{HostRow, StoreError};
use groma_url::{Position, Url};

use crate::event::Event;
use crate::harvest::{Got, Place};
use crate::kernel::{Host, Hosts, LaneId, Millis, Standing};
use crate::learning::Learning;
use crate::queue::waiting_hosts;
use crate::starts::find_seeds;
use crate::survey::OpenSurvey;

/// Time between two polls of the other workers.
const POLL: Duration = Duration::from_secs(1);
/// Between two attempts to lease, after one in vain: the first, and the longest.
const AGAIN: Duration = Duration::from_millis(20);
const AGAIN_AT_MOST: Duration = Duration::from_millis(400);
/// Hosts leased at once, and had at most.
const AT_ONCE: usize = 16;
const AT_MOST: usize = 4_096;
/// How long hands may take to finish.
const FAREWELL: Duration = Duration::from_secs(60);

/// What this process knows of the others.
pub(crate) struct Workers {
    company: Company,
    polled: Option<Instant>,
    /// When hosts may be asked for again, and how long to wait if that is in vain.
    lease_at: Instant,
    wait: Duration,
    hungry: bool,
    /// How servers were handed over whose hosts have not answered yet, and when.
    handed: HashMap<HostId, (Handed, Millis)>,
    /// The servers of our hosts.
    servers: HashMap<HostId, String>,
    /// It neither begins nor ends a crawl.
    helps: bool,
}

/// The hosts of one server.
#[derive(Default)]
struct Group {
    hosts: Vec<HostId>,
    loaded: usize,
    /// Something is under way.
    busy: bool,
}

impl Workers {
    pub(crate) fn new(helps: bool) -> Workers {
        Workers {
            company: Company::default(),
            polled: None,
            lease_at: Instant::now(),
            wait: AGAIN,
            hungry: false,
            handed: HashMap::new(),
            servers: HashMap::new(),
            helps,
        }
    }

    /// Is this a worker that neither begins nor ends the crawl?
    pub(crate) fn helps(&self) -> bool {
        self.helps
    }

    /// A worker whose crawl nobody leads any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.helps && !self.company.led
    }

    /// A worker waits until it is let in, or nobody wants it any more.
    pub(crate) fn wait_for_doors(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        loop {
            self.poll_now(survey)?;
            let company = self.company;
            if company.open || !company.led || !company.wanted || survey.kernel.is_interrupted() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// A worker that is no longer needed.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.helps && !self.company.open
    }

    /// Polls the other workers, once a second.
    pub(crate) fn poll(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        // Among others a page limit is overrun by what they do between two polls.
        let every = if survey.ledger.is_shared() && survey.settings.max_pages.is_some() { POLL / 10 } else { POLL };
        if survey.settings.remembers || self.polled.is_some_and(|at| at.elapsed() < every) {
            return Ok(());
        }
        self.poll_now(survey)
    }

    fn poll_now(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        if survey.ledger.store.workers().is_none() {
            self.polled = Some(Instant::now());
            return Ok(());
        }
        if !survey.ledger.is_shared() {
            // The doors may open now: what has numbers that were counted on has to be written before.
            survey.commit()?;
        }
        let hosts = if survey.ledger.is_shared() { survey.kernel.hosts.len() } else { 0 };
        let sign = Sign { hosts, fetches: survey.progress.fetches, hungry: self.hungry };
        let Some(workers) = survey.ledger.store.workers() else { return Ok(()) };
        self.polled = Some(Instant::now());
        let company = workers.look(sign)?;
        self.company = company;
        if !company.open {
            return Ok(());
        }
        if !survey.ledger.is_shared() {
            self.open_up(survey)?;
        }
        // What all have, and what of ours the others do not know of yet.
        let ours = survey.progress.fetched.saturating_sub(survey.told);
        survey.progress.fetched = company.indexed + ours;
        survey.told = company.indexed;
        survey.progress.queued = company.queued.unwrap_or(survey.progress.queued);
        if company.hungry > 0 && !self.hungry {
            self.share_out(survey)?;
        }
        Ok(())
    }

    /// Others write too from now on. All hosts are ours at this moment: those that are not at work go back.
    fn open_up(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        survey.ledger.share()?;
        survey.told = survey.progress.fetched;
        if self.helps {
            survey.kernel.hosts = Hosts::default();
            return Ok(());
        }
        survey.watch.notice("others lend a hand");
        let at_work = |standing: &Standing| !matches!(standing, Standing::Fresh);
        let kept: Vec<(HostId, Option<LaneId>)> = survey
            .kernel
            .hosts
            .iter()
            .filter(|(_, host)| host.loaded > 0 || at_work(&host.standing))
            .map(|(id, host)| (id, lane_of(&host.standing)))
            .collect();
        for (id, lane) in &kept {
            if let (Some(lane), Some(workers)) = (lane, survey.ledger.store.workers()) {
                let name = survey.kernel.frontier.name(*lane).to_owned();
                workers.take_server(*id, &name)?;
                self.servers.insert(*id, name);
            }
        }
        let kept: HashSet<HostId> = kept.into_iter().map(|(id, _)| id).collect();
        let back: Vec<HostId> = survey.kernel.hosts.iter().map(|(id, _)| id).filter(|id| !kept.contains(id)).collect();
        self.give_back(survey, &back)
    }

    /// Half of the hosts for those who have none, whole servers at a time, since a host is no use without its server; those with fetches
    /// under way stay.
    fn share_out(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        let waiting = waiting_hosts(&survey.kernel);
        let mut servers: HashMap<Result<&str, HostId>, Group> = HashMap::new();
        for (id, host) in survey.kernel.hosts.iter() {
            let server = self.servers.get(&id).map(String::as_str).ok_or(id);
            let group = servers.entry(server).or_default();
            let settled = matches!(host.standing, Standing::Open { .. } | Standing::Closed(..) | Standing::Fresh);
            group.busy |= !settled || host.loaded != waiting.get(&id).copied().unwrap_or(0);
            group.loaded += host.loaded;
            group.hosts.push(id);
        }
        // Those with the most to do are the most worth having.
        let mut idle: Vec<Group> = servers.into_values().filter(|group| !group.busy).collect();
        idle.sort_unstable_by_key(|group| Reverse(group.loaded));
        let (most, mut back) = (survey.kernel.hosts.len() / 2, Vec::new());
        for group in idle {
            if back.len() + group.hosts.len() <= most {
                back.extend(group.hosts);
            }
        }
        self.give_back(survey, &back)
    }

    /// Gives hosts back, slots and all, and the servers that no other host of ours is on.
    pub(crate) fn give_back(&mut self, survey: &mut OpenSurvey<'_>, back: &[HostId]) -> Result<(), StoreError> {
        if back.is_empty() {
            return Ok(());
        }
        let gone: HashSet<HostId> = back.iter().copied().collect();
        survey.queue.withdraw_hosts(&mut survey.kernel, &gone);
        let left: HashSet<String> = back.iter().filter_map(|id| self.servers.remove(id)).collect();
        let stay: HashSet<&String> = self.servers.values().collect();
        let rest = |server: &str| Duration::from_millis(survey.kernel.frontier.rest_of(server, survey.kernel.now()));
        let servers: Vec<(String, Duration)> =
            left.iter().filter(|name| !stay.contains(name)).map(|name| (name.clone(), rest(name))).collect();
        for id in back {
            survey.kernel.hosts.remove(*id);
            self.handed.remove(id);
        }
        match survey.ledger.store.workers() {
            Some(workers) => workers.give_back(back, &servers),
            None => Ok(()),
        }
    }

    pub(crate) fn give_all_back(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        let all: Vec<HostId> = survey.kernel.hosts.iter().map(|(id, _)| id).collect();
        self.give_back(survey, &all)
    }

    /// Leases more hosts, if there is room for more than those at hand can give.
    pub(crate) fn lease_more(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        learning: &mut Learning,
    ) -> Result<(), StoreError> {
        let busy = survey.kernel.hosts.any_hungry()
            || survey.kernel.frontier.wake_at().is_some_and(|at| at <= survey.kernel.now());
        let full = survey.kernel.asking >= survey.kernel.manners.concurrency || !survey.has_room();
        if !survey.ledger.is_shared() || busy || full || Instant::now() < self.lease_at {
            return Ok(());
        }
        if survey.kernel.hosts.len() >= AT_MOST {
            return self.make_room(survey);
        }
        let round = survey.queue.round;
        let Some(workers) = survey.ledger.store.workers() else { return Ok(()) };
        let rows = workers.lease(round, AT_ONCE)?;
        if rows.is_empty() {
            self.lease_at = Instant::now() + self.wait;
            self.wait = (self.wait * 2).min(AGAIN_AT_MOST);
            self.hungry = survey.kernel.frontier.is_drained() && !survey.kernel.hosts.any_unanswered();
            return if self.hungry { self.look_at_own(survey) } else { Ok(()) };
        }
        self.wait = AGAIN;
        self.hungry = false;
        begin_with(survey, learning, rows)
    }

    /// Nothing is free and nothing is to be done: others may have queued something for hosts of ours since we polled, and a lease whose
    /// answer was lost is ours without our knowing.
    fn look_at_own(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        let (known, unknown): (Vec<HostId>, Vec<HostId>) =
            own_hosts(survey, survey.queue.round)?.into_iter().partition(|id| survey.kernel.hosts.get(*id).is_some());
        known.into_iter().for_each(|id| survey.kernel.hosts.feed(id));
        self.give_back(survey, &unknown)
    }

    /// There are too many: those with nothing to do go back.
    fn make_room(&mut self, survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
        let idle = |(_, host): &(HostId, &Host)| {
            let settled = matches!(host.standing, Standing::Open { .. } | Standing::Closed(..) | Standing::Fresh);
            settled && host.loaded == 0 && !host.listed
        };
        let idle: Vec<HostId> = survey.kernel.hosts.iter().filter(idle).map(|(id, _)| id).collect();
        self.lease_at = Instant::now() + if idle.is_empty() { AGAIN_AT_MOST } else { Duration::ZERO };
        self.give_back(survey, &idle)
    }

    /// The server of a host is known. False: somebody else has it, and the host has gone back.
    pub(crate) fn takes_server(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        id: HostId,
        name: &str,
    ) -> Result<bool, StoreError> {
        let Some(workers) = survey.ledger.workers() else { return Ok(true) };
        match workers.take_server(id, name)? {
            Handed::Taken => {
                survey.kernel.hosts.remove(id);
                Ok(false)
            }
            handed => {
                self.handed.insert(id, (handed, survey.kernel.now()));
                self.servers.insert(id, name.to_owned());
                Ok(true)
            }
        }
    }

    /// Has the server of a host been asked for?
    pub(crate) fn has_server(&self, survey: &OpenSurvey<'_>, id: HostId) -> bool {
        !survey.ledger.is_shared() || self.servers.contains_key(&id)
    }

    /// For how long a host that was just taken is not asked for its robots.txt.
    pub(crate) fn first_rest(&self, survey: &OpenSurvey<'_>, id: HostId) -> Duration {
        match self.handed.get(&id) {
            Some((Handed::After(rest), _)) => *rest,
            Some((Handed::Abandoned, _)) => survey.kernel.manners.delay,
            _ => Duration::ZERO,
        }
    }

    /// The lane of a host that was just taken is held up for as long as its server is to rest.
    pub(crate) fn rest_lane(&mut self, survey: &mut OpenSurvey<'_>, id: HostId, lane: LaneId) {
        let pause = survey.kernel.frontier.pause(lane);
        let ready: Millis = match self.handed.remove(&id) {
            None => return,
            Some((Handed::After(rest), _)) if rest.is_zero() => return,
            Some((Handed::After(rest), at)) => at + rest.as_millis() as Millis,
            Some(_) => 0,
        };
        survey.kernel.frontier.hold_up(lane, ready.max(survey.kernel.now() + pause));
    }

    /// Closes the doors behind the last hand, or as soon as it should be enough.
    pub(crate) fn dismiss(&mut self, survey: &mut OpenSurvey<'_>, wait: bool) -> Result<(), StoreError> {
        if !survey.ledger.is_shared() || self.helps {
            return Ok(());
        }
        let until = Instant::now() + FAREWELL;
        while let Some(workers) = survey.ledger.store.workers() {
            if workers.close()? || !wait || Instant::now() > until {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// May fetches be begun?
pub(crate) fn may_fetch(survey: &mut OpenSurvey<'_>) -> bool {
    survey.ledger.workers().is_none_or(|workers| workers.may_fetch())
}

/// The hosts of a round that are ours already.
pub(crate) fn own_hosts(survey: &mut OpenSurvey<'_>, round: u32) -> Result<Vec<HostId>, StoreError> {
    match survey.ledger.workers() {
        Some(workers) => workers.leased(round),
        None => survey.ledger.store.queued_hosts(round),
    }
}

/// Hosts that have just been leased.
pub(crate) fn begin_with(
    survey: &mut OpenSurvey<'_>,
    learning: &mut Learning,
    rows: Vec<HostRow>,
) -> Result<(), StoreError> {
    let names: HashSet<String> = rows
        .iter()
        .filter_map(|row| Url::parse(&row.origin).ok())
        .map(|url| url[Position::BeforeHost..Position::AfterPort].to_owned())
        .collect();
    for row in survey.ledger.store.learned()? {
        if names.contains(host_of_shape(&row.shape)) {
            learning.remember(row);
        }
    }
    // A start page may have been found to lead to another site, by whoever fetched it.
    let is_strange = |row: &HostRow| Url::parse(&row.origin).is_ok_and(|origin| survey.scope.judge(&origin).is_err());
    if survey.queue.round == 0 || rows.iter().any(is_strange) {
        find_seeds(survey)?;
    }
    let ids: Vec<HostId> = rows.iter().map(|row| row.id).collect();
    survey.kernel.hosts.add_rows(rows);
    ids.into_iter().for_each(|id| survey.kernel.hosts.feed(id));
    Ok(())
}

/// What harvests may ask for, asked at once.
pub(crate) fn foresee<'e>(
    survey: &mut OpenSurvey<'_>,
    events: impl Iterator<Item = &'e Event>,
) -> Result<(), StoreError> {
    let places = events.filter_map(|event| match event {
        Event::Harvest(harvest) => match &harvest.got {
            Got::Page(reading) => Some(&reading.places),
            _ => None,
        },
        _ => None,
    });
    let fps = places.flatten().map(|place| match place {
        Place::Address(canon) => canon.address.fp,
        Place::Malformed(_, fp) => *fp,
    });
    survey.ledger.ask(fps)
}

fn lane_of(standing: &Standing) -> Option<LaneId> {
    match standing {
        Standing::Open { lane, .. } => Some(*lane),
        _ => None,
    }
}
