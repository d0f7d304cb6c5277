//! Questions instead of pages: the loop for strategies that ask.
//!
//! ```text
//! strategy --asks--> queue --errand--> robots.txt --> frontier --> fetch --reply--> gather.db --answer--> strategy
//! ```
//!
//! The same manners as a crawl: robots.txt, the address guard, lanes by server with their pauses, retries, limits. What is different:
//! an answer is no page of the survey. It is kept by its question in `gather.db`, and only then is the strategy told of it, in
//! the order in which it asked. A strategy is a function of its answers; so going on after a kill is no special case: it begins
//! anew, asks what it asked then, and is told what is kept, without a request, until it asks something new.

mod asking;
mod errand;
mod reply;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use url::Url;

use groma_fetch::Fetcher;
use groma_model::Limits;
use groma_store::gathers::{GatherId, Gathers};
use groma_strategy::Strategy;

use crate::progress::{Summary, Watch};
use crate::start::CrawlError;

/// How questions are asked.
pub struct GatherSettings {
    /// Fetches under way at once.
    pub concurrency: usize,
    /// Fetches under way at once at one server.
    pub per_host: usize,
    /// Least time between the starts of two fetches at one server.
    pub delay: Duration,
    /// Least time between two fetches at servers that are not on loopback, where `delay` was chosen for one that is.
    pub stranger_delay: Duration,
    /// The product token robots.txt files are searched for.
    pub agent: String,
    /// Obey robots.txt.
    pub robots: bool,
    /// Most requests of this generation, those of earlier runs among them; nothing: as many as it takes.
    pub most_requests: Option<u64>,
    /// Which addresses may be asked at all; redirects are held to it, too.
    pub may_ask: Box<dyn Fn(&Url) -> bool + Send>,
    /// The table of limits.
    pub limits: Limits,
}

/// Asks what the strategy asks until it has no question left, or goes on where that was interrupted.
pub fn gather(
    keeper: &mut Gathers,
    id: GatherId,
    settings: GatherSettings,
    fetcher: Arc<dyn Fetcher>,
    strategy: &mut dyn Strategy,
    watch: &mut dyn Watch,
    interrupt: Arc<AtomicBool>,
) -> Result<Summary, CrawlError> {
    asking::Asking::new(keeper, id, settings, fetcher, strategy, watch, interrupt)?.run()
}
