//! A SQLite file of its own beside the survey, with a write-ahead log and any number of writers: what jobs, bounds, focused crawls,
//! gatherings and accounts live in.
//!
//! A write is one transaction that takes the file at its beginning (`BEGIN IMMEDIATE`), so nobody decides on what somebody else is
//! about to change. Durable against kill -9; after a power cut the last moments may be missing, as in the survey itself.

use std::path::{Path, PathBuf};
use std::time::Duration;

use groma_sqlite_checksums::{open as open_file, writing};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params_from_iter};

use crate::StoreError;
use crate::sql::{Act, Arg, Dialect, Look, Speak, SqlRow};

/// How long somebody waits for a moment in which nobody else writes: a clustering of millions of pages takes a while.
const BUSY: Duration = Duration::from_secs(20);
/// The log is cut back to this.
const LOG_BYTES: i64 = 4 << 20;
/// Prepared statements that a connection keeps.
const STATEMENTS: usize = 64;

/// What such a file holds. Changing its tables means a new format number.
pub struct FileSchema {
    /// Its name in the folder.
    pub(crate) file: &'static str,
    /// What it holds, in a word for messages: "bounds".
    pub(crate) what: &'static str,
    /// The number by which `file` and we can tell it from others.
    pub(crate) application: i64,
    /// The format this program writes.
    pub(crate) format: i64,
    /// The statements that make the tables.
    pub(crate) tables: &'static str,
    /// Every commit is on the disk when the call returns, and what is deleted is overwritten.
    pub(crate) careful: bool,
}

/// An open file beside a survey.
pub struct SqliteFile {
    db: Connection,
    path: PathBuf,
    /// On a disk that cannot be written it can still be read.
    writable: bool,
}

impl SqliteFile {
    /// Opens it, or begins it.
    pub(crate) fn open(path: &Path, kind: &FileSchema) -> Result<SqliteFile, StoreError> {
        if std::fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly()) {
            return Err(StoreError::ReadOnly(path.to_path_buf()));
        }
        // Those who begin it at the same moment are told that the file is busy without being made to wait.
        for _ in 0..40 {
            match SqliteFile::try_open(path, kind) {
                Err(StoreError::Database(error)) if is_busy(&error) => std::thread::sleep(Duration::from_millis(50)),
                other => return other,
            }
        }
        SqliteFile::try_open(path, kind)
    }

    fn try_open(path: &Path, kind: &FileSchema) -> Result<SqliteFile, StoreError> {
        let refused = |e| kind.cannot_open(path, e);
        let mut db = open_file(path, writing()).map_err(refused)?;
        prepare(&db).map_err(refused)?;
        // Nothing of a file is changed that is not ours.
        if ![0, kind.application].contains(&kind.found(&db, path)?.0) {
            return Err(kind.another(path));
        }
        db.pragma_update(None, "journal_mode", "WAL").map_err(refused)?;
        db.pragma_update(None, "synchronous", if kind.careful { "FULL" } else { "NORMAL" })?;
        if kind.careful {
            db.pragma_update(None, "secure_delete", "ON")?;
        }
        db.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        if kind.found(&db, path)? == (0, 0) {
            kind.create(&mut db, path)?;
        }
        kind.check(path, kind.found(&db, path)?)?;
        Ok(SqliteFile { db, path: path.to_path_buf(), writable: true })
    }

    /// Opens one that is there for reading. On a disk that cannot be written the file is taken as it stands.
    pub(crate) fn open_reading(path: &Path, kind: &FileSchema) -> Result<SqliteFile, StoreError> {
        let refused = |e| kind.cannot_open(path, e);
        let plain = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = open_file(path, plain).map_err(refused)?;
        prepare(&db).map_err(refused)?;
        let (db, found) = match kind.found(&db, path) {
            Ok(found) => (db, found),
            Err(StoreError::Database(_)) => {
                let flags = plain | OpenFlags::SQLITE_OPEN_URI;
                let db = open_file(super::immutable_uri(path), flags).map_err(refused)?;
                prepare(&db).map_err(refused)?;
                let found = kind.found(&db, path)?;
                (db, found)
            }
            Err(error) => return Err(error),
        };
        kind.check(path, found)?;
        Ok(SqliteFile { db, path: path.to_path_buf(), writable: false })
    }

    /// One with nothing in it, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path, kind: &FileSchema) -> Result<SqliteFile, StoreError> {
        let mut db = Connection::open_in_memory()?;
        kind.create(&mut db, path)?;
        Ok(SqliteFile { db, path: path.to_path_buf(), writable: false })
    }

    /// The connection alone, for whoever reads whole tables.
    pub(crate) fn into_connection(self) -> Connection {
        self.db
    }

    /// May it be written to?
    pub(crate) fn is_writable(&self) -> bool {
        self.writable
    }

    fn refuse_unless_writable(&self) -> Result<(), StoreError> {
        if self.writable { Ok(()) } else { Err(StoreError::ReadOnly(self.path.clone())) }
    }
}

