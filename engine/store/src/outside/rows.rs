//! Answers of URLs outside a survey, in the words of the house.

use groma_model::Reason;

/// What a URL answered that was asked whether it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideAnswer {
    /// As it was asked.
    pub url: String,
    /// When it was asked last.
    pub at: i64,
    /// Since when it has had this reason.
    pub since: i64,
    /// [`Reason::Fetched`] if it is there, [`Reason::Redirected`] if it leads elsewhere; else why it is not, or why nobody knows.
    pub reason: Reason,
    /// HTTP status; 0 if there was no answer.
    pub status: u16,
    /// Where a redirect leads; empty if it is none.
    pub leads_to: String,
    /// The header alone was not believed, so the whole was asked for.
    pub by_get: bool,
    /// The ETag, as it came; empty without one.
    pub etag: String,
    /// The Last-Modified date, as it came; empty without one.
    pub last_modified: String,
    /// How long the answer took, in milliseconds.
    pub elapsed_ms: u32,
}

/// What a host's robots.txt said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideRobots {
    /// When it was asked for.
    pub at: i64,
    /// HTTP status.
    pub status: u16,
    pub body: Vec<u8>,
}
