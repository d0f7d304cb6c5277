//! The embedded store: one SQLite file, write-ahead log, one writer, any number of readers.
//!
//! Every page has a checksum (see [`groma_sqlite_checksums`]).
//!
//! Durable against kill -9 at any moment. After a power cut the file is consistent, and at worst the last commits before the last
//! checkpoint are missing: their pages are fetched again (`synchronous = NORMAL`).

mod beside;
mod damage;
mod prints;
mod read;
mod repair;
mod salvage;
mod schema;
mod sheets;
mod write;

pub(crate) use beside::{FileSchema, SqliteFile};
pub(crate) use damage::of_file as damage_of;
pub(crate) use prints::enter as enter_prints;
pub(crate) use repair::repair;
pub(crate) use salvage::{Salvaged, salvage};
pub(crate) use schema::APPLICATION;

use std::path::Path;

use groma_sqlite_checksums::{open as open_file, writing};
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;

/// Kilobytes of database pages kept in memory.
const CACHE_KB: i64 = 24 * 1024;
/// How long a reader waits for a moment in which the writer does not hold the file.
const BUSY_MS: u32 = 5_000;
/// Prepared statements that a connection keeps.
const STATEMENTS: usize = 64;
/// Pages in the log after which it is copied into the file: as many as the log may keep.
const LOG_PAGES: i64 = LOG_BYTES / 4096;
/// The log is cut back to this, once a survey has been written to a file of its own, instead of lying about.
const LOG_BYTES: i64 = 16 << 20;

/// A survey in a SQLite file.
pub struct SqliteStore {
    pub(crate) db: Connection,
    /// URLs that the index of fingerprints does not have yet.
    tail: prints::Tail,
    /// Is any body kept? Known once somebody asked.
    bodies: Option<bool>,
    /// The file is of an older format and is read only.
    old: bool,
}

impl SqliteStore {
    fn from_connection(db: Connection) -> SqliteStore {
        SqliteStore { db, tail: prints::Tail::default(), bodies: None, old: false }
    }

    /// Opens a survey for writing, or begins it.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let writable = || {
            let meta = std::fs::metadata(path);
            meta.is_ok_and(|m| m.permissions().readonly())
        };
        if writable() {
            return Err(StoreError::ReadOnly(path.to_path_buf()));
        }
        let db = open_file(path, writing()).map_err(|e| cannot_open(path, e))?;
        // Somebody else's file is left as it is, to the last byte.
        let tables =
            |db: &Connection| db.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
        let any = tables(&db).map_err(|e| cannot_open(path, e))? > 0;
        let mut store = SqliteStore::from_connection(db);
        if any && store.format()? == (0, 0) {
            return Err(StoreError::NotASurvey(path.to_path_buf()));
        }
        store.prepare_connection()?;
        store.db.pragma_update(None, "journal_mode", "WAL").map_err(|e| cannot_open(path, e))?;
        store.db.pragma_update(None, "synchronous", "NORMAL")?;
        store.db.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        store.db.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        match store.format()? {
            (0, 0) => schema::create(&mut store.db)?,
            found => {
                check_format(path, found)?;
                if found.1 < schema::FORMAT {
                    schema::bring_up_to_date(&mut store.db)?;
                }
            }
        }
        Ok(store)
    }

    /// Makes an empty survey of which nothing lies beside its file: it may be given another name.
    pub(crate) fn begin(path: &Path) -> Result<(), StoreError> {
        let store = SqliteStore::open(path)?;
        store.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        // The last to close a file takes its log away.
        store.db.close().map_err(|(_, error)| error.into())
    }

    /// Opens a survey for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteStore, StoreError> {
        let plain = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = open_file(path, plain).map_err(|e| cannot_open(path, e))?;
        let mut store = SqliteStore::from_connection(db);
        store.prepare_connection()?;
        match store.format() {
            Ok(found) => {
                check_format(path, found)?;
                store.make_do(found.1)?;
            }
            Err(StoreError::Database(_)) => return SqliteStore::open_immutable(path),
            Err(e) => return Err(e),
        }
        // One transaction for the life of the reader: all its answers are of one moment.
        store.db.execute_batch("BEGIN")?;
        Ok(store)
    }

    /// Copies a survey as it stands at this moment, also while somebody writes.
    pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
        let store = SqliteStore::from_connection(open_file(from, writing()).map_err(|e| cannot_open(from, e))?);
        store.prepare_connection()?;
        store.db.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
        // Nobody writes to a copy: it needs no log beside it.
        Ok(open_file(to, writing())?.pragma_update(None, "journal_mode", "DELETE")?)
    }

    fn open_immutable(path: &Path) -> Result<SqliteStore, StoreError> {
        let uri = immutable_uri(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = SqliteStore::from_connection(open_file(uri, flags).map_err(|e| cannot_open(path, e))?);
        store.prepare_connection()?;
        let found = store.format()?;
        check_format(path, found)?;
        store.make_do(found.1)?;
        Ok(store)
    }

    /// Reading only: what an older format does not have is empty, until a writer brings the file up to date.
    fn make_do(&mut self, format: i64) -> Result<(), StoreError> {
        let was = std::mem::replace(&mut self.old, format < schema::FORMAT);
        match (was, self.old) {
            (false, true) => schema::make_do(&self.db),
            (true, false) => schema::make_do_no_more(&self.db),
            _ => Ok(()),
        }
    }

    fn prepare_connection(&self) -> Result<(), StoreError> {
        self.db.set_prepared_statement_cache_capacity(STATEMENTS);
        self.db.busy_timeout(std::time::Duration::from_millis(u64::from(BUSY_MS)))?;
        self.db.pragma_update(None, "cache_size", -CACHE_KB)?;
        self.db.pragma_update(None, "temp_store", "MEMORY")?;
        Ok(())
    }

    fn format(&self) -> Result<(i64, i64), StoreError> {
        let get = |name| self.db.pragma_query_value(None, name, |row| row.get(0));
        Ok((get("application_id")?, get("user_version")?))
    }
}

