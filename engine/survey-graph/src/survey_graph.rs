//! The link graph of a survey with its ranks. Which pages and links it is made of is said in `counted.rs`.
//!
//! Ranks may also come from elsewhere ([`SurveyGraph::of_ranks`]): then the links are not in memory, and only how many of them each page
//! has and gets is known.

use groma_graph::pagerank::{self, Ranks, Settings};
use groma_graph::{Csr, Order, Rows, Tree};
use groma_model::{PageId, Reason, State};
use groma_store::Snapshot;

use crate::counted::{Met, is_finished, is_inside, is_part, stands};
use crate::{Counted, Passed, Standings, SurveyGraphError};

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
    /// Which links become arcs.
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
pub struct SurveyGraph {
    /// Where every URL stands.
    pub standings: Standings,
    /// The graph; nodes are numbers of URLs. Without arcs if they are not in memory ([`SurveyGraph::has_links`]).
    pub graph: Csr,
    /// Links of each page and to each page, if they are not in memory.
    degrees: Option<(Vec<u32>, Vec<u32>)>,
    /// The ranks by node.
    pub ranks: Ranks,
    /// Invalid URLs that each page links to.
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

impl SurveyGraph {
    /// Reads the links, computes the ranks.
    pub fn read(store: &mut dyn Snapshot, reading: &Reading) -> Result<SurveyGraph, SurveyGraphError> {
        let counted = Counted::read(store, reading)?;
        let mut rows = Rows::new(counted.standings.count());
        let met = counted.each_row(store, &mut |node, row| {
            rows.push_marked(node, row);
        })?;
        let graph = rows.finish();
        let ranks = pagerank::rank(&graph, &reading.ranking);
        Ok(SurveyGraph::assemble(counted, met, graph, None, ranks))
    }

    /// Takes ranks that were made elsewhere, by the numbers of the URLs; `passed` is what was met when its links were passed on.
    pub fn of_ranks(counted: Counted, passed: Passed, ranks: Ranks) -> SurveyGraph {
        let graph = Rows::new(counted.standings.count()).finish();
        let Passed { met, out, into, .. } = passed;
        SurveyGraph::assemble(counted, met, graph, Some((out, into)), ranks)
    }

    fn assemble(
        counted: Counted,
        met: Met,
        graph: Csr,
        degrees: Option<(Vec<u32>, Vec<u32>)>,
        mut ranks: Ranks,
    ) -> SurveyGraph {
        let Counted { standings, horizon, links, .. } = counted;
        let Met { broken, linked_parts } = met;
        ranks.values.resize(standings.count() as usize, f64::NAN);
        let order = Order::new(&ranks.values, &|a, b| standings.names.url(a).cmp(standings.names.url(b)));
        SurveyGraph { graph, degrees, ranks, broken, horizon, links, linked_parts, order, standings, within: None }
    }

    /// Are its links in memory? Those of ranks that were made elsewhere are not.
    pub fn has_links(&self) -> bool {
        self.degrees.is_none()
    }

    /// How many pages this one links to.
    pub fn links_out(&self, node: u32) -> u32 {
        match &self.degrees {
            Some((out, _)) => out.get(node as usize).copied().unwrap_or(0),
            None => self.graph.successors(node).len() as u32,
        }
    }

    /// How many pages link to each.
    pub fn links_in(&self) -> Vec<u32> {
        self.degrees.as_ref().map_or_else(|| self.graph.in_degrees(), |(_, into)| into.clone())
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
            && is_inside(&self.standings, node)
            && self.within.as_ref().is_none_or(|within| within.get(node as usize).copied().unwrap_or(false))
    }

    /// All pages, the highest rank first, equal ranks by URL.
    pub fn by_rank(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.nodes().iter().copied().filter(|&node| self.is_page(node))
    }

    /// The page a map starts from: the one asked for, or the first start page.
    pub fn root(&self, wanted: Option<PageId>) -> Result<u32, SurveyGraphError> {
        let first = || self.first_root().ok_or(SurveyGraphError::NoRoot);
        let root = wanted.map_or_else(first, |id| Ok(self.standings.page_of(id.0)))?;
        let url = || self.standings.names.url(root).to_owned();
        match self.standings.reason(root) {
            Some(reason) if reason.state() != State::Fetched => {
                Err(SurveyGraphError::RootNotIndexed { url: url(), reason })
            }
            Some(_) if !is_finished(&self.standings, self.horizon, root) => Err(SurveyGraphError::NoLayer),
            Some(_) if !self.is_page(root) => Err(SurveyGraphError::RootNoPage { url: url() }),
            Some(_) => Ok(root),
            None => Err(SurveyGraphError::NoRoot),
        }
    }

    /// The first start page that was read; in an imported graph, the first node that links to another.
    pub fn first_root(&self) -> Option<u32> {
        let start = self.standings.first_start();
        let links = |node: &u32| self.links_out(*node) > 0;
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
        let is_unread = |node: &u32| self.standings.state(*node) == Some(State::Skipped) && self.is_in_scope(*node);
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
