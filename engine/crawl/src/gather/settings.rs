//! How questions are asked.

use std::time::Duration;

use groma_url::Url;

use groma_model::Limits;

use crate::kernel::Manners;

/// Settings of one gathering.
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
    /// Whether robots.txt is obeyed.
    pub robots: bool,
    /// Most requests of this generation, those of earlier runs among them; nothing: as many as it takes.
    pub most_requests: Option<u64>,
    /// Which URLs may be asked at all; redirects are held to it, too.
    pub may_ask: Box<dyn Fn(&Url) -> bool + Send>,
    /// The table of limits.
    pub limits: Limits,
}

/// Which URLs may be asked.
pub(super) type MayAsk = Box<dyn Fn(&Url) -> bool + Send>;

impl GatherSettings {
    /// How servers are treated, apart from what is asked of them: how many requests, and where.
    pub(super) fn split(self) -> (Manners, Option<u64>, MayAsk) {
        let manners = Manners {
            concurrency: self.concurrency.max(1),
            per_host: self.per_host,
            delay: self.delay,
            stranger_delay: self.stranger_delay,
            agent: self.agent,
            robots: self.robots,
            limits: self.limits,
        };
        (manners, self.most_requests, self.may_ask)
    }
}
