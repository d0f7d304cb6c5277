//! A survey as Parquet tables, and tables computed elsewhere read back: on the disk or on an object store. Object stores are used here
//! and nowhere else; the Parquet library (feature `parquet`) here and by the graph engines.
//!
//! ```text
//! DEST/pages/part=07/pages-0000.parquet      every URL, one row each: the names of all numbers in `links`
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
//! - memory does not grow with the survey: rows wait in buffers of a bounded sum (see `tables/table.rs`), nothing is kept of a URL;
//! - a file of others is read with bounded memory and without panics (see `read/guard.rs`).
//!
//! - `tables/` (feature `parquet`): what is written, row by row
//! - `place/`: where files go, and how they come to be there all at once
//! - `read/`: numbers and values out of files of anybody
//!
//! ```
//! use groma_parquet::Aim;
//!
//! assert_eq!(Aim::parse("s3://bucket/survey")?, Aim::Objects("s3://bucket/survey".into()));
//! assert_eq!(Aim::parse("file:///srv/survey")?, Aim::Path("/srv/survey".into()));
//! # Ok::<(), groma_parquet::TableError>(())
//! ```

mod error;
mod place;
#[cfg(feature = "parquet")]
pub mod read;
#[cfg(feature = "parquet")]
mod tables;

pub use error::TableError;
pub use place::{Aim, write_file};
#[cfg(feature = "parquet")]
pub use {
    place::Place,
    read::{read_links, read_ranks, read_some_links, read_values},
    tables::*,
};

/// Parts of a table unless told otherwise.
pub const PARTS: u32 = 16;
/// The most parts: all are open at once, and systems allow a process 1024 files by default.
pub const MOST_PARTS: u32 = 256;
