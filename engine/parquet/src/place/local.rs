//! A folder on this machine.
//!
//! Everything is written into `NAME.partial` beside the place and flushed to the disk; then the folder gets its name. An earlier
//! export is set aside as `NAME.replaced` for that moment and removed afterwards. What a kill leaves is therefore: `NAME.partial`,
//! which no reader takes for an export (no `_SUCCESS` until everything else is there) and the next export to the same place
//! removes; or, for the moment between the two renamings, the earlier export as `NAME.replaced`, which the next export puts back
//! before it begins. Two exports to one place: the second is refused, by a lock that the system releases when a process ends.
//! Nothing is removed that an export did not write.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Sink;
use crate::error::TableError;
use crate::tables::manifest::{MANIFEST, Manifest, SUCCESS, is_ours};

/// A folder that is being filled.
pub(crate) struct Local {
    to: PathBuf,
    partial: PathBuf,
    replaced: PathBuf,
    lock: PathBuf,
    _held: File,
    done: bool,
}

impl Local {
    /// Locks the place, and makes the folder beside it that is written first.
    pub(crate) fn begin(to: &Path) -> Result<Local, TableError> {
        let shown = to.display().to_string();
        let failed = || TableError::io(shown.clone());
        // A link to a folder is followed: what it leads to is replaced, not the link.
        let to = match fs::canonicalize(to) {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(to).map_err(failed())?,
            Err(error) => return Err(failed()(error)),
        };
        let Some(name) = to.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return Err(TableError::NoPlace(shown));
        };
        let beside = |suffix: &str| to.with_file_name(format!("{name}.{suffix}"));
        let (partial, replaced, lock) = (beside("partial"), beside("replaced"), beside("partial.lock"));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(failed())?;
        }
        let held = hold(&lock, &shown)?;
        let local = Local { to, partial, replaced, lock, _held: held, done: false };
        local.clean(&shown).inspect_err(|_| local.unlock())?;
        Ok(local)
    }

    /// Puts right what an export that was killed left, and makes room.
    fn clean(&self, shown: &str) -> Result<(), TableError> {
        let failed = || TableError::io(shown);
        if is_export(&self.replaced) {
            if self.to.exists() {
                remove(&self.replaced).map_err(failed())?;
            } else {
                fs::rename(&self.replaced, &self.to).map_err(failed())?;
            }
        }
        if self.partial.exists() {
            remove(&self.partial).map_err(failed())?;
        }
        if self.to.exists() && !is_empty(&self.to).map_err(failed())? && !is_export(&self.to) {
            return Err(TableError::Taken(shown.to_owned()));
        }
        fs::create_dir(&self.partial).map_err(TableError::io(self.partial.display().to_string()))
    }

    pub(crate) fn create(&self, name: &str) -> Result<Box<dyn Sink>, TableError> {
        let path = self.partial.join(name);
        let shown = path.display().to_string();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(TableError::io(shown.clone()))?;
        }
        let file = File::create_new(&path).map_err(TableError::io(shown.clone()))?;
        Ok(Box::new(LocalFile { file, shown }))
    }

    /// Gives the folder its name.
    pub(crate) fn finish(mut self) -> Result<(), TableError> {
        let shown = self.to.display().to_string();
        let failed = || TableError::io(shown.clone());
        // Names are on the disk before the folder has its own: after a power cut it is whole or not there.
        sync_folders(&self.partial).map_err(failed())?;
        let earlier = self.to.exists();
        if earlier && is_empty(&self.to).map_err(failed())? {
            fs::remove_dir(&self.to).map_err(failed())?;
        } else if earlier {
            if !is_export(&self.to) {
                return Err(TableError::Taken(shown));
            }
            fs::rename(&self.to, &self.replaced).map_err(failed())?;
        }
        fs::rename(&self.partial, &self.to).map_err(failed())?;
        self.done = true;
        if let Some(parent) = self.to.parent() {
            sync(parent).map_err(failed())?;
        }
        if self.replaced.exists() {
            remove(&self.replaced).map_err(failed())?;
        }
        Ok(())
    }

    fn unlock(&self) {
        let _ = fs::remove_file(&self.lock);
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        if !self.done {
            // It is there only if the export did not come to its end.
            let _ = remove(&self.partial);
        }
        self.unlock();
    }
}

fn hold(lock: &Path, shown: &str) -> Result<File, TableError> {
    loop {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(lock);
        let file = file.map_err(TableError::io(lock.display().to_string()))?;
        match file.try_lock() {
            // Whoever held it before removed it in the meantime: that lock is nobody's any more.
            Ok(()) if !is_at(&file, lock) => continue,
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => return Err(TableError::Busy(shown.to_owned())),
            Err(TryLockError::Error(error)) => return Err(TableError::io(lock.display().to_string())(error)),
        }
    }
}

/// Whether an open file is the one that has this name now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(folder.is_dir() && fs::read_dir(folder)?.next().is_none())
}

/// Whether this folder is a whole export, and holds nothing else.
fn is_export(folder: &Path) -> bool {
    let manifest = || {
        let file = File::open(folder.join(MANIFEST)).ok()?;
        serde_json::from_reader::<_, Manifest>(io::BufReader::new(file)).ok()
    };
    let ours = || names(folder).is_ok_and(|names| names.iter().all(|name| is_ours(name)));
    folder.join(SUCCESS).is_file() && manifest().is_some_and(|manifest| manifest.writer == "groma") && ours()
}

/// The files below a folder, from its top, `/` between their steps; an export is three deep.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, before)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
        }
    }
    Ok(found)
}

/// Removes the files of an export and the folders that are empty then. What others put there stays, and keeps its folder.
fn remove(folder: &Path) -> io::Result<()> {
    // The mark goes first: half an export never has it.
    for name in [SUCCESS, MANIFEST] {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    for name in names(folder)?.iter().filter(|name| is_ours(name)) {
        fs::remove_file(folder.join(name))?;
    }
    let mut folders = vec![folder.to_owned()];
    let mut at = 0;
    while at < folders.len() {
        for entry in fs::read_dir(&folders[at])? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
        at += 1;
    }
    folders.iter().rev().try_for_each(fs::remove_dir)
}

fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync(folder)
}

struct LocalFile {
    file: File,
    shown: String,
}

impl Write for LocalFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for LocalFile {
    fn finish(self: Box<Self>) -> Result<(), TableError> {
        self.file.sync_all().map_err(TableError::io(self.shown))
    }
}
