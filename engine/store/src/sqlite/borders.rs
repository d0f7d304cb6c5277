//! The borders in a SQLite file beside the survey: `bounds.db`, with a write-ahead log, any number of writers.
//!
//! A write is one transaction that takes the file at its beginning, as in the queue of jobs. Durable against kill -9; after a power
//! cut the last moments may be missing, as in the survey itself.

mod clusters;
mod decisions;
mod schema;
mod sites;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::StoreError;
use crate::borders::{
    Borders, Clusters, ClustersHead, DecisionId, DecisionRow, Manner, NewDecision, SiteHead, SiteRow, Watermark,
};

/// How long somebody waits for a moment in which nobody else writes: a clustering of millions of pages takes a while.
const BUSY: Duration = Duration::from_secs(20);
/// The log is cut back to this.
const LOG_BYTES: i64 = 4 << 20;

/// Borders in a SQLite file.
pub struct SqliteBorders {
    db: Connection,
    path: PathBuf,
    /// On a disk that cannot be written they can still be read.
    writable: bool,
}

impl SqliteBorders {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteBorders, StoreError> {
        if std::fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly()) {
            return Err(StoreError::ReadOnly(path.to_path_buf()));
        }
        // Those who begin them at the same moment are told that the file is busy without being made to wait.
        for _ in 0..40 {
            match SqliteBorders::try_open(path) {
                Err(StoreError::Database(error)) if is_busy(&error) => std::thread::sleep(Duration::from_millis(50)),
                other => return other,
            }
        }
        SqliteBorders::try_open(path)
    }

    fn try_open(path: &Path) -> Result<SqliteBorders, StoreError> {
        let mut db = Connection::open(path).map_err(|e| cannot_open(path, e))?;
        prepare(&db, path)?;
        db.pragma_update(None, "journal_mode", "WAL").map_err(|e| cannot_open(path, e))?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        if schema::format(&db, path)? == (0, 0) {
            schema::create(&mut db, path)?;
        }
        schema::check(path, schema::format(&db, path)?)?;
        Ok(SqliteBorders { db, path: path.to_path_buf(), writable: true })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteBorders, StoreError> {
        let plain = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, plain).map_err(|e| cannot_open(path, e))?;
        prepare(&db, path)?;
        let (db, found) = match schema::format(&db, path) {
            Ok(found) => (db, found),
            Err(StoreError::Database(_)) => {
                let flags = plain | OpenFlags::SQLITE_OPEN_URI;
                let db =
                    Connection::open_with_flags(super::immutable_uri(path), flags).map_err(|e| cannot_open(path, e))?;
                prepare(&db, path)?;
                let found = schema::format(&db, path)?;
                (db, found)
            }
            Err(error) => return Err(error),
        };
        schema::check(path, found)?;
        Ok(SqliteBorders { db, path: path.to_path_buf(), writable: false })
    }

    /// Borders with nothing in them, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteBorders, StoreError> {
        let mut db = Connection::open_in_memory()?;
        schema::create(&mut db, path)?;
        Ok(SqliteBorders { db, path: path.to_path_buf(), writable: false })
    }

    /// May they be written to?
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// One transaction, all or nothing.
    fn write<T>(&mut self, act: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.write_if(|tx| act(tx).map(Some))?.ok_or_else(|| damaged("nothing was written"))
    }

    /// The same; nothing is written if nothing comes of it.
    fn write_if<T>(
        &mut self,
        act: impl FnOnce(&Transaction<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        if !self.writable {
            return Err(StoreError::ReadOnly(self.path.clone()));
        }
        let path = self.path.clone();
        let attempt = || {
            let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = act(&tx)?;
            if result.is_some() {
                tx.commit()?;
            }
            Ok(result)
        };
        attempt().map_err(|error| beside(&path, error))
    }

    fn read<T>(&self, act: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        act(&self.db).map_err(|error| beside(&self.path, error))
    }
}

fn prepare(db: &Connection, path: &Path) -> Result<(), StoreError> {
    let set = || {
        db.set_prepared_statement_cache_capacity(32);
        db.busy_timeout(BUSY)?;
        db.pragma_update(None, "temp_store", "MEMORY")
    };
    set().map_err(|e| cannot_open(path, e))
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn cannot_open(path: &Path, error: rusqlite::Error) -> StoreError {
    match super::cannot_open(path, error) {
        StoreError::NotASurvey(_) => foreign(path, "this is no file of borders"),
        other => beside(path, other),
    }
}

fn foreign(path: &Path, what: impl Into<String>) -> StoreError {
    StoreError::Foreign { path: path.to_path_buf(), what: what.into() }
}

/// What is damaged is this file and not the survey: what to do about it is another matter.
fn beside(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged(what) => foreign(path, format!("the file is damaged: {what}")),
        other => other,
    }
}

/// What is kept in a row cannot be read.
fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}

/// All 64 bits of a number, as SQLite keeps them.
fn bits(number: u64) -> i64 {
    number as i64
}

/// A mark out of three columns that follow one another.
fn mark_of(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Watermark> {
    let get = |at: usize| row.get::<_, i64>(at).map(|bits| bits as u64);
    Ok(Watermark { survey: get(first)?, change: get(first + 1)?, graph: get(first + 2)? })
}

/// A number that stands for nothing we know.
fn unknown(column: usize, what: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Integer, what.into())
}

impl Borders for SqliteBorders {
    fn keep_clusters(&mut self, clusters: &Clusters) -> Result<(), StoreError> {
        self.write(|tx| clusters::keep(tx, clusters))
    }

    fn clusters(&mut self, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError> {
        self.read(|db| clusters::of(db, manner, graph))
    }

    fn clusterings(&mut self) -> Result<Vec<ClustersHead>, StoreError> {
        self.read(clusters::heads)
    }

    fn decide(&mut self, decisions: &[NewDecision]) -> Result<Option<Vec<DecisionId>>, StoreError> {
        self.write_if(|tx| decisions.iter().map(|decision| decisions::add(tx, decision)).collect())
    }

    fn decisions(&mut self, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
        self.read(|db| decisions::log(db, site))
    }

    fn keep_site(&mut self, site: &SiteRow) -> Result<(), StoreError> {
        self.write(|tx| sites::keep(tx, site))
    }

    fn site(&mut self, start: &str) -> Result<Option<SiteRow>, StoreError> {
        self.read(|db| sites::of(db, Some(start)))
    }

    fn last_site(&mut self) -> Result<Option<SiteRow>, StoreError> {
        self.read(|db| sites::of(db, None))
    }

    fn sites(&mut self) -> Result<Vec<SiteHead>, StoreError> {
        self.read(sites::heads)
    }

    fn drop_site(&mut self, start: &str) -> Result<bool, StoreError> {
        self.write(|tx| Ok(tx.execute("DELETE FROM site WHERE start = ?1", [start])? > 0))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.read(clusters::complaints)?;
        found.extend(self.read(decisions::complaints)?);
        found.extend(self.read(sites::complaints)?);
        Ok(found)
    }
}
