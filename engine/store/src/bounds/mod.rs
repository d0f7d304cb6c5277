//! What was found out and decided about the bounds of sites: clusterings of the survey, decisions of people, sites as they were
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

mod clusters;
mod decisions;
pub(crate) mod fold;
pub(crate) mod pack;
mod rows;
pub(crate) mod schema;
mod sites;

pub use fold::{Decided, Said};
pub use rows::{
    Clusters, ClustersHead, DecisionId, DecisionKind, DecisionRow, Directions, LinksUsed, Manner, Member, NewDecision,
    Side, SiteHead, SiteRow, Watermark,
};

use crate::StoreError;
use crate::postgres::ServerSchema;
use crate::sql::{Base, Repeat, SideStore, SqlRow, args};
use crate::sqlite::FileSchema;

/// Sites that are kept.
pub const SITES: usize = 200;
/// Manners of clustering of which a clustering is kept.
pub const CLUSTERINGS: usize = 20;
/// Bytes of what a decision is about, or of the start of a site.
pub const TEXT_BYTES: usize = 16_384;

/// The bounds of the sites of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come
/// from the caller.
pub struct BoundsStore {
    base: Base,
}

impl SideStore for BoundsStore {
    const FILE: &'static FileSchema = &schema::FILE_SCHEMA;
    const SERVER: &'static ServerSchema = &schema::SERVER_SCHEMA;

    fn over(base: Base) -> BoundsStore {
        BoundsStore { base }
    }
}

impl BoundsStore {
    /// False if it was opened on a disk that cannot be written.
    pub fn is_writable(&self) -> bool {
        self.base.is_writable()
    }

    /// Keeps a clustering, in place of the last one made in the same manner.
    pub fn keep_clusters(&mut self, clusters: &Clusters) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| clusters::keep(db, clusters))
    }

    /// The clustering made in this manner, if it is of this graph (see [`Watermark::graph`]).
    pub fn clusters(&mut self, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError> {
        self.base.read(|db| clusters::find_clusters(db, manner, graph))
    }

    /// All clusterings that are kept, the latest first, without their pages.
    pub fn clusterings(&mut self) -> Result<Vec<ClustersHead>, StoreError> {
        self.base.read(clusters::heads)
    }

    /// Adds decisions to the log, all or none. None if one takes back a row that is not there, or is taken back already, or if a
    /// text of one is longer than [`TEXT_BYTES`].
    pub fn decide(&mut self, decisions: &[NewDecision]) -> Result<Option<Vec<DecisionId>>, StoreError> {
        self.base.write_if(Repeat::Once, |db| decisions.iter().map(|decision| decisions::add(db, decision)).collect())
    }

    /// The log of a site by its start, or of all, the oldest first.
    pub fn decisions(&mut self, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
        self.base.read(|db| decisions::log(db, site))
    }

    /// Keeps a site as it was found, in place of what was found from the same start before.
    pub fn keep_site(&mut self, site: &SiteRow) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| sites::keep(db, site))
    }

    /// The site last found from this start.
    pub fn site(&mut self, start: &str) -> Result<Option<SiteRow>, StoreError> {
        self.base.read(|db| sites::find_site(db, Some(start)))
    }

    /// The site found last, from whatever start.
    pub fn last_site(&mut self) -> Result<Option<SiteRow>, StoreError> {
        self.base.read(|db| sites::find_site(db, None))
    }

    /// All sites that are kept, the last found first, without their pages.
    pub fn sites(&mut self) -> Result<Vec<SiteHead>, StoreError> {
        self.base.read(sites::heads)
    }

    /// Forgets a site; what was decided about it stays. False if there is none.
    pub fn drop_site(&mut self, start: &str) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| Ok(db.run("DELETE FROM site WHERE start = ?1", &args![start])? > 0))
    }

    /// What is wrong with what is kept, in words; for `groma verify`.
    pub fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(clusters::complaints)?);
        found.extend(self.base.read(decisions::complaints)?);
        found.extend(self.base.read(sites::complaints)?);
        Ok(found)
    }
}

/// A mark out of three columns that follow one another.
fn mark_of(row: &SqlRow<'_>, first: usize) -> Result<Watermark, StoreError> {
    let get = |at: usize| row.get::<i64>(at).map(|bits| bits as u64);
    Ok(Watermark { survey: get(first)?, change: get(first + 1)?, graph: get(first + 2)? })
}
