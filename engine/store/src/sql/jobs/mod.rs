//! The queue: jobs, their logs and curves, schedules, notices.
//!
//! Whatever decides on what others may decide on too is one transaction during which nobody else writes to the queue. Signs of life
//! concern one row and its fence alone, so they wait for nobody.

mod curve;
mod notices;
mod reading;
mod schedules;
pub(crate) mod schema;
mod taking;
mod wishes;

use std::path::Path;

use super::{Anywhere, Base, Repeat, args};
use crate::StoreError;
use crate::jobs::{
    Curve, Ending, Filter, JobId, JobRow, Lease, LogLine, NewJob, NoticeRow, Queue, Reply, ScheduleId, ScheduleRow,
};
use crate::postgres::PgRoom;
use crate::sqlite::SqliteFile;
use crate::{Server, SurveyName};

/// A queue, wherever its tables lie.
pub struct QueueIn<B> {
    base: B,
}

/// A queue in a SQLite file beside the survey: `jobs.db`.
pub type SqliteQueue = QueueIn<SqliteFile>;

/// A queue on a PostgreSQL server.
pub type PgQueue = QueueIn<PgRoom>;

/// A queue of which it was decided when it was opened where the tables lie.
pub type OpenQueue = QueueIn<Anywhere>;

impl<B: Into<Anywhere>> QueueIn<B> {
    /// The same, wherever it lies.
    pub(crate) fn anywhere(self) -> OpenQueue {
        QueueIn { base: self.base.into() }
    }
}

impl QueueIn<SqliteFile> {
    /// Opens a queue, or begins it.
    pub fn open(path: &Path) -> Result<SqliteQueue, StoreError> {
        SqliteFile::open(path, &schema::KIND).map(|base| QueueIn { base })
    }

    /// Opens a queue that is there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteQueue, StoreError> {
        SqliteFile::open_reading(path, &schema::KIND).map(|base| QueueIn { base })
    }

    /// A queue with nothing in it, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteQueue, StoreError> {
        SqliteFile::nothing_at(path, &schema::KIND).map(|base| QueueIn { base })
    }
}

impl QueueIn<PgRoom> {
    /// Opens the queue of a survey, or begins it.
    pub fn open(server: &Server, survey: &SurveyName) -> Result<PgQueue, StoreError> {
        PgRoom::open(server, survey.as_str(), &schema::ROOM).map(|base| QueueIn { base })
    }

    /// Opens the queue of a survey if somebody has begun it.
    pub fn open_reading(server: &Server, survey: &SurveyName) -> Result<Option<PgQueue>, StoreError> {
        Ok(PgRoom::open_reading(server, survey.as_str(), &schema::ROOM)?.map(|base| QueueIn { base }))
    }
}

impl QueueIn<Anywhere> {
    /// May it be written to?
    pub fn is_writable(&self) -> bool {
        self.base.is_writable()
    }
}

impl<B: Base> Queue for QueueIn<B> {
    fn add(&mut self, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError> {
        self.base.write(Repeat::Once, |db| taking::add(db, jobs, package, now))
    }

    fn take(
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

    fn peek(&mut self, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Option<JobRow>, StoreError> {
        self.base.read(|db| {
            let lost = taking::lost(db, is_dead, now)?;
            taking::turn(db, &lost, now)
        })
    }

    fn beat(&mut self, lease: &Lease, progress: Option<&str>, seconds: i64, now: i64) -> Result<Reply, StoreError> {
        self.base.touch(|db| taking::beat(db, lease, progress, seconds, now))
    }

    fn remember(&mut self, lease: &Lease, memo: &str) -> Result<bool, StoreError> {
        self.base.touch(|db| taking::remember(db, lease, memo))
    }

    fn end(&mut self, lease: &Lease, ending: Ending, outcome: &str, now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| taking::end(db, lease, ending, outcome, now))
    }

    fn log(&mut self, job: JobId, text: &str, now: i64) -> Result<(), StoreError> {
        self.base.write(Repeat::Once, |db| curve::log(db, job, text, now))
    }

    fn plot(&mut self, job: JobId, point: Curve) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| curve::plot(db, job, point))
    }

    fn job(&mut self, id: JobId) -> Result<Option<JobRow>, StoreError> {
        self.base.read(|db| reading::job(db, id))
    }

    fn jobs(&mut self, filter: &Filter, before: Option<JobId>, most: usize) -> Result<Vec<JobRow>, StoreError> {
        self.base.read(|db| reading::jobs(db, filter, before, most))
    }

    fn log_of(&mut self, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError> {
        self.base.read(|db| curve::log_of(db, job, after, most))
    }

    fn curve_of(&mut self, job: JobId) -> Result<Vec<Curve>, StoreError> {
        self.base.read(|db| curve::curve_of(db, job))
    }

    fn pause(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::pause(db, job))
    }

    fn resume(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::resume(db, job))
    }

    fn cancel(&mut self, job: JobId, now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::cancel(db, job, now))
    }

    fn retry(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::retry(db, job))
    }

    fn prioritize(&mut self, job: JobId, priority: i32) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::prioritize(db, job, priority))
    }

    fn amend(&mut self, job: JobId, args: &str) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::amend(db, job, args))
    }

    fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        self.base.write(Repeat::Once, |db| wishes::forget(db, before))
    }

    fn schedules(&mut self) -> Result<Vec<ScheduleRow>, StoreError> {
        self.base.read(schedules::all)
    }

    fn put_schedule(&mut self, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError> {
        self.base.write(Repeat::Once, |db| schedules::put(db, schedule))
    }

    fn drop_schedule(&mut self, id: ScheduleId) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| Ok(db.run("DELETE FROM schedule WHERE id = ?1", &args![id])? > 0))
    }

    fn fire(
        &mut self,
        id: ScheduleId,
        seen: i64,
        next: i64,
        jobs: &[NewJob],
        now: i64,
    ) -> Result<Option<Vec<JobId>>, StoreError> {
        self.base.write(Repeat::Once, |db| schedules::fire(db, id, seen, next, jobs, now))
    }

    fn add_notice(&mut self, notice: &NoticeRow) -> Result<u64, StoreError> {
        self.base.write(Repeat::Once, |db| notices::add(db, notice))
    }

    fn deliver(&mut self, notice: u64, delivery: &str) -> Result<(), StoreError> {
        self.base.touch(|db| notices::deliver(db, notice, delivery))
    }

    fn notices(&mut self, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError> {
        self.base.read(|db| notices::latest(db, before, most))
    }

    fn complaints(&mut self, now: i64) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(|db| reading::complaints(db, now))?);
        Ok(found)
    }
}
