//! Hopfield by parts: the strategy of paper 001.
//!
//! ```text
//! (6) R_i = R of formulas (1) to (3), from the parts of page i
//!     links of noise parts and of the site's menu are dropped; only articles and lists are expanded, and the start pages
//! ```
//!
//! Formulas (4) to (6), theta, and how it ends are in `net`. The paper has no menu; a menu says nothing about the topic, but on a
//! start page it may be all there is, so there it counts. Pages whose parts nobody looked for are expanded, and lose what stands in
//! their navigation.

use std::collections::HashSet;

use groma_model::{PageType, PartKind};

use super::End;
use super::net::{Net, NetSettings};
use super::order::{Fetched, Followed, Order, Pick};

/// The net on parts.
#[derive(Debug)]
pub(crate) struct HopfieldBlock {
    net: Net,
    seeds: HashSet<u32>,
}

impl HopfieldBlock {
    pub(crate) fn new(settings: NetSettings) -> HopfieldBlock {
        HopfieldBlock { net: Net::new(settings), seeds: HashSet::new() }
    }
}

impl Order for HopfieldBlock {
    fn plant(&mut self, node: u32) {
        self.seeds.insert(node);
        self.net.plant(node);
    }

    fn read(&mut self, page: Fetched<'_>) {
        let found = page.relevance;
        // A list has no content parts of its own: what it lists is what it says.
        let r = if found.page_type == PageType::List { found.r.max(found.whole.cosine) } else { found.r };
        self.net.fetched(page.node, r);
    }

    fn follows(&self, page: Fetched<'_>, part: PartKind) -> bool {
        if self.seeds.contains(&page.node) {
            return part != PartKind::Noise;
        }
        let expands =
            matches!(page.relevance.page_type, PageType::Article | PageType::List) || !page.relevance.has_parts;
        expands && !matches!(part, PartKind::Noise | PartKind::Menu)
    }

    fn follow(&mut self, link: Followed<'_>) {
        self.net.link(link.from, link.to, link.anchor.map(|near| near.cosine));
    }

    fn rename(&mut self, node: u32, to: u32) {
        if self.seeds.contains(&node) {
            self.seeds.insert(to);
        }
        self.net.rename(node, to);
    }

    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        self.net.next(most)
    }

    fn weight(&self, node: u32) -> f64 {
        self.net.weight(node)
    }
}
