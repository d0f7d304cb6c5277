//! The folder of a survey: `NAME.groma/` with `survey.db` in it. Copy it, open it anywhere.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::jobs::{WorkerLock, workers};
use crate::{SqliteBorders, SqliteFocuses, SqliteGathers, SqliteQueue, SqliteStore, StoreError};

/// What may lie in the folder of a survey that has not been begun: jobs can be asked for before there is a page.
const BESIDE: [&str; 19] = [
    "lock",
    "runs",
    "jobs.db",
    "focus.db",
    "focus.db-wal",
    "focus.db-shm",
    "gather.db",
    "gather.lock",
    "gather.db-wal",
    "gather.db-shm",
    "jobs.db-wal",
    "jobs.db-shm",
    "bounds.db",
    "bounds.db-wal",
    "bounds.db-shm",
    "workers",
    "results",
    "index",
    "notices",
];

/// What a kill may leave where there is no survey: of one that was being begun, and of one that was being removed.
const LEFT: [&str; 7] = [
    "begun.db",
    "begun.db-journal",
    "begun.db-wal",
    "begun.db-shm",
    "survey.db-journal",
    "survey.db-wal",
    "survey.db-shm",
];

/// One way to open a file beside the survey.
type Opening<T> = fn(&Path) -> Result<T, StoreError>;

/// A survey's folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Held by whoever writes. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// The name a survey of this host gets in the working directory. Only letters, digits, `.` and `-` are taken over.
pub fn default_folder(host: &str, port: Option<u16>) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
    let mut name: String = host.trim_matches(['[', ']']).chars().map(plain).collect();
    if let Some(port) = port {
        name.push_str(&format!("-{port}"));
    }
    PathBuf::from(format!("{}.groma", name.trim_start_matches('.')))
}

