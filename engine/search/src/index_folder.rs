//! Where the index lies: `index/` in the folder of a survey.
//!
//! ```text
//! index/current      the form and the name of the generation that answers
//! index/lock         held by whoever writes
//! index/gen-N/       a generation: text/ (the engine's), places, titles, words, databases
//! ```
//!
//! An index made anew grows as the next generation; it takes over by one rename, and then the older ones go. What a kill left
//! behind is taken up again or removed by whoever writes next.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use groma_store::FileLock;

use crate::schema::FORMAT;
use crate::{SearchError, databases, places, vocabulary};

/// The engine's folder in a generation, and the files beside it.
const TEXT: &str = "text";
const BESIDE: [&str; 4] = [places::NAME, places::TITLE_NAME, vocabulary::NAME, databases::NAME];

/// The place of the index of a survey.
#[derive(Clone, Debug)]
pub(crate) struct IndexFolder {
    path: PathBuf,
}

impl IndexFolder {
    /// The index of the survey in this folder.
    pub(crate) fn for_survey(survey: &Path) -> IndexFolder {
        IndexFolder { path: survey.join("index") }
    }

    /// Makes the folder and takes the lock.
    pub(crate) fn lock(&self) -> Result<FileLock, SearchError> {
        fs::create_dir_all(&self.path)?;
        FileLock::take(&self.path.join("lock"))?.ok_or(SearchError::Busy)
    }

    /// The generation that answers; nothing if there is none.
    pub(crate) fn current(&self) -> Result<Option<PathBuf>, SearchError> {
        let line = match fs::read_to_string(self.path.join("current")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // No text.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => "damaged".to_owned(),
            other => other?,
        };
        let unusable = |why: &str| Err(SearchError::Unusable(why.to_owned()));
        let Some((format, name)) = line.trim().split_once(' ') else { return unusable("its first file is damaged") };
        match format.parse::<u32>() {
            Ok(FORMAT) if number(name).is_some() => Ok(Some(self.path.join(name))),
            Ok(FORMAT) | Err(_) => unusable("its first file is damaged"),
            Ok(_) => unusable("another version of groma made it"),
        }
    }

    /// The generation to build: one that was begun and is not done, or a new one. `anew`: a new one in any case.
    pub(crate) fn next(&self, anew: bool) -> Result<PathBuf, SearchError> {
        let current = self.current().ok().flatten();
        let mut last = current.as_deref().and_then(|path| number(&name(path))).unwrap_or(0);
        let mut begun = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if let Some(number) = number(&name(&path)).filter(|_| Some(&path) != current.as_ref()) {
                last = last.max(number);
                // What somebody else put there has no texts in it.
                if path.join(TEXT).is_dir() {
                    begun.push((number, path));
                }
            }
        }
        begun.sort_unstable();
        let keep = if anew { None } else { begun.pop() };
        for (_, path) in begun {
            remove(&path)?;
        }
        let path = keep.map_or_else(|| self.path.join(format!("gen-{}", last + 1)), |(_, path)| path);
        fs::create_dir_all(path.join(TEXT))?;
        Ok(path)
    }

    /// From now on this generation answers; all others go.
    pub(crate) fn take_over(&self, generation: &Path) -> Result<(), SearchError> {
        let part = self.path.join("current.part");
        let mut file = File::create(&part)?;
        writeln!(file, "{FORMAT} {}", name(generation))?;
        file.sync_all()?;
        fs::rename(&part, self.path.join("current"))?;
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if number(&name(&path)).is_some() && path != generation {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The number of a generation, by its name.
fn number(name: &str) -> Option<u64> {
    name.strip_prefix("gen-")?.parse().ok()
}

/// Removes what is ours of a generation, and its folder if nothing is left in it.
fn remove(path: &Path) -> io::Result<()> {
    let gone = |result: io::Result<()>| match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    if !path.join(TEXT).is_dir() {
        return Ok(());
    }
    for name in BESIDE {
        gone(fs::remove_file(path.join(name)))?;
        gone(fs::remove_file(path.join(name).with_extension("part")))?;
    }
    gone(fs::remove_dir_all(path.join(TEXT)))?;
    let _ = fs::remove_dir(path);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_follow_each_other() {
        let folder = std::env::temp_dir().join(format!("groma-warc-store-{}", std::process::id()));
        let index_folder = IndexFolder::for_survey(&folder);
        assert!(index_folder.current().unwrap().is_none());
        let lock = index_folder.lock().unwrap();
        assert!(matches!(index_folder.lock(), Err(SearchError::Busy)));
        drop(lock);
        let first = index_folder.next(false).unwrap();
        assert_eq!(index_folder.next(false).unwrap(), first, "what was begun goes on");
        index_folder.take_over(&first).unwrap();
        assert_eq!(index_folder.current().unwrap(), Some(first.clone()));
        let second = index_folder.next(true).unwrap();
        assert_ne!(second, first);
        let third = index_folder.next(true).unwrap();
        assert!(!second.exists() || second == third);
        index_folder.take_over(&third).unwrap();
        assert!(!first.exists() && third.exists());
        let (foreign, fourth) = (folder.join("index/gen-7"), folder.join("index/gen-8"));
        fs::create_dir_all(&foreign).unwrap();
        fs::write(foreign.join("letter"), "not ours").unwrap();
        assert_eq!(index_folder.next(false).unwrap(), fourth);
        fs::write(third.join("letter"), "not ours").unwrap();
        index_folder.take_over(&fourth).unwrap();
        assert!(foreign.join("letter").exists() && third.join("letter").exists() && !third.join(TEXT).exists());
        fs::write(folder.join("index/current"), "999 gen-1").unwrap();
        assert!(matches!(index_folder.current(), Err(SearchError::Unusable(_))));
        fs::remove_dir_all(&folder).unwrap();
    }
}
