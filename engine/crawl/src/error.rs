//! Why a crawl, or a gathering, could not go on.

use groma_store::StoreError;

/// Why a crawl could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Pages are only for those who are logged in, and we are not.
    #[error("{0}")]
    NoLogin(String),
    /// The machine would not give us threads.
    #[error("the system has no more threads for us: {0}")]
    Threads(#[from] std::io::Error),
    /// The machine would not give us what connections need.
    #[error(
        "the system has no more {0} for connections; everything so far is saved, and what was not asked for stays queued"
    )]
    Scarce(&'static str),
}
