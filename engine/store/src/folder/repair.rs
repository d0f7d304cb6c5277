//! What is damaged in the files of a survey is restored as far as that can be done; the rest is named.
//!
//! A page with one wrong bit gets its bit back. Of a file that stays damaged, what can be read goes into a new one that takes its place;
//! the damaged one stays beside it (`-damaged`). Pages of the survey of which something is lost are queued, to be fetched again.

use std::fs;
use std::path::{Path, PathBuf};

use groma_sqlite_checksums::{Protection, fix, note_of, open, protection, writing};
use rusqlite::{Connection, OpenFlags};

use super::Folder;
use super::made::{EMPTY, is_empty};
use super::side::FILES;
use crate::sqlite::{FileSchema, Salvaged, SqliteFile, damage_of, repair, salvage};
use crate::{SqliteStore, StoreError};

/// URLs named one by one.
const NAMED: usize = 50;

/// What a repair restored, and what it could not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// What is as it was again, or was made anew.
    pub restored: Vec<String>,
    /// What is lost, a line for each file, table or page.
    pub lost: Vec<String>,
    /// Pages that wait to be fetched again.
    pub queued: u64,
}

impl Folder {
    /// Repairs the files of the survey. Nobody may be writing to it. On a server there is nothing to repair here: its files are its own.
    pub fn repair(&self, now: i64) -> Result<Repaired, StoreError> {
        let mut done = Repaired::default();
        if self.there()?.is_some() {
            return Ok(done);
        }
        if !self.exists() {
            return Err(StoreError::Missing(self.path.clone()));
        }
        let _lock = self.lock()?;
        let _gathering = self.gathering()?.ok_or_else(|| StoreError::Busy(self.path.clone()))?;
        done.lost.extend(self.give_up_lost()?);
        let file = |path: &Path, beside: Option<&FileSchema>, done: &mut Repaired| {
            FileRepair { path, beside, now, done }.run()
        };
        file(&self.database(), None, &mut done)?;
        for (path, schema) in FILES.map(|schema| (self.path.join(schema.file), schema)) {
            if !path.is_file() {
                continue;
            }
            match file(&path, Some(schema), &mut done) {
                Err(StoreError::DamagedFile { what, .. }) => {
                    done.lost.push(format!("{}: {what}; move it away, and a new one is begun", name(&path)));
                }
                other => other?,
            }
        }
        for path in self.kept_runs() {
            let fixed = fix::fix(&path).map_err(|e| self.io(e))?;
            tell_fixed(&path, &fixed, &mut done);
            if protection(&path) == Some(Protection::Nothing) {
                protect(&open(&path, writing())?, &path, &mut done)?;
            }
        }
        Ok(done)
    }

    /// Where the tables are on a server: has it checksums for the pages of its files? Nothing if they are here, or it does not say.
    pub fn has_server_checksums(&self) -> Option<bool> {
        self.there().ok().flatten()?.has_checksums()
    }

    /// The copies of the survey as it stood after runs.
    pub(super) fn kept_runs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path.join("runs")).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).filter(|path| super::copying::is_kept(path)).collect();
        paths.sort();
        paths
    }

    /// What is wrong with the copies of the survey as it stood after runs.
    pub fn damage_of_runs(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for path in self.kept_runs() {
            let found = match open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
                Ok(_) if is_empty(&path) => vec![EMPTY.to_owned()],
                Ok(db) => damage_of(&db, Some(&path)),
                Err(error) => vec![error.to_string()],
            };
            lines.extend(found.into_iter().map(|line| format!("runs/{}: {line}", name(&path))));
        }
        lines
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes every page anew, with a checksum. Of a damaged file it would make one whose damage nobody sees.
fn protect(db: &Connection, path: &Path, done: &mut Repaired) -> Result<(), StoreError> {
    if damage_of(db, None).is_empty() {
        db.execute_batch("VACUUM")?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        done.restored.push(format!("{}: its pages have checksums now", name(path)));
    }
    Ok(())
}

