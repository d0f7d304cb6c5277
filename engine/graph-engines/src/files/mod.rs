//! Small Parquet tables on this machine's disk: whole numbers, real numbers, yes or no, and texts, by the names of their columns.
//!
//! Files are of anybody: Spark, Sail, or somebody who means harm. Rows are read a few thousand at a time and counted against a bound of the
//! caller's, since a file of a kilobyte may claim billions; a library that panics on a bad file gives an error here.

mod column;
mod read;
mod write;

pub use column::{Column, ColumnRequest, Kind, flag, maybe, real, text, whole};
pub use read::{each, read};
pub use write::write;