impl Folder {
    /// The folder at this path, whether it exists or not.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.path.join("survey.db")
    }

    /// Is there a survey?
    pub fn exists(&self) -> bool {
        self.database().is_file()
    }

    /// Opens the survey for writing, or begins it.
    pub fn open(&self) -> Result<(SqliteStore, Lock), StoreError> {
        if self.path.exists() && !self.exists() && !self.is_empty() {
            return Err(StoreError::NotASurvey(self.path.clone()));
        }
        fs::create_dir_all(&self.path).map_err(|e| self.io(e))?;
        let lock = self.lock()?;
        self.begin()?;
        let store = SqliteStore::open(&self.database())?;
        Ok((store, lock))
    }

    /// Makes an empty survey, if there is none, and gives it its name only when it is whole: a kill at any moment leaves none or
    /// one that everybody can read. For whoever holds the lock.
    fn begin(&self) -> Result<(), StoreError> {
        if self.exists() {
            return Ok(());
        }
        // The log of another survey would be taken for that of this one.
        for name in LEFT {
            self.remove(name)?;
        }
        let begun = self.path.join("begun.db");
        SqliteStore::begin(&begun)?;
        fs::rename(&begun, self.database()).map_err(|e| self.io(e))
    }

    fn remove(&self, name: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.path.join(name)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(self.io(e)),
            _ => Ok(()),
        }
    }

    /// Opens the survey for reading; somebody else may be writing.
    pub fn read(&self) -> Result<SqliteStore, StoreError> {
        if !self.exists() {
            return Err(StoreError::Missing(self.path.clone()));
        }
        SqliteStore::open_reading(&self.database())
    }

    /// The file of the queue.
    pub fn jobs(&self) -> PathBuf {
        self.path.join("jobs.db")
    }

    /// Where the results of jobs are kept.
    pub fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    /// Opens the queue of the survey's jobs, or begins it: also where there is no survey yet. On a disk that cannot be written it
    /// can be read.
    pub fn queue(&self) -> Result<SqliteQueue, StoreError> {
        if self.path.exists() && !self.exists() && !self.is_empty() {
            return Err(StoreError::NotASurvey(self.path.clone()));
        }
        fs::create_dir_all(&self.path).map_err(|e| self.io(e))?;
        match SqliteQueue::open(&self.jobs()) {
            Err(StoreError::ReadOnly(_)) if self.jobs().is_file() => SqliteQueue::open_reading(&self.jobs()),
            Err(StoreError::ReadOnly(_)) => SqliteQueue::nothing_at(&self.jobs()),
            other => other,
        }
    }

    /// The queue, if there ever was a job or a schedule: nothing is made by looking.
    pub fn queue_if_any(&self) -> Result<Option<SqliteQueue>, StoreError> {
        if self.jobs().is_file() { self.queue().map(Some) } else { Ok(None) }
    }

    /// The file of the borders.
    pub fn bounds(&self) -> PathBuf {
        self.path.join("bounds.db")
    }

    /// Opens the borders of the survey's sites, or begins them. On a disk that cannot be written they can be read.
    pub fn borders(&self) -> Result<SqliteBorders, StoreError> {
        let kinds = [SqliteBorders::open, SqliteBorders::open_reading, SqliteBorders::nothing_at];
        self.beside(&self.bounds(), kinds)
    }

    /// The borders, if ever any were found or decided: nothing is made by looking.
    pub fn borders_if_any(&self) -> Result<Option<SqliteBorders>, StoreError> {
        if self.bounds().is_file() { self.borders().map(Some) } else { Ok(None) }
    }

    /// Where the focused crawls are kept: see [`Folder::focuses`].
    pub fn focus(&self) -> PathBuf {
        self.path.join("focus.db")
    }

    /// Opens the focused crawls of the survey, or begins them. On a disk that cannot be written they can be read.
    pub fn focuses(&self) -> Result<SqliteFocuses, StoreError> {
        let kinds = [SqliteFocuses::open, SqliteFocuses::open_reading, SqliteFocuses::nothing_at];
        self.beside(&self.focus(), kinds)
    }

    /// The focused crawls, if there ever was one: nothing is made by looking.
    pub fn focuses_if_any(&self) -> Result<Option<SqliteFocuses>, StoreError> {
        if self.focus().is_file() { self.focuses().map(Some) } else { Ok(None) }
    }

    /// Where the gatherings are kept: see [`Folder::gathers`].
    pub fn gather(&self) -> PathBuf {
        self.path.join("gather.db")
    }

    /// Opens the gatherings of the survey, or begins them. On a disk that cannot be written they can be read.
    pub fn gathers(&self) -> Result<SqliteGathers, StoreError> {
        let kinds = [SqliteGathers::open, SqliteGathers::open_reading, SqliteGathers::nothing_at];
        self.beside(&self.gather(), kinds)
    }

    /// The gatherings, if there ever was one: nothing is made by looking.
    pub fn gathers_if_any(&self) -> Result<Option<SqliteGathers>, StoreError> {
        if self.gather().is_file() { self.gathers().map(Some) } else { Ok(None) }
    }

    /// Held by whoever gathers: two at once would spoil each other's answers. Nothing if somebody does.
    pub fn gathering(&self) -> Result<Option<Lock>, StoreError> {
        match self.lock_file("gather.lock") {
            Ok(lock) => Ok(Some(lock)),
            Err(StoreError::Busy(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens a file beside the survey, or begins it; for reading, or as if there were nothing in it, where it cannot be written.
    fn beside<T>(&self, path: &Path, [open, open_reading, nothing_at]: [Opening<T>; 3]) -> Result<T, StoreError> {
        if !self.exists() {
            return Err(StoreError::Missing(self.path.clone()));
        }
        match open(path) {
            Err(StoreError::ReadOnly(_)) if path.is_file() => open_reading(path),
            Err(StoreError::ReadOnly(_)) => nothing_at(path),
            other => other,
        }
    }

    /// Says that a worker of this name is at work in this folder, until it is dropped or the process ends.
    pub fn worker(&self, id: &str) -> Result<WorkerLock, StoreError> {
        WorkerLock::hold(&self.path.join("workers"), id).map_err(|e| self.io(e))
    }

    /// Is there no worker of this name at work?
    pub fn is_worker_dead(&self, id: &str) -> bool {
        workers::is_dead(&self.path.join("workers"), id)
    }

    /// Removes what dead workers left.
    pub fn sweep_workers(&self) {
        workers::sweep(&self.path.join("workers"));
    }

    /// Keeps a copy of the survey as it stood after a run, unless there is one: `runs/N.db` in its folder.
    pub fn keep(&self, run: u32) -> Result<(), StoreError> {
        let (copy, part) = (self.kept(run), self.path.join("runs").join("part.db"));
        if copy.exists() {
            return Ok(());
        }
        fs::create_dir_all(self.path.join("runs")).map_err(|e| self.io(e))?;
        // What a kill left behind.
        let _ = fs::remove_file(&part);
        SqliteStore::copy(&self.database(), &part).inspect_err(|_| drop(fs::remove_file(&part)))?;
        fs::rename(&part, &copy).map_err(|e| self.io(e))
    }

    /// Opens the survey as it stood after a run, if that was kept.
    pub fn read_kept(&self, run: u32) -> Result<Option<SqliteStore>, StoreError> {
        let copy = self.kept(run);
        if copy.exists() { SqliteStore::open_reading(&copy).map(Some) } else { Ok(None) }
    }

    fn kept(&self, run: u32) -> PathBuf {
        self.path.join("runs").join(format!("{run}.db"))
    }

    /// Removes the survey's files (and nothing else), so that it can be begun anew.
    pub fn clear(&self) -> Result<(), StoreError> {
        if !self.exists() {
            return Ok(());
        }
        let _lock = self.lock()?;
        // The file first: what lies beside it without it counts for nothing. Focused crawls name pages of this survey by their
        // numbers.
        for name in ["survey.db"].iter().chain(&LEFT).chain(&["focus.db", "focus.db-wal", "focus.db-shm"]) {
            self.remove(name)?;
        }
        let copies = fs::read_dir(self.path.join("runs")).into_iter().flatten().flatten();
        for copy in copies.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "db")) {
            fs::remove_file(copy.path()).map_err(|e| self.io(e))?;
        }
        // Only if nobody put anything else there.
        let _ = fs::remove_dir(self.path.join("runs"));
        Ok(())
    }

    /// Is somebody writing to it at this moment?
    pub fn is_busy(&self) -> bool {
        let held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        File::open(self.path.join("lock")).is_ok_and(held)
    }

    fn lock(&self) -> Result<Lock, StoreError> {
        self.lock_file("lock")
    }

    fn lock_file(&self, name: &str) -> Result<Lock, StoreError> {
        let path = self.path.join(name);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(|e| self.io(e))?;
        // Somebody may be asking `is_busy` in this very instant: that is over in a moment.
        for _ in 0..20 {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(10)),
                Err(TryLockError::Error(e)) => return Err(self.io(e)),
            }
        }
        Err(StoreError::Busy(self.path.clone()))
    }

    fn is_empty(&self) -> bool {
        let ours = |name: &std::ffi::OsStr| BESIDE.iter().chain(&LEFT).any(|known| name == *known);
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.all(|e| e.is_ok_and(|e| ours(&e.file_name()))))
    }

    fn io(&self, source: std::io::Error) -> StoreError {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        match source.kind() {
            PermissionDenied | ReadOnlyFilesystem => StoreError::ReadOnly(self.path.clone()),
            StorageFull => StoreError::DiskFull,
            _ => StoreError::Io { path: self.path.clone(), source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        assert_eq!(default_folder("www.example.org", None), Path::new("www.example.org.groma"));
        assert_eq!(default_folder("127.0.0.1", Some(8080)), Path::new("127.0.0.1-8080.groma"));
        assert_eq!(default_folder("[::1]", Some(80)), Path::new("__1-80.groma"));
        assert_eq!(default_folder("../x", None), Path::new("_x.groma"));
    }
}