/// A file on a disk that cannot be written, taken as it stands.
fn immutable_uri(path: &Path) -> String {
    let path = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{path}?immutable=1")
}

fn check_format(path: &Path, (application, format): (i64, i64)) -> Result<(), StoreError> {
    if application != schema::APPLICATION {
        return Err(StoreError::NotASurvey(path.to_path_buf()));
    }
    if !(schema::OLDEST..=schema::FORMAT).contains(&format) {
        return Err(StoreError::Version { path: path.to_path_buf(), found: format, expected: schema::FORMAT });
    }
    Ok(())
}

fn cannot_open(path: &Path, error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            StoreError::ReadOnly(path.to_path_buf())
        }
        Some(ErrorCode::NotADatabase) if groma_sqlite_checksums::fix::has_one_wrong_bit_in_front(path) => {
            StoreError::Damaged("a bit of its first page is wrong".to_owned())
        }
        Some(ErrorCode::NotADatabase) => StoreError::NotASurvey(path.to_path_buf()),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use groma_model::PageId;

    use super::*;
    use crate::{Snapshot, Store, WriteBatch};

    #[test]
    fn a_survey_of_the_format_before_is_read_as_it_is_and_brought_up_to_date_by_whoever_writes() {
        let dir = std::env::temp_dir().join(format!("groma-store-format-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("survey.db");
        drop(SqliteStore::open(&path).unwrap());
        let old = open_file(&path, writing()).unwrap();
        old.execute_batch("DROP TABLE linked; PRAGMA user_version = 2").unwrap();
        drop(old);
        let mut reader = SqliteStore::open_reading(&path).unwrap();
        assert_eq!(reader.linked(PageId(1)).unwrap(), None);
        assert_eq!(reader.format().unwrap().1, 2, "who reads writes nothing");
        let mut writer = SqliteStore::open(&path).unwrap();
        assert_eq!(writer.format().unwrap().1, schema::FORMAT);
        let linked = vec![(PageId(1), "http://h/?b&a".to_owned())];
        writer.commit(&WriteBatch { linked, ..WriteBatch::default() }).unwrap();
        assert_eq!(reader.linked(PageId(1)).unwrap(), None, "it sees its own moment");
        reader.renew().unwrap();
        assert_eq!(reader.linked(PageId(1)).unwrap().as_deref(), Some("http://h/?b&a"));
        drop((reader, writer));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
