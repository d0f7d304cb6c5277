//! Hopfield: the net on whole pages.
//!
//! ```text
//! (6) R_i = cos(page i as a whole, T);  every link gives weight, whatever part it stands in
//! ```
//!
//! Formulas (4) to (6), theta, and how it ends are in `net`. This is the plain form that paper 001 compares its own with.

use super::End;
use super::net::{Net, NetSettings};
use super::order::{Fetched, Followed, Order, Pick};

/// The net in the plain form of the paper.
#[derive(Debug)]
pub(crate) struct Hopfield(Net);

impl Hopfield {
    pub(crate) fn new(settings: NetSettings) -> Hopfield {
        Hopfield(Net::new(settings))
    }
}

impl Order for Hopfield {
    fn plant(&mut self, node: u32) {
        self.0.plant(node);
    }

    fn read(&mut self, page: Fetched<'_>) {
        self.0.fetched(page.node, page.relevance.whole.cosine);
    }

    fn follow(&mut self, link: Followed<'_>) {
        self.0.link(link.from, link.to, link.anchor.map(|near| near.cosine));
    }

    fn rename(&mut self, node: u32, to: u32) {
        self.0.rename(node, to);
    }

    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        self.0.next(most)
    }

    fn weight(&self, node: u32) -> f64 {
        self.0.weight(node)
    }
}
