//! The index of one survey.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use groma_store::Snapshot;

use crate::guard::guarded;
use crate::index_folder::IndexFolder;
use crate::opened::{Opened, Stamp};
use crate::{Answer, Ask, SearchError, answering, write};

/// How often files are looked at for something new.
const LOOK: Duration = Duration::from_millis(200);

/// How far an update of the index is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexProgress {
    /// Pages and records looked at.
    pub done: u64,
    /// Pages and records to look at.
    pub of: u64,
}

/// What following the store came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Followed {
    /// Pages and records written, new or again.
    pub written: u64,
    /// Pages and records that left the index.
    pub removed: u64,
    /// Pages in the index now.
    pub pages: u64,
    /// Records of databases behind forms in the index now; a database of which only the values are known counts as one.
    pub records: u64,
    /// Records, or values of databases known by their values only, that there was no room for: they are not searched.
    pub left_out: u64,
    /// The last change of the store's log that is in it.
    pub watermark: u64,
    /// The flag was set: it goes on next time.
    pub interrupted: bool,
}

/// An index, open for questions. Cheap to clone, usable from many threads; it sees new commits by itself.
#[derive(Clone, Debug)]
pub struct Index {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// That of the survey.
    folder: PathBuf,
    index_folder: IndexFolder,
    opened: RwLock<Arc<Opened>>,
    /// When the files were looked at last.
    looked: Mutex<Instant>,
}

impl Index {
    /// Brings the index of the survey in this folder up to date with the store and with the gatherings beside it; makes it if there is none; with `rebuild`,
    /// from nothing (the old one answers until the new one is whole).
    pub fn follow(
        folder: &Path,
        store: &mut dyn Snapshot,
        rebuild: bool,
        stop: &AtomicBool,
        step: &mut dyn FnMut(IndexProgress),
    ) -> Result<Followed, SearchError> {
        guarded(|| write::follow(folder, store, rebuild, stop, step))
    }

    /// Opens the index of the survey in this folder for questions; nothing if there is none.
    pub fn open(folder: &Path) -> Result<Option<Index>, SearchError> {
        let index_folder = IndexFolder::for_survey(folder);
        let Some(opened) = guarded(|| newest(&index_folder))? else { return Ok(None) };
        let folder = folder.to_owned();
        let inner =
            Inner { folder, index_folder, opened: RwLock::new(Arc::new(opened)), looked: Mutex::new(Instant::now()) };
        Ok(Some(Index { inner: Arc::new(inner) }))
    }

    /// The files as they stand now, looked at every now and then.
    fn opened(&self) -> Arc<Opened> {
        let inner = &self.inner;
        let current = || inner.opened.read().unwrap_or_else(PoisonError::into_inner).clone();
        {
            // Whoever finds the others looking answers from what is there.
            let Ok(mut looked) = inner.looked.try_lock() else { return current() };
            if looked.elapsed() < LOOK {
                return current();
            }
            *looked = Instant::now();
        }
        let here = current();
        let moved = match inner.index_folder.current() {
            Ok(Some(generation)) => Stamp::read(&generation) != here.stamp,
            _ => false,
        };
        if !moved {
            return here;
        }
        // What cannot be opened at this moment leaves the old one answering.
        match guarded(|| newest(&inner.index_folder)) {
            Ok(Some(opened)) => {
                let opened = Arc::new(opened);
                *inner.opened.write().unwrap_or_else(PoisonError::into_inner) = opened.clone();
                opened
            }
            _ => here,
        }
    }

    /// Answers. Never fails for what was typed: any text gives an answer, perhaps with notes. The store gives the texts of
    /// the snippets.
    pub fn search(&self, ask: &Ask<'_>, store: &mut dyn Snapshot) -> Result<Answer, SearchError> {
        guarded(|| answering::answer(&self.opened(), ask, store, &self.inner.folder))
    }

    /// Words and titles that go on from what was typed so far, best first.
    pub fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, SearchError> {
        guarded(|| Ok(crate::suggest::suggest(&self.opened(), typed, most)))
    }

    /// How many pages are in it, and the last change of the log that is.
    pub fn extent(&self) -> Result<(u64, u64), SearchError> {
        let opened = self.opened();
        Ok((opened.searcher.num_docs() - opened.records, opened.mark.watermark))
    }

    /// How many records of databases behind forms are in it.
    pub fn records(&self) -> u64 {
        self.opened().records
    }

    /// A number for what is in it: when it is another one, the same question may have another answer.
    pub fn state(&self) -> u64 {
        self.opened().state
    }

    /// Have the survey or the gatherings gone on since the index was brought up to date?
    pub fn is_behind(&self, store: &mut dyn Snapshot) -> Result<bool, SearchError> {
        let opened = self.opened();
        if !store.changes(opened.mark.watermark, 1)?.is_empty() {
            return Ok(true);
        }
        let mut gathers = write::gathers_of(&self.inner.folder)?;
        Ok(write::Gathered::read(gathers.as_mut(), store)?.seals() != opened.mark.databases)
    }

    /// Where index, store and gatherings disagree: for `groma verify`. What came after the last commit is no disagreement.
    pub fn complaints(folder: &Path, store: &mut dyn Snapshot) -> Result<Vec<String>, SearchError> {
        let damage = |why: String| Ok(vec![format!("the index is damaged: {why}")]);
        match guarded(|| write::complaints(folder, store)) {
            Err(SearchError::Unusable(why)) => damage(why),
            Err(SearchError::Store(error)) if error.is_damage() => {
                Ok(vec![format!("the index cannot be compared with the survey: {error}")])
            }
            other => other,
        }
    }
}

/// Opens the generation that answers. One that is replaced in this very moment is looked for again.
fn newest(index_folder: &IndexFolder) -> Result<Option<Opened>, SearchError> {
    let mut tries = 0;
    loop {
        let Some(generation) = index_folder.current()? else { return Ok(None) };
        tries += 1;
        match Opened::open(&generation) {
            Ok(opened) => return Ok(Some(opened)),
            Err(error) if tries >= 5 => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
