//! Guesses: pages without overflow that would have some if their links were known.
//!
//! ```text
//! flooded(u) = the links between u and the site carry more than the price       u: a page that has been seen
//! group(v)   = the longest part of v's URL, from its start, that at least 4 pages that have been seen share
//! guess(v)   = share of flooded pages among those of group(v) that have been seen
//! ```
//!
//! Where links count both ways, a page that links to the site gets flow from it, but that is known only when the page has been
//! fetched, and flow alone would never ask for it. Pages of one folder tend to have the same menu, so what holds for most of
//! those that were fetched is worth finding out about the others. A guess decides what is fetched, never what is inside. Cost:
//! O(arcs + tokens of all URLs) a call.

use std::collections::HashMap;

use super::network::{Network, Sight};
use super::pages::Pages;

/// Pages that make a group.
const GROUP: u32 = 4;

/// The pages not seen whose guess is at least this, the best first.
pub(super) fn guesses(network: &Network, pages: &Pages, inside: &[bool], least: f64) -> Vec<u32> {
    let mut groups: HashMap<u64, (u32, u32)> = HashMap::new();
    let mut hashes = Vec::new();
    for page in (0..network.len()).filter(|&page| network.sight(page) == Sight::Seen) {
        let flooded = u32::from(network.is_flooded(page, inside));
        pages.prefixes(page, &mut hashes);
        for &hash in &hashes {
            let group = groups.entry(hash).or_default();
            group.0 += 1;
            group.1 += flooded;
        }
    }
    let mut found = Vec::new();
    for page in (0..network.len()).filter(|&page| network.sight(page) == Sight::Unseen) {
        pages.prefixes(page, &mut hashes);
        let group = hashes.iter().rev().find_map(|hash| groups.get(hash).filter(|group| group.0 >= GROUP));
        if let Some(&(seen, flooded)) = group {
            let guess = f64::from(flooded) / f64::from(seen);
            if guess >= least {
                found.push((guess, page));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, page)| page).collect()
}
