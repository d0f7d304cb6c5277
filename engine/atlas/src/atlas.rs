//! The link graph of a survey with its ranks.
//!
//! Nodes are indexed and registered pages, arcs the links of indexed pages (paper 2.5). Aliases are other names of a page, so a
//! link to one is a link to its page. What only images, styles, scripts and forms lead to is no page, unless it is asked for.
//!
//! While pages wait to be fetched, only pages up to the last finished layer count, so that ranks and maps are those of a
//! survey that ended there.

use groma_graph::pagerank::{self, Ranks, Settings};
use groma_graph::{Csr, Order, Rows, Tree};
use groma_model::{Depth, PageId, Reason, State};
use groma_store::codec::unpack_links;
use groma_store::{Snapshot, StoreError};

use crate::navigation::Menus;
use crate::{AtlasError, Standings};

/// Which links make the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkSet {
    /// Those that lead a reader on.
    #[default]
    Pages,
    /// Images, styles, scripts and forms too.
    All,
}

/// How a survey is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Which links count.
    pub links: LinkSet,
    /// Damping, stopping rule, weight of navigation links.
    pub ranking: Settings,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { links: LinkSet::Pages, ranking: Settings::default() }
    }
}

/// A survey as a graph.
#[derive(Debug)]
pub struct Atlas {
    /// Where every address stands.
    pub standings: Standings,
    /// The graph; nodes are numbers of addresses.
    pub graph: Csr,
    /// The ranks by node.
    pub ranks: Ranks,
    /// Invalid links on each page.
    pub broken: Vec<u32>,
    /// The layer up to which pages count, while some wait to be fetched.
    pub horizon: Option<u32>,
    links: LinkSet,
    /// What was found as a part of a page first, and is linked like a page too.
    linked_parts: Vec<u32>,
    order: Order,
}

impl Atlas {
    /// Reads the links, computes the ranks.
    pub fn read(store: &mut dyn Snapshot, reading: &Reading) -> Result<Atlas, AtlasError> {
        let standings = Standings::read(store)?;
        let horizon = if standings.pending {
            let last = store.value("finished_layer")?.and_then(|value| value.parse().ok());
            Some(last.ok_or(AtlasError::NoLayer)?)
        } else {
            None
        };
        let menus = if reading.ranking.navigation == 1.0 { None } else { Some(Menus::read(store, &standings)?) };
        let mut broken = vec![0; standings.count() as usize];
        let counts = |node: u32| stands(&standings, horizon, node);
        let mut rows = Rows::new(standings.count());
        let (mut links, mut row) = (Vec::new(), Vec::new());
        let mut linked_parts = Vec::new();
        let mut damaged = None;
        store.each_targets(&mut |id, packed| {
            if standings.state(id.0) != Some(State::Indexed) || !counts(id.0) {
                return;
            }
            if unpack_links(packed, &mut links).is_none() {
                damaged = Some(id);
                return;
            }
            let host = standings.host(id.0);
            row.clear();
            for &(target, mark) in &links {
                let target = standings.page_of(target);
                broken[id.0 as usize] += u32::from(standings.state(target) == Some(State::Invalid));
                if (reading.links == LinkSet::All || mark.kind().leads_on()) && counts(target) {
                    if is_part(&standings, target) {
                        linked_parts.push(target);
                    }
                    let navigation = menus.as_ref().is_some_and(|m| mark.is_navigation() || m.hold(host, target));
                    row.push((target, navigation));
                }
            }
            rows.push_marked(id.0, &mut row);
        })?;
        if let Some(id) = damaged {
            return Err(StoreError::Damaged(format!("the links of page {}", id.0)).into());
        }
        linked_parts.sort_unstable();
        linked_parts.dedup();
        let graph = rows.finish();
        let ranks = pagerank::rank(&graph, &reading.ranking);
        let order = Order::new(&ranks.values, &|a, b| standings.names.of(a).cmp(standings.names.of(b)));
        Ok(Atlas { graph, ranks, broken, horizon, links: reading.links, linked_parts, order, standings })
    }

    /// Is it an indexed or registered page?
    pub fn is_page(&self, node: u32) -> bool {
        let is_page = || !is_part(&self.standings, node) || self.linked_parts.binary_search(&node).is_ok();
        stands(&self.standings, self.horizon, node) && (self.links == LinkSet::All || is_page())
    }

    /// Is it a page of the site that was surveyed?
    pub fn is_in_scope(&self, node: u32) -> bool {
        self.is_page(node) && !matches!(self.standings.reason(node), Some(Reason::OutOfScope | Reason::PrivateAddress))
    }

    /// All pages, the highest rank first, equal ranks by address.
    pub fn by_rank(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.nodes().iter().copied().filter(|&node| self.is_page(node))
    }

    /// The page a map starts from: the one asked for, or the first start page.
    pub fn root(&self, wanted: Option<PageId>) -> Result<u32, AtlasError> {
        let first = || self.standings.first_start().ok_or(AtlasError::NoRoot);
        let root = wanted.map_or_else(first, |id| Ok(PageId(self.standings.page_of(id.0))))?.0;
        match self.standings.reason(root) {
            Some(reason) if reason.state() != State::Indexed => {
                Err(AtlasError::RootNotIndexed { url: self.standings.names.of(root).to_owned(), reason })
            }
            Some(_) if self.is_page(root) => Ok(root),
            Some(_) => Err(AtlasError::NoLayer),
            None => Err(AtlasError::NoRoot),
        }
    }

    /// The hierarchical map from a root, of the pages in scope.
    pub fn tree(&self, root: u32) -> Tree {
        Tree::grow_by(&self.graph, &self.order, root, &|node| self.is_in_scope(node))
    }

    /// Pages of the site that are known and were not read.
    pub fn unread(&self) -> u64 {
        let is_unread = |node: &u32| self.standings.state(*node) == Some(State::Registered) && self.is_in_scope(*node);
        (0..self.standings.count()).filter(is_unread).count() as u64
    }

    /// Pages in scope that are not on a map.
    pub fn unreached(&self, tree: &Tree) -> u64 {
        tree.unreached(self.standings.count(), &|node| self.is_in_scope(node))
    }

    /// The pages of the layer before that link to a place, as places, the best first: the first is its parent.
    pub fn candidates(&self, tree: &Tree, place: u32) -> Vec<u32> {
        tree.candidates(&self.graph, &self.order, place)
    }
}

/// Indexed or registered, and not beyond the horizon.
fn stands(standings: &Standings, horizon: Option<u32>, node: u32) -> bool {
    let near = |last| standings.depth(node) != Depth::LOOSE && standings.depth(node) <= Depth(last);
    matches!(standings.state(node), Some(State::Indexed | State::Registered)) && horizon.is_none_or(near)
}

/// Found as a part of a page: an image, a style, a script, what a form sends to.
fn is_part(standings: &Standings, node: u32) -> bool {
    standings.reason(node) == Some(Reason::Asset) || standings.via_kind(node).is_some_and(|kind| !kind.leads_on())
}
