//! The queue of one survey as a workshop sees it: kept open between two looks, with the lock that says the workshop is alive.

use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_store::Folder;
use groma_store::jobs::{JobRow, Lease, Queue, WorkerLock};

use crate::jobs::lease::LEASE;

/// A file may be put away and another one put in its place: it is opened anew from time to time.
const ANEW: Duration = Duration::from_secs(10);

/// Where jobs of one survey are handed out.
pub(super) struct Counter {
    pub(super) folder: Folder,
    queue: Option<(Queue, Instant)>,
    lock: Option<Arc<WorkerLock>>,
}

impl Counter {
    pub(super) fn new(folder: &Folder) -> Counter {
        Counter { folder: folder.clone(), queue: None, lock: None }
    }

    /// The job that could be taken. A queue that cannot be read has none: the look after this one may find more.
    pub(super) fn peek(&mut self, now: i64) -> Option<JobRow> {
        let folder = self.folder.clone();
        let queue = self.queue()?;
        match queue.peek(&|owner| folder.is_worker_dead(owner), now) {
            Ok(row) => row,
            Err(_) => {
                self.queue = None;
                None
            }
        }
    }

    /// Takes a job, if nobody was quicker.
    pub(super) fn take(&mut self, owner: &str, now: i64) -> Option<(Lease, JobRow)> {
        // Whoever takes a job is alive, and everybody can see it.
        if self.lock.is_none() || self.folder.is_worker_dead(owner) {
            self.lock = Some(Arc::new(self.folder.worker(owner).ok()?));
        }
        let folder = self.folder.clone();
        let taken = self.queue()?.take(owner, LEASE, &|owner| folder.is_worker_dead(owner), now);
        if taken.is_err() {
            self.queue = None;
        }
        taken.ok().flatten()
    }

    /// The lock, for whoever works on a job: it is held as long as anybody needs it.
    pub(super) fn need(&self) -> Option<Arc<WorkerLock>> {
        self.lock.clone()
    }

    /// Is anybody working on a job of it?
    pub(super) fn is_needed(&self) -> bool {
        self.lock.as_ref().is_some_and(|lock| Arc::strong_count(lock) > 1)
    }

    fn queue(&mut self) -> Option<&mut Queue> {
        let old = |(_, since): &(Queue, Instant)| since.elapsed() > ANEW;
        if self.folder.queue_identity().is_none() || self.queue.as_ref().is_some_and(old) {
            self.queue = None;
        }
        if self.queue.is_none() {
            let queue = self.folder.queue_if_any().ok().flatten()?;
            if !queue.is_writable() {
                return None;
            }
            self.queue = Some((queue, Instant::now()));
        }
        self.queue.as_mut().map(|(queue, _)| queue)
    }
}
