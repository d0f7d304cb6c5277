//! Best first: the page whose link promises most (page + anchor).
//!
//! ```text
//! score(p) = max over known links b -> p of  s cos(page b, T) + (1 - s) cos(anchor, T)       s = .5
//! ```
//!
//! Source: the usual focused crawler (Cho, Garcia-Molina and Page 1998; Hersovici et al. 1998 without decay). The page is taken as a whole, without
//! its navigation; the anchor is the text of the link. O(log n) per link. Not guaranteed: that it leaves a region that
//! talks about the topic without having pages on it.

use super::End;
use super::frontier::Frontier;
use super::order::{Fetched, Followed, Order, Pick};

/// The page with the best link.
#[derive(Debug)]
pub(crate) struct BestFirst {
    frontier: Frontier,
    parents: Vec<u32>,
    /// The share of the page.
    share: f64,
}

impl BestFirst {
    /// With this share of the page in the score.
    pub(crate) fn new(share: f64) -> BestFirst {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        BestFirst { frontier: Frontier::default(), parents: Vec::new(), share }
    }
}

impl Order for BestFirst {
    fn plant(&mut self, node: u32) {
        self.frontier.set(node, 1.0);
    }

    fn read(&mut self, _page: Fetched<'_>) {}

    fn follow(&mut self, link: Followed<'_>) {
        let anchor = link.anchor.map_or(0.0, |near| near.cosine);
        let score = self.share * link.parent.whole.cosine + (1.0 - self.share) * anchor;
        if self.frontier.is_new(link.to) || score > self.frontier.weight(link.to) {
            self.frontier.put(link.to, score);
            let at = link.to as usize;
            if self.parents.len() <= at {
                self.parents.resize(at + 1, u32::MAX);
            }
            self.parents[at] = link.from;
        }
    }

    fn rename(&mut self, node: u32, to: u32) {
        let weight = self.frontier.weight(node).max(self.frontier.weight(to));
        self.frontier.put(to, weight);
    }

    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        let picks: Vec<Pick> = std::iter::from_fn(|| self.frontier.pop())
            .take(most)
            .map(|(node, weight)| {
                let parent = self.parents.get(node as usize).copied().filter(|parent| *parent != u32::MAX);
                Pick { node, weight, parent, arm: None }
            })
            .collect();
        if picks.is_empty() { Err(End::FrontierExhausted) } else { Ok(picks) }
    }

    fn weight(&self, node: u32) -> f64 {
        self.frontier.weight(node)
    }
}
