//! What is written of a survey, and how: rows, files, tables, and what an export says of itself.
//!
//! - `export.rs` goes through the survey, `pages.rs`, `links.rs`, `texts.rs`, `bodies.rs` say what a row is, `host.rs` where it goes
//! - `graph.rs`: the links alone, for engines that compute on them
//! - `values.rs`: a table of columns that a user named
//! - `batch.rs`, `file.rs`, `table.rs`: rows in memory, a file, the files of a table

mod batch;
mod bodies;
mod export;
mod file;
mod graph;
mod host;
mod links;
pub(crate) mod manifest;
mod pages;
mod schema;
mod table;
mod texts;
mod values;

pub use export::{ExportProgress, Exported, Options, export};
pub use graph::{GraphPage, GraphTables, write_graph};
pub use host::part_of;
pub use manifest::{FORMAT, FileFacts, Manifest, TableFacts};
pub use table::Sizes;
pub use values::{ValueColumn, ValueTable};
