//! Is it there? The loop that asks the links that lead out of a survey.
//!
//! ```text
//! survey --candidates--> list --task--> robots.txt --> frontier --> HEAD, or GET --answer--> outside.db
//! ```
//!
//! The same manners as a crawl: robots.txt, the address guard, lanes by server with their pauses, retries, limits. What is different:
//! an answer is no page of the survey, and only its header is wanted. A server whose HEAD says that something is not there is asked
//! again by GET before anybody calls it broken: many do not know HEAD. A redirect is an answer; where it leads is asked like any
//! other URL, so each is asked once, and chains and circles show when answers are read.
//!
//! Going on after a kill is no special case: what was kept lately is not asked again. What is our own trouble (no resolver, no files) is
//! not kept at all.
//!
//! Cost: 24 bytes for a URL that waits, a row for each that was asked. Not guaranteed: that a page which is there is the page that was
//! meant.

mod asking;
mod fresh;
mod list;
mod rows;
mod settings;
mod task;
mod verdict;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_fetch::Fetcher;
use groma_store::Snapshot;
use groma_store::outside::Outside;

pub use list::OutsideList;
pub use settings::OutsideSettings;

use crate::error::CrawlError;
use crate::progress::{Summary, Watch};

/// Asks the URLs of a list, or goes on where that was interrupted.
pub fn ask_outside(
    survey: &mut dyn Snapshot,
    list: OutsideList,
    keeper: &mut Outside,
    settings: &OutsideSettings,
    fetcher: Arc<dyn Fetcher>,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    asking::Asking::new(survey, list, keeper, settings, fetcher, watch, interrupt)?.run()
}
