//! Which connections are open, and which of them gives way when there are too many?
//!
//! A connection either waits for its client (a head or a body that has not arrived, an answer that is not taken, nothing asked
//! yet) or the server works on it. Only a waiting one ever gives way: the one that has waited longest, of the client that holds
//! the most. So half-open sockets never keep out a request whose head is there, not even one from the same address.
//!
//! Cost: one look at every open connection when a bound is met, else constant. Not guaranteed: that a slow client at the address
//! of somebody who floods the server gets through; it is the first to give way with them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

/// All connections of a listener.
pub(super) struct Seats {
    table: Mutex<Table>,
    /// Connections at a time.
    most: usize,
    /// Connections of one client at a time.
    each: usize,
}

#[derive(Default)]
struct Table {
    next: u64,
    taken: HashMap<u64, Arc<Seat>>,
}

/// One connection, as those who decide about it see it.
pub(crate) struct Seat {
    client: IpAddr,
    /// Since when the client has to send something; 0: it does not.
    owes_request: AtomicU64,
    /// Since when the client has to take something; 0: it does not.
    owes_reading: AtomicU64,
    gone: Notify,
}

/// A seat that is held; free again when dropped.
pub(super) struct Held {
    seats: Arc<Seats>,
    number: u64,
    seat: Arc<Seat>,
}

/// Milliseconds since the first connection, never 0.
fn clock() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
}

impl Seats {
    /// Room for so many connections, but for no more than half of the files this process may have open: a connection beyond that would not
    /// even be accepted, and nobody could be asked to give way.
    pub(super) fn new(most: usize, each: usize) -> Arc<Seats> {
        let files = groma_fetch::files_allowed().and_then(|files| usize::try_from(files / 2).ok());
        let most = most.min(files.unwrap_or(usize::MAX)).max(1);
        Arc::new(Seats { table: Mutex::default(), most, each: each.clamp(1, most) })
    }

    /// A seat for a new connection; whoever has waited longest may lose theirs. Nothing if all of them are at work.
    /// A `relay` speaks for many clients: the bound for one does not hold for it.
    pub(super) fn take(self: &Arc<Seats>, address: IpAddr, relay: bool) -> Option<Held> {
        let client = network(address);
        let mut table = self.table();
        if !relay && table.seats_of(client) >= self.each && !table.free(Some(client)) {
            return None;
        }
        if table.taken.len() >= self.most {
            let greediest = table.greediest();
            if !table.free(greediest) && !table.free(None) {
                return None;
            }
        }
        let number = table.next;
        table.next += 1;
        let seat = Arc::new(Seat {
            client,
            owes_request: AtomicU64::new(clock()),
            owes_reading: AtomicU64::new(0),
            gone: Notify::new(),
        });
        table.taken.insert(number, Arc::clone(&seat));
        Some(Held { seats: Arc::clone(self), number, seat })
    }

    /// Connections that are open.
    pub(super) fn count(&self) -> usize {
        self.table().taken.len()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn seats_of(&self, client: IpAddr) -> usize {
        self.taken.values().filter(|seat| seat.client == client).count()
    }

    /// The client with the most connections.
    fn greediest(&self) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for seat in self.taken.values() {
            *counts.entry(seat.client).or_default() += 1;
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(client, _)| client)
    }

    /// Ends the connection (of this client, if one is named) that has waited for its client longest. False if none waits.
    fn free(&mut self, client: Option<IpAddr>) -> bool {
        let waiting = self.taken.iter().filter(|(_, seat)| client.is_none_or(|client| seat.client == client));
        let longest = waiting.filter_map(|(number, seat)| Some((seat.waits_since()?, *number))).min();
        let Some(seat) = longest.and_then(|(_, number)| self.taken.remove(&number)) else { return false };
        seat.gone.notify_one();
        true
    }
}

impl Seat {
    /// The request is here: the server is at work.
    pub(crate) fn work(&self) {
        self.owes_request.store(0, Ordering::Relaxed);
    }

    /// The server has answered, and waits for the next request.
    fn wait(&self) {
        self.owes_request.store(clock(), Ordering::Relaxed);
    }

