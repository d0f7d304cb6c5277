//! Which pages of the queue are in memory: a few of each host, waiting in their lanes or being fetched.

use std::collections::{HashMap, HashSet};

use groma_model::{HostId, PageId, Reason};

use crate::kernel::{Feedback, Kernel, LaneId};
use crate::slot::Slot;

/// Slots a host has in memory; more are loaded when half of them are used.
pub(crate) const LOADED_PER_HOST: usize = 128;
/// Slots in memory over all hosts.
const LOADED_AT_MOST: usize = 20_000;

/// The lanes of a crawl: pages wait in them.
pub(crate) type Lanes = Kernel<Slot>;

/// The part of the queue that is in memory.
#[derive(Default)]
pub(crate) struct Queue {
    /// The round whose pages are loaded.
    pub(crate) round: u32,
    /// Hosts for which the open batch queues something in this very round.
    pub(crate) to_feed: Vec<HostId>,
    loaded: HashSet<PageId>,
    /// Those never fetched before.
    new_loaded: u64,
}

impl Queue {
    /// Is it waiting here, or being fetched?
    pub(crate) fn has(&self, page: PageId) -> bool {
        self.loaded.contains(&page)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.loaded.len() >= LOADED_AT_MOST
    }

    /// Pages in memory that were never fetched before.
    pub(crate) fn new_pages(&self) -> u64 {
        self.new_loaded
    }

    /// A page is loaded; its host counts it.
    pub(crate) fn load(&mut self, page: PageId, before: Reason) {
        self.loaded.insert(page);
        self.new_loaded += u64::from(before == Reason::Waiting);
    }

    fn unload(&mut self, slot: &Slot) {
        self.loaded.remove(&slot.id);
        self.new_loaded -= u64::from(slot.before == Reason::Waiting);
    }

    /// A fetch is settled: its lane is free for the next, and its host may want more.
    pub(crate) fn settle(&mut self, kernel: &mut Lanes, slot: &Slot, lane: LaneId, feedback: Feedback) {
        self.unload(slot);
        kernel.frontier.settle(lane, feedback, kernel.now());
        let Some(host) = kernel.hosts.get(slot.host) else { return };
        host.loaded -= 1;
        if host.more && host.loaded < LOADED_PER_HOST / 2 {
            kernel.hosts.feed(slot.host);
        }
    }

    /// Takes slots of pages that are no longer wanted out of their lanes.
    pub(crate) fn withdraw(&mut self, kernel: &mut Lanes, unwanted: &HashSet<PageId>) -> Vec<Slot> {
        let slots = kernel.frontier.withdraw(|slot| unwanted.contains(&slot.id));
        for slot in &slots {
            self.unload(slot);
            if let Some(host) = kernel.hosts.get(slot.host) {
                host.loaded -= 1;
                if host.more {
                    kernel.hosts.feed(slot.host);
                }
            }
        }
        slots
    }

    /// Takes out the slots of hosts that are given up.
    pub(crate) fn withdraw_hosts(&mut self, kernel: &mut Lanes, gone: &HashSet<HostId>) {
        for slot in kernel.frontier.withdraw(|slot| gone.contains(&slot.host)) {
            self.unload(&slot);
        }
    }
}

/// How many pages of each host wait in the lanes.
pub(crate) fn waiting_hosts(kernel: &Lanes) -> HashMap<HostId, usize> {
    let mut count = HashMap::new();
    for slot in kernel.frontier.waiting() {
        *count.entry(slot.host).or_default() += 1;
    }
    count
}

/// The pages that wait in the lanes.
pub(crate) fn waiting_pages(kernel: &Lanes) -> HashSet<PageId> {
    kernel.frontier.waiting().map(|slot| slot.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{kernel, slot};
    use groma_model::Limits;

    fn load(queue: &mut Queue, kernel: &mut Lanes, page: u32, host: HostId) -> LaneId {
        let lane = kernel.frontier.lane("server", 0);
        queue.load(PageId(page), Reason::Waiting);
        if let Some(host) = kernel.hosts.get(host) {
            host.loaded += 1;
        }
        kernel.frontier.offer(lane, Slot { host, ..slot(PageId(page)) });
        lane
    }

    #[test]
    fn what_is_settled_or_withdrawn_makes_room_and_feeds_its_host() {
        let (mut queue, mut kernel) = (Queue::default(), kernel(&Limits::default()));
        let host = HostId(1);
        kernel.hosts.add(host, "http://a.test", None);
        let lane = (1..=3).map(|page| load(&mut queue, &mut kernel, page, host)).last().unwrap();
        kernel.hosts.feed(host);
        assert_eq!(kernel.hosts.hungry(), Some(host));
        let (_, first) = kernel.frontier.ready(kernel.now()).unwrap();
        queue.settle(&mut kernel, &first, lane, Feedback::default());
        assert!(!queue.has(PageId(1)) && queue.has(PageId(2)) && queue.new_pages() == 2);
        assert!(kernel.hosts.any_hungry(), "the store may have more for it");
        assert_eq!(waiting_hosts(&kernel), HashMap::from([(host, 2)]));
        let gone = queue.withdraw(&mut kernel, &HashSet::from([PageId(2)]));
        assert_eq!(gone.iter().map(|slot| slot.id).collect::<Vec<_>>(), [PageId(2)]);
        assert_eq!(waiting_pages(&kernel), HashSet::from([PageId(3)]));
        queue.withdraw_hosts(&mut kernel, &HashSet::from([host]));
        assert!(kernel.frontier.is_drained() && queue.new_pages() == 0);
    }
}
