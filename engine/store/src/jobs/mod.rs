//! Requests to the system as rows: what was asked for, who is doing it, how far it is, how it ended; and what is asked for
//! again and again.
//!
//! They live in a file of their own beside the survey (`jobs.db`), so that asking for something never waits for a crawl that
//! writes, and starting a survey over does not forget its schedules.
//!
//! States, and who moves a job between them:
//!
//! ```text
//!             take            end(Done)
//!   waiting --------> running ---------> done
//!     ^  ^              |  |  end(Failed)
//!     |  |  lease ran   |  +-----------> failed --retry--> waiting
//!     |  +--------------+  |
//!     |     out, or back   +-----------> paused, cancelled   (as wished)
//!     +---- resume ------ paused
//! ```
//!
//! Invariants, checked by the exam:
//! - a job is done by one worker at a time: whoever takes it gets a fence (a number that only grows), and every word about the
//!   job from a worker with an older fence is refused;
//! - a job ends once;
//! - the jobs of a package go one after the other; when one fails or is cancelled, those behind it wait no longer: they are
//!   cancelled, and wait again when it is retried;
//! - of the jobs that write to the survey (`crawl`, `update`) at most one runs at a time, of `index` likewise;
//! - a schedule fires once for each of its moments, however many processes look at it.

mod curve;
mod notices;
mod queue;
mod reading;
mod requests;
mod rows;
mod schedules;
pub(crate) mod schema;
mod taking;
pub(crate) mod workers;

pub use queue::Queue;
pub use rows::{
    Curve, Filter, JobId, JobKind, JobRequest, JobRow, JobState, LogLine, NewJob, NoticeRow, PackageId, ScheduleId,
    ScheduleRow,
};
pub use workers::WorkerLock;

/// Lines of a job's log that are kept.
pub const LOG_LINES: u64 = 1_000;
/// Bytes of a line of the log.
pub const LOG_BYTES: usize = 4_096;
/// Points of a job's curve that are kept.
pub const CURVE_POINTS: usize = 1_000;
/// So often in a row may the workers of a job die without a sign of life.
pub const MOST_DEATHS: u32 = 20;

/// The right to work on a job: void as soon as somebody else took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job that was taken.
    pub job: JobId,
    /// Grows with every take.
    pub fence: u64,
}

/// What a worker hears when it gives a sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nobody wants anything else.
    GoOn,
    /// Somebody wants it paused.
    Pause,
    /// Somebody wants it cancelled.
    Cancel,
    /// The lease is void: stop, and say nothing more.
    Lost,
}

/// How work on a job came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything that was asked for has been done.
    Done,
    /// It cannot be done.
    Failed,
    /// It was stopped, and can be resumed.
    Paused,
    /// It was stopped for good.
    Cancelled,
    /// It goes back into the queue: the worker goes home (or the moment was bad); it is taken again not before `not_before`.
    Back {
        /// In seconds since 1970.
        not_before: i64,
    },
}
