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
pub(crate) struct Pool(Mutex<Shelves>);

struct Shelves {
    hosts: HashMap<Key, Shelf>,
    idle: usize,
    swept: Instant,
}

impl Default for Shelves {
    fn default() -> Self {
        Shelves { hosts: HashMap::new(), idle: 0, swept: Instant::now() }
    }
}

#[derive(Default)]
struct Shelf {
    ones: Vec<(Instant, Box<One>)>,
    two: Option<(Instant, Two)>,
    /// Speaks HTTP/1.x only.
    only_one: bool,
    gate: Arc<Gate<()>>,
}

impl Pool {
    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that can be used at once. With `after`, one that broke just then is being replaced: only a connection
    /// made since will do.
    pub(crate) fn take(&self, key: &Key, after: Option<Instant>) -> Option<Line> {
        loop {
            let mut one = {
                let mut shelves = self.shelves();
                let shelf = shelves.hosts.get_mut(key)?;
                if let Some((used, two)) = &mut shelf.two {
                    if two.ready() && after.is_none_or(|after| two.born > after) {
                        *used = Instant::now();
                        return Some(Line::Two(two.clone()));
                    }
                    shelf.two = None;
                }
                if after.is_some() {
                    return None;
                }
                let (since, one) = shelf.ones.pop()?;
                shelves.idle -= 1;
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
        let mut shelves = self.shelves();
        if shelves.idle >= IDLE || shelves.swept.elapsed() > KEPT / 2 {
            shelves.sweep();
        }
        // Somebody who waits for a connection to be closed is told of it by that.
        if shelves.idle < IDLE && !is_wanted() {
            let shelf = shelves.hosts.entry(key).or_default();
            if shelf.ones.len() < PER_HOST {
                shelf.ones.push((Instant::now(), one));
                shelves.idle += 1;
            }
        }
    }

    /// Closes a connection that is only kept, the one that has been longest. False if there is none.
    pub(crate) fn let_go(&self) -> bool {
        let mut shelves = self.shelves();
        let oldest = |shelf: &Shelf| shelf.ones.first().map(|(since, _)| *since);
        let key =
            shelves.hosts.iter().filter_map(|(key, shelf)| Some((oldest(shelf)?, key))).min_by_key(|found| found.0);
        if let Some(key) = key.map(|(_, key)| key.clone()) {
            let gone = shelves.hosts.get_mut(&key).map(|shelf| shelf.ones.remove(0));
            shelves.idle -= usize::from(gone.is_some());
            drop(shelves);
            return gone.is_some();
        }
        // One that is shared ends when the last who uses it has done so.
        let used = |shelf: &Shelf| shelf.two.as_ref().map(|(used, _)| *used);
        let key = shelves.hosts.iter().filter_map(|(key, shelf)| Some((used(shelf)?, key))).min_by_key(|found| found.0);
        let Some(key) = key.map(|(_, key)| key.clone()) else { return false };
        shelves.hosts.get_mut(&key).and_then(|shelf| shelf.two.take()).is_some()
    }

    /// The gate before which to wait with a connection of one's own, if there is one.
    pub(crate) fn gate(&self, key: &Key) -> Option<Arc<Gate<()>>> {
        if !key.secure {
            return None;
        }
        let mut shelves = self.shelves();
        let shelf = shelves.hosts.entry(key.clone()).or_default();
        (!shelf.only_one).then(|| shelf.gate.clone())
    }

    /// A new connection was made: shares it, or notes that it cannot be shared.
    pub(crate) fn learn(&self, key: &Key, line: &Line) {
        if !key.secure {
            return;
        }
        let mut shelves = self.shelves();
        let shelf = shelves.hosts.entry(key.clone()).or_default();
        shelf.only_one = matches!(line, Line::One(_));
        if let Line::Two(two) = line {
            shelf.two = Some((Instant::now(), two.clone()));
        }
    }

    /// A shared connection fell silent: the next fetch makes its own.
    pub(crate) fn forget(&self, key: &Key, silent: &Two) {
        if let Some(shelf) = self.shelves().hosts.get_mut(key) {
            shelf.two.take_if(|(_, two)| two.born == silent.born);
        }
    }
}

impl Shelves {
    fn sweep(&mut self) {
        self.swept = Instant::now();
        self.hosts.retain(|_, shelf| {
            shelf.ones.retain(|(since, _)| since.elapsed() <= KEPT);
            shelf.two.take_if(|(used, two)| used.elapsed() > KEPT * 2 || !two.ready());
            !shelf.ones.is_empty() || shelf.two.is_some() || Arc::strong_count(&shelf.gate) > 1
        });
        self.idle = self.hosts.values().map(|shelf| shelf.ones.len()).sum();
    }
}
