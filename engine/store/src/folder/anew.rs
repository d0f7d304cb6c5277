//! Starting over: what is the survey's goes, what is not stays, and whoever refuses has removed nothing.
//!
//! The order: the lock; is everything that would go really ours; the new, empty survey under another name, so that a full disk
//! refuses too; and only then the old one makes room for it. The lock is held to the end, so nobody comes in between.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Folder, LEFT, Lock};
use crate::focuses::Focuses;
use crate::sqlite::APPLICATION;
use crate::{PgStore, SideStore, SqliteStore, Store, StoreError};

/// How a SQLite file begins, and where in it the number of its application stands.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const APPLICATION_AT: usize = 68;

/// Focused crawls name pages of the survey by their numbers: they go with it.
const FOCUSED: [&str; 3] = ["focus.db", "focus.db-wal", "focus.db-shm"];

impl Folder {
    /// Begins the survey anew and opens it for writing; with `leading`, so that others can lend a hand. What stands in its place goes,
    /// and with it the copies of its runs and pictures of its pages. Jobs, bounds and gatherings stay, and whatever else lies in
    /// the folder.
    ///
    /// Nothing is removed if somebody writes to it ([`StoreError::Busy`]), if something under the name of one of its files is not of
    /// this program ([`StoreError::NotASurvey`]), or if a new one cannot be made.
    pub fn open_anew(&self, leading: bool) -> Result<(Box<dyn Store>, Lock), StoreError> {
        let open = || if leading { self.open_leading() } else { self.open() };
        if !self.exists() {
            return open();
        }
        if let Some(there) = self.there()? {
            PgStore::clear(&there.server, &there.survey)?;
            self.clear_copies()?;
            return open();
        }
        let lock = self.lock()?;
        let (old, begun) = (self.database(), self.path.join("begun.db"));
        for (path, application) in [(&old, APPLICATION), (&self.side_path::<Focuses>(), Focuses::FILE.application)] {
            if fs::symlink_metadata(path).is_ok() && !is_of(path, application) {
                return Err(StoreError::NotASurvey(path.clone()));
            }
        }
        for name in LEFT.iter().filter(|name| name.starts_with("begun.")) {
            self.remove(name)?;
        }
        SqliteStore::begin(&begun)?;
        self.forget_made(&|name| name == FOCUSED[0])?;
        // The file first: what lies beside it without it counts for nothing.
        for name in ["survey.db"].iter().chain(LEFT.iter().filter(|name| name.starts_with("survey."))).chain(&FOCUSED) {
            self.remove(name)?;
        }
        fs::rename(&begun, &old).map_err(|e| self.io(e))?;
        self.clear_copies()?;
        Ok((Box::new(SqliteStore::open(&old)?), lock))
    }

    /// Was a survey being begun here, or begun anew, when somebody was killed?
    pub(super) fn was_being_begun(&self) -> bool {
        is_of(&self.path.join("begun.db"), APPLICATION)
    }

    pub(super) fn clear_copies(&self) -> Result<(), StoreError> {
        let is_copy = |path: &Path, name: &str| match name.strip_suffix(".db") {
            Some("part") => true,
            Some(run) => run.bytes().all(|b| b.is_ascii_digit()) && is_of(path, APPLICATION),
            None => false,
        };
        self.forget_made(&|name| name.starts_with("runs/"))?;
        self.clear_beside(&self.path.join("runs"), &is_copy)?;
        let is_picture = |_: &Path, name: &str| {
            let hex = name.strip_suffix(".new").unwrap_or(name).strip_suffix(".png");
            hex.is_some_and(|hex| hex.len() == 32 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        self.clear_beside(&self.pictures(), &is_picture)
    }

    /// Removes our own files from a folder beside the survey, and the folder if nothing is left in it. What is reached by a link lies
    /// elsewhere and is somebody else's.
    fn clear_beside(&self, folder: &Path, ours: &dyn Fn(&Path, &str) -> bool) -> Result<(), StoreError> {
        if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
            return Ok(());
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_file()) && ours(&path, &entry.file_name().to_string_lossy()) {
                fs::remove_file(path).map_err(|e| self.io(e))?;
            }
        }
        let _ = fs::remove_dir(folder);
        Ok(())
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Is this a file of this program's own, of this kind? An empty file holds nothing that could be lost.
/// Is this the database of a survey?
pub(super) fn is_survey(path: &Path) -> bool {
    is_of(path, APPLICATION)
}

fn is_of(path: &Path, application: i64) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(100).read_to_end(&mut head));
    if read.is_err() || !(head.is_empty() || head.starts_with(MAGIC)) {
        return false;
    }
    let Some(number) = head.get(APPLICATION_AT..APPLICATION_AT + 4) else { return head.is_empty() };
    let number = number.iter().fold(0, |sum, byte| (sum << 8) | i64::from(*byte));
    // One that was begun a moment before a kill has its number in the log.
    let has_log = || fs::metadata(with_ending(path, "-wal")).is_ok_and(|log| log.len() > 0);
    number == application || (number == 0 && has_log())
}
