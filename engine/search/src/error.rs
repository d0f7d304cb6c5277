//! What can go wrong with an index, each with a next step.

use std::io;

use groma_store::StoreError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The store failed.
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
    /// Files could not be read or written.
    #[error("the index cannot be read or written: {0}")]
    Io(io::Error),
}

impl From<io::Error> for SearchError {
    fn from(error: io::Error) -> SearchError {
        if is_full(&error) { SearchError::DiskFull } else { SearchError::Io(error) }
    }
}

/// Is it for want of room?
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) || says_full(&error.to_string())
}

/// What a thread of the engine met comes wrapped in errors that keep nothing of it but the words.
pub(crate) fn says_full(words: &str) -> bool {
    words.contains("No space left")
}

impl SearchError {
    /// What to do next.
    pub fn hint(&self) -> &str {
        match self {
            SearchError::Store(error) => error.hint(),
            SearchError::Unusable(_) => "make it anew with `groma index --rebuild`",
            SearchError::Busy => "wait until it is done",
            SearchError::DiskFull => "make room; the index goes on where it stopped",
            SearchError::Io(_) => "check the disk and the permissions of the survey's folder",
        }
    }
}
