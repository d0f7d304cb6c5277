//! How questions are asked.

use groma_url::Url;

use crate::kernel::Manners;

/// Settings of one gathering.
pub struct GatherSettings {
    /// How servers are treated.
    pub manners: Manners,
    /// Most requests of this generation, those of earlier runs among them; nothing: as many as it takes.
    pub most_requests: Option<u64>,
    /// Which URLs may be asked at all; redirects are held to it, too.
    pub may_ask: Box<dyn Fn(&Url) -> bool + Send>,
}

/// Which URLs may be asked.
pub(super) type MayAsk = Box<dyn Fn(&Url) -> bool + Send>;
