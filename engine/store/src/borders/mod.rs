//! What was found out and decided about the borders of sites: clusterings of the survey, decisions of people, sites as they were
//! last found.
//!
//! They live in a file of their own beside the survey (`bounds.db`), so that deciding never waits for a crawl that writes, and
//! starting a survey over does not forget what people decided. What was computed carries a [`Watermark`]: whoever reads it sees
//! whether it still holds.
//!
//! Invariants, checked by the exam:
//! - of clusterings made in the same manner the latest is kept, and given out only for the graph it was made on;
//! - decisions are only ever added; one that takes back another names its row, and what holds is the fold of the log
//!   ([`Decided`]);
//! - of sites with the same start the last found is kept, at most [`SITES`] of them, the longest ago go first;
//! - whatever is kept appears as a whole or not at all.

pub(crate) mod fold;
pub(crate) mod pack;
mod rows;

pub use fold::{Decided, Said};
pub use rows::{
    Clusters, ClustersHead, DecisionId, DecisionKind, DecisionRow, Directions, LinksUsed, Manner, Member, NewDecision,
    Side, SiteHead, SiteRow, Watermark,
};

use crate::StoreError;

/// Sites that are kept.
pub const SITES: usize = 200;
/// Manners of clustering of which a clustering is kept.
pub const CLUSTERINGS: usize = 20;
/// Bytes of what a decision is about, or of the start of a site.
pub const TEXT_BYTES: usize = 16_384;

/// The borders of the sites of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come
/// from the caller.
pub trait Borders: Send {
    /// Keeps a clustering, in place of the last one made in the same manner.
    fn keep_clusters(&mut self, clusters: &Clusters) -> Result<(), StoreError>;

    /// The clustering made in this manner, if it is of this graph (see [`Watermark::graph`]).
    fn clusters(&mut self, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError>;

    /// All clusterings that are kept, the latest first, without their pages.
    fn clusterings(&mut self) -> Result<Vec<ClustersHead>, StoreError>;

    /// Adds decisions to the log, all or none. None if one takes back a row that is not there, or is taken back already, or if a
    /// text of one is longer than [`TEXT_BYTES`].
    fn decide(&mut self, decisions: &[NewDecision]) -> Result<Option<Vec<DecisionId>>, StoreError>;

    /// The log of a site by its start, or of all, the oldest first.
    fn decisions(&mut self, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError>;

    /// Keeps a site as it was found, in place of what was found from the same start before.
    fn keep_site(&mut self, site: &SiteRow) -> Result<(), StoreError>;

    /// The site last found from this start.
    fn site(&mut self, start: &str) -> Result<Option<SiteRow>, StoreError>;

    /// The site found last, from whatever start.
    fn last_site(&mut self) -> Result<Option<SiteRow>, StoreError>;

    /// All sites that are kept, the last found first, without their pages.
    fn sites(&mut self) -> Result<Vec<SiteHead>, StoreError>;

    /// Forgets a site; what was decided about it stays. False if there is none.
    fn drop_site(&mut self, start: &str) -> Result<bool, StoreError>;

    /// What is wrong with what is kept, in words; for `groma verify`.
    fn complaints(&mut self) -> Result<Vec<String>, StoreError>;
}
