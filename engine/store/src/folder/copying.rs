//! A survey copied to another place: see [`crate::copy`].
//!
//! Files are written in a folder beside the one they are for, `NAME.copying`, which gets its name when everything is in it and verified.
//! What a kill left there is thrown away by the next who comes. Copies of the survey as it stood after runs go with it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Folder, Lock, Tables};
use crate::StoreError;
use crate::copy::{self, Copied, End, Moment};

impl Folder {
    /// Copies the survey, with everything that lies beside it, to a place where there is none, and verifies the copy: nobody sees
    /// anything of it before both sides were found to be the same. `progress` is told the table and how many of its rows were copied.
    ///
    /// [`StoreError::Busy`] while somebody crawls or gathers: what they write would be missing from the copy.
    /// [`StoreError::Occupied`] if there is anything where it should go.
    pub fn copy_to(&self, to: &Folder, progress: &mut dyn FnMut(&str, u64)) -> Result<Copied, StoreError> {
        to.refuse_unless_free()?;
        self.refuse_while_written()?;
        let from = copy::moment(self.end()?)?;
        // Nobody began in between: what is read is of one moment, also where it lies in several files.
        self.refuse_while_written()?;
        match to.there()? {
            Some(there) => {
                let last = || {
                    // Copies of another survey that was here before.
                    to.clear_copies()?;
                    self.copy_runs(&to.path)
                };
                copy::whole(from, End::There(&there.server, &there.survey), progress, last)
            }
            None => self.copy_to_files(from, to, progress),
        }
    }

    fn copy_to_files(
        &self,
        from: Moment,
        to: &Folder,
        progress: &mut dyn FnMut(&str, u64),
    ) -> Result<Copied, StoreError> {
        let (part, _lock) = to.part()?;
        let copied = copy::whole(from, End::Here(&part), progress, || self.copy_runs(&part));
        let named = copied.and_then(|copied| {
            to.refuse_unless_free()?;
            // Only an empty folder is replaced by this.
            fs::rename(&part, &to.path).map_err(|e| to.io(e))?;
            if let Some(parent) = to.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                // So that the name is on the disk too. Not every system can do that to a folder.
                let _ = fs::File::open(parent).and_then(|parent| parent.sync_all());
            }
            Ok(copied)
        });
        named.inspect_err(|_| drop(fs::remove_dir_all(&part)))
    }

    /// This survey as an end of a copy.
    fn end(&self) -> Result<End<'_>, StoreError> {
        Ok(match &self.tables {
            Tables::There(there) => End::There(&there.server, &there.survey),
            Tables::Here => End::Here(&self.path),
            Tables::Nowhere(why) => return Err(StoreError::Address(why.clone())),
        })
    }

    fn refuse_while_written(&self) -> Result<(), StoreError> {
        if self.stays_busy() || (self.exists() && matches!(self.gathering(), Ok(None))) {
            return Err(StoreError::Busy(self.shown()));
        }
        Ok(())
    }

    fn refuse_unless_free(&self) -> Result<(), StoreError> {
        if let Some(there) = self.there()? {
            let taken = crate::survey_exists(&there.server, &there.survey)?;
            return if taken { Err(StoreError::Occupied(there.shown())) } else { Ok(()) };
        }
        let free = match fs::read_dir(&self.path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if free { Ok(()) } else { Err(StoreError::Occupied(self.path.clone())) }
    }

    /// An empty folder beside the one for the survey, for whoever copies: one at a time.
    fn part(&self) -> Result<(PathBuf, Lock), StoreError> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".copying");
        let part = Folder { path: self.path.with_file_name(name), tables: Tables::Here };
        fs::create_dir_all(&part.path).map_err(|e| part.io(e))?;
        let lock = part.lock()?;
        for entry in fs::read_dir(&part.path).map_err(|e| part.io(e))? {
            let path = entry.map_err(|e| part.io(e))?.path();
            if path != part.path.join("lock") {
                let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                gone.map_err(|e| part.io(e))?;
            }
        }
        Ok((part.path, lock))
    }

    /// Copies what was kept of the survey after runs.
    fn copy_runs(&self, to: &Path) -> Result<(), StoreError> {
        let runs = self.path.join("runs");
        let kept = fs::read_dir(&runs).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in kept.filter(|path| is_kept(path)) {
            let into = to.join("runs");
            fs::create_dir_all(&into).map_err(|e| self.io(e))?;
            let name = path.file_name().unwrap_or_default();
            fs::copy(&path, into.join("part.db")).map_err(|e| self.io(e))?;
            fs::rename(into.join("part.db"), into.join(name)).map_err(|e| self.io(e))?;
        }
        Ok(())
    }
}

/// Is this the survey as it stood after a run?
pub(super) fn is_kept(path: &Path) -> bool {
    let number = path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| stem.parse::<u32>().is_ok());
    number && path.extension().is_some_and(|ending| ending == "db")
}
