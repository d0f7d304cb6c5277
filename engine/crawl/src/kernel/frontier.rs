//! The frontier owns timing, and nothing else: when may which server be asked next?
//!
//! Slots wait in lanes. A lane is a server (an IP address; behind a proxy, a host), however many hosts live there. Of a lane at
//! most `width` fetches are under way at once, and two starts are at least `pause` apart. A slot that was used late, because the
//! threads that fetch were busy or a connection was slow to be made, counts from when its request was sent:
//!
//! ```text
//! pause = max(delay, Crawl-delay, latency, strain pause)      latency = moving average, counted only where delay > 0
//! ```
//!
//! so that a slow server is asked slowly. The strain pause doubles with each sign of distress (429, 503, time-out) while more than
//! a quarter of the recent answers were such signs, and shrinks with each good answer. Retry-After holds up the whole lane.
//!
//! Time comes in as milliseconds since the crawl began; there is no clock here. Cost: O(log lanes) per slot.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// Servers shown to people who watch.
const SHOWN: usize = 20;

/// Milliseconds since the crawl began.
pub(crate) type Millis = u64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LaneId(usize);

/// What a finished fetch tells about its server.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Feedback {
    /// When its request was sent.
    pub(crate) asked: Millis,
    /// How long it took.
    pub(crate) latency: Millis,
    /// The server showed distress.
    pub(crate) strained: bool,
    /// It asked for a rest of this length.
    pub(crate) rest: Option<Millis>,
}

struct Lane<T> {
    name: String,
    waiting: VecDeque<T>,
    under_way: usize,
    next_start: Millis,
    crawl_delay: Millis,
    latency: f64,
    strain: f64,
    strain_pause: Millis,
    listed: bool,
}

/// The lanes of one crawl; `T` is what waits in them.
pub(crate) struct Frontier<T> {
    lanes: Vec<Lane<T>>,
    by_name: HashMap<String, LaneId>,
    ready: BinaryHeap<Reverse<(Millis, LaneId)>>,
    later: BinaryHeap<Reverse<Later<T>>>,
    width: usize,
    delay: Millis,
    most_delay: Millis,
    waiting: usize,
    under_way: usize,
}

/// A slot that waits for a moment of its own (a retry).
struct Later<T> {
    at: Millis,
    lane: LaneId,
    slot: T,
}

impl<T> Frontier<T> {
    /// `width` fetches at once in a lane, starts `delay` apart, pauses never longer than `most_delay`.
    pub(crate) fn new(width: usize, delay: Millis, most_delay: Millis) -> Frontier<T> {
        Frontier {
            lanes: Vec::new(),
            by_name: HashMap::new(),
            ready: BinaryHeap::new(),
            later: BinaryHeap::new(),
            width: width.max(1),
            delay,
            most_delay,
            waiting: 0,
            under_way: 0,
        }
    }

    /// The lane of a server. The longest Crawl-delay of its hosts holds for all of them.
    pub(crate) fn lane(&mut self, server: &str, crawl_delay: Millis) -> LaneId {
        let id = *self.by_name.entry(server.to_string()).or_insert_with(|| {
            self.lanes.push(Lane {
                name: server.to_string(),
                waiting: VecDeque::new(),
                under_way: 0,
                next_start: 0,
                crawl_delay: 0,
                latency: 0.0,
                strain: 0.0,
                strain_pause: 0,
                listed: false,
            });
            LaneId(self.lanes.len() - 1)
        });
        let lane = &mut self.lanes[id.0];
        lane.crawl_delay = lane.crawl_delay.max(crawl_delay);
        id
    }

    /// The server of a lane.
    pub(crate) fn name(&self, id: LaneId) -> &str {
        &self.lanes[id.0].name
    }

    /// Nothing is begun in this lane before this moment.
    pub(crate) fn hold_up(&mut self, id: LaneId, until: Millis) {
        let lane = &mut self.lanes[id.0];
        lane.next_start = lane.next_start.max(until);
    }

    /// For how long nothing may be begun at this server.
    pub(crate) fn rest_of(&self, server: &str, now: Millis) -> Millis {
        self.by_name.get(server).map_or(0, |id| self.lanes[id.0].next_start.saturating_sub(now))
    }

