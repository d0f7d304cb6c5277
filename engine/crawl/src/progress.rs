//! What whoever watches a crawl is told.

use std::time::Duration;

use groma_model::{Depth, Reason};

/// A page that has just been settled.
#[derive(Clone, Copy, Debug)]
pub struct PageSeen<'a> {
    /// In canonical form.
    pub url: &'a str,
    /// What came of it.
    pub reason: Reason,
    /// The HTTP status; 0 for no answer.
    pub status: u16,
    /// Clicks from the start page.
    pub depth: Depth,
    /// In bytes, decompressed.
    pub size: u64,
    pub media_type: &'a str,
    pub title: &'a str,
}

/// Where a crawl stands.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Time since it was started (this time).
    pub elapsed: Duration,
    /// URLs found so far, fetched or not.
    pub discovered: u64,
    /// Pages in state "fetched".
    pub fetched: u64,
    /// URLs that wait for their turn.
    pub queued: u64,
    pub under_way: usize,
    /// Fetches made (this time).
    pub fetches: u64,
    /// Bytes received (this time).
    pub bytes: u64,
    /// Pages built by a browser (this time).
    pub rendered: u64,
    /// The layer being fetched; nothing for loose pages.
    pub layer: Option<u32>,
    /// Servers: name, pause in milliseconds, slots waiting.
    pub servers: Vec<(String, u64, usize)>,
    /// It ends when so many pages are indexed; an update has no such end.
    pub limit: Option<u64>,
}

impl Progress {
    /// URLs that will still be asked for, as far as is known now: those that wait, unless the page limit comes first.
    pub fn left(&self) -> u64 {
        self.limit.map_or(self.queued, |most| self.queued.min(most.saturating_sub(self.fetched)))
    }
}

/// Somebody who watches. All methods are called from the crawl's own thread and should return quickly.
pub trait Watch {
    /// A page was settled.
    fn page(&mut self, _page: &PageSeen<'_>) {}
    /// A few times a second.
    fn tick(&mut self, _progress: &Progress) {}
    /// Of the links that lead out, so many were asked, of so many.
    fn outside(&mut self, _asked: u64, _of: u64) {}
    /// Something worth a line: a trap, a learned rule, a start page that moved.
    fn notice(&mut self, _line: &str) {}
}

/// Ignores everything: for callers that show no progress.
#[derive(Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// How a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything in reach has been visited.
    Finished,
    /// The page limit was reached.
    PageLimit,
    /// It was interrupted; it can go on.
    Interrupted,
    /// The strategy said stop.
    Stopped,
}

impl End {
    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            End::Finished => "finished",
            End::PageLimit => "page limit reached",
            End::Interrupted => "interrupted",
            End::Stopped => "stopped by the strategy",
        }
    }
}

/// What a crawl came to.
#[derive(Clone, Debug)]
pub struct Summary {
    pub end: End,
    /// Where it stood then.
    pub progress: Progress,
}
