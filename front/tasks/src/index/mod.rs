//! The full-text index.

pub(crate) mod job;
mod run;
pub(crate) mod task;

pub use run::run;
