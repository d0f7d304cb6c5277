//! The queue in a SQLite file beside the survey: `jobs.db`, with a write-ahead log, any number of writers.
//!
//! A write is one transaction that takes the file at its beginning (`BEGIN IMMEDIATE`), so nobody decides on what somebody else is
//! about to change. Durable against kill -9; after a power cut the last moments may be missing, as in the survey itself.

mod curve;
mod notices;
mod numbers;
mod reading;
mod schedules;
mod schema;
mod taking;
mod wishes;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::StoreError;
use crate::jobs::{
    Curve, Ending, Filter, JobId, JobRow, Lease, LogLine, NewJob, NoticeRow, Queue, Reply, ScheduleId, ScheduleRow,
};

/// How long somebody waits for a moment in which nobody else writes.
const BUSY: Duration = Duration::from_secs(5);
/// The log is cut back to this.
const LOG_BYTES: i64 = 4 << 20;

/// A queue in a SQLite file.
pub struct SqliteQueue {
    db: Connection,
    path: PathBuf,
    /// On a disk that cannot be written it can still be read.
    writable: bool,
}

impl SqliteQueue {
    /// Opens a queue, or begins it.
    pub fn open(path: &Path) -> Result<SqliteQueue, StoreError> {
        if std::fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly()) {
            return Err(StoreError::ReadOnly(path.to_path_buf()));
        }
        // Those who begin it at the same moment are told that it is busy without being made to wait.
        for _ in 0..40 {
            match SqliteQueue::try_open(path) {
                Err(StoreError::Database(error)) if is_busy(&error) => std::thread::sleep(Duration::from_millis(50)),
                other => return other,
            }
        }
        SqliteQueue::try_open(path)
    }

    fn try_open(path: &Path) -> Result<SqliteQueue, StoreError> {
        let db = Connection::open(path).map_err(|e| super::cannot_open(path, e))?;
        prepare(&db)?;
        db.pragma_update(None, "journal_mode", "WAL").map_err(|e| super::cannot_open(path, e))?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        let mut queue = SqliteQueue { db, path: path.to_path_buf(), writable: true };
        if schema::format(&queue.db)? == (0, 0) {
            schema::create(&mut queue.db)?;
        }
        schema::check(path, schema::format(&queue.db)?)?;
        Ok(queue)
    }

    /// Opens a queue that is there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteQueue, StoreError> {
        let plain = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, plain).map_err(|e| super::cannot_open(path, e))?;
        prepare(&db)?;
        let (db, found) = match schema::format(&db) {
            Ok(found) => (db, found),
            Err(StoreError::Database(_)) => {
                let flags = plain | OpenFlags::SQLITE_OPEN_URI;
                let db = Connection::open_with_flags(super::immutable_uri(path), flags)
                    .map_err(|e| super::cannot_open(path, e))?;
                prepare(&db)?;
                let found = schema::format(&db)?;
                (db, found)
            }
            Err(error) => return Err(error),
        };
        schema::check(path, found)?;
        Ok(SqliteQueue { db, path: path.to_path_buf(), writable: false })
    }

    /// A queue with nothing in it, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteQueue, StoreError> {
        let mut db = Connection::open_in_memory()?;
        schema::create(&mut db)?;
        Ok(SqliteQueue { db, path: path.to_path_buf(), writable: false })
    }

    /// May it be written to?
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// One transaction, all or nothing.
    fn write<T>(&mut self, act: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if !self.writable {
            return Err(StoreError::ReadOnly(self.path.clone()));
        }
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = act(&tx)?;
        tx.commit()?;
        Ok(result)
    }
}

