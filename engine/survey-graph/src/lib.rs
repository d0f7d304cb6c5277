//! A stored survey as a graph: who links to whom, how pages rank, which tree shows the site, what its checks see.
//!
//! Everything here is computed from a [`Snapshot`](groma_store::Snapshot), so it works while a crawl is writing: ranks, maps and
//! checks up to the last finished layer, bounds on all that was read. A node of the graph is the number of a URL; URLs that are no pages have no arcs.
//!
//! ```
//! use groma_store::Folder;
//! use groma_survey_graph::{Reading, SurveyGraph};
//!
//! let folder = std::env::temp_dir().join(format!("groma-survey-graph-{}", std::process::id()));
//! let (mut store, _lock) = Folder::new(&folder).open()?;
//! let graph = SurveyGraph::read(&mut *store, &Reading::default())?;
//! assert_eq!(graph.by_rank().count(), 0, "a new survey has no pages");
//! # drop((store, _lock));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compare;
mod content_similarity;
mod counted;
mod error;
mod evidence;
pub mod import;
mod labels;
mod names;
mod navigation;
mod outside;
mod standings;
mod survey_graph;
mod web;

pub use counted::{Counted, Passed};
pub use error::SurveyGraphError;
pub use evidence::StoreEvidence;
pub use labels::StoreLabels;
pub use names::Names;
pub use outside::OutsideAnswers;
pub use standings::Standings;
pub use survey_graph::{LinkSet, Reading, SurveyGraph};
pub use web::{PageWeb, WebPages};
