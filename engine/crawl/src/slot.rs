//! A slot: the right to fetch one page once. It is handed out by the frontier, travels with the fetch, and is given back when
//! what came of it has been committed. A slot that is lost (kill -9) leaves the URL queued in the store.

use groma_url::Url;

use groma_model::{Depth, HostId, PageId, Reason};
use groma_store::FetchFacts;

/// The right to fetch one page once.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) id: PageId,
    pub(crate) host: HostId,
    pub(crate) url: Url,
    pub(crate) depth: Depth,
    /// The page it was found on first.
    pub(crate) via: Option<PageId>,
    /// How long a run of stale pages led here.
    pub(crate) run: u16,
    /// Its standing before this visit.
    pub(crate) before: Reason,
    /// What the visit before this one told; for conditional requests.
    pub(crate) last: Option<Box<FetchFacts>>,
    /// Fetches of it that failed for a passing reason.
    pub(crate) tries: u32,
    /// The URL that is asked for, where that is not the canonical one: as it was linked, or where the server sent us to another spelling.
    pub(crate) spelling: Option<Url>,
    /// How often it sent us to another.
    pub(crate) spellings: u32,
}

impl Slot {
    /// The URL that is asked for.
    pub(crate) fn asks(&self) -> &Url {
        self.spelling.as_ref().unwrap_or(&self.url)
    }
}