/// What [`crate::sql::Base`] asks of a file. Whoever writes takes the file at the beginning; nothing is ever lost on the way, so
/// everything is done once.
impl SqliteFile {
    pub(crate) fn transact(&mut self, act: Act<'_>) -> Result<bool, StoreError> {
        self.refuse_unless_writable()?;
        let mut attempt = || {
            let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let any = act(&mut SqliteSession(&tx))?;
            if any {
                tx.commit()?;
            }
            Ok(any)
        };
        attempt().map_err(|error| whose(&self.path, error))
    }

    pub(crate) fn tell(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        self.refuse_unless_writable()?;
        self.look(act)
    }

    pub(crate) fn look(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        act(&mut SqliteSession(&self.db)).map_err(|error| whose(&self.path, error))
    }

    pub(crate) fn damage(&self) -> Vec<String> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = super::damage::of_file(&self.db, Some(&self.path));
        found.into_iter().map(|line| format!("{name}: {line}")).collect()
    }
}

/// A connection to which statements are told. Each is prepared once and kept.
struct SqliteSession<'a>(&'a Connection);

impl Speak for SqliteSession<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, StoreError> {
        Ok(self.0.prepare_cached(sql)?.execute(params_from_iter(args))? as u64)
    }

    fn run_each(&mut self, sql: &str, width: usize, args: &[Arg<'_>]) -> Result<(), StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        for args in args.chunks(width.max(1)) {
            statement.execute(params_from_iter(args))?;
        }
        Ok(())
    }

    fn each(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        call: &mut dyn FnMut(&SqlRow<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(args))?;
        while let Some(row) = rows.next()? {
            if !call(&SqlRow::Sqlite(row))? {
                break;
            }
        }
        Ok(())
    }
}

impl FileSchema {
    /// Makes the tables, all or none; whoever comes second finds them made.
    fn create(&self, db: &mut Connection, path: &Path) -> Result<(), StoreError> {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if self.found(&tx, path)? == (0, 0) {
            let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
            if tables > 0 {
                return Err(self.another(path));
            }
            tx.execute_batch(self.tables)?;
            tx.pragma_update(None, "application_id", self.application)?;
            tx.pragma_update(None, "user_version", self.format)?;
        }
        tx.commit()?;
        Ok(())
    }

    /// The application and the format a file says it is of.
    fn found(&self, db: &Connection, path: &Path) -> Result<(i64, i64), StoreError> {
        let get = |name| db.pragma_query_value(None, name, |row| row.get(0));
        let both = || Ok((get("application_id")?, get("user_version")?));
        both().map_err(|e| self.cannot_open(path, e))
    }

    fn check(&self, path: &Path, (application, format): (i64, i64)) -> Result<(), StoreError> {
        if application != self.application {
            return Err(self.another(path));
        }
        if format != self.format {
            let what = format!("{} of format {format}, this program reads {}", self.what, self.format);
            return Err(foreign(path, what));
        }
        Ok(())
    }

    fn cannot_open(&self, path: &Path, error: rusqlite::Error) -> StoreError {
        match super::cannot_open(path, error) {
            StoreError::NotASurvey(_) => self.another(path),
            other => whose(path, other),
        }
    }

    fn another(&self, path: &Path) -> StoreError {
        foreign(path, format!("this is no file of {}", self.what))
    }
}

fn prepare(db: &Connection) -> rusqlite::Result<()> {
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "temp_store", "MEMORY")
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn foreign(path: &Path, what: impl Into<String>) -> StoreError {
    StoreError::Foreign { path: path.to_path_buf(), what: what.into() }
}

/// What is damaged is this file and not the survey: what to do about it is another matter.
fn whose(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged(what) => StoreError::DamagedFile { path: path.to_path_buf(), what },
        other => other,
    }
}