fn tell_fixed(path: &Path, fixed: &fix::Fixed, done: &mut Repaired) {
    for page in &fixed.fixed {
        done.restored.push(format!("{}: page {page} had one wrong bit and is as it was written again", name(path)));
    }
}

/// The repair of one file.
struct FileRepair<'a> {
    path: &'a Path,
    /// Nothing: the survey itself.
    beside: Option<&'a FileSchema>,
    now: i64,
    done: &'a mut Repaired,
}

impl FileRepair<'_> {
    fn run(&mut self) -> Result<(), StoreError> {
        let fixed = fix::fix(self.path).map_err(|source| self.io(source))?;
        tell_fixed(self.path, &fixed, self.done);
        // Opened for writing: the log is taken in, and what was lost with it is noted.
        let db = open(self.path, writing())?;
        let opened = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let note = note_of(self.path);
        if let Ok(lines) = fs::read_to_string(&note) {
            self.done.lost.extend(lines.lines().map(|line| format!("{}: {line}", name(self.path))));
            fs::remove_file(&note).map_err(|source| self.io(source))?;
        }
        if let Err(error) = opened {
            return Err(self.unreadable(&error.into()));
        }
        if protection(self.path) == Some(Protection::Nothing) {
            protect(&db, self.path, self.done)?;
        }
        let mut wrong = damage_of(&db, Some(self.path));
        drop(db);
        if wrong.is_empty() && self.beside.is_none() {
            wrong = crate::Snapshot::damage(&mut SqliteStore::open_reading(self.path)?)?;
        }
        if wrong.is_empty() { Ok(()) } else { self.salvage() }
    }

    /// Fills a new file with what can be read, and lets it take the place of the damaged one.
    fn salvage(&mut self) -> Result<(), StoreError> {
        let part = with(self.path, "-repaired");
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(with(&part, ending));
        }
        let but: &[&str] = match self.beside {
            None => {
                SqliteStore::begin(&part)?;
                &["print"]
            }
            Some(schema) => {
                drop(SqliteFile::open(&part, schema)?);
                &[]
            }
        };
        let tables = salvage(self.path, &part, but).map_err(|error| self.unreadable(&error))?;
        self.tell(&tables);
        if self.beside.is_none() {
            let requeued = repair(&part, &tables, self.now)?;
            self.done.queued += requeued.queued.len() as u64;
            for url in requeued.queued.iter().take(NAMED) {
                self.done.lost.push(format!("{url}: lost in part, queued to be fetched again"));
            }
            if requeued.queued.len() > NAMED {
                let more = requeued.queued.len() - NAMED;
                self.done.lost.push(format!("and {more} more pages: lost in part, queued to be fetched again"));
            }
            if requeued.forgotten > 0 {
                let count = requeued.forgotten;
                self.done
                    .lost
                    .push(format!("{count} URLs: the pages that link to them are queued, which finds them again"));
            }
        }
        let old = with(self.path, "-damaged");
        let _ = fs::remove_file(&old);
        if fs::hard_link(self.path, &old).is_err() {
            fs::copy(self.path, &old).map_err(|source| self.io(source))?;
        }
        fs::rename(&part, self.path).map_err(|source| self.io(source))?;
        let words = "what could be read is in a new file; the damaged one is beside it as";
        self.done.restored.push(format!("{}: {words} {}", name(self.path), name(&old)));
        Ok(())
    }

    fn tell(&mut self, tables: &[Salvaged]) {
        for table in tables.iter().filter(|table| !table.gaps.is_empty()) {
            let Salvaged { table, rows, gaps } = table;
            let places = gaps.len();
            let line = format!("{}: rows of table {table} in {places} places ({rows} could be read)", name(self.path));
            self.done.lost.push(line);
        }
    }

    fn unreadable(&self, error: &StoreError) -> StoreError {
        let what = format!("nothing of it can be read ({error})");
        StoreError::DamagedFile { path: self.path.to_path_buf(), what }
    }

    fn io(&self, source: std::io::Error) -> StoreError {
        StoreError::Io { path: self.path.to_path_buf(), source }
    }
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    PathBuf::from(path)
}
