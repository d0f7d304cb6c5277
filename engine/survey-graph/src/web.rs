//! The pages of a survey and the links between them, without ranks: what the bounds of sites are found on.
//!
//! Nodes that take part are indexed pages (of an imported graph, all nodes); arcs are links between them that lead a reader on.
//! Aliases are other names of a page, so a link to one is a link to its page. Pages that were seen but not read do not take part:
//! nobody knows where they link to, so a border beside them would be a border of the crawl and not of the site. Those that a search
//! on line did not want do: it knew enough of them to leave them outside. Unlike ranks and maps this does not wait for
//! finished layers: a crawl that follows a site's bounds has none.
//!
//! Cost: one pass over the standings, one over the packed targets; 4 bytes an arc, and the URLs.

use groma_bounds::Tokens;
use groma_graph::{Csr, Rows};
use groma_model::{LinkKind, Reason, State};
use groma_store::bounds::Watermark;
use groma_store::codec::{Lent, Mark, lend_texts, unpack_links};
use groma_store::{Snapshot, StoreError};
use xxhash_rust::xxh3::Xxh3;

use crate::counted::is_part;
use crate::import::is_broken_off;
use crate::{LinkSet, Standings, SurveyGraphError};

/// A survey as bounds see it.
#[derive(Debug)]
pub struct PageWeb {
    /// Where every URL stands.
    pub standings: Standings,
    /// The links between the pages that take part; nodes are numbers of URLs.
    pub graph: Csr,
    /// By number: does it take part?
    pub pages: Vec<bool>,
    /// What this was read of: whatever is computed of it holds as long as the mark does.
    pub mark: Watermark,
}

/// The pages of a survey as bounds see them, with links that pass by and are not kept.
#[derive(Debug)]
pub struct WebPages {
    /// Where every URL stands.
    pub standings: Standings,
    /// By number: does it take part? Known when the links have passed: see [`WebPages::each_row`].
    pub pages: Vec<bool>,
}

impl WebPages {
    /// Reads where URLs stand.
    pub fn read(store: &mut dyn Snapshot) -> Result<WebPages, SurveyGraphError> {
        if is_broken_off(store)? {
            return Err(SurveyGraphError::HalfImported);
        }
        let standings = Standings::read(store)?;
        let takes_part = |node: u32| is_known(&standings, node) && !is_part(&standings, node);
        let pages = (0..standings.count()).map(takes_part).collect();
        Ok(WebPages { standings, pages })
    }

    /// Calls back with the links of every page that has some, in order of their numbers; parallel links are still there, and the list may be
    /// changed.
    pub fn each_row(
        &mut self,
        store: &mut dyn Snapshot,
        links: LinkSet,
        visit: &mut dyn FnMut(u32, &mut Vec<u32>),
    ) -> Result<(), SurveyGraphError> {
        let WebPages { standings, pages } = self;
        let (mut unpacked, mut row) = (Vec::new(), Vec::new());
        let mut damaged = None;
        store.each_targets(&mut |id, packed| {
            if !is_read(standings, id.0) {
                return;
            }
            if unpack_links(packed, &mut unpacked).is_none() {
                damaged = Some(id);
                return;
            }
            row.clear();
            for &(target, mark) in &unpacked {
                let target = standings.page_of(target);
                if (links == LinkSet::All || mark.kind().leads_on()) && is_known(standings, target) {
                    // What was found as a part of a page first, and is linked like a page too, is one.
                    pages[target as usize] = true;
                    row.push(target);
                }
            }
            visit(id.0, &mut row);
        })?;
        damaged.map_or(Ok(()), |id| Err(StoreError::Damaged(format!("the links of page {}", id.0)).into()))
    }

    /// The pages, with no links.
    pub fn bare(self, store: &mut dyn Snapshot) -> Result<PageWeb, SurveyGraphError> {
        let graph = Csr::of_arcs(self.standings.count(), []);
        let mark = Watermark::read(store, None)?;
        Ok(PageWeb { standings: self.standings, graph, pages: self.pages, mark })
    }
}

impl PageWeb {
    /// Reads it. `seen`: a mark that may be of the same survey; it spares reading the change log from its beginning.
    pub fn read(
        store: &mut dyn Snapshot,
        links: LinkSet,
        seen: Option<&Watermark>,
    ) -> Result<PageWeb, SurveyGraphError> {
        let mut read = WebPages::read(store)?;
        let mut rows = Rows::new(read.standings.count());
        read.each_row(store, links, &mut |node, row| {
            rows.push(node, row);
        })?;
        let WebPages { standings, pages } = read;
        let graph = rows.finish();
        let mark = Watermark { graph: digest(&standings, &graph, &pages), ..Watermark::read(store, seen)? };
        Ok(PageWeb { standings, graph, pages, mark })
    }

