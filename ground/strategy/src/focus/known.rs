//! The pages a focused crawl has heard of, as small numbers.

use std::collections::HashMap;

use groma_model::PageId;

/// Parents of a page that are remembered.
const PARENTS: usize = 16;

/// Numbers the pages of a crawl as nodes, from 0.
#[derive(Debug, Default)]
pub(crate) struct Known {
    nodes: HashMap<PageId, u32>,
    pages: Vec<PageId>,
    addresses: Vec<Box<str>>,
    wanted: Vec<bool>,
    parents: Vec<Vec<u32>>,
}

impl Known {
    /// The node of a page, a new one if it is new.
    pub(crate) fn enter(&mut self, page: PageId) -> u32 {
        let next = self.pages.len() as u32;
        let node = *self.nodes.entry(page).or_insert(next);
        if node == next {
            self.pages.push(page);
            self.addresses.push(Box::default());
            self.wanted.push(false);
            self.parents.push(Vec::new());
        }
        node
    }

    pub(crate) fn find(&self, page: PageId) -> Option<u32> {
        self.nodes.get(&page).copied()
    }

    pub(crate) fn page(&self, node: u32) -> PageId {
        self.pages[node as usize]
    }

    pub(crate) fn name(&mut self, node: u32, address: &str) {
        self.addresses[node as usize] = address.into();
    }

    pub(crate) fn address(&self, node: u32) -> &str {
        &self.addresses[node as usize]
    }

    pub(crate) fn want(&mut self, node: u32) {
        self.wanted[node as usize] = true;
    }

    pub(crate) fn is_wanted(&self, node: u32) -> bool {
        self.wanted[node as usize]
    }

    pub(crate) fn add_parent(&mut self, node: u32, parent: u32) {
        let parents = &mut self.parents[node as usize];
        if parents.len() < PARENTS {
            parents.push(parent);
        }
    }

    pub(crate) fn parents(&self, node: u32) -> &[u32] {
        &self.parents[node as usize]
    }
}
