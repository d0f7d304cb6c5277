//! Graph work from Parquet to Parquet: the engine of one machine against the algorithms it stands on, and clusters against it.
//!
//! Clusters are named by GROMA_TEST_SAIL and GROMA_TEST_SPARK (`yard/services` starts them); where they are not, their tests say so.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]

#[cfg(feature = "spark")]
mod cluster;
mod graphs;
mod hostile;
mod local;
#[cfg(feature = "spark")]
mod resume;
mod scratch;
mod survey;
