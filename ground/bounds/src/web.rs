//! What is looked at: pages, their URLs, and the links between them.

use groma_graph::Csr;

use crate::{ContentSimilarity, Similarity, Tokens};

/// A piece of the web.
#[derive(Clone, Copy, Debug)]
pub struct Web<'a> {
    /// Who links to whom.
    pub graph: &'a Csr,
    /// The URLs, by node.
    pub tokens: &'a Tokens,
    /// Which nodes are pages; the others take no part.
    pub pages: &'a [bool],
    /// How alike linked pages are, if that is to count.
    pub content_similarity: Option<&'a ContentSimilarity>,
}

impl Web<'_> {
    /// How many nodes there are.
    pub fn node_count(&self) -> u32 {
        self.graph.node_count()
    }

    /// Is it a page that takes part?
    pub fn is_page(&self, node: u32) -> bool {
        self.pages.get(node as usize).copied().unwrap_or(false)
    }

    /// Nodes that are pages, ascending.
    pub fn pages(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.node_count()).filter(|&node| self.is_page(node))
    }

    /// What a link between two nodes carries: nothing, unless both are pages.
    pub fn capacity(&self, similarity: &Similarity, a: u32, b: u32) -> f64 {
        if !self.is_page(a) || !self.is_page(b) {
            return 0.0;
        }
        let of_addresses = similarity.between(self.tokens, a, b);
        self.content_similarity
            .map_or(of_addresses, |content_similarity| of_addresses * content_similarity.factor(self.graph, a, b))
    }
}

/// Which way links count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// A link joins two pages, whichever of them it is on.
    #[default]
    Both,
    /// A link leads from a page to another.
    Forward,
}
