//! The crawl engine: runtime and clock, frontier, resume. It never knows why a page was wanted.
//!
//! [`crawl`] begins a survey or goes on with it; [`update`] asks again for everything; [`help`] lends a hand with either. All end with the store consistent,
//! whatever happened; run them again and they go on. [`look`] reads one page and stores
//! nothing. [`gather`] asks questions that no page links to, [`ask_outside`] whether the links that lead out are there; both keep the
//! answers beside the survey.
//!
//! ```
//! use groma_crawl::{Js, listed_key};
//!
//! assert_eq!(Js::default(), Js::Never, "no browser unless asked for");
//! assert_eq!(listed_key(2), "seeds.2", "long lists of start pages are kept in pieces");
//! ```

mod absorb;
pub mod apart;
mod difference;
mod digest;
mod directives;
mod dispatch;
mod engine;
mod epoch;
mod error;
mod event;
#[cfg(test)]
mod fixture;
mod gather;
mod harvest;
mod kernel;
mod known;
mod learning;
mod ledger;
mod linked;
mod logins;
mod look;
mod outside;
mod place;
mod progress;
mod queue;
mod reader;
mod recall;
mod reconsider;
mod redirects;
mod refill;
mod relayer;
mod render;
mod robots;
mod settings;
mod settle;
mod sitemaps;
mod slot;
mod start;
mod starts;
mod survey;
mod threads;
mod traps;
mod workers;

pub use error::CrawlError;
pub use gather::{GatherSettings, gather};
pub use kernel::Manners;
pub use look::{Looked, Looking, look};
pub use outside::{OutsideList, OutsideSettings, ask_outside};
pub use progress::{End, PageSeen, Progress, Summary, Unwatched, Watch};
pub use settings::{CrawlSettings, Follow, Js, Keep, Rendered, listed_key};
pub use start::{crawl, help, update};