    /// A slot for this lane.
    pub(crate) fn offer(&mut self, lane: LaneId, slot: T) {
        self.lanes[lane.0].waiting.push_back(slot);
        self.waiting += 1;
        self.list(lane);
    }

    /// A slot that may not be used before `at`.
    pub(crate) fn offer_at(&mut self, lane: LaneId, slot: T, at: Millis) {
        self.later.push(Reverse(Later { at, lane, slot }));
        self.waiting += 1;
    }

    /// The next slot that may be used now.
    pub(crate) fn ready(&mut self, now: Millis) -> Option<(LaneId, T)> {
        while self.later.peek().is_some_and(|Reverse(l)| l.at <= now) {
            let Some(Reverse(due)) = self.later.pop() else { break };
            self.lanes[due.lane.0].waiting.push_front(due.slot);
            self.list(due.lane);
        }
        while let Some(&Reverse((at, id))) = self.ready.peek() {
            if at > now {
                return None;
            }
            self.ready.pop();
            let pause = self.pause(id);
            let lane = &mut self.lanes[id.0];
            lane.listed = false;
            // The lane may have been held up, emptied or filled since it was listed.
            if lane.next_start > now || lane.under_way >= self.width || lane.waiting.is_empty() {
                self.list(id);
                continue;
            }
            let Some(slot) = lane.waiting.pop_front() else { continue };
            lane.under_way += 1;
            lane.next_start = now + pause;
            self.under_way += 1;
            self.waiting -= 1;
            self.list(id);
            return Some((id, slot));
        }
        None
    }

    /// A fetch of this lane has been settled.
    pub(crate) fn settle(&mut self, id: LaneId, feedback: Feedback, now: Millis) {
        self.lanes[id.0].under_way -= 1;
        self.under_way -= 1;
        self.feel(id, feedback, now);
        self.list(id);
    }

    /// For something that is fetched beside the slots: how long to wait. What comes after it waits for it.
    pub(crate) fn book(&mut self, id: LaneId, now: Millis) -> Millis {
        let pause = self.pause(id);
        let lane = &mut self.lanes[id.0];
        let at = lane.next_start.max(now);
        lane.next_start = at + pause;
        at - now
    }

    /// What a fetch told about its server.
    pub(crate) fn feel(&mut self, id: LaneId, feedback: Feedback, now: Millis) {
        let (most, pause) = (self.most_delay, self.pause(id));
        let lane = &mut self.lanes[id.0];
        lane.next_start = lane.next_start.max(feedback.asked + pause);
        lane.latency = if lane.latency == 0.0 {
            feedback.latency as f64
        } else {
            lane.latency * 0.8 + feedback.latency as f64 * 0.2
        };
        lane.strain = lane.strain * 0.9 + if feedback.strained { 0.1 } else { 0.0 };
        if !feedback.strained {
            lane.strain_pause = lane.strain_pause * 3 / 4;
        } else if lane.strain > 0.25 {
            lane.strain_pause = (lane.strain_pause * 2).clamp(250, most);
        }
        if let Some(rest) = feedback.rest {
            lane.next_start = lane.next_start.max(now + rest);
        }
    }

    /// Takes out the waiting slots that are no longer wanted; gives them back.
    pub(crate) fn withdraw(&mut self, unwanted: impl Fn(&T) -> bool) -> Vec<T> {
        let mut out = Vec::new();
        for lane in &mut self.lanes {
            let (gone, stay): (Vec<T>, _) = std::mem::take(&mut lane.waiting).into_iter().partition(|t| unwanted(t));
            lane.waiting = stay.into();
            out.extend(gone);
        }
        let later = std::mem::take(&mut self.later).into_vec();
        let (gone, stay): (Vec<_>, Vec<_>) = later.into_iter().partition(|Reverse(l)| unwanted(&l.slot));
        self.later = stay.into();
        out.extend(gone.into_iter().map(|Reverse(l)| l.slot));
        self.waiting -= out.len();
        out
    }

