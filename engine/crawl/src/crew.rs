//! Crawling among others: several processes, one survey, each on hosts of its own.
//!
//! Once a second everybody looks round. Whoever leads opens the doors when somebody waits outside; whatever it has at work stays its own.
//! From then on a process leases hosts when it has room for more than its own hosts can give, waits when there are none, and
//! shares out half of its hosts when others have found nothing. Rounds are everybody's: a round is over when the queue in the
//! store has nothing left of it, so distances stay the shortest. The start and the end of a crawl, sitemaps, and the word that a layer is
//! finished belong to whoever leads.
//!
//! A server that comes from somebody who did not give it back is left alone for a whole pause first. Who could have been taken for
//! dead begins no fetch ([`Crew::may_fetch`](groma_store::crew::Crew::may_fetch)).
//!
//! Not guaranteed: the page limit to a page; it may be overrun by what is under way when it is reached. A rule learned by one process
//! is known to another when it leases the host.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use groma_model::url::learn::{Evidence, Standing as RuleStanding};
use groma_model::url::shape::host_of_shape;
use groma_model::{HostId, Reason};
use groma_store::crew::{Company, Handed, Sign};
use groma_store::{HostRow, StoreError};
use url::{Position, Url};

use crate::engine::{Engine, Event};
use crate::frontier::{LaneId, Millis};
use crate::hosts::{Hosts, Standing};
use crate::reader::{Got, Place};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(1);
/// Between two attempts to lease, after one in vain: the first, and the longest.
const AGAIN: Duration = Duration::from_millis(20);
const AGAIN_AT_MOST: Duration = Duration::from_millis(400);
/// Hosts leased at once, and had at most.
const AT_ONCE: usize = 16;
const AT_MOST: usize = 4_096;
/// How long hands may take to finish.
const FAREWELL: Duration = Duration::from_secs(60);

/// What this process knows of the others.
pub(crate) struct Others {
    pub(crate) company: Company,
    looked: Option<Instant>,
    /// When hosts may be asked for again, and how long to wait if that is in vain.
    lease_at: Instant,
    wait: Duration,
    hungry: bool,
    /// How servers were handed over whose hosts have not answered yet, and when.
    handed: HashMap<HostId, (Handed, Millis)>,
    /// The servers of our hosts.
    servers: HashMap<HostId, String>,
    /// Indexed pages that the others know of.
    pub(crate) told: u64,
    /// A hand: it neither begins nor ends a crawl.
    pub(crate) helps: bool,
}

/// The hosts of one server.
#[derive(Default)]
struct Group {
    hosts: Vec<HostId>,
    loaded: usize,
    /// Something is under way.
    busy: bool,
}

impl Others {
    pub(crate) fn new(helps: bool) -> Others {
        Others {
            company: Company::default(),
            looked: None,
            lease_at: Instant::now(),
            wait: AGAIN,
            hungry: false,
            handed: HashMap::new(),
            servers: HashMap::new(),
            told: 0,
            helps,
        }
    }
}