    /// A piece of it: only `pages` take part, and these links between them count. The mark is of the piece.
    pub fn piece(self, pages: Vec<bool>, links: Vec<(u32, u32)>) -> PageWeb {
        let graph = Csr::of_arcs(self.standings.count(), links);
        let mark = Watermark { graph: digest(&self.standings, &graph, &pages), ..self.mark };
        PageWeb { standings: self.standings, graph, pages, mark }
    }

    /// Does this page take part?
    pub fn is_page(&self, node: u32) -> bool {
        self.pages.get(node as usize).copied().unwrap_or(false)
    }

    /// The pages that take part, in order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.standings.count()).filter(|&node| self.is_page(node))
    }

    /// The URL of a page.
    pub fn address(&self, node: u32) -> &str {
        self.standings.names.url(node)
    }

    /// The URLs of the pages as tokens; the number of a page is its number here, and what takes no part has none.
    pub fn tokens(&self) -> Tokens {
        let mut tokens = Tokens::new();
        for node in 0..self.standings.count() {
            tokens.push(if self.is_page(node) { self.address(node) } else { "" });
        }
        tokens
    }

    /// The first start page that takes part; in an imported graph, the first node that links to another.
    pub fn first_page(&self) -> Option<u32> {
        let start = self.standings.first_start().map(|page| page.0).filter(|&page| self.is_page(page));
        let imported = start.is_some_and(|page| self.standings.reason(page) == Some(Reason::Imported));
        let linking = || self.nodes().find(|&node| !self.graph.successors(node).is_empty());
        if imported || start.is_none() { linking().or(start) } else { start }
    }

    /// Calls back with every link that has a text: the page it stands on, the page it leads to (which need not take part), and the
    /// text. Links of a page to itself say nothing of it and are left out.
    pub fn each_anchor(
        &self,
        store: &mut dyn Snapshot,
        call: &mut dyn FnMut(u32, u32, &str),
    ) -> Result<(), StoreError> {
        let (mut targets, mut buffer, mut damaged) = (Vec::new(), Vec::new(), None);
        store.each_content(&mut |id, packed| {
            // Of an imported page nothing but its links is known.
            if damaged.is_some() || packed.details.is_empty() || !self.is_page(id.0) {
                return;
            }
            let read = unpack_links(packed.targets, &mut targets).and_then(|()| {
                let standings = &self.standings;
                let mut reader = AnchorReader { standings, from: id.0, targets: targets.iter(), call: &mut *call };
                lend_texts(packed.details, &mut buffer, &mut reader)
            });
            if read.is_none() {
                damaged = Some(id);
            }
        })?;
        damaged.map_or(Ok(()), |id| Err(StoreError::Damaged(format!("the texts of page {}", id.0))))
    }
}

struct AnchorReader<'a> {
    standings: &'a Standings,
    from: u32,
    targets: std::slice::Iter<'a, (u32, Mark)>,
    call: &'a mut dyn FnMut(u32, u32, &str),
}

impl Lent for AnchorReader<'_> {
    fn link(&mut self, kind: LinkKind, text: &str) {
        let Some(&(target, _)) = self.targets.next() else { return };
        let target = self.standings.page_of(target);
        if kind == LinkKind::Anchor && target != self.from && !text.is_empty() {
            (self.call)(self.from, target, text);
        }
    }

    fn block(&mut self, _kind: groma_model::BlockKind, _text: &str) {}
}

/// Do we know what it links to?
fn is_read(standings: &Standings, node: u32) -> bool {
    standings.state(node) == Some(State::Fetched)
}

/// Is enough known of it to say on which side it is?
fn is_known(standings: &Standings, node: u32) -> bool {
    is_read(standings, node) || standings.reason(node) == Some(Reason::NotWanted)
}

/// Of the URLs and the links of all pages that take part.
fn digest(standings: &Standings, graph: &Csr, pages: &[bool]) -> u64 {
    let mut sum = Xxh3::new();
    for (node, _) in (0u32..).zip(pages).filter(|(_, takes_part)| **takes_part) {
        sum.update(&node.to_le_bytes());
        sum.update(standings.names.url(node).as_bytes());
        for target in graph.successors(node) {
            sum.update(&target.to_le_bytes());
        }
    }
    sum.digest()
}
