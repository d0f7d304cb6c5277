//! Where does a site end? From a page, a keyword or a list of pages to the pages that belong to it, with reasons; what people
//! decide about them; and the site that was found last, wherever a scope is asked for.
//!
//! ```text
//! request --> pages that take part (survey graph) --> clusters (kept, or made) --> cut (ground/bounds) --> verdicts --> kept in bounds.db
//!                                  decisions, folded --^
//! ```

mod adapt;
pub(crate) mod cluster_task;
mod cluster_write;
mod clusters;
mod decide;
mod find;
pub(crate) mod job;
mod label;
mod look_at;
mod member;
mod nearby;
mod online;
#[cfg(feature = "parquet")]
mod parted;
mod request;
mod run;
mod score;
mod site;
mod start;
pub(crate) mod task;
mod told;
pub mod wording;
mod write;

pub use cluster_write::write_clusters;
pub use clusters::Clustered;
pub use decide::{Decision, LogRow, decide, decisions, import, site_meant, undo};
pub use find::{Bounds, Page};
pub use groma_bounds::plain_price;
pub use look_at::{LookAt, ScopeName};
pub use member::{Ground, KeptPage};
pub use nearby::{Nearby, NearbyCluster, NearbyLink};
pub use online::{Search, is_online};
pub use request::{Beginning, Request};
pub use run::{run, run_clustering};
pub use score::{OfSite, Scores, SeedChoice, score};
pub use site::{Inside, Site, export, kept, last};
pub use task::Form;
pub use told::{Counts, Header, Keyword, Prefix, PriceStep};
pub use write::write;

/// How far it is. Whoever watches answers whether to go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Pages and links are read.
    Reading,
    /// Pages are clustered: rounds so far, and how much still moves.
    Clustering {
        round: u32,
        /// How much still moves; at 0.0001 nothing does.
        chaos: f64,
    },
    /// The cut is computed.
    Cutting,
    /// What was found is put into words.
    Telling,
}

/// Watches; answers whether to go on.
pub type Watch<'a> = dyn FnMut(Progress) -> bool + 'a;