fn prepare(db: &Connection) -> Result<(), StoreError> {
    db.set_prepared_statement_cache_capacity(64);
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

impl Queue for SqliteQueue {
    fn add(&mut self, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError> {
        self.write(|tx| taking::add(tx, jobs, package, now))
    }

    fn take(
        &mut self,
        owner: &str,
        seconds: i64,
        is_dead: &dyn Fn(&str) -> bool,
        now: i64,
    ) -> Result<Option<(Lease, JobRow)>, StoreError> {
        let lost = taking::lost(&self.db, is_dead, now)?;
        // Whoever looks every moment should not keep others from writing.
        if lost.is_empty() && taking::turn(&self.db, &lost, now)?.is_none() {
            return Ok(None);
        }
        self.write(|tx| taking::take(tx, owner, seconds, &lost, now))
    }

    fn peek(&mut self, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Option<JobRow>, StoreError> {
        let lost = taking::lost(&self.db, is_dead, now)?;
        taking::turn(&self.db, &lost, now)
    }

    fn beat(&mut self, lease: &Lease, progress: Option<&str>, seconds: i64, now: i64) -> Result<Reply, StoreError> {
        self.write(|tx| taking::beat(tx, lease, progress, seconds, now))
    }

    fn remember(&mut self, lease: &Lease, memo: &str) -> Result<bool, StoreError> {
        self.write(|tx| taking::remember(tx, lease, memo))
    }

    fn end(&mut self, lease: &Lease, ending: Ending, outcome: &str, now: i64) -> Result<bool, StoreError> {
        self.write(|tx| taking::end(tx, lease, ending, outcome, now))
    }

    fn log(&mut self, job: JobId, text: &str, now: i64) -> Result<(), StoreError> {
        self.write(|tx| curve::log(tx, job, text, now))
    }

    fn plot(&mut self, job: JobId, point: Curve) -> Result<(), StoreError> {
        self.write(|tx| curve::plot(tx, job, point))
    }

    fn job(&mut self, id: JobId) -> Result<Option<JobRow>, StoreError> {
        reading::job(&self.db, id)
    }

    fn jobs(&mut self, filter: &Filter, before: Option<JobId>, most: usize) -> Result<Vec<JobRow>, StoreError> {
        reading::jobs(&self.db, filter, before, most)
    }

    fn log_of(&mut self, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError> {
        curve::log_of(&self.db, job, after, most)
    }

    fn curve_of(&mut self, job: JobId) -> Result<Vec<Curve>, StoreError> {
        curve::curve_of(&self.db, job)
    }

    fn pause(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.write(|tx| wishes::pause(tx, job))
    }

    fn resume(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.write(|tx| wishes::resume(tx, job))
    }

    fn cancel(&mut self, job: JobId, now: i64) -> Result<bool, StoreError> {
        self.write(|tx| wishes::cancel(tx, job, now))
    }

    fn retry(&mut self, job: JobId, _now: i64) -> Result<bool, StoreError> {
        self.write(|tx| wishes::retry(tx, job))
    }

    fn prioritize(&mut self, job: JobId, priority: i32) -> Result<bool, StoreError> {
        self.write(|tx| wishes::prioritize(tx, job, priority))
    }

    fn amend(&mut self, job: JobId, args: &str) -> Result<bool, StoreError> {
        self.write(|tx| wishes::amend(tx, job, args))
    }

    fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        self.write(|tx| wishes::forget(tx, before))
    }

    fn schedules(&mut self) -> Result<Vec<ScheduleRow>, StoreError> {
        schedules::all(&self.db)
    }

    fn put_schedule(&mut self, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError> {
        self.write(|tx| schedules::put(tx, schedule))
    }

    fn drop_schedule(&mut self, id: ScheduleId) -> Result<bool, StoreError> {
        self.write(|tx| Ok(tx.execute("DELETE FROM schedule WHERE id = ?1", [id])? > 0))
    }

    fn fire(
        &mut self,
        id: ScheduleId,
        seen: i64,
        next: i64,
        jobs: &[NewJob],
        now: i64,
    ) -> Result<Option<Vec<JobId>>, StoreError> {
        self.write(|tx| schedules::fire(tx, id, seen, next, jobs, now))
    }

    fn add_notice(&mut self, notice: &NoticeRow) -> Result<u64, StoreError> {
        self.write(|tx| notices::add(tx, notice))
    }

    fn deliver(&mut self, notice: u64, delivery: &str) -> Result<(), StoreError> {
        self.write(|tx| notices::deliver(tx, notice, delivery))
    }

    fn notices(&mut self, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError> {
        notices::latest(&self.db, before, most)
    }

    fn complaints(&mut self, now: i64) -> Result<Vec<String>, StoreError> {
        reading::complaints(&self.db, now)
    }
}