    /// All slots that wait, also those for a moment of their own.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &T> {
        let lanes = self.lanes.iter().flat_map(|lane| lane.waiting.iter());
        lanes.chain(self.later.iter().map(|Reverse(later)| &later.slot))
    }

    /// When the next slot may be used, if nothing else happens.
    pub(crate) fn wake_at(&self) -> Option<Millis> {
        let lane = self.ready.peek().map(|Reverse((at, _))| *at);
        let later = self.later.peek().map(|Reverse(l)| l.at);
        lane.into_iter().chain(later).min()
    }

    /// Nothing waits and nothing is under way.
    pub(crate) fn is_drained(&self) -> bool {
        self.waiting == 0 && self.under_way == 0
    }

    pub(crate) fn under_way(&self) -> usize {
        self.under_way
    }

    /// The busiest servers for people who watch: name, pause, slots waiting.
    pub(crate) fn busiest(&self) -> Vec<(String, Millis, usize)> {
        let waiting = |id: &LaneId| self.lanes[id.0].waiting.len();
        let mut busy: Vec<(&String, &LaneId)> = self.by_name.iter().filter(|(_, id)| waiting(id) > 0).collect();
        busy.sort_by_key(|(name, id)| (Reverse(waiting(id)), *name));
        busy.truncate(SHOWN);
        busy.into_iter().map(|(name, id)| (name.clone(), self.pause(*id), waiting(id))).collect()
    }

    /// The time between two starts in this lane.
    pub(crate) fn pause(&self, id: LaneId) -> Millis {
        let lane = &self.lanes[id.0];
        let latency = if self.delay > 0 { lane.latency as Millis } else { 0 };
        let polite = self.delay.max(latency.min(self.most_delay));
        polite.max(lane.crawl_delay).max(lane.strain_pause)
    }

    /// Puts a lane on the list of those that can go on, once.
    fn list(&mut self, id: LaneId) {
        let lane = &mut self.lanes[id.0];
        if !lane.listed && !lane.waiting.is_empty() && lane.under_way < self.width {
            lane.listed = true;
            self.ready.push(Reverse((lane.next_start, id)));
        }
    }
}

impl<T> PartialEq for Later<T> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl<T> Eq for Later<T> {}

