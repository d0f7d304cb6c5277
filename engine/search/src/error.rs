//! What can go wrong with an index, each with a next step.

use std::io;

use groma_store::StoreError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index was made by another version, or is damaged.
    #[error("the index cannot be used: {0}")]
    Unusable(String),
    /// Somebody else is writing to the index.
    #[error("somebody else is writing to the index")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull,
    /// The system gives no more files or threads.
    #[error("the system gives no more {0}")]
    Scarce(&'static str),
    /// Files could not be read or written.
    #[error("the index cannot be read or written: {0}")]
    Io(io::Error),
}

impl From<io::Error> for SearchError {
    fn from(error: io::Error) -> SearchError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => SearchError::DiskFull,
            _ => SearchError::of_want(&error.to_string()).unwrap_or(SearchError::Io(error)),
        }
    }
}

impl SearchError {
    /// What there was too little of. What a thread of the engine met comes wrapped in errors that keep nothing of it but the words.
    pub(crate) fn of_want(words: &str) -> Option<SearchError> {
        let says = |text: &str| words.contains(text);
        match () {
            () if says("No space left") => Some(SearchError::DiskFull),
            () if says("Too many open files") => Some(SearchError::Scarce("files")),
            () if says("Resource temporarily unavailable") => Some(SearchError::Scarce("threads")),
            () => None,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &str {
        match self {
            SearchError::Store(error) => error.hint(),
            SearchError::Unusable(_) => "make it anew with `groma index --rebuild`",
            SearchError::Busy => "wait until it is done",
            SearchError::DiskFull => "make room; the index goes on where it stopped",
            SearchError::Scarce("files") => "raise the limit (ulimit -n 1024), then run the same command again",
            SearchError::Scarce(_) => "close other programs, or raise the limits of this account (ulimit -u)",
            SearchError::Io(_) => "check the disk and the permissions of the survey's folder",
        }
    }
}
