//! Questions instead of pages: the loop for those that ask.
//!
//! ```text
//! strategy --asks--> queue --task--> robots.txt --> frontier --> fetch --reply--> gather.db --answer--> strategy
//! ```
//!
//! The same manners as a crawl: robots.txt, the address guard, lanes by server with their pauses, retries, limits. What is different:
//! an answer is no page of the survey. It is kept by its question in `gather.db`, and only then is the strategy told of it, in
//! the order in which it asked. A strategy is a function of its answers; so going on after a kill is no special case: it begins
//! anew, asks what it asked then, and is told what is kept, without a request, until it asks something new.

mod asking;
mod operate;
mod question_task;
mod questions;
mod reply;
mod settings;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_fetch::Fetcher;
use groma_store::gathers::{GatherId, Gathers};
use groma_strategy::Asker;

pub use settings::GatherSettings;

use crate::error::CrawlError;
use crate::progress::{Summary, Watch};

/// Asks what the strategy asks until it has no question left, or goes on where that was interrupted.
pub fn gather(
    keeper: &mut Gathers,
    id: GatherId,
    settings: GatherSettings,
    fetcher: Arc<dyn Fetcher>,
    asker: &mut dyn Asker,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    asking::Asking::new(keeper, id, settings, fetcher, asker, watch, interrupt)?.run()
}
