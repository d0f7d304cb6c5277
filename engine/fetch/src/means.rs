//! What does the system give us? Files above all, since every socket is one; and whoever waits for them.
//!
//! Rule: of the files this process may have, those in use when the first connection is made and a reserve (for the survey, its archive,
//! readers in other processes) are not for sockets. Of the rest two thirds are connections, in use or kept, and every sixth a look-up of
//! a name, which takes up to two. A fetch that finds none free closes a connection that is only kept, else it waits; its time has not
//! begun yet. If the system refuses all the same, there is one connection less from then on, down to half of what there were.
//!
//! NOT guaranteed: what others in this process or on this machine take meanwhile. A fetch that waited [`PATIENCE`] in vain gives up with
//! [`Failure::Scarce`](groma_model::Failure::Scarce), which says nothing about a server.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::pool::Pool;

/// So many files are left to the rest of the program, and so many more for each core: readers in other processes.
const RESERVE: u64 = 14;
const PER_CORE: u64 = 3;
/// With fewer files nothing can be crawled.
pub(crate) const LEAST: u64 = 48;
/// With less memory, in bytes, a process ends in the middle: an allocation that fails cannot be told.
pub(crate) const LEAST_MEMORY: u64 = 192 << 20;
/// No more are asked of the system: some give any number, and tables as large.
const MOST: u64 = 1 << 20;
/// How long a fetch waits for what the system does not give, and how often it looks.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const LOOK: Duration = Duration::from_millis(100);

/// Raises the number of files this process may have open to what the system allows it. Gives that number, if there is one.
pub fn take_all_files() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let now = getrlimit(Resource::Nofile);
        let most = now.maximum.unwrap_or(MOST).min(MOST);
        if now.current.is_some_and(|current| current < most) {
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: now.maximum });
        }
    }
    files_allowed()
}

/// How many files may this process have open?
pub fn files_allowed() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}

/// How many bytes of memory may this process have, if there is a bound?
pub(crate) fn memory_allowed() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        [Resource::As, Resource::Data].into_iter().filter_map(|of| getrlimit(of).current).min()
    }
    #[cfg(not(unix))]
    None
}

/// How many has it open?
fn files_open() -> u64 {
    std::fs::read_dir("/dev/fd").map_or(32, |entries| entries.count() as u64)
}

/// Connections and look-ups that may be under way at once.
pub(crate) struct Means {
    /// Files for all of it, as the user says.
    limit: u64,
    room: OnceLock<Room>,
    waiting: AtomicUsize,
    waited: AtomicU64,
}

struct Room {
    connections: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
    most: usize,
    /// Connections that turned out to be too many.
    given_up: AtomicUsize,
}

/// Leave to have a connection.
pub(crate) type Permit = OwnedSemaphorePermit;

impl Means {
    pub(crate) fn new(limit: u64) -> Means {
        Means { limit, room: OnceLock::new(), waiting: AtomicUsize::new(0), waited: AtomicU64::new(0) }
    }

    /// Told when the first connection is made: by then the survey is open.
    fn room(&self) -> &Room {
        self.room.get_or_init(|| {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
            let allowed = files_allowed().unwrap_or(u64::MAX).min(self.limit);
            Room::for_open_files(allowed.saturating_sub(files_open() + RESERVE + PER_CORE * cores.min(16)))
        })
    }

    /// Most connections at a time.
    pub(crate) fn connections(&self) -> usize {
        self.room().most
    }

    /// Fetches that had to wait, so far.
    pub(crate) fn waited(&self) -> u64 {
        self.waited.load(Ordering::Relaxed)
    }

    /// Does anybody wait for a connection to be closed?
    pub(crate) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Leave to make a connection, as soon as there is one to be had.
    pub(crate) async fn connection(&self, pool: &Pool) -> Option<Permit> {
        let all = &self.room().connections;
        if let Ok(permit) = Arc::clone(all).try_acquire_owned() {
            return Some(permit);
        }
        let _waits = Waits::begin(&self.waiting);
        while pool.let_go() {
            if let Ok(permit) = Arc::clone(all).try_acquire_owned() {
                return Some(permit);
            }
        }
        self.waited.fetch_add(1, Ordering::Relaxed);
        Arc::clone(all).acquire_owned().await.ok()
    }

    /// Leave to look a name up.
    pub(crate) async fn lookup(&self) -> Option<Permit> {
        Arc::clone(&self.room().lookups).acquire_owned().await.ok()
    }

    /// The system gave less than it promised.
    pub(crate) fn refused(&self, permit: Option<Permit>) {
        self.waited.fetch_add(1, Ordering::Relaxed);
        let room = self.room();
        if room.given_up.load(Ordering::Relaxed) < room.most / 2 {
            room.given_up.fetch_add(1, Ordering::Relaxed);
            permit.into_iter().for_each(Permit::forget);
        }
    }
}

impl Room {
    fn for_open_files(files: u64) -> Room {
        let share = |part: u64, most: usize| usize::try_from(part).unwrap_or(most).clamp(1, most);
        let most = share(files / 3 * 2, Semaphore::MAX_PERMITS);
        Room {
            connections: Arc::new(Semaphore::new(most)),
            lookups: Arc::new(Semaphore::new(share(files / 6, 512))),
            most,
            given_up: AtomicUsize::new(0),
        }
    }
}

/// Somebody who waits, counted as long as that lasts.
struct Waits<'m>(&'m AtomicUsize);

impl Waits<'_> {
    fn begin(count: &AtomicUsize) -> Waits<'_> {
        count.fetch_add(1, Ordering::SeqCst);
        Waits(count)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_of_what_there_is() {
        for (files, connections, lookups) in
            [(0, 1, 1), (5, 2, 1), (30, 20, 5), (1_000, 666, 166), (u64::MAX, usize::MAX, 512)]
        {
            let room = Room::for_open_files(files);
            assert_eq!(room.most, connections.min(Semaphore::MAX_PERMITS), "{files}");
            assert_eq!(room.lookups.available_permits(), lookups, "{files}");
        }
        assert!(files_open() > 2);
    }

    #[test]
    fn what_turned_out_to_be_too_many_is_given_up_to_half() {
        let means = Means::new(0);
        assert_eq!(means.connections(), 1);
        let room = Room::for_open_files(15);
        let means = Means { room: OnceLock::from(room), ..Means::new(0) };
        for _ in 0..20 {
            let permit = Arc::clone(&means.room().connections).try_acquire_owned().ok();
            means.refused(permit);
        }
        assert_eq!(means.room().connections.available_permits(), 5);
        assert_eq!(means.waited(), 20);
    }
}
