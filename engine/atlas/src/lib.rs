//! A stored survey as a graph: who links to whom, how pages rank, which tree shows the site, what its checks see.
//!
//! Everything here is computed from a [`Snapshot`](groma_store::Snapshot), so it works while a crawl is writing: ranks, maps and
//! checks up to the last finished layer, borders on all that was read. A node of the graph is the number of an address; addresses that are no pages have no arcs.

mod atlas;
pub mod compare;
mod counted;
mod error;
mod evidence;
pub mod import;
mod labels;
mod likeness;
mod names;
mod navigation;
mod standings;
mod web;

pub use atlas::{Atlas, LinkSet, Reading};
pub use counted::{Counted, Passed};
pub use error::AtlasError;
pub use evidence::StoreEvidence;
pub use labels::StoreLabels;
pub use names::Names;
pub use standings::Standings;
pub use web::{PageWeb, WebPages};
