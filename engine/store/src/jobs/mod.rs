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

mod rows;
pub(crate) mod workers;

pub use workers::WorkerLock;

pub use rows::{
    Curve, Filter, JobId, JobKind, JobRow, JobState, LogLine, NewJob, NoticeRow, PackageId, ScheduleId, ScheduleRow,
    Wish,
};

use crate::StoreError;

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
    /// Which job.
    pub job: JobId,
    /// Grows with every take.
    pub fence: u64,
}

/// What a worker hears when it gives a sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Go on.
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
    /// It is done.
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

/// The queue of one survey. Any number of processes may use it at once. Times are seconds since 1970 and come from the caller.
pub trait Queue: Send {
    /// Adds jobs. With `package`, they belong together and go in this order.
    fn add(&mut self, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError>;

    /// Takes the job whose turn it is, if any: highest priority first, then the oldest. Jobs whose worker died (its lease ran
    /// out, or `is_dead` says so of its owner) are taken up again. The lease holds for `seconds`.
    fn take(
        &mut self,
        owner: &str,
        seconds: i64,
        is_dead: &dyn Fn(&str) -> bool,
        now: i64,
    ) -> Result<Option<(Lease, JobRow)>, StoreError>;

    /// The job that [`Queue::take`] would take, without taking it: to choose between queues.
    fn peek(&mut self, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Option<JobRow>, StoreError>;

    /// A sign of life, with how far it is (JSON) if that changed; the lease is prolonged.
    fn beat(&mut self, lease: &Lease, progress: Option<&str>, seconds: i64, now: i64) -> Result<Reply, StoreError>;

    /// Keeps what a worker must know if the job is taken up again (JSON). False if the lease is void.
    fn remember(&mut self, lease: &Lease, memo: &str) -> Result<bool, StoreError>;

    /// Ends it, with a sentence that says how, and that goes into its log (unless it failed: that is told with a hint before).
    /// False if the lease is void.
    fn end(&mut self, lease: &Lease, ending: Ending, outcome: &str, now: i64) -> Result<bool, StoreError>;

    /// A line in the log of a job. The oldest go when there are more than the limit.
    fn log(&mut self, job: JobId, text: &str, now: i64) -> Result<(), StoreError>;

    /// A point of a job's curve. Thinned out when there are more than the limit: the whole course stays visible.
    fn plot(&mut self, job: JobId, point: Curve) -> Result<(), StoreError>;

    /// One job.
    fn job(&mut self, id: JobId) -> Result<Option<JobRow>, StoreError>;

    /// Jobs, the latest first, before `before` if given.
    fn jobs(&mut self, filter: &Filter, before: Option<JobId>, most: usize) -> Result<Vec<JobRow>, StoreError>;

    /// The log of a job after a line's number.
    fn log_of(&mut self, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError>;

    /// The curve of a job.
    fn curve_of(&mut self, job: JobId) -> Result<Vec<Curve>, StoreError>;

    /// Asks for a pause: at once if it waits, at the next sign of life if it runs. False if it is neither.
    fn pause(&mut self, job: JobId, now: i64) -> Result<bool, StoreError>;

    /// Lets a paused job (or one that is about to be paused) go on.
    fn resume(&mut self, job: JobId, now: i64) -> Result<bool, StoreError>;

    /// Stops it for good, and what stands behind it in its package.
    fn cancel(&mut self, job: JobId, now: i64) -> Result<bool, StoreError>;

    /// A failed or cancelled job waits again, and what was cancelled behind it in its package.
    fn retry(&mut self, job: JobId, now: i64) -> Result<bool, StoreError>;

    /// Another priority.
    fn prioritize(&mut self, job: JobId, priority: i32) -> Result<bool, StoreError>;

    /// Other arguments (JSON), for a job that is not running.
    fn amend(&mut self, job: JobId, args: &str) -> Result<bool, StoreError>;

    /// Forgets ended jobs older than this, with their logs and curves. Returns how many.
    fn forget(&mut self, before: i64) -> Result<u64, StoreError>;

    /// The schedules.
    fn schedules(&mut self) -> Result<Vec<ScheduleRow>, StoreError>;

    /// Adds a schedule (id 0), or replaces one.
    fn put_schedule(&mut self, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError>;

    /// Removes a schedule; its jobs stay.
    fn drop_schedule(&mut self, id: ScheduleId) -> Result<bool, StoreError>;

    /// Fires a schedule if its next moment is still `seen`: adds the jobs as a package and sets the next moment, together.
    /// Nothing happens (`None`) if somebody else fired it; with a package of it still under way only the moment moves on, and
    /// the list is empty.
    fn fire(
        &mut self,
        id: ScheduleId,
        seen: i64,
        next: i64,
        jobs: &[NewJob],
        now: i64,
    ) -> Result<Option<Vec<JobId>>, StoreError>;

    /// Keeps a notice; its number.
    fn add_notice(&mut self, notice: &NoticeRow) -> Result<u64, StoreError>;

    /// Says how its delivery went (JSON).
    fn deliver(&mut self, notice: u64, delivery: &str) -> Result<(), StoreError>;

    /// Notices, the latest first, before `before` if given.
    fn notices(&mut self, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError>;

    /// What is wrong with the rows, if anything: for `groma verify`.
    fn complaints(&mut self, now: i64) -> Result<Vec<String>, StoreError>;
}
