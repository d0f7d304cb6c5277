//! Ranks of the pages of a survey.

pub(crate) mod job;
mod run;
pub(crate) mod task;

pub use run::{run, write};
pub use task::Form;
