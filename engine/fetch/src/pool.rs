//! Connections kept for the next fetch, by where they lead.
//!
//! Newest first, as the least likely to have been closed; none is kept longer than [`KEPT`], and not more than [`IDLE`] in
//! all, so that a survey of many hosts does not run out of files. HTTP/2 needs one connection per host: the first fetch
//! makes it while the others wait at a gate; a host that turns out to speak HTTP/1.1 has its gate taken away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex as Gate;

use crate::connect::Key;
use crate::line::{Line, One, Two};

/// A connection that nobody wanted for so long is closed.
const KEPT: Duration = Duration::from_secs(30);
/// Connections kept for one host.
const PER_HOST: usize = 64;
/// HTTP/1.1 connections kept in all.
const IDLE: usize = 256;

#[derive(Default)]
pub(crate) struct Pool(Mutex<Connections>);

struct Connections {
    hosts: HashMap<Key, HostConnections>,
    idle: usize,
    swept: Instant,
}

impl Default for Connections {
    fn default() -> Self {
        Connections { hosts: HashMap::new(), idle: 0, swept: Instant::now() }
    }
}

#[derive(Default)]
struct HostConnections {
    ones: Vec<(Instant, Box<One>)>,
    two: Option<(Instant, Two)>,
    /// The host speaks HTTP/1.x only.
    only_one: bool,
    gate: Arc<Gate<()>>,
}

impl Pool {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that can be used at once. With `after`, one that broke just then is being replaced: only a connection
    /// made since will do.
    pub(crate) fn take(&self, key: &Key, after: Option<Instant>) -> Option<Line> {
        loop {
            let mut one = {
                let mut connections = self.connections();
                let host = connections.hosts.get_mut(key)?;
                if let Some((used, two)) = &mut host.two {
                    if two.ready() && after.is_none_or(|after| two.born > after) {
                        *used = Instant::now();
                        return Some(Line::Two(two.clone()));
                    }
                    host.two = None;
                }
                if after.is_some() {
                    return None;
                }
                let (since, one) = host.ones.pop()?;
                connections.idle -= 1;
                if since.elapsed() > KEPT {
                    continue;
                }
                one
            };
            if one.ready() {
                return Some(Line::One(one));
            }
        }
    }

    /// Gives an HTTP/1.x connection back after an exchange that was read to its end.
    pub(crate) fn put(&self, key: Key, mut one: Box<One>, is_wanted: impl FnOnce() -> bool) {
        if !one.ready() {
            return;
        }
        let mut connections = self.connections();
        if connections.idle >= IDLE || connections.swept.elapsed() > KEPT / 2 {
            connections.sweep();
        }
        // Somebody who waits for a connection to be closed is told of it by that.
        if connections.idle < IDLE && !is_wanted() {
            let host = connections.hosts.entry(key).or_default();
            if host.ones.len() < PER_HOST {
                host.ones.push((Instant::now(), one));
                connections.idle += 1;
            }
        }
    }

    /// Closes a connection that is only kept, the one that has been longest. False if there is none.
    pub(crate) fn let_go(&self) -> bool {
        let mut connections = self.connections();
        let oldest = |host: &HostConnections| host.ones.first().map(|(since, _)| *since);
        let key =
            connections.hosts.iter().filter_map(|(key, host)| Some((oldest(host)?, key))).min_by_key(|found| found.0);
        if let Some(key) = key.map(|(_, key)| key.clone()) {
            let gone = connections.hosts.get_mut(&key).map(|host| host.ones.remove(0));
            connections.idle -= usize::from(gone.is_some());
            drop(connections);
            return gone.is_some();
        }
        // One that is shared ends when the last who uses it has done so.
        let used = |host: &HostConnections| host.two.as_ref().map(|(used, _)| *used);
        let key =
            connections.hosts.iter().filter_map(|(key, host)| Some((used(host)?, key))).min_by_key(|found| found.0);
        let Some(key) = key.map(|(_, key)| key.clone()) else { return false };
        connections.hosts.get_mut(&key).and_then(|host| host.two.take()).is_some()
    }

    /// The gate before which to wait with a connection of one's own, if there is one.
    pub(crate) fn gate(&self, key: &Key) -> Option<Arc<Gate<()>>> {
        if !key.secure {
            return None;
        }
        let mut connections = self.connections();
        let host = connections.hosts.entry(key.clone()).or_default();
        (!host.only_one).then(|| host.gate.clone())
    }

    /// A new connection was made: shares it, or notes that it cannot be shared.
    pub(crate) fn learn(&self, key: &Key, line: &Line) {
        if !key.secure {
            return;
        }
        let mut connections = self.connections();
        let host = connections.hosts.entry(key.clone()).or_default();
        host.only_one = matches!(line, Line::One(_));
        if let Line::Two(two) = line {
            host.two = Some((Instant::now(), two.clone()));
        }
    }

    /// A shared connection fell silent: the next fetch makes its own.
    pub(crate) fn forget(&self, key: &Key, silent: &Two) {
        if let Some(host) = self.connections().hosts.get_mut(key) {
            host.two.take_if(|(_, two)| two.born == silent.born);
        }
    }
}

impl Connections {
    fn sweep(&mut self) {
        self.swept = Instant::now();
        self.hosts.retain(|_, host| {
            host.ones.retain(|(since, _)| since.elapsed() <= KEPT);
            host.two.take_if(|(used, two)| used.elapsed() > KEPT * 2 || !two.ready());
            !host.ones.is_empty() || host.two.is_some() || Arc::strong_count(&host.gate) > 1
        });
        self.idle = self.hosts.values().map(|host| host.ones.len()).sum();
    }
}
