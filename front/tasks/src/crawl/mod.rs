//! Crawling a site, and asking again for what is known of it.

pub(crate) mod job;
pub(crate) mod prepare;
pub mod seeds;
pub(crate) mod survey;
pub(crate) mod task;
pub mod wording;

pub use prepare::{CrawlRequest, Requester};
pub use survey::{Opened, Ready, Survey, Task, first_failure, saved_seeds};
