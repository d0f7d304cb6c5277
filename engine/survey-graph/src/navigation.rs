//! Which links are navigation.
//!
//! A link is navigation if it stands in a navigation block of its page, or if its target is linked from more than half of the
//! pages of the host it stands on (menus recur on most pages, whatever they are made of; fewer than ten pages say nothing).
//!
//! Cost: one pass over all links. Not seen: menus of a part of a site that stand in no navigation element.

use groma_store::codec::unpack_links;
use groma_store::{Snapshot, StoreError};

use crate::Standings;

/// Fewer pages of a host say nothing.
const LEAST_PAGES: u32 = 10;

/// Targets that most pages of a host link to.
pub(crate) struct Menus {
    /// (host, target) of the links found on most pages of the host, in order.
    recurring: Vec<(u32, u32)>,
}

impl Menus {
    pub(crate) fn read(store: &mut dyn Snapshot, standings: &Standings) -> Result<Menus, StoreError> {
        let mut pages: Vec<u32> = Vec::new();
        let mut counts: std::collections::HashMap<(u32, u32), u32> = std::collections::HashMap::new();
        let mut links = Vec::new();
        store.each_targets(&mut |id, packed| {
            let host = standings.host(id.0);
            if host as usize >= pages.len() {
                pages.resize(host as usize + 1, 0);
            }
            pages[host as usize] += 1;
            let seen = pages[host as usize];
            if unpack_links(packed, &mut links).is_none() {
                return;
            }
            let mut targets: Vec<u32> = links.iter().map(|(target, _)| standings.page_of(*target)).collect();
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                *counts.entry((host, target)).or_default() += 1;
            }
            // What is on fewer than one page in eight so far, with many pages seen, is dropped now and then to bound memory; a
            // link on most pages survives.
            if seen.is_multiple_of(4096) {
                counts.retain(|(of, _), count| *of != host || *count > seen / 8);
            }
        })?;
        let recurs = |host: u32, count: u32| {
            let all = pages.get(host as usize).copied().unwrap_or(0);
            all >= LEAST_PAGES && count * 2 > all
        };
        let mut recurring: Vec<(u32, u32)> =
            counts.into_iter().filter(|((host, _), count)| recurs(*host, *count)).map(|(key, _)| key).collect();
        recurring.sort_unstable();
        Ok(Menus { recurring })
    }

    /// Does this target stand on most pages of this host?
    pub(crate) fn hold(&self, host: u32, target: u32) -> bool {
        self.recurring.binary_search(&(host, target)).is_ok()
    }
}
