//! Pages by their numbers: which node of the network each one is, what its address is, and which are other names of others.

use std::collections::HashMap;

use groma_bounds::{Similarity, Tokens};
use groma_model::PageId;

use super::network::fixed;

/// Names followed before a chain counts as broken.
const HOPS: usize = 64;
/// Stands for: no URL yet, or no other name.
const NONE: u32 = u32::MAX;

/// The pages that have been heard of.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    similarity: Similarity,
    tokens: Tokens,
    nodes: HashMap<PageId, u32>,
    /// By node.
    pages: Vec<PageId>,
    /// Its URL among the tokens.
    addresses: Vec<u32>,
    /// The node it is another name of.
    same_as: Vec<u32>,
}

impl Pages {
    pub(super) fn new(similarity: Similarity) -> Pages {
        Pages {
            similarity,
            tokens: Tokens::new(),
            nodes: HashMap::new(),
            pages: Vec::new(),
            addresses: Vec::new(),
            same_as: Vec::new(),
        }
    }

    /// The node of a page, and whether it is a new one, which takes the next number.
    pub(super) fn enter(&mut self, page: PageId) -> (u32, bool) {
        if let Some(&node) = self.nodes.get(&page) {
            return (node, false);
        }
        let node = self.pages.len() as u32;
        self.nodes.insert(page, node);
        self.pages.push(page);
        self.addresses.push(NONE);
        self.same_as.push(NONE);
        (node, true)
    }

    /// The page of a node.
    pub(super) fn page(&self, node: u32) -> PageId {
        self.pages[node as usize]
    }

    /// Tells the URL of a node.
    pub(super) fn name(&mut self, node: u32, address: &str) {
        if self.addresses[node as usize] == NONE {
            self.addresses[node as usize] = self.tokens.push(address);
        }
    }

    /// From now on a node is another name of a second.
    pub(super) fn fold(&mut self, node: u32, into: u32) {
        self.same_as[node as usize] = into;
    }

    /// The node that a node stands for: itself, or the end of its chain of names.
    pub(super) fn stands_for(&self, node: u32) -> u32 {
        let mut at = node;
        for _ in 0..HOPS {
            match self.same_as[at as usize] {
                NONE => break,
                next => at = next,
            }
        }
        at
    }

    /// The capacity of a link: the similarity of the two URLs; none where a URL is not known.
    pub(super) fn capacity(&self, a: u32, b: u32) -> i64 {
        match (self.addresses[a as usize], self.addresses[b as usize]) {
            (NONE, _) | (_, NONE) => 0,
            (a, b) => fixed(self.similarity.between(&self.tokens, a, b)),
        }
    }

    /// What stands for each beginning of a node's URL, whole tokens, the shortest (scheme and host) first, the whole left out.
    pub(super) fn prefixes(&self, node: u32, into: &mut Vec<u64>) {
        into.clear();
        let tokens = self.tokens.url_tokens(self.addresses[node as usize]);
        let mut hash = 0u64;
        for (at, &token) in tokens.iter().enumerate() {
            if at >= 2 {
                into.push(hash);
            }
            hash = (hash ^ u64::from(token) ^ (at as u64) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        if tokens.len() <= 2 {
            into.push(hash);
        }
    }

    pub(super) fn sigma(&self) -> f64 {
        self.similarity.sigma()
    }
}
