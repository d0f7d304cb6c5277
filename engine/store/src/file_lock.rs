//! A file that one at a time holds.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Held by whoever took it. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

impl FileLock {
    /// Takes the lock, and makes the file if there is none; nothing if somebody else holds it.
    pub fn take(path: &Path) -> io::Result<Option<FileLock>> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(FileLock { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Does somebody hold it?
    pub fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let asked = file.try_lock_shared();
        let _ = file.unlock();
        matches!(asked, Err(TryLockError::WouldBlock))
    }
}

impl Drop for FileLock {
    /// Closing it is not enough: a program that another thread is starting at this moment has the file open, too, until it runs.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn it_is_free_once_it_is_let_go_whatever_is_being_started() {
        let folder = std::env::temp_dir().join(format!("groma-file-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("lock");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        Command::new("true").status().unwrap();
                    }
                });
            }
            let found =
                (0..20_000).filter(|_| FileLock::take(&path).unwrap().is_none() || FileLock::is_held(&path)).count();
            done.store(true, Ordering::Relaxed);
            assert_eq!(found, 0, "times it was held by nobody");
        });
        let held = FileLock::take(&path).unwrap().unwrap();
        assert!(FileLock::is_held(&path) && FileLock::take(&path).unwrap().is_none());
        drop(held);
        assert!(!FileLock::is_held(&path) && !FileLock::is_held(&folder.join("absent")));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
