//! A survey in files, as an end of a copy.
//!
//! Reading: a transaction in each file, all begun before the first row is read. Writing: files in a folder that nobody knows, without a
//! journal (whoever is killed leaves a folder that is thrown away), each flushed to the disk and given its log when it is whole.
//!
//! Memory: the pages SQLite keeps, one row, and the fingerprints that wait to be entered into the index.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::side::{Source, Take, Target};
use super::tables::{Chamber, Table, TableMark};
use crate::sql::{Arg, Cell, SqlRow, damaged};
use crate::sqlite::{self, SqliteFile};
use crate::{SqliteStore, StoreError};

/// Fingerprints that are sorted and entered at a time.
const PRINTS: usize = 1 << 18;

/// Kilobytes of each file kept in memory while it is written.
const CACHE_KB: i64 = 32 * 1024;

/// Files being read or written.
pub(super) struct Files {
    place: FilesPlace,
    open: Vec<(&'static str, Connection)>,
}

enum FilesPlace {
    /// In a folder, each under its name and with a log beside it.
    Folder(PathBuf),
    /// A single one. It will only be read: it needs no log.
    Alone(PathBuf),
}

impl Files {
    /// Opens those of the files in a folder that are there, for reading, each in a moment of its own.
    pub(super) fn read(folder: &Path, chambers: &'static [Chamber]) -> Result<Files, StoreError> {
        let mut open = Vec::new();
        for chamber in chambers {
            let path = folder.join(chamber.file());
            let db = match chamber.beside {
                None if !path.is_file() => return Err(StoreError::Missing(folder.to_path_buf())),
                None => SqliteStore::open_reading(&path)?.db,
                Some(_) if !path.is_file() => continue,
                Some(kind) => {
                    let db = SqliteFile::open_reading(&path, kind)?.into_connection();
                    db.execute_batch("BEGIN")?;
                    db
                }
            };
            // A transaction has its moment when it first looks.
            db.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
            open.push((chamber.file(), db));
        }
        Ok(Files { place: FilesPlace::Folder(folder.to_path_buf()), open })
    }

    /// Files to be made in a folder.
    pub(super) fn write(folder: &Path) -> Files {
        Files { place: FilesPlace::Folder(folder.to_path_buf()), open: Vec::new() }
    }

    /// One file to be made, of one chamber.
    pub(super) fn write_alone(file: &Path) -> Files {
        Files { place: FilesPlace::Alone(file.to_path_buf()), open: Vec::new() }
    }

    fn db(&self, chamber: &Chamber) -> Result<&Connection, StoreError> {
        let found = self.open.iter().find(|(file, _)| *file == chamber.file()).map(|(_, db)| db);
        found.ok_or_else(|| StoreError::Missing(self.place.path_of(chamber.file())))
    }
}

impl FilesPlace {
    fn path_of(&self, file: &str) -> PathBuf {
        match self {
            FilesPlace::Folder(folder) => folder.join(file),
            FilesPlace::Alone(path) => path.clone(),
        }
    }
}

impl Source for Files {
    fn has(&mut self, chamber: &'static Chamber) -> Result<bool, StoreError> {
        Ok(self.open.iter().any(|(file, _)| *file == chamber.file()))
    }

    fn each(
        &mut self,
        chamber: &'static Chamber,
        table: &'static Table,
        call: &mut Take<'_>,
    ) -> Result<(), StoreError> {
        let mut statement = self.db(chamber)?.prepare(&table.select_here())?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let row = SqlRow::Sqlite(row);
            let cells: Vec<Cell<'_>> = (0..table.columns.len()).map(|at| row.cell(at)).collect::<Result<_, _>>()?;
            call(&cells)?;
        }
        Ok(())
    }

    fn last(&mut self, chamber: &'static Chamber, table: &'static Table) -> Result<i64, StoreError> {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let last = self.db(chamber)?.query_row(sql, [table.name], |row| row.get(0)).optional()?;
        Ok(last.unwrap_or(0))
    }
}

impl Target for Files {
    fn begin(&mut self, chambers: &[&'static Chamber]) -> Result<(), StoreError> {
        for chamber in chambers {
            let path = self.place.path_of(chamber.file());
            match chamber.beside {
                None => SqliteStore::begin(&path)?,
                Some(kind) => drop(SqliteFile::open(&path, kind)?),
            }
            let db = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing())?;
            db.pragma_update(None, "journal_mode", "OFF")?;
            db.pragma_update(None, "synchronous", "OFF")?;
            db.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            db.pragma_update(None, "cache_size", -CACHE_KB)?;
            self.open.push((chamber.file(), db));
        }
        Ok(())
    }

    fn take(
        &mut self,
        chamber: &'static Chamber,
        table: &'static Table,
        feed: &mut dyn FnMut(&mut Take<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let db = self.db(chamber)?;
        let transaction = db.unchecked_transaction()?;
        let mut insert = db.prepare(&table.insert_here())?;
        let mut prints: Vec<(i64, i64)> = Vec::new();
        feed(&mut |cells| {
            insert.execute(params_from_iter(cells.iter().map(arg)))?;
            if table.mark == TableMark::Printed {
                prints.push(print(cells)?);
                if prints.len() == PRINTS {
                    sqlite::enter_prints(db, &mut prints)?;
                }
            }
            Ok(())
        })?;
        if !prints.is_empty() {
            sqlite::enter_prints(db, &mut prints)?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }

    fn set_last(&mut self, chamber: &'static Chamber, table: &'static Table, last: i64) -> Result<(), StoreError> {
        let db = self.db(chamber)?;
        let known = db.execute("UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1", params![table.name, last])?;
        if known == 0 && last > 0 {
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", params![table.name, last])?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        let Files { place, open } = *self;
        let mode = if let FilesPlace::Folder(_) = place { "WAL" } else { "DELETE" };
        for (file, db) in open {
            db.pragma_update(None, "locking_mode", "NORMAL")?;
            db.pragma_update(None, "journal_mode", mode)?;
            // Whoever closes a file last takes its log away.
            db.close().map_err(|(_, error)| error)?;
            sync(&place.path_of(file))?;
        }
        Ok(())
    }
}

/// What was written is on the disk.
fn sync(path: &Path) -> Result<(), StoreError> {
    let done = File::open(path).and_then(|file| file.sync_all());
    done.map_err(|source| StoreError::Io { path: path.to_path_buf(), source })
}

fn arg<'a>(cell: &'a Cell<'_>) -> Arg<'a> {
    match cell {
        Cell::Null => Arg::Int(None),
        Cell::Int(number) => Arg::Int(Some(*number)),
        Cell::Real(number) => Arg::Real(Some(*number)),
        Cell::Text(text) => Arg::Text(Some(text)),
        Cell::Bytes(bytes) => Arg::Bytes(Some(bytes)),
    }
}

/// What the index of fingerprints has of a URL: it begins with its number and its fingerprint.
fn print(cells: &[Cell<'_>]) -> Result<(i64, i64), StoreError> {
    let first: Option<[u8; 8]> = match cells.get(1) {
        Some(Cell::Bytes(bytes)) if bytes.len() == 16 => bytes.get(..8).and_then(|half| half.try_into().ok()),
        _ => None,
    };
    match (cells.first(), first) {
        (Some(Cell::Int(id)), Some(half)) => Ok((i64::from_be_bytes(half), *id)),
        _ => Err(damaged("a URL has no number or no fingerprint")),
    }
}
