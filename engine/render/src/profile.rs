//! A browser's own folder: made for one run of the program, removed after it. Of one that was left behind by a killed process the
//! lock is free, and the next browser sweeps it away.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = "groma-browser-";
const LOCK: &str = "held";

/// A folder that is ours while this lives.
pub(crate) struct Profile {
    pub(crate) folder: PathBuf,
    _held: File,
}

impl Profile {
    /// A new one among temporary files; nobody else can read it.
    pub(crate) fn new() -> io::Result<Profile> {
        Profile::within(&std::env::temp_dir())
    }

    fn within(place: &Path) -> io::Result<Profile> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        sweep(place);
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let folder = place.join(format!("{PREFIX}{}-{number}", std::process::id()));
            let mut builder = DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&folder) {
                Ok(()) => {
                    let held = File::create(folder.join(LOCK))?;
                    held.lock()?;
                    // One that swept in this moment held the lock until all was gone.
                    if folder.join(LOCK).exists() {
                        return Ok(Profile { folder, _held: held });
                    }
                }
                // Somebody else's, or left by a process of the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        clear(&self.folder);
    }
}

/// Removes what killed processes left. Folders of other people cannot be removed, and links are not followed.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        match File::open(entry.path().join(LOCK)) {
            // Held until it is gone: two that sweep at once do not get into each other's way.
            Ok(lock) if lock.try_lock().is_ok() => clear(&entry.path()),
            Ok(_) => {}
            // Without a lock it is being made at this moment; or nothing else is left in it.
            Err(_) => {
                let made = entry.metadata().and_then(|about| about.modified());
                if made.is_ok_and(|at| at.elapsed().is_ok_and(|age| age.as_secs() > 60)) {
                    clear(&entry.path());
                }
            }
        }
    }
}

/// Empties and removes a folder, its lock last, so that what cannot be removed now is known for abandoned by the next who sweeps.
/// Children of a browser that was killed may still be putting things away: it is tried for a second.
fn clear(folder: &Path) {
    for _ in 0..20 {
        if empty(folder).is_ok() {
            let _ = fs::remove_file(folder.join(LOCK));
            if fs::remove_dir(folder).is_ok() {
                return;
            }
            // Something came in between: the lock goes back.
            let _ = File::create(folder.join(LOCK));
        }
        if !folder.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != LOCK {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_swept_and_what_is_held_stays() {
        let place = std::env::temp_dir().join(format!("groma-sweep-{}", std::process::id()));
        fs::create_dir_all(place.join("groma-browser-1-0/deep/er")).unwrap();
        fs::write(place.join("groma-browser-1-0").join(LOCK), "").unwrap();
        fs::create_dir_all(place.join("something-else")).unwrap();
        let writing = {
            let folder = place.join("groma-browser-1-0");
            std::thread::spawn(move || (0..400).for_each(|n| drop(fs::write(folder.join(format!("late-{n}")), "x"))))
        };
        let one = Profile::within(&place).unwrap();
        assert!(!place.join("groma-browser-1-0").exists());
        writing.join().unwrap();
        let two = Profile::within(&place).unwrap();
        assert!(one.folder.exists() && one.folder != two.folder);
        let (a, b) = (one.folder.clone(), two.folder.clone());
        drop((one, two));
        assert!(!a.exists() && !b.exists() && place.join("something-else").exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
