//! What a survey came to, to hand to somebody.

pub(crate) mod job;
mod run;
pub(crate) mod task;

pub use run::{Gathered, SurveyReport, run};
pub use task::Form;
