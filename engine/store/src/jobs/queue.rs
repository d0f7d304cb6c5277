//! The queue: jobs, their logs and curves, schedules, notices.
//!
//! Whatever decides on what others may decide on too is one transaction during which nobody else writes to the queue. Signs of life
//! concern one row and its fence alone, so they wait for nobody.

use super::{Curve, Ending, Filter, JobId, JobRow, Lease, LogLine, NewJob, NoticeRow, Reply, ScheduleId, ScheduleRow};
use super::{curve, notices, reading, requests, schedules, schema, taking};
use crate::StoreError;
use crate::postgres::ServerSchema;
use crate::sql::{Base, Repeat, SideStore, args};
use crate::sqlite::FileSchema;

/// The queue of one survey. Any number of processes may use it at once. Times are seconds since 1970 and come from the caller.
pub struct Queue {
    base: Base,
}

impl SideStore for Queue {
    const FILE: &'static FileSchema = &schema::FILE_SCHEMA;
    const SERVER: &'static ServerSchema = &schema::SERVER_SCHEMA;

    fn over(base: Base) -> Queue {
        Queue { base }
    }
}

impl Queue {
    /// False if it was opened on a disk that cannot be written.
    pub fn is_writable(&self) -> bool {
        self.base.is_writable()
    }