    /// The client takes nothing of what was sent.
    pub(super) fn stall(&self) {
        self.owes_reading.store(clock(), Ordering::Relaxed);
    }

    /// The client takes what is sent.
    pub(super) fn flow(&self) {
        self.owes_reading.store(0, Ordering::Relaxed);
    }

    fn waits_since(&self) -> Option<u64> {
        let (reading, request) = (self.owes_reading.load(Ordering::Relaxed), self.owes_request.load(Ordering::Relaxed));
        [reading, request].into_iter().filter(|since| *since > 0).min()
    }

    /// Waits until somebody else needs the seat.
    pub(super) async fn lost(&self) {
        self.gone.notified().await;
    }
}

impl Held {
    pub(super) fn seat(&self) -> &Arc<Seat> {
        &self.seat
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.seats.table().taken.remove(&self.number);
    }
}

/// The client behind an address: a whole network of IPv6 belongs to one person as a rule.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The body of an answer: when it has gone out, the connection waits for its client again.
pub(super) struct Answering {
    body: Body,
    seat: Arc<Seat>,
}

impl Answering {
    pub(super) fn wrap(body: Body, seat: Arc<Seat>) -> Body {
        Body::new(Answering { body, seat })
    }
}

impl hyper::body::Body for Answering {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.seat.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, last])
    }

    #[test]
    fn the_longest_waiting_connection_of_the_same_client_gives_way() {
        let seats = Seats::new(10, 2);
        let (first, second) = (seats.take(address(1), false).unwrap(), seats.take(address(1), false).unwrap());
        first.seat().owes_request.store(5, Ordering::Relaxed);
        second.seat().owes_request.store(9, Ordering::Relaxed);
        let other = seats.take(address(2), false).unwrap();
        other.seat().owes_request.store(1, Ordering::Relaxed);
        let third = seats.take(address(1), false).unwrap();
        let table = seats.table();
        assert!(!table.taken.contains_key(&first.number), "it waited longer than the second");
        assert!(table.taken.contains_key(&second.number) && table.taken.contains_key(&third.number));
        assert!(table.taken.contains_key(&other.number), "another client is left alone");
    }

    #[test]
    fn who_is_at_work_stays_and_when_all_are_nobody_comes_in() {
        let seats = Seats::new(2, 2);
        let (first, second) = (seats.take(address(1), false).unwrap(), seats.take(address(1), false).unwrap());
        first.seat().work();
        second.seat().work();
        assert!(seats.take(address(1), false).is_none() && seats.take(address(2), false).is_none());
        second.seat().stall();
        assert!(seats.take(address(2), false).is_some(), "an answer nobody takes is no work");
        drop((first, second));
        assert_eq!(seats.count(), 0);
    }

    #[test]
    fn when_all_seats_are_taken_the_greediest_client_loses_one() {
        let seats = Seats::new(5, 4);
        let modest = seats.take(address(2), false).unwrap();
        modest.seat().owes_request.store(1, Ordering::Relaxed);
        let greedy: Vec<Held> = (0..4).map(|_| seats.take(address(1), false).unwrap()).collect();
        let _new = seats.take(address(3), false).unwrap();
        assert!(seats.table().taken.contains_key(&modest.number));
        assert_eq!(greedy.iter().filter(|held| seats.table().taken.contains_key(&held.number)).count(), 3);
    }

    #[test]
    fn a_relay_has_no_bound_of_its_own() {
        let seats = Seats::new(5, 2);
        let all: Vec<Held> = (0..5).map(|_| seats.take(address(1), true).unwrap()).collect();
        assert_eq!(seats.count(), all.len());
    }

    #[test]
    fn one_network_of_ipv6_is_one_client() {
        let network_of = |text: &str| network(text.parse().unwrap());
        assert_eq!(network_of("2001:db8::1"), network_of("2001:db8::ffff:1"));
        assert_ne!(network_of("2001:db8::1"), network_of("2001:db8:0:1::1"));
        assert_eq!(network_of("::ffff:10.0.0.1"), network_of("10.0.0.1"));
    }
}
