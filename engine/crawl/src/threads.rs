//! Which threads does the system give us? Asked before any is needed: where there are fewer than wanted, fewer are used; where there
//! are too few, that is said at once and not by a panic in the middle.

use std::io;
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::Duration;

use tokio::runtime::Runtime;

/// Threads for names that are looked up and bodies that are put away, at most.
const ASIDE: usize = 128;
/// One that was idle for so long ends.
const IDLE: Duration = Duration::from_secs(3600);

/// How many threads do what.
pub(crate) struct Threads {
    /// Threads that fetch.
    pub(crate) workers: usize,
    /// Threads that read pages.
    pub(crate) readers: usize,
}

impl Threads {
    /// As many as are wanted, or as many as there are.
    ///
    /// # Errors
    /// If there are not even enough for one of each kind.
    pub(crate) fn within(workers: usize, readers: usize) -> io::Result<Threads> {
        let wanted = workers + readers + 1;
        let (given, why) = to_be_had(wanted);
        if given >= wanted {
            return Ok(Threads { workers, readers });
        }
        let least = 2 + readers.min(1);
        match why {
            Some(error) if given < least => Err(error),
            _ => Ok(Threads { workers: 1, readers: readers.min(given.saturating_sub(2)) }),
        }
    }
}

/// So many threads can be had at once, up to `wanted`; and why no more.
fn to_be_had(wanted: usize) -> (usize, Option<io::Error>) {
    let mut held = Vec::new();
    let mut why = None;
    while held.len() < wanted {
        let (end, until) = channel::<()>();
        match Builder::new().spawn(move || until.recv().unwrap_or_default()) {
            Ok(thread) => held.push((end, thread)),
            Err(error) => {
                why = Some(error);
                break;
            }
        }
    }
    let given = held.len();
    for (end, thread) in held {
        drop(end);
        let _ = thread.join();
    }
    (given, why)
}

/// A runtime that has a thread for what blocks from the start: where there is one, what cannot have another waits for it.
pub(crate) fn runtime(workers: usize) -> io::Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .max_blocking_threads(ASIDE)
        .thread_keep_alive(IDLE)
        .enable_all()
        .build()?;
    drop(runtime.spawn_blocking(|| {}));
    Ok(runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_had_where_there_is_enough() {
        assert_eq!(to_be_had(5).0, 5);
        let threads = Threads::within(2, 3).unwrap();
        assert_eq!((threads.workers, threads.readers), (2, 3));
    }
}
