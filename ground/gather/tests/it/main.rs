//! Tests that need several modules of the crate.

mod cover;
