//! What was asked for, and how it is carried out: settings, surveys, jobs, workers, periods.
//!
//! Knows no terminal and no web page: the command line and the server both stand on it.

pub mod address;
pub mod archive;
pub mod bounds;
pub mod changes;
pub mod explain;
pub mod export;
pub mod extract;
mod fault;
pub mod focus;
pub mod gather;
pub mod glance;
pub mod lookup;
pub mod map;
pub mod notice;
pub mod period;
pub mod place;
pub mod reckoning;
pub mod rules;
pub mod search;
pub mod seeds;
pub mod settings;
pub mod soif;
pub mod standing;
mod sums;
pub mod survey;
pub mod task;
pub mod verify;
#[allow(missing_docs, reason = "a sentence says itself what it is for")]
pub mod words;
mod work;
pub mod worker;

pub use fault::Fault;
