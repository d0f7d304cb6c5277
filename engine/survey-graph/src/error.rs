//! What can go wrong when a survey is read as a graph.

use groma_model::Reason;
use groma_store::StoreError;

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
pub enum SurveyGraphError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was found could not be passed on, or a check could not read on.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A crawl is under way and has not finished its first layer.
    #[error("the crawl has not finished the start page yet")]
    NoLayer,
    /// There is nothing to start from.
    #[error("the survey holds no start page")]
    NoRoot,
    /// An import was broken off.
    #[error("the graph was not imported to its end")]
    HalfImported,
    /// The page the map should start from is a part of pages: an image, a style, a script.
    #[error("{url} is no page, but a part of pages")]
    RootNoPage { url: String },
    /// The page the map should start from was never seen.
    #[error("{url} was not fetched: {}", reason.says())]
    RootNotIndexed {
        url: String,
        /// Why it was not fetched.
        reason: Reason,
    },
}
