//! The full-text index.

pub(crate) mod job;
pub(crate) mod task;