impl<T> PartialOrd for Later<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Later<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.at.cmp(&other.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(frontier: &mut Frontier<u32>, now: Millis) -> Option<u32> {
        frontier.ready(now).map(|(_, number)| number)
    }

    const GOOD: Feedback = Feedback { asked: 0, latency: 10, strained: false, rest: None };

    #[test]
    fn starts_of_one_server_are_a_delay_apart() {
        let mut frontier = Frontier::new(4, 500, 60_000);
        let lane = frontier.lane("h", 0);
        (1..=3).for_each(|n| frontier.offer(lane, n));
        assert_eq!(take(&mut frontier, 0), Some(1));
        assert_eq!(take(&mut frontier, 499), None);
        assert_eq!(frontier.wake_at(), Some(500));
        assert_eq!(take(&mut frontier, 500), Some(2));
        assert_eq!(take(&mut frontier, 1000), Some(3));
        assert!(!frontier.is_drained());
        (0..3).for_each(|_| frontier.settle(lane, GOOD, 1000));
        assert!(frontier.is_drained());
    }

    #[test]
    fn a_slot_that_was_used_late_counts_from_then_on() {
        let mut frontier = Frontier::new(1, 500, 60_000);
        let lane = frontier.lane("h", 0);
        (1..=3).for_each(|n| frontier.offer(lane, n));
        assert_eq!(take(&mut frontier, 0), Some(1));
        frontier.settle(lane, Feedback { asked: 400, ..GOOD }, 450);
        assert_eq!(take(&mut frontier, 899), None);
        assert_eq!(take(&mut frontier, 900), Some(2));
        // One that was used at once changes nothing.
        frontier.settle(lane, Feedback { asked: 900, ..GOOD }, 1_390);
        assert_eq!(take(&mut frontier, 1_400), Some(3));
    }

    #[test]
    fn a_lane_is_never_wider_than_allowed_and_others_go_on() {
        let mut frontier = Frontier::new(2, 0, 60_000);
        let (a, b) = (frontier.lane("a", 0), frontier.lane("b", 0));
        (1..=3).for_each(|n| frontier.offer(a, n));
        frontier.offer(b, 9);
        let mut got: Vec<u32> = std::iter::from_fn(|| take(&mut frontier, 0)).collect();
        got.sort_unstable();
        assert_eq!(got, [1, 2, 9]);
        frontier.settle(a, GOOD, 1);
        assert_eq!(take(&mut frontier, 1), Some(3));
    }

    #[test]
    fn two_hosts_of_one_server_share_a_lane_and_the_longer_crawl_delay() {
        let mut frontier = Frontier::new(1, 100, 60_000);
        let one = frontier.lane("192.0.2.1", 0);
        let two = frontier.lane("192.0.2.1", 2_000);
        assert_eq!(one, two);
        frontier.offer(one, 1);
        frontier.offer(two, 2);
        assert_eq!(take(&mut frontier, 0), Some(1));
        frontier.settle(one, GOOD, 50);
        assert_eq!(take(&mut frontier, 1_999), None);
        assert_eq!(take(&mut frontier, 2_000), Some(2));
    }

    #[test]
    fn a_slow_server_is_asked_slowly_and_a_quick_one_at_the_given_pace() {
        let mut frontier = Frontier::new(1, 100, 60_000);
        let lane = frontier.lane("h", 0);
        (1..=2).for_each(|n| frontier.offer(lane, n));
        take(&mut frontier, 0);
        frontier.settle(lane, Feedback { latency: 3_000, ..GOOD }, 3_000);
        assert_eq!(take(&mut frontier, 3_000), Some(2));
        frontier.offer(lane, 3);
        frontier.settle(lane, Feedback { latency: 3_000, ..GOOD }, 3_001);
        assert_eq!(take(&mut frontier, 4_000), None);
        assert_eq!(take(&mut frontier, 6_000), Some(3));
    }

    #[test]
    fn rare_distress_is_borne_and_lasting_distress_slows_down() {
        let mut frontier = Frontier::new(1, 0, 60_000);
        let lane = frontier.lane("h", 0);
        let mut now = 0;
        let mut step = |strained, frontier: &mut Frontier<u32>| {
            frontier.offer(lane, 1);
            let wait = frontier.wake_at().unwrap().max(now);
            let waited = wait - now;
            now = wait;
            take(frontier, now).unwrap();
            frontier.settle(lane, Feedback { strained, ..GOOD }, now);
            waited
        };
        let rare: u64 = (0..200).map(|n| step(n % 20 == 0, &mut frontier)).sum();
        assert_eq!(rare, 0);
        let lasting: u64 = (0..12).map(|_| step(true, &mut frontier)).sum();
        assert!(lasting > 10_000, "{lasting}");
    }

    #[test]
    fn retry_after_holds_up_the_lane_and_a_retry_waits_for_its_moment() {
        let mut frontier = Frontier::new(2, 0, 60_000);
        let lane = frontier.lane("h", 0);
        frontier.offer(lane, 1);
        take(&mut frontier, 0);
        frontier.settle(lane, Feedback { rest: Some(5_000), strained: true, latency: 1, asked: 0 }, 0);
        frontier.offer_at(lane, 1, 700);
        frontier.offer(lane, 2);
        assert_eq!(take(&mut frontier, 4_999), None);
        assert_eq!(take(&mut frontier, 5_000), Some(1), "the retry goes first");
        assert_eq!(take(&mut frontier, 5_000), Some(2));
    }

    #[test]
    fn what_is_booked_takes_its_turn_and_pushes_slots_back() {
        let mut frontier = Frontier::new(1, 500, 60_000);
        let lane = frontier.lane("h", 0);
        frontier.offer(lane, 1);
        frontier.offer(lane, 2);
        assert_eq!(take(&mut frontier, 0), Some(1));
        assert_eq!(frontier.book(lane, 100), 400);
        assert_eq!(frontier.book(lane, 100), 900);
        frontier.settle(lane, GOOD, 200);
        assert_eq!(take(&mut frontier, 1_499), None);
        assert_eq!(take(&mut frontier, 1_500), Some(2));
        frontier.feel(lane, Feedback { rest: Some(9_000), ..GOOD }, 2_000);
        assert_eq!(frontier.book(lane, 2_000), 9_000);
    }

    #[test]
    fn withdrawn_slots_are_gone() {
        let mut frontier = Frontier::new(2, 0, 60_000);
        let lane = frontier.lane("h", 0);
        (1..=4).for_each(|n| frontier.offer(lane, n));
        frontier.offer_at(lane, 5, 100);
        assert_eq!(frontier.withdraw(|t| *t % 2 == 1).len(), 3);
        let got: Vec<u32> = std::iter::from_fn(|| take(&mut frontier, 200)).collect();
        assert_eq!(got, [2, 4]);
    }
}
