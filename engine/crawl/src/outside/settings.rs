//! How links that lead out are asked.

use crate::kernel::Manners;

/// Settings of asking.
#[derive(Clone, Debug)]
pub struct OutsideSettings {
    /// How servers are treated.
    pub manners: Manners,
    /// What was there is asked again after so many seconds.
    pub again_s: u64,
    /// Hosts that show other pages to whom they know: what a stranger is told there says nothing, so they are not asked.
    pub known_at: Vec<String>,
    /// No more than so many of those that are due; nothing: all.
    pub sample: Option<u64>,
}