impl Engine<'_> {
    /// Do others write too?
    pub(crate) fn is_shared(&self) -> bool {
        self.ledger.is_shared()
    }

    /// A hand that is no longer needed.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.others.helps && !self.others.company.open
    }

    /// May fetches be begun?
    pub(crate) fn may_fetch(&mut self) -> bool {
        self.ledger.crew().is_none_or(|crew| crew.may_fetch())
    }

    /// Looks round, if it is time.
    pub(crate) fn look_round(&mut self) -> Result<(), StoreError> {
        // Among others a page limit is overrun by what they do between two looks.
        let every = if self.is_shared() && self.settings.max_pages.is_some() { LOOK / 10 } else { LOOK };
        if self.strategy.remembers() || self.others.looked.is_some_and(|at| at.elapsed() < every) {
            return Ok(());
        }
        self.look_now()
    }

    pub(crate) fn look_now(&mut self) -> Result<(), StoreError> {
        if self.ledger.store.crew().is_none() {
            self.others.looked = Some(Instant::now());
            return Ok(());
        }
        if !self.is_shared() {
            // The doors may open now: what has numbers that were counted on has to be written before.
            self.commit()?;
        }
        let hosts = if self.is_shared() { self.hosts.len() } else { 0 };
        let sign = Sign { hosts, fetches: self.progress.fetches, hungry: self.others.hungry };
        let Some(crew) = self.ledger.store.crew() else { return Ok(()) };
        self.others.looked = Some(Instant::now());
        let company = crew.look(sign)?;
        self.others.company = company;
        if !company.open {
            return Ok(());
        }
        if !self.is_shared() {
            self.open_up()?;
        }
        // What all have, and what of ours the others do not know of yet.
        let ours = self.progress.indexed.saturating_sub(self.others.told);
        self.progress.indexed = company.indexed + ours;
        self.others.told = company.indexed;
        self.progress.queued = company.queued.unwrap_or(self.progress.queued);
        if company.hungry > 0 && !self.others.hungry {
            self.share_out()?;
        }
        Ok(())
    }

    /// Others write too from now on. All hosts are ours at this moment: those that are not at work go back.
    fn open_up(&mut self) -> Result<(), StoreError> {
        self.ledger.share()?;
        self.others.told = self.progress.indexed;
        if self.others.helps {
            self.hosts = Hosts::default();
            return Ok(());
        }
        self.watch.notice("others lend a hand");
        let at_work = |standing: &Standing| !matches!(standing, Standing::Fresh);
        let kept: Vec<(HostId, Option<LaneId>)> = self
            .hosts
            .iter()
            .filter(|(_, host)| host.loaded > 0 || at_work(&host.standing))
            .map(|(id, host)| (id, lane_of(&host.standing)))
            .collect();
        for (id, lane) in &kept {
            if let (Some(lane), Some(crew)) = (lane, self.ledger.store.crew()) {
                let name = self.frontier.name(*lane).to_owned();
                crew.take_server(*id, &name)?;
                self.others.servers.insert(*id, name);
            }
        }
        let kept: HashSet<HostId> = kept.into_iter().map(|(id, _)| id).collect();
        let back: Vec<HostId> = self.hosts.iter().map(|(id, _)| id).filter(|id| !kept.contains(id)).collect();
        self.give_back(&back)
    }

    /// Half of the hosts for those who have none, whole servers at a time, since a host is no use without its server; those with fetches
    /// under way stay.
    fn share_out(&mut self) -> Result<(), StoreError> {
        let waiting: HashMap<HostId, usize> = self.frontier.waiting_hosts();
        let mut servers: HashMap<Result<&str, HostId>, Group> = HashMap::new();
        for (id, host) in self.hosts.iter() {
            let server = self.others.servers.get(&id).map(String::as_str).ok_or(id);
            let group = servers.entry(server).or_default();
            let settled = matches!(host.standing, Standing::Open { .. } | Standing::Closed(..) | Standing::Fresh);
            group.busy |= !settled || host.loaded != waiting.get(&id).copied().unwrap_or(0);
            group.loaded += host.loaded;
            group.hosts.push(id);
        }
        // Those with the most to do are the most worth having.
        let mut idle: Vec<Group> = servers.into_values().filter(|group| !group.busy).collect();
        idle.sort_unstable_by_key(|group| Reverse(group.loaded));
        let (most, mut back) = (self.hosts.len() / 2, Vec::new());
        for group in idle {
            if back.len() + group.hosts.len() <= most {
                back.extend(group.hosts);
            }
        }
        self.give_back(&back)
    }

    /// Gives hosts back, tickets and all, and the servers that no other host of ours is on.
    pub(crate) fn give_back(&mut self, back: &[HostId]) -> Result<(), StoreError> {
        if back.is_empty() {
            return Ok(());
        }
        let gone: HashSet<HostId> = back.iter().copied().collect();
        for ticket in self.frontier.withdraw(|ticket| gone.contains(&ticket.host)) {
            self.loaded.remove(&ticket.id);
            self.new_loaded -= u64::from(ticket.before == Reason::Waiting);
        }
        let left: HashSet<String> = back.iter().filter_map(|id| self.others.servers.remove(id)).collect();
        let stay: HashSet<&String> = self.others.servers.values().collect();
        let rest = |server: &str| Duration::from_millis(self.frontier.rest_of(server, self.now()));
        let servers: Vec<(String, Duration)> =
            left.iter().filter(|name| !stay.contains(name)).map(|name| (name.clone(), rest(name))).collect();
        for id in back {
            self.hosts.remove(*id);
            self.others.handed.remove(id);
        }
        match self.ledger.store.crew() {
            Some(crew) => crew.give_back(back, &servers),
            None => Ok(()),
        }
    }

    /// Everything back.
    pub(crate) fn give_all_back(&mut self) -> Result<(), StoreError> {
        let all: Vec<HostId> = self.hosts.iter().map(|(id, _)| id).collect();
        self.give_back(&all)
    }

    /// The hosts of a round that are ours already.
    pub(crate) fn own_hosts(&mut self, round: u32) -> Result<Vec<HostId>, StoreError> {
        match self.ledger.crew() {
            Some(crew) => crew.leased(round),
            None => self.ledger.store.queued_hosts(round),
        }
    }

    /// Leases more hosts, if there is room for more than those at hand can give.
    pub(crate) fn lease_more(&mut self) -> Result<(), StoreError> {
        let busy = self.hosts.any_hungry() || self.frontier.wake_at().is_some_and(|at| at <= self.now());
        let full = self.errands >= self.settings.concurrency || !self.has_room();
        if !self.is_shared() || busy || full || Instant::now() < self.others.lease_at {
            return Ok(());
        }
        if self.hosts.len() >= AT_MOST {
            return self.make_room();
        }
        let round = self.round;
        let Some(crew) = self.ledger.store.crew() else { return Ok(()) };
        let rows = crew.lease(round, AT_ONCE)?;
        if rows.is_empty() {
            self.others.lease_at = Instant::now() + self.others.wait;
            self.others.wait = (self.others.wait * 2).min(AGAIN_AT_MOST);
            self.others.hungry = self.frontier.is_drained() && !self.hosts.any_unanswered();
            return if self.others.hungry { self.look_at_own() } else { Ok(()) };
        }
        self.others.wait = AGAIN;
        self.others.hungry = false;
        self.begin_with(rows)
    }

    /// Nothing is free and nothing is to be done: others may have queued something for hosts of ours since we looked, and a lease whose
    /// answer was lost is ours without our knowing.
    fn look_at_own(&mut self) -> Result<(), StoreError> {
        let (known, unknown): (Vec<HostId>, Vec<HostId>) =
            self.own_hosts(self.round)?.into_iter().partition(|id| self.hosts.get(*id).is_some());
        known.into_iter().for_each(|id| self.hosts.feed(id));
        self.give_back(&unknown)
    }

    /// There are too many: those with nothing to do go back.
    fn make_room(&mut self) -> Result<(), StoreError> {
        let idle = |(_, host): &(HostId, &crate::hosts::Host)| {
            let settled = matches!(host.standing, Standing::Open { .. } | Standing::Closed(..) | Standing::Fresh);
            settled && host.loaded == 0 && !host.listed
        };
        let idle: Vec<HostId> = self.hosts.iter().filter(idle).map(|(id, _)| id).collect();
        self.others.lease_at = Instant::now() + if idle.is_empty() { AGAIN_AT_MOST } else { Duration::ZERO };
        self.give_back(&idle)
    }

    /// Hosts that have just been leased.
    pub(crate) fn begin_with(&mut self, rows: Vec<HostRow>) -> Result<(), StoreError> {
        let names: HashSet<String> = rows
            .iter()
            .filter_map(|row| Url::parse(&row.origin).ok())
            .map(|url| url[Position::BeforeHost..Position::AfterPort].to_owned())
            .collect();
        for row in self.ledger.store.learned()? {
            if names.contains(host_of_shape(&row.shape)) {
                let standing = RuleStanding::from_code(row.standing);
                let evidence = Evidence::restored(row.equal, row.differ, standing, row.folded, row.samples);
                self.learner.remember(row.shape, row.param, evidence);
            }
        }
        // A start page may have been found to lead to another site, by whoever fetched it.
        let is_strange = |row: &HostRow| Url::parse(&row.origin).is_ok_and(|origin| self.scope.judge(&origin).is_err());
        if self.round == 0 || rows.iter().any(is_strange) {
            self.find_seeds()?;
        }
        let ids: Vec<HostId> = rows.iter().map(|row| row.id).collect();
        self.hosts.add_rows(rows);
        ids.into_iter().for_each(|id| self.hosts.feed(id));
        Ok(())
    }

    /// The server of a host is known. False: somebody else has it, and the host has gone back.
    pub(crate) fn takes_server(&mut self, id: HostId, name: &str) -> Result<bool, StoreError> {
        let Some(crew) = self.ledger.crew() else { return Ok(true) };
        match crew.take_server(id, name)? {
            Handed::Taken => {
                self.hosts.remove(id);
                Ok(false)
            }
            handed => {
                self.others.handed.insert(id, (handed, self.now()));
                self.others.servers.insert(id, name.to_owned());
                Ok(true)
            }
        }
    }

    /// Has the server of a host been asked for?
    pub(crate) fn has_server(&self, id: HostId) -> bool {
        !self.is_shared() || self.others.servers.contains_key(&id)
    }

    /// For how long a host that was just taken is not asked for its robots.txt.
    pub(crate) fn first_rest(&self, id: HostId) -> Duration {
        match self.others.handed.get(&id) {
            Some((Handed::After(rest), _)) => *rest,
            Some((Handed::Abandoned, _)) => self.settings.delay,
            _ => Duration::ZERO,
        }
    }

    /// The lane of a host that was just taken is held up for as long as its server is to rest.
    pub(crate) fn rest_lane(&mut self, id: HostId, lane: LaneId) {
        let pause = self.frontier.pause(lane);
        let ready: Millis = match self.others.handed.remove(&id) {
            None => return,
            Some((Handed::After(rest), _)) if rest.is_zero() => return,
            Some((Handed::After(rest), at)) => at + rest.as_millis() as Millis,
            Some(_) => 0,
        };
        self.frontier.hold_up(lane, ready.max(self.now() + pause));
    }

    /// What harvests may ask for, asked at once.
    pub(crate) fn foresee<'e>(&mut self, events: impl Iterator<Item = &'e Event>) -> Result<(), StoreError> {
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
        self.ledger.ask(fps)
    }

    /// Closes the doors behind the last hand, or as soon as it should be enough.
    pub(crate) fn dismiss(&mut self, wait: bool) -> Result<(), StoreError> {
        if !self.is_shared() || self.others.helps {
            return Ok(());
        }
        let until = Instant::now() + FAREWELL;
        while let Some(crew) = self.ledger.store.crew() {
            if crew.close()? || !wait || Instant::now() > until {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

fn lane_of(standing: &Standing) -> Option<LaneId> {
    match standing {
        Standing::Open { lane, .. } => Some(*lane),
        _ => None,
    }
}
