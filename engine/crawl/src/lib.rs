//! The crawl engine: runtime and clock, frontier, resume. It never knows why a page was wanted.
//!
//! [`crawl`] begins a survey or goes on with it; [`update`] asks again for everything; [`help`] lends a hand with either. All end with the store consistent,
//! whatever happened; run them again and they go on. [`look`] reads one page and stores
//! nothing. [`gather`] asks questions that no page links to, and keeps their answers beside the survey.

mod absorb;
pub mod apart;
mod crew;
mod difference;
mod directives;
mod engine;
mod errand;
mod farewell;
mod frontier;
mod gather;
mod hosts;
mod known;
mod ledger;
mod lessons;
mod linked;
mod look;
mod place;
mod progress;
mod reader;
mod recall;
mod redirects;
mod refill;
mod relayer;
mod render;
mod settings;
mod settle;
mod sitemaps;
mod start;
mod suspicion;
mod threads;
mod ticket;

pub use gather::{GatherSettings, gather};
pub use look::{Looked, Looking, look};
pub use progress::{End, PageSeen, Progress, Summary, Unwatched, Watch};
pub use settings::{CrawlSettings, Js, Rendered, listed_key};
pub use start::{CrawlError, crawl, help, update};
