//! The link graph of a survey with its ranks.
//!
//! Nodes are indexed and registered pages, arcs the links of indexed pages (paper 2.5). Aliases are other names of a page, so a
//! link to one is a link to its page. What only images, styles, scripts and forms lead to is no page, unless it is asked for.
//!
//! While pages wait to be fetched, ranks and maps are those of a survey that ended with the last finished layer: the pages of
//! the next one are known by their links and count as registered, whatever became of them since.

use groma_graph::pagerank::{self, Ranks, Settings};
use groma_graph::{Csr, Order, Rows, Tree};
use groma_model::{Depth, PageId, Reason, State};
use groma_store::codec::unpack_links;
use groma_store::{Snapshot, StoreError};

use crate::import::is_broken_off;
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
    /// Invalid addresses that each page links to.
    pub broken: Vec<u32>,
    /// The layer up to which pages count, while some wait to be fetched.
    pub horizon: Option<u32>,
    links: LinkSet,
    /// What was found as a part of a page first, and is linked like a page too.
    linked_parts: Vec<u32>,
    order: Order,
    /// By node: what belongs to the part that is looked at; nothing: all of it.
    within: Option<Vec<bool>>,
}

impl Atlas {
    /// Reads the links, computes the ranks.
    pub fn read(store: &mut dyn Snapshot, reading: &Reading) -> Result<Atlas, AtlasError> {
        let standings = Standings::read(store)?;
        if is_broken_off(store)? {
            return Err(AtlasError::HalfImported);
        }
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
        let (mut links, mut row, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
        let mut linked_parts = Vec::new();
        let mut damaged = None;
        store.each_targets(&mut |id, packed| {
            if standings.state(id.0) != Some(State::Indexed) || !is_finished(&standings, horizon, id.0) {
                return;
            }
            if unpack_links(packed, &mut links).is_none() {
                damaged = Some(id);
                return;
            }
            let host = standings.host(id.0);
            row.clear();
            invalid.clear();
            for &(target, mark) in &links {
                let target = standings.page_of(target);
                if standings.state(target) == Some(State::Invalid) {
                    invalid.push(target);
                }
                if (reading.links == LinkSet::All || mark.kind().leads_on()) && counts(target) {
                    if is_part(&standings, target) {
                        linked_parts.push(target);
                    }
                    let navigation = menus.as_ref().is_some_and(|m| mark.is_navigation() || m.hold(host, target));
                    row.push((target, navigation));
                }
            }
            invalid.sort_unstable();
            invalid.dedup();
            broken[id.0 as usize] = invalid.len() as u32;
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
        Ok(Atlas { graph, ranks, broken, horizon, links: reading.links, linked_parts, order, standings, within: None })
    }

    /// Is it an indexed or registered page?
    pub fn is_page(&self, node: u32) -> bool {
        let is_page = || !is_part(&self.standings, node) || self.linked_parts.binary_search(&node).is_ok();
        stands(&self.standings, self.horizon, node) && (self.links == LinkSet::All || is_page())
    }

    /// Looks at a part of the survey only: pages that are not marked, by their numbers, are out of scope from now on. Ranks
    /// stay those of the whole.
    pub fn restrict(&mut self, within: Vec<bool>) {
        self.within = Some(within);
    }

    /// Is it a page of the site that was surveyed, and of the part of it that is looked at?
    pub fn is_in_scope(&self, node: u32) -> bool {
        self.is_page(node)
            && !matches!(self.standings.reason(node), Some(Reason::OutOfScope | Reason::PrivateAddress))
            && self.within.as_ref().is_none_or(|within| within.get(node as usize).copied().unwrap_or(false))
    }

    /// All pages, the highest rank first, equal ranks by address.
    pub fn by_rank(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.nodes().iter().copied().filter(|&node| self.is_page(node))
    }

    /// The page a map starts from: the one asked for, or the first start page.
    pub fn root(&self, wanted: Option<PageId>) -> Result<u32, AtlasError> {
        let first = || self.first_root().ok_or(AtlasError::NoRoot);
        let root = wanted.map_or_else(first, |id| Ok(self.standings.page_of(id.0)))?;
        let url = || self.standings.names.of(root).to_owned();
        match self.standings.reason(root) {
            Some(reason) if reason.state() != State::Indexed => Err(AtlasError::RootNotIndexed { url: url(), reason }),
            Some(_) if !is_finished(&self.standings, self.horizon, root) => Err(AtlasError::NoLayer),
            Some(_) if !self.is_page(root) => Err(AtlasError::RootNoPage { url: url() }),
            Some(_) => Ok(root),
            None => Err(AtlasError::NoRoot),
        }
    }

    /// The first start page that was read; in an imported graph, the first node that links to another.
    pub fn first_root(&self) -> Option<u32> {
        let start = self.standings.first_start();
        let links = |node: &u32| !self.graph.successors(*node).is_empty();
        let imported = start.is_some_and(|page| self.standings.reason(page.0) == Some(Reason::Imported));
        let linking = if imported { (0..self.standings.count()).find(links) } else { None };
        linking.or(start.map(|page| page.0))
    }

    /// The hierarchical map from a root, of the pages in scope.
    pub fn tree(&self, root: u32) -> Tree {
        Tree::grow_by(&self.graph, &self.order, root, &|node| self.is_in_scope(node))
    }

    /// The same of a part of the survey only: pages that are marked, by their numbers.
    pub fn tree_within(&self, root: u32, within: &[bool]) -> Tree {
        let is_in = |node: u32| within.get(node as usize).copied().unwrap_or(false) && self.is_in_scope(node);
        Tree::grow_by(&self.graph, &self.order, root, &is_in)
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

    /// The same of a part of the survey only.
    pub fn unreached_within(&self, tree: &Tree, within: &[bool]) -> u64 {
        let is_in = |node: u32| within.get(node as usize).copied().unwrap_or(false) && self.is_in_scope(node);
        tree.unreached(self.standings.count(), &is_in)
    }

    /// The pages of the layer before that link to a place, as places, the best first: the first is its parent.
    pub fn candidates(&self, tree: &Tree, place: u32) -> Vec<u32> {
        tree.candidates(&self.graph, &self.order, place)
    }
}

/// Indexed or registered, and not beyond the horizon; just beyond it, known at all.
fn stands(standings: &Standings, horizon: Option<u32>, node: u32) -> bool {
    let state = standings.state(node);
    let known = matches!(state, Some(State::Indexed | State::Registered));
    match horizon {
        None => known,
        Some(_) if is_finished(standings, horizon, node) => known,
        Some(last) => (known || state == Some(State::Pending)) && standings.depth(node) == Depth(last).next(),
    }
}

/// In a layer that is finished.
fn is_finished(standings: &Standings, horizon: Option<u32>, node: u32) -> bool {
    let depth = standings.depth(node);
    horizon.is_none_or(|last| depth != Depth::LOOSE && depth <= Depth(last))
}

/// Found as a part of a page: an image, a style, a script, what a form sends to.
fn is_part(standings: &Standings, node: u32) -> bool {
    standings.reason(node) == Some(Reason::Asset) || standings.via_kind(node).is_some_and(|kind| !kind.leads_on())
}
