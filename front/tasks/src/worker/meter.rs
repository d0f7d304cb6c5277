//! What the workers of this process have done since it was started.

use std::sync::atomic::{AtomicU64, Ordering};

use groma_crawl::{Progress, Watch};

static METER: Meter = Meter {
    jobs_running: AtomicU64::new(0),
    jobs_ended: AtomicU64::new(0),
    jobs_failed: AtomicU64::new(0),
    hands: AtomicU64::new(0),
    fetches: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
};

#[derive(Debug)]
struct Meter {
    jobs_running: AtomicU64,
    jobs_ended: AtomicU64,
    jobs_failed: AtomicU64,
    hands: AtomicU64,
    fetches: AtomicU64,
    bytes: AtomicU64,
}

/// What the meter says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Jobs that run now.
    pub jobs_running: u64,
    /// Jobs that came to an end, however.
    pub jobs_ended: u64,
    /// Those among them that failed.
    pub jobs_failed: u64,
    /// Hands lent at this moment.
    pub hands: u64,
    /// Pages requested.
    pub fetches: u64,
    /// Bytes received for them.
    pub bytes: u64,
}

pub fn reading() -> Reading {
    let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
    Reading {
        jobs_running: of(&METER.jobs_running),
        jobs_ended: of(&METER.jobs_ended),
        jobs_failed: of(&METER.jobs_failed),
        hands: of(&METER.hands),
        fetches: of(&METER.fetches),
        bytes: of(&METER.bytes),
    }
}

/// Counts as one more while it lives.
pub(crate) struct Counted(&'static AtomicU64);

impl Counted {
    pub(crate) fn job() -> Counted {
        Counted::one(&METER.jobs_running)
    }

    pub(crate) fn hand() -> Counted {
        Counted::one(&METER.hands)
    }

    fn one(count: &'static AtomicU64) -> Counted {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A job came to an end.
pub(crate) fn job_ended(failed: bool) {
    METER.jobs_ended.fetch_add(1, Ordering::Relaxed);
    METER.jobs_failed.fetch_add(u64::from(failed), Ordering::Relaxed);
}

/// Tells the meter what one crawl has fetched since it was told last.
#[derive(Debug, Default)]
pub(crate) struct Metered {
    fetches: u64,
    bytes: u64,
}

impl Metered {
    pub(crate) fn tell(&mut self, progress: &Progress) {
        METER.fetches.fetch_add(progress.fetches.saturating_sub(self.fetches), Ordering::Relaxed);
        METER.bytes.fetch_add(progress.bytes.saturating_sub(self.bytes), Ordering::Relaxed);
        (self.fetches, self.bytes) = (progress.fetches, progress.bytes);
    }
}

impl Watch for Metered {
    fn tick(&mut self, progress: &Progress) {
        self.tell(progress);
    }
}
