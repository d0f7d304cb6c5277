//! The index of one survey.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use groma_store::Snapshot;

use crate::{Answer, Ask, SearchError};

/// How far following is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Pages looked at.
    pub done: u64,
    /// Pages to look at.
    pub of: u64,
}

/// What following the store came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Pages written, new or again.
    pub written: u64,
    /// Pages that left the index.
    pub removed: u64,
    /// Pages in the index now.
    pub pages: u64,
    /// The last change of the store's log that is in it.
    pub watermark: u64,
    /// The flag was set: it goes on next time.
    pub interrupted: bool,
}

/// An index, open for questions. Cheap to clone, usable from many threads; it sees new commits by itself.
#[derive(Clone, Debug)]
pub struct Index {}

impl Index {
    /// Brings the index of the survey in this folder up to date with the store; makes it if there is none; with `rebuild`,
    /// from nothing (the old one answers until the new one is whole).
    pub fn follow(
        _folder: &Path,
        _store: &mut dyn Snapshot,
        _rebuild: bool,
        _stop: &AtomicBool,
        _step: &mut dyn FnMut(Step),
    ) -> Result<Followed, SearchError> {
        Err(SearchError::Busy)
    }

    /// Opens the index of the survey in this folder for questions; nothing if there is none.
    pub fn open(_folder: &Path) -> Result<Option<Index>, SearchError> {
        Ok(None)
    }

    /// Answers. Never fails for what was typed: any text gives an answer, perhaps with notes. The store gives the texts of
    /// the snippets.
    pub fn search(&self, _ask: &Ask<'_>, _store: &mut dyn Snapshot) -> Result<Answer, SearchError> {
        Ok(Answer::default())
    }

    /// Words and titles that go on from what was typed so far, best first.
    pub fn suggest(&self, _typed: &str, _most: usize) -> Result<Vec<String>, SearchError> {
        Ok(Vec::new())
    }

    /// How many pages are in it, and the last change of the log that is.
    pub fn extent(&self) -> Result<(u64, u64), SearchError> {
        Ok((0, 0))
    }

    /// Where index and store disagree: for `groma verify`. Changes behind the watermark are no disagreement.
    pub fn complaints(_folder: &Path, _store: &mut dyn Snapshot) -> Result<Vec<String>, SearchError> {
        Ok(Vec::new())
    }
}
