//! From the queue in the store to tickets in the frontier, host by host: a host is asked for its robots.txt first, and only a few
//! tickets of it are in memory at any time.

use std::sync::Arc;
use std::time::Duration;

use url::Url;

use groma_fetch::{Lane, RobotsAnswer, robots};
use groma_model::{Failure, Fp, HostId, Reason};
use groma_page::robots::Access;
use groma_store::{Amend, Queued, StoreError};

use crate::engine::{Engine, Event};
use crate::errand::Messenger;
use crate::frontier::Millis;
use crate::hosts::{Errand, Standing, lane_name, least_pause, no_answer};
use crate::ledger::epoch;
use crate::linked::choose;
use crate::suspicion::is_free;
use crate::ticket::Ticket;

/// Tickets a host has in memory; more are loaded when half of them are used.
pub(crate) const LOADED_PER_HOST: usize = 128;
/// Tickets in memory over all hosts.
const LOADED_AT_MOST: usize = 20_000;

impl Engine<'_> {
    /// Loads tickets for the hosts that want more, and sends for the robots.txt of those not asked yet.
    pub(crate) fn refill(&mut self) -> Result<(), StoreError> {
        for id in self.hosts.due(self.now()) {
            self.ask_host(id);
        }
        while self.loaded.len() < LOADED_AT_MOST {
            let Some(id) = self.hosts.hungry() else { break };
            let Some(host) = self.hosts.get(id) else { continue };
            match host.standing {
                Standing::Fresh if self.errands >= self.settings.concurrency => {
                    self.hosts.feed(id);
                    break;
                }
                Standing::Fresh => self.ask_host(id),
                Standing::Asked | Standing::Later(_) => {}
                Standing::Open { .. } => self.load(id)?,
                Standing::Closed(reason, ref why) => {
                    let why = why.clone();
                    self.close(id, reason, &why)?;
                }
            }
        }
        Ok(())
    }

    /// Begins to find out where a host stands: first, which server is it?
    pub(crate) fn ask_host(&mut self, id: HostId) {
        let Some(host) = self.hosts.get(id) else { return };
        host.standing = Standing::Asked;
        let origin = host.origin.clone();
        self.hosts.sent_for(id);
        self.errands += 1;
        let fetcher = Arc::clone(&self.fetcher);
        let nothing = Event::Host(id, Lane::Host(origin.to_string()), Box::new(no_answer()));
        let messenger = Messenger::new(self.events.0.clone(), nothing);
        self.runtime.spawn(async move {
            let lane = fetcher.lane(&origin).await;
            messenger.conclude(Event::Server(id, lane));
        });
    }

    /// Then, if nobody else is busy with that server: what does its robots.txt say?
    pub(crate) fn server_known(&mut self, id: HostId, lane: Lane) -> Result<(), StoreError> {
        if !self.takes_server(id, &lane_name(&lane))? {
            self.errands -= 1;
            return Ok(());
        }
        let rest = self.first_rest(id);
        let Some(host) = self.hosts.get(id) else {
            self.errands -= 1;
            return Ok(());
        };
        let errand = host.errand(self.settings.robots, epoch(), &self.settings.limits);
        let origin = host.origin.clone();
        let nothing = Event::Host(id, lane.clone(), Box::new(no_answer()));
        let messenger = Messenger::new(self.events.0.clone(), nothing);
        let (fetcher, limits) = (Arc::clone(&self.fetcher), self.settings.limits.clone());
        let pause = self.settings.delay.max(least_pause(&lane, self.settings.stranger_delay));
        self.runtime.spawn(async move {
            let answer = match errand {
                Errand::Resolve(answer) => answer,
                Errand::Ask => {
                    tokio::time::sleep(rest).await;
                    robots(&*fetcher, &origin, pause, &limits).await
                }
            };
            messenger.conclude(Event::Host(id, lane, Box::new(answer)));
        });
        Ok(())
    }

    /// Loads the next tickets of an open host.
    fn load(&mut self, id: HostId) -> Result<(), StoreError> {
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        let most = LOADED_PER_HOST + host.loaded;
        let rows = self.ledger.store.queued(self.round, id, most)?;
        host.more = rows.len() == most;
        for row in rows {
            if !self.loaded.contains(&row.id) {
                self.admit(id, &row)?;
            }
        }
        self.commit()?;
        // Robots.txt or a trap may have kept out all of them: then there is no ticket whose return would ask for more.
        if self.hosts.get(id).is_some_and(|host| host.more && host.loaded < LOADED_PER_HOST / 2) {
            self.hosts.feed(id);
        }
        Ok(())
    }

    /// Puts an address into the frontier, unless robots.txt or a trap keeps it out.
    fn admit(&mut self, id: HostId, row: &Queued) -> Result<(), StoreError> {
        let limit_reached = self.settings.max_pages.is_some_and(|most| self.progress.indexed + self.new_loaded >= most);
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        let Standing::Open { robots, lane } = &host.standing else { return Ok(()) };
        let (lane, url) = (*lane, Url::parse(&row.url));
        let form = url.as_ref().ok().and_then(|url| choose(robots, &self.lens.canonizer, row, url));
        let refused = match &url {
            Err(_) => Some(Reason::Malformed),
            Ok(_) if form.is_none() => Some(Reason::Robots),
            Ok(url) if self.settings.logout.as_ref().is_some_and(|l| l.is_address(url)) => Some(Reason::Logout),
            Ok(_) if self.farewells.contains(&row.id) => Some(Reason::Logout),
            Ok(url) if row.reason == Reason::Waiting && !is_free(&self.traps, url, row.run) => Some(Reason::Trap),
            Ok(_) if row.reason == Reason::Waiting && self.updating && limit_reached => Some(Reason::PageLimit),
            Ok(_) => None,
        };
        if let Some(reason) = refused {
            self.progress.queued = self.progress.queued.saturating_sub(1);
            self.log_change(row.id, row.reason, reason, false, None);
            self.ledger.batch.amends.push(Amend::to(row.id, reason));
            if reason == Reason::Robots {
                self.ledger.set_doubtful(Fp::of(row.url.as_bytes()), true);
            }
            return Ok(());
        }
        let (Ok(url), Some((place, form))) = (url, form) else { return Ok(()) };
        host.loaded += 1;
        self.loaded.insert(row.id);
        self.new_loaded += u64::from(row.reason == Reason::Waiting);
        let last = match row.reason {
            Reason::Waiting => None,
            _ => self.ledger.store.page(row.id)?.map(|page| Box::new(page.facts)),
        };
        self.prefer(row, place);
        let spelling = Some(form).filter(|form| *form != url);
        let ticket = Ticket {
            id: row.id,
            host: id,
            url,
            depth: row.depth,
            via: row.via,
            run: row.run,
            before: row.reason,
            last,
            tries: 0,
            spelling,
            spellings: 0,
        };
        self.frontier.offer(lane, ticket);
        Ok(())
    }

    /// Settles everything queued of a host that nothing may be fetched from.
    fn close(&mut self, id: HostId, reason: Reason, why: &str) -> Result<(), StoreError> {
        loop {
            let rows = self.ledger.store.queued(self.round, id, 1_000)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.progress.queued = self.progress.queued.saturating_sub(1);
                self.settle_unasked(&row, reason, why)?;
            }
            self.commit()?;
        }
    }

    /// A host has been asked, and this is what it said.
    pub(crate) fn host_answered(&mut self, id: HostId, lane: &Lane, answer: &RobotsAnswer) -> Result<(), StoreError> {
        self.errands -= 1;
        // Asked before others came.
        if !self.has_server(id) && self.hosts.get(id).is_some() && !self.takes_server(id, &lane_name(lane))? {
            return Ok(());
        }
        let now = (self.now(), epoch());
        let Some(host) = self.hosts.get(id) else { return Ok(()) };
        if let Some(Failure::Scarce(what)) = answer.failure {
            // Nothing has been heard of the host: it is as it was.
            host.standing = Standing::Fresh;
            self.scarce = Some(what);
            self.hosts.heard_from(id);
            return Ok(());
        }
        let (frontier, name) = (&mut self.frontier, lane_name(lane));
        let least = least_pause(lane, self.settings.stranger_delay).as_millis() as Millis;
        let (fetcher, origin) = (Arc::clone(&self.fetcher), host.origin.clone());
        let lane_of = |pause: Millis| {
            fetcher.keep_pace(&origin, Duration::from_millis(pause.max(least)));
            frontier.lane(&name, pause.max(least))
        };
        let row = host.answered(id, answer, &self.settings.agent, &self.settings.limits, lane_of, now);
        self.ledger.batch.robots.extend(row);
        match &host.standing {
            Standing::Open { lane, robots } => {
                let lane = *lane;
                if answer.cut {
                    *self.ledger.batch.counts.limits.entry("robots_bytes").or_default() += 1;
                }
                if robots.crawl_delay_was_cut() {
                    *self.ledger.batch.counts.limits.entry("crawl_delay_s").or_default() += 1;
                }
                self.rest_lane(id, lane);
                if let Some(asked) = answer.asked {
                    // The first page comes a pause after the robots.txt.
                    let asked = asked.saturating_duration_since(self.began).as_millis() as Millis;
                    self.frontier.hold_up(lane, asked + self.frontier.pause(lane));
                }
            }
            Standing::Closed(_, why) if answer.access == Access::Later => {
                self.watch.notice(&format!("{}: {why}; its pages stay unknown until the next update", host.origin));
                if answer.retry_after.is_some_and(|wait| wait.as_secs() > self.settings.limits.retry_after_s) {
                    *self.ledger.batch.counts.limits.entry("retry_after_s").or_default() += 1;
                }
            }
            _ => {}
        }
        self.hosts.heard_from(id);
        Ok(())
    }
}
