//! Pages that scripts build, on their way from the reader to the survey.
//!
//! ```text
//! reader --page as it came, worth building--> studio --tab of the browser, supplied by the polite fetcher--> reader --harvest--> engine
//! ```
//!
//! The slot travels along: its place in the lane is held until the page is stored, and a kill leaves the page queued. Whatever goes
//! wrong on this way, the page as it came is at hand and comes home.

mod built;
mod cache;
mod leave;
mod links;
mod polite_fetcher;
mod studio;

pub(crate) use built::built_safely;
pub(crate) use leave::{Question, answer_for_page};
pub(crate) use polite_fetcher::PoliteFetcher;
pub(crate) use studio::Studio;
