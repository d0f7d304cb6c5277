//! Ranks of pages.

pub(crate) mod job;
pub(crate) mod task;
