//! Which files of a survey were ever made: `made` in its folder, a line `XXH3 NAME` for each.
//!
//! A line is added when its file is there and goes before its file does, so a kill at any moment leaves no line of a file that was never
//! there. A file that has a line and is gone or empty was lost.
//!
//! Not guaranteed: what was made before there was such a list, or is lost together with it, nobody misses.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::Folder;
use crate::StoreError;

/// The name of the list.
pub(super) const LIST: &str = "made";
/// What is wrong with a file that held something.
pub(super) const EMPTY: &str = "it is empty, and all that was in it is gone";

fn is_gone(path: &Path) -> bool {
    fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

pub(super) fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

impl Folder {
    /// Notes that a file of the survey is there. On a disk that cannot be written there is nothing to note.
    pub(super) fn note_made(&self, path: &Path) -> Result<(), StoreError> {
        let name = self.name_of(path);
        if self.made().is_ok_and(|list| list.contains(&name)) {
            return Ok(());
        }
        let file = OpenOptions::new().create(true).append(true).open(self.path.join(LIST));
        match file.and_then(|mut file| file.write_all(line(&name).as_bytes())) {
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => Ok(()),
            other => other.map_err(|e| self.io(e)),
        }
    }

    /// From now on nobody misses these files: whoever removes them says so before.
    pub(super) fn forget_made(&self, gone: &dyn Fn(&str) -> bool) -> Result<(), StoreError> {
        let Ok(list) = self.made() else { return self.remove(LIST) };
        let (forgotten, kept): (Vec<_>, Vec<_>) = list.into_iter().partition(|name| gone(name));
        if forgotten.is_empty() {
            return Ok(());
        }
        let part = self.path.join("made.part");
        fs::write(&part, kept.iter().map(|name| line(name)).collect::<String>()).map_err(|e| self.io(e))?;
        fs::rename(&part, self.path.join(LIST)).map_err(|e| self.io(e))
    }

    /// Refuses a file that held something and is empty now: it would be begun anew without a word.
    pub(super) fn refuse_emptied(&self, path: &Path) -> Result<(), StoreError> {
        if is_empty(path) && self.made().is_ok_and(|list| list.contains(&self.name_of(path))) {
            return Err(StoreError::DamagedFile { path: path.to_path_buf(), what: EMPTY.to_owned() });
        }
        Ok(())
    }

    /// The files that are gone, in words. (Empty ones are refused by whoever opens them.)
    pub fn lost_files(&self) -> Vec<String> {
        match self.made() {
            _ if self.is_on_server() => Vec::new(),
            Ok(list) => {
                let gone = list.iter().filter(|name| is_gone(&self.path.join(name)));
                gone.map(|name| format!("{name} is gone, with all that was in it")).collect()
            }
            Err(_) => vec![format!("{LIST}: the list of the survey's files is damaged")],
        }
    }

    /// Lets go of the files that are gone or empty, and tells which.
    pub(super) fn give_up_lost(&self) -> Result<Vec<String>, StoreError> {
        let mut lost = self.lost_files();
        for name in self.made().unwrap_or_default() {
            if is_empty(&self.path.join(&name)) {
                for ending in ["", "-wal", "-shm"] {
                    self.remove(&format!("{name}{ending}"))?;
                }
                lost.push(format!("{name}: {EMPTY}"));
            }
        }
        self.forget_made(&|name| is_gone(&self.path.join(name)))?;
        Ok(lost)
    }

    /// The names on the list. An error if it is damaged.
    fn made(&self) -> io::Result<Vec<String>> {
        let list = match fs::read_to_string(self.path.join(LIST)) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            other => other?,
        };
        let mut names: Vec<String> = Vec::new();
        for found in list.lines() {
            let name = found.split_once(' ').map(|(_, name)| name).filter(|name| line(name).trim_end() == found);
            let name = name.ok_or_else(|| io::Error::from(ErrorKind::InvalidData))?;
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn name_of(&self, path: &Path) -> String {
        path.strip_prefix(&self.path).unwrap_or(path).to_string_lossy().into_owned()
    }
}

fn line(name: &str) -> String {
    format!("{:016x} {name}\n", xxh3_64(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_missed_until_it_is_given_up() {
        let path = std::env::temp_dir().join(format!("groma-made-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("runs")).unwrap();
        let folder = Folder::new(&path);
        let files = ["jobs.db", "bounds.db", "runs/1.db"].map(|name| path.join(name));
        for file in &files {
            fs::write(file, "something").unwrap();
            folder.note_made(file).unwrap();
            folder.note_made(file).unwrap();
        }
        assert_eq!(folder.lost_files(), [""; 0]);
        fs::write(&files[0], "").unwrap();
        fs::remove_file(&files[2]).unwrap();
        let gone = "runs/1.db is gone, with all that was in it".to_owned();
        assert_eq!(folder.lost_files().join("; "), gone);
        assert!(folder.refuse_emptied(&files[0]).is_err() && folder.refuse_emptied(&files[1]).is_ok());
        assert_eq!(folder.give_up_lost().unwrap(), [gone, format!("jobs.db: {EMPTY}")]);
        assert_eq!(folder.lost_files(), [""; 0]);
        assert!(!files[0].exists() && files[1].exists());
        let list = fs::read_to_string(path.join(LIST)).unwrap();
        for bit in 0..list.len() * 8 {
            let mut bytes = list.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(path.join(LIST), bytes).unwrap();
            assert_ne!(folder.lost_files(), [""; 0], "bit {bit}");
        }
        folder.give_up_lost().unwrap();
        assert_eq!(folder.lost_files(), [""; 0]);
        fs::remove_dir_all(&path).unwrap();
    }
}
