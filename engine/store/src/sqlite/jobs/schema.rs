//! The tables of the queue. Changing one means a new format number.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// The format this program writes.
const FORMAT: i64 = 1;

/// "Groma jobs", so that `file` and we can tell it from a survey.
const APPLICATION: i64 = 0x4752_4a42;

/// Numbers of jobs and schedules are never given out twice: files and notices are named after them.
const TABLES: &str = "
CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, args TEXT NOT NULL, priority INTEGER NOT NULL, package INTEGER,
    state INTEGER NOT NULL, wish INTEGER NOT NULL DEFAULT 0, felled INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', fence INTEGER NOT NULL DEFAULT 0, lease_until INTEGER NOT NULL DEFAULT 0,
    heard INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0,
    made_at INTEGER NOT NULL, not_before INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0,
    ended_at INTEGER NOT NULL DEFAULT 0, progress TEXT NOT NULL DEFAULT '', memo TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL DEFAULT '', schedule INTEGER
);
CREATE INDEX job_open ON job (state, priority DESC, id) WHERE state < 3;
CREATE INDEX job_package ON job (package, id) WHERE package IS NOT NULL;
CREATE TABLE log (
    job INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (job, seq)
) WITHOUT ROWID;
CREATE TABLE curve (
    job INTEGER NOT NULL, at_ms INTEGER NOT NULL, done INTEGER NOT NULL, still INTEGER NOT NULL, PRIMARY KEY (job, at_ms)
) WITHOUT ROWID;
CREATE TABLE schedule (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, period TEXT NOT NULL, zone TEXT NOT NULL, jitter INTEGER NOT NULL,
    jobs TEXT NOT NULL, priority INTEGER NOT NULL, enabled INTEGER NOT NULL, next_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL, last_package INTEGER
);
CREATE TABLE notice (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, run INTEGER NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
    delivery TEXT NOT NULL
);
";

/// Makes the tables, all or none; whoever comes second finds them made.
pub(super) fn create(db: &mut Connection) -> Result<(), StoreError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if format(&tx)? == (0, 0) {
        tx.execute_batch(TABLES)?;
        tx.pragma_update(None, "application_id", APPLICATION)?;
        tx.pragma_update(None, "user_version", FORMAT)?;
    }
    tx.commit()?;
    Ok(())
}

pub(super) fn format(db: &Connection) -> Result<(i64, i64), StoreError> {
    let get = |name| db.pragma_query_value(None, name, |row| row.get(0));
    Ok((get("application_id")?, get("user_version")?))
}

pub(super) fn check(path: &Path, (application, format): (i64, i64)) -> Result<(), StoreError> {
    if application != APPLICATION {
        return Err(StoreError::Foreign { path: path.to_path_buf(), what: "this is not a queue of jobs".into() });
    }
    if format != FORMAT {
        return Err(StoreError::Version { path: path.to_path_buf(), found: format, expected: FORMAT });
    }
    Ok(())
}
