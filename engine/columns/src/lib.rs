//! How does a survey leave the house as columns, and how do columns computed elsewhere come back? Parquet, on the disk or on an
//! object store. The Parquet library and object stores are used here and nowhere else.
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

mod batch;
mod bodies;
mod error;
mod export;
mod file;
mod graph;
mod host;
mod links;
mod manifest;
mod pages;
mod place;
pub mod read;
mod schema;
mod table;
mod texts;

pub use error::ColumnsError;
pub use export::{Exported, MOST_PARTS, Options, PARTS, Step, export};
pub use graph::{GraphPage, GraphTables, write_graph};
pub use host::part_of;
pub use manifest::{FORMAT, FileFacts, Manifest, TableFacts};
pub use place::{Aim, Place, write_file};
pub use read::{read_links, read_ranks, read_some_links, read_values};
pub use table::Sizes;
