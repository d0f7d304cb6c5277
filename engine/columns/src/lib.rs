//! How does a survey leave the house as columns, and how do columns computed elsewhere come back? Parquet, on the disk or on an
//! object store. Object stores are used here and nowhere else; the Parquet library (feature `parquet`)
//! here and by the engines that exchange it.
//!
//! ```text
//! DEST/pages/part=07/pages-0000.parquet      every address, one row each: the names of all numbers in `links`
//! DEST/links/part=07/links-0000.parquet      every link, numbers only
//! DEST/texts/part=07/texts-0000.parquet      the texts of pages, if asked for
//! DEST/bodies/part=07/bodies-0000.warc.gz    pages as they came, if asked for
//! DEST/manifest.json                         what was written: tables, files, rows, bytes
//! DEST/_SUCCESS                              written last: without it an export is not whole
//! ```
//!
//! Invariants:
//! - an export is of one moment: everything is read from one [`Snapshot`](groma_store::Snapshot);
//! - whatever has its name and its `_SUCCESS` is whole, whenever the writer was killed;
//! - memory does not grow with the survey: rows wait in buffers of a bounded sum (see `table.rs`), nothing is kept of an address;
//! - a file of others is read with bounded memory and without panics (see `read/guard.rs`).
//!
//! - `export.rs` goes through the survey, `pages.rs`, `links.rs`, `texts.rs`, `bodies.rs` say what a row is, `host.rs` where it goes
//! - `graph.rs`: the links alone, for engines that compute on them
//! - `batch.rs`, `file.rs`, `table.rs`: rows in memory, a file, the files of a table
//! - `place/`: where files go, and how they come to be there all at once
//! - `read/`: numbers and values out of files of anybody

#[cfg(feature = "parquet")]
mod batch;
#[cfg(feature = "parquet")]
mod bodies;
mod error;
#[cfg(feature = "parquet")]
mod export;
#[cfg(feature = "parquet")]
mod file;
#[cfg(feature = "parquet")]
mod graph;
#[cfg(feature = "parquet")]
mod host;
#[cfg(feature = "parquet")]
mod links;
#[cfg(feature = "parquet")]
mod manifest;
#[cfg(feature = "parquet")]
mod pages;
mod place;
#[cfg(feature = "parquet")]
pub mod read;
#[cfg(feature = "parquet")]
mod schema;
#[cfg(feature = "parquet")]
mod table;
#[cfg(feature = "parquet")]
mod texts;

pub use error::ColumnsError;
#[cfg(feature = "parquet")]
pub use export::{Exported, Options, Step, export};
#[cfg(feature = "parquet")]
pub use graph::{GraphPage, GraphTables, write_graph};
#[cfg(feature = "parquet")]
pub use host::part_of;
#[cfg(feature = "parquet")]
pub use manifest::{FORMAT, FileFacts, Manifest, TableFacts};
#[cfg(feature = "parquet")]
pub use place::Place;
pub use place::{Aim, write_file};
#[cfg(feature = "parquet")]
pub use read::{read_links, read_ranks, read_some_links, read_values};
#[cfg(feature = "parquet")]
pub use table::Sizes;

/// Parts of a table unless told otherwise.
pub const PARTS: u32 = 16;
/// The most parts: all are open at once, and systems allow a process 1024 files by default.
pub const MOST_PARTS: u32 = 256;
