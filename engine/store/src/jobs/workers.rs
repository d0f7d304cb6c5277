//! Who is alive? Every working process holds a lock on a file of its own, `workers/ID.lock` in the folder of the survey; the system
//! lets go of it when the process ends, however it ends. So a dead worker is known at once, and not only when its lease runs out.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file that never came to its name was left by a process killed in that instant. So long a file is also kept where it is the only
/// thing that tells of a death: by then every lease is over.
pub(crate) const LONG_AGO: Duration = Duration::from_secs(3_600);

/// Held by a process that works on jobs. Its file goes when it is dropped.
#[derive(Debug)]
pub struct WorkerLock {
    id: String,
    path: PathBuf,
    _file: File,
}

impl WorkerLock {
    /// Says that a worker of this name is alive. Names are not used twice.
    pub(crate) fn hold(folder: &Path, id: &str) -> io::Result<WorkerLock> {
        fs::create_dir_all(folder)?;
        // It gets its name when it is locked: nobody sees it without a lock and takes its owner for dead.
        let (unnamed, path) = (folder.join(format!("{id}.new")), file_of(folder, id));
        let file = File::create(&unnamed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::AlreadyExists, "a worker of this name is at work")
            }
        })?;
        fs::rename(&unnamed, &path)?;
        Ok(WorkerLock { id: id.to_owned(), path, _file: file })
    }

    /// The name of the worker.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for WorkerLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn file_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.lock"))
}

/// Does nobody hold the lock of this worker?
pub(crate) fn is_dead(folder: &Path, id: &str) -> bool {
    match File::open(file_of(folder, id)) {
        Ok(file) => is_free(&file),
        // Whoever goes home in peace takes the file along.
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Did a worker of this machine leave its file behind without going home?
pub(crate) fn is_left(folder: &Path, id: &str) -> bool {
    File::open(file_of(folder, id)).is_ok_and(|file| is_free(&file))
}

fn is_free(file: &File) -> bool {
    file.try_lock_shared().is_ok()
}

/// Removes what dead workers left, if it is older than this.
pub(crate) fn sweep(folder: &Path, older: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let old = |than: Duration| {
            let age = entry.metadata().and_then(|meta| meta.modified()).map(|at| SystemTime::now().duration_since(at));
            than.is_zero() || matches!(age, Ok(Ok(age)) if age > than)
        };
        let stale = match path.extension().and_then(|ending| ending.to_str()) {
            Some("lock") => old(older) && File::open(&path).is_ok_and(|file| is_free(&file)),
            Some("new") => old(LONG_AGO),
            _ => false,
        };
        if stale {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_alive_while_it_holds_its_lock() {
        let folder = std::env::temp_dir().join(format!("groma-workers-{}", std::process::id()));
        let lock = WorkerLock::hold(&folder, "a").unwrap();
        assert!(!is_dead(&folder, "a") && is_dead(&folder, "b"));
        // As a kill leaves it: a file, and nobody who holds it.
        fs::write(folder.join("b.lock"), "").unwrap();
        fs::write(folder.join("c.new"), "").unwrap();
        assert!(is_dead(&folder, "b"));
        sweep(&folder, Duration::ZERO);
        assert!(folder.join("a.lock").exists() && !folder.join("b.lock").exists() && folder.join("c.new").exists());
        drop(lock);
        assert!(is_dead(&folder, "a") && !folder.join("a.lock").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