    /// Adds jobs. With `package`, they belong together and go in this order.
    pub fn add(&mut self, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError> {
        self.base.write(Repeat::Once, |db| taking::add(db, jobs, package, now))
    }

    /// Takes the job whose turn it is, if any: highest priority first, then the oldest. Jobs whose worker died (its lease ran
    /// out, or `is_dead` says so of its owner) are taken up again. The lease holds for `seconds`.
    pub fn take(
        &mut self,
        owner: &str,
        seconds: i64,
        is_dead: &dyn Fn(&str) -> bool,
        now: i64,
    ) -> Result<Option<(Lease, JobRow)>, StoreError> {
        // Whoever looks every moment should not keep others from writing.
        let (lost, any) = self.base.read(|db| {
            let lost = taking::lost(db, is_dead, now)?;
            let any = !lost.is_empty() || taking::turn(db, &lost, now)?.is_some();
            Ok((lost, any))
        })?;
        if !any {
            return Ok(None);
        }
        self.base.write(Repeat::Once, |db| taking::take(db, owner, seconds, &lost, now))
    }

    /// The job that [`Queue::take`] would take, without taking it: to choose between queues.
    pub fn peek(&mut self, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Option<JobRow>, StoreError> {
        self.base.read(|db| {
            let lost = taking::lost(db, is_dead, now)?;
            taking::turn(db, &lost, now)
        })
    }

    /// A sign of life, with how far it is (JSON) if that changed; the lease is prolonged.
    pub fn beat(&mut self, lease: &Lease, progress: Option<&str>, seconds: i64, now: i64) -> Result<Reply, StoreError> {
        self.base.touch(|db| taking::beat(db, lease, progress, seconds, now))
    }

    /// Keeps what a worker must know if the job is taken up again (JSON). False if the lease is void.
    pub fn remember(&mut self, lease: &Lease, memo: &str) -> Result<bool, StoreError> {
        self.base.touch(|db| taking::remember(db, lease, memo))
    }

    /// Ends it, with a sentence that says how, and that goes into its log (unless it failed: that is told with a hint before).
    /// False if the lease is void.
    pub fn end(&mut self, lease: &Lease, ending: Ending, outcome: &str, now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| taking::end(db, lease, ending, outcome, now))
    }

    /// A line in the log of a job. The oldest go when there are more than the limit.
    pub fn log(&mut self, job: JobId, text: &str, now: i64) -> Result<(), StoreError> {
        self.base.write(Repeat::Once, |db| curve::log(db, job, text, now))
    }

    /// A point of a job's curve. Thinned out when there are more than the limit: the whole course stays visible.
    pub fn plot(&mut self, job: JobId, point: Curve) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| curve::plot(db, job, point))
    }

    /// A job by its number; nothing if it was forgotten.
    pub fn job(&mut self, id: JobId) -> Result<Option<JobRow>, StoreError> {
        self.base.read(|db| reading::job(db, id))
    }

    /// Jobs, the latest first, before `before` if given.
    pub fn jobs(&mut self, filter: &Filter, before: Option<JobId>, most: usize) -> Result<Vec<JobRow>, StoreError> {
        self.base.read(|db| reading::jobs(db, filter, before, most))
    }

    /// The log of a job after a line's number.
    pub fn log_of(&mut self, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError> {
        self.base.read(|db| curve::log_of(db, job, after, most))
    }

    /// The curve of a job.
    pub fn curve_of(&mut self, job: JobId) -> Result<Vec<Curve>, StoreError> {
        self.base.read(|db| curve::curve_of(db, job))
    }

    /// Asks for a pause: at once if it waits, at the next sign of life if it runs. False if it is neither.
    pub fn pause(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::pause(db, job))
    }

    /// Lets a paused job (or one that is about to be paused) go on.
    pub fn resume(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::resume(db, job))
    }

    /// Stops it for good, and what stands behind it in its package.
    pub fn cancel(&mut self, job: JobId, now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::cancel(db, job, now))
    }

    /// A failed or cancelled job waits again, and what was cancelled behind it in its package.
    pub fn retry(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::retry(db, job))
    }

    /// Gives a job that has not ended another priority. False if there is no such job.
    pub fn prioritize(&mut self, job: JobId, priority: i32) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::prioritize(db, job, priority))
    }

    /// Other arguments (JSON), for a job that is not running.
    pub fn amend(&mut self, job: JobId, args: &str) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| requests::amend(db, job, args))
    }

    /// Forgets ended jobs older than this, with their logs and curves. Returns how many.
    pub fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        self.base.write(Repeat::Once, |db| requests::forget(db, before))
    }

    /// All schedules, also those that are switched off, the oldest first.
    pub fn schedules(&mut self) -> Result<Vec<ScheduleRow>, StoreError> {
        self.base.read(schedules::all)
    }

    /// Adds a schedule (id 0), or replaces one.
    pub fn put_schedule(&mut self, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError> {
        self.base.write(Repeat::Once, |db| schedules::put(db, schedule))
    }

    /// Removes a schedule; its jobs stay.
    pub fn drop_schedule(&mut self, id: ScheduleId) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| Ok(db.run("DELETE FROM schedule WHERE id = ?1", &args![id])? > 0))
    }

    /// Fires a schedule if its next moment is still `seen`: adds the jobs as a package and sets the next moment, together.
    /// Nothing happens (`None`) if somebody else fired it; with a package of it still under way only the moment moves on, and
    /// the list is empty.
    pub fn fire(
        &mut self,
        id: ScheduleId,
        seen: i64,
        next: i64,
        jobs: &[NewJob],
        now: i64,
    ) -> Result<Option<Vec<JobId>>, StoreError> {
        self.base.write(Repeat::Once, |db| schedules::fire(db, id, seen, next, jobs, now))
    }

    /// Keeps a notice; its number.
    pub fn add_notice(&mut self, notice: &NoticeRow) -> Result<u64, StoreError> {
        self.base.write(Repeat::Once, |db| notices::add(db, notice))
    }

    /// Says how its delivery went (JSON).
    pub fn deliver(&mut self, notice: u64, delivery: &str) -> Result<(), StoreError> {
        self.base.touch(|db| notices::deliver(db, notice, delivery))
    }

    /// Notices, the latest first, before `before` if given.
    pub fn notices(&mut self, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError> {
        self.base.read(|db| notices::latest(db, before, most))
    }

    /// What is wrong with the rows, if anything: for `groma verify`.
    pub fn complaints(&mut self, now: i64) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(|db| reading::complaints(db, now))?);
        Ok(found)
    }
}
