//! Which pages and links of a survey count for its ranks and its map?
//!
//! Nodes are indexed and registered pages, arcs the links of indexed pages (paper 2.5). Aliases are other names of a page, so a
//! link to one is a link to its page. What only images, styles, scripts and forms lead to is no page, unless it is asked for.
//!
//! While pages wait to be fetched, ranks and maps are those of a survey that ended with the last finished layer: the pages of
//! the next one are known by their links and count as registered, whatever became of them since.
//!
//! Whoever reads links, into memory or into files for a cluster, reads them here: so both are of the same graph.

use groma_model::{Depth, Reason, State};
use groma_store::codec::unpack_links;
use groma_store::{Snapshot, StoreError};

use crate::import::is_broken_off;
use crate::navigation::Menus;
use crate::{LinkSet, Reading, Standings, SurveyGraphError};

/// Where every URL of a survey stands, and which of them count.
pub struct Counted {
    /// Where every URL stands.
    pub standings: Standings,
    /// The layer up to which pages count, while some wait to be fetched.
    pub horizon: Option<u32>,
    pub(crate) links: LinkSet,
    menus: Option<Menus>,
}

/// What was met on the way through the links.
#[derive(Debug, Default)]
pub(crate) struct Met {
    /// Invalid URLs that each page links to.
    pub(crate) broken: Vec<u32>,
    /// What was found as a part of a page first, and is linked like a page too; in order.
    pub(crate) linked_parts: Vec<u32>,
}

/// What is known of links that are not kept in memory: how many each page has and gets.
#[derive(Debug, Default)]
pub struct Passed {
    pub(crate) met: Met,
    /// Links of each page, parallel ones once.
    pub(crate) out: Vec<u32>,
    /// Links to each page, likewise.
    pub(crate) into: Vec<u32>,
    /// Arcs in all.
    pub arcs: u64,
}

/// Whoever is shown a page's links: targets, and whether each is navigation.
type Visit<'a> = dyn FnMut(u32, &mut Vec<(u32, bool)>) + 'a;

impl Counted {
    /// Reads where URLs stand; of the links only what recurs, and only if navigation weighs something else than the rest.
    pub fn read(store: &mut dyn Snapshot, reading: &Reading) -> Result<Counted, SurveyGraphError> {
        let standings = Standings::read(store)?;
        if is_broken_off(store)? {
            return Err(SurveyGraphError::HalfImported);
        }
        let horizon = if standings.pending {
            let last = store.value("finished_layer")?.and_then(|value| value.parse().ok());
            Some(last.ok_or(SurveyGraphError::NoLayer)?)
        } else {
            None
        };
        let menus = if reading.ranking.navigation == 1.0 { None } else { Some(Menus::read(store, &standings)?) };
        Ok(Counted { standings, horizon, links: reading.links, menus })
    }

    /// Is it a node: indexed or registered, and not beyond the horizon; just beyond it, known at all?
    pub fn stands(&self, node: u32) -> bool {
        stands(&self.standings, self.horizon, node)
    }

    /// Do its links count?
    pub fn is_source(&self, node: u32) -> bool {
        self.standings.state(node) == Some(State::Fetched) && is_finished(&self.standings, self.horizon, node)
    }

    /// Does it belong to the site that was surveyed?
    pub fn is_inside(&self, node: u32) -> bool {
        is_inside(&self.standings, node)
    }

    /// Calls back with the links of every page that has some, in order of their numbers: targets, and whether each is navigation.
    /// Parallel links are still there; the list may be changed.
    pub(crate) fn each_row(&self, store: &mut dyn Snapshot, visit: &mut Visit<'_>) -> Result<Met, SurveyGraphError> {
        let standings = &self.standings;
        let mut met = Met { broken: vec![0; standings.count() as usize], linked_parts: Vec::new() };
        let (mut links, mut row, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
        let mut damaged = None;
        store.each_targets(&mut |id, packed| {
            if !self.is_source(id.0) {
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
                if standings.state(target) == Some(State::Broken) {
                    invalid.push(target);
                }
                if (self.links == LinkSet::All || mark.kind().leads_on()) && self.stands(target) {
                    if is_part(standings, target) {
                        met.linked_parts.push(target);
                    }
                    let navigation = self.menus.as_ref().is_some_and(|m| mark.is_navigation() || m.hold(host, target));
                    row.push((target, navigation));
                }
            }
            invalid.sort_unstable();
            invalid.dedup();
            met.broken[id.0 as usize] = invalid.len() as u32;
            visit(id.0, &mut row);
        })?;
        if let Some(id) = damaged {
            return Err(StoreError::Damaged(format!("the links of page {}", id.0)).into());
        }
        met.linked_parts.sort_unstable();
        met.linked_parts.dedup();
        Ok(met)
    }

    /// Calls back with every arc, in order of the pages it leads from and to: parallel links are one, which is navigation if all of
    /// them are; links of a page to itself are none. Memory does not grow with them.
    pub fn each_arc(
        &self,
        store: &mut dyn Snapshot,
        visit: &mut dyn FnMut(u32, u32, bool),
    ) -> Result<Passed, SurveyGraphError> {
        let count = self.standings.count() as usize;
        let (mut out, mut into, mut arcs) = (vec![0u32; count], vec![0u32; count], 0u64);
        let met = self.each_row(store, &mut |node, row| {
            // An unmarked link sorts before a marked one, so the first of parallel links is marked only if all are.
            row.sort_unstable();
            row.dedup_by_key(|link| link.0);
            for &(target, navigation) in row.iter().filter(|link| link.0 != node && (link.0 as usize) < count) {
                out[node as usize] += 1;
                into[target as usize] += 1;
                arcs += 1;
                visit(node, target, navigation);
            }
        })?;
        Ok(Passed { met, out, into, arcs })
    }
}

/// Indexed or registered, and not beyond the horizon; just beyond it, known at all.
pub(crate) fn stands(standings: &Standings, horizon: Option<u32>, node: u32) -> bool {
    let state = standings.state(node);
    let known = matches!(state, Some(State::Fetched | State::Skipped));
    match horizon {
        None => known,
        Some(_) if is_finished(standings, horizon, node) => known,
        Some(last) => (known || state == Some(State::Queued)) && standings.depth(node) == Depth(last).next(),
    }
}

/// In a layer that is finished.
pub(crate) fn is_finished(standings: &Standings, horizon: Option<u32>, node: u32) -> bool {
    let depth = standings.depth(node);
    horizon.is_none_or(|last| depth != Depth::LOOSE && depth <= Depth(last))
}

/// Found as a part of a page: an image, a style, a script, what a form sends to.
pub(crate) fn is_part(standings: &Standings, node: u32) -> bool {
    standings.reason(node) == Some(Reason::Asset) || standings.via_kind(node).is_some_and(|kind| !kind.leads_on())
}

/// Not left out by the scope of the survey.
pub(crate) fn is_inside(standings: &Standings, node: u32) -> bool {
    !matches!(standings.reason(node), Some(Reason::OutOfScope | Reason::PrivateAddress))
}
