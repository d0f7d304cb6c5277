//! What do the links of a survey come to: on this machine, or on many?
//!
//! One seam, [`Engine`]: ranks, degrees, connected components, levels, the hierarchical map, and parts small enough for one
//! machine. Behind it stand two engines with the same definitions. `local` holds the graph in memory ([`Local`]). `spark` (a cargo
//! feature) leaves it where it is and speaks SQL to any Spark Connect endpoint, in rounds whose states are kept as Parquet, so that a killed
//! run goes on where it stopped. Both read links as Parquet and write what they find as Parquet: files are the exchange, and nothing of
//! the cluster's own formats enters Groma.
//!
//! [`rank`] is the short way: a URL, links, a folder, and ranks come out.
//!
//! ```
//! use groma_graph_engines::{GraphEngineError, Input, open};
//!
//! let links = Input::Links("no/such/folder".into());
//! assert!(matches!(open("ftp://a.example", &links, "work"), Err(GraphEngineError::Address(_))));
//! ```

mod engine;
mod error;
pub mod files;
mod input;
mod local;
pub mod mcl_parts;
mod rank;
#[cfg(feature = "spark")]
mod spark;

pub use engine::{Engine, Outcome, PartSettings, Watch, open};
pub use error::GraphEngineError;
pub use groma_graph::{Going, Progress};
pub use input::Input;
pub use local::Local;
pub use rank::{Ranked, rank};
#[cfg(feature = "spark")]
pub use spark::Spark;
