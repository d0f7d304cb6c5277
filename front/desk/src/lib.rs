//! What was asked for, and how it is carried out: settings, surveys, jobs, workers, periods.
//!
//! Knows no terminal and no web page: the command line and the server both stand on it.

pub mod address;
mod fault;
pub mod order;
pub mod place;
pub mod settings;
pub mod standing;
pub mod survey;
#[allow(missing_docs, reason = "a sentence says itself what it is for")]
pub mod words;

pub use fault::Fault;
