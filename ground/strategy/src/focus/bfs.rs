//! Breadth first: the order that the others are measured against.
//!
//! ```text
//! next = the page that has been known longest
//! ```
//!
//! So pages come by layers of links, whatever they are about; every weight is 1. O(1) per page.

use std::collections::{HashSet, VecDeque};

use super::End;
use super::order::{Fetched, Followed, Order, Pick};

/// Pages in the order in which they became known.
#[derive(Debug, Default)]
pub(crate) struct Bfs {
    waiting: VecDeque<(u32, u32)>,
    known: HashSet<u32>,
}

impl Order for Bfs {
    fn plant(&mut self, node: u32) {
        self.known.insert(node);
    }

    fn read(&mut self, _page: Fetched<'_>) {}

    fn follow(&mut self, link: Followed<'_>) {
        if self.known.insert(link.to) {
            self.waiting.push_back((link.to, link.from));
        }
    }

    fn rename(&mut self, node: u32, to: u32) {
        if self.known.insert(to) {
            self.waiting.push_front((to, node));
        }
    }

    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        let picks: Vec<Pick> = self
            .waiting
            .drain(..most.min(self.waiting.len()))
            .map(|(node, parent)| Pick { node, weight: 1.0, parent: Some(parent), arm: None })
            .collect();
        if picks.is_empty() { Err(End::FrontierExhausted) } else { Ok(picks) }
    }

    fn weight(&self, _node: u32) -> f64 {
        1.0
    }
}
