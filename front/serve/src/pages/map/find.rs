//! Where on the map is a page, and why is it there?

use std::sync::Arc;

use groma_model::PageId;
use groma_search::{Ask, Weights};
use groma_store::Snapshot;
use groma_tasks::{lookup, map as drawing};

use super::asked::Asked;
use crate::error::Problem;
use crate::pages::layout::query;
use crate::pages::shown::Shown;
use crate::sites::{Drawn, Site};

/// Pages found by the box.
const FOUND: usize = 40;
/// Candidates shown when somebody asks why a page stands where it stands.
const CANDIDATES: usize = 12;

/// What the box found.
pub(super) struct FoundOnMap {
    pub(super) pages: Vec<FoundPage>,
    pub(super) more: bool,
}

/// A page on the map.
pub(super) struct FoundPage {
    pub(super) page: Shown,
    pub(super) href: String,
    pub(super) way: String,
}

/// Why a page stands where it stands.
pub(super) struct WhyHere {
    pub(super) page: Shown,
    pub(super) says: String,
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) candidates: Vec<(Shown, String)>,
    pub(super) more: usize,
    pub(super) place: Option<String>,
    /// What the candidates are.
    pub(super) head: &'static str,
}

/// Pages by a part of their URL or by words.
pub(super) fn find(
    site: &Arc<Site>,
    drawn: &Drawn,
    store: &mut dyn Snapshot,
    asked: &Asked,
) -> Result<FoundOnMap, Problem> {
    let wanted = asked.find.trim().to_ascii_lowercase();
    let mut nodes: Vec<u32> = Vec::new();
    if let Some(index) = site.index()? {
        let (text, weights) = (asked.find.trim(), &Weights::default());
        let ask = Ask { text, first: 0, most: FOUND / 2, facets: false, weights, within: None };
        let hits = index.search(&ask, store)?.hits.into_iter().filter_map(|hit| hit.page);
        let hits = hits.map(|page| drawn.graph.standings.page_of(page.0));
        // A record stands where its form stands, and so do all others of its database.
        for node in hits.filter(|node| drawn.place(*node).is_some()) {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
    }
    let named = (0..drawn.tree.len())
        .map(|place| drawn.tree.node(place))
        .filter(|&node| contains(drawn.graph.standings.names.url(node), &wanted));
    let mut named: Vec<u32> = named.take(FOUND + 1).collect();
    let more = named.len() > FOUND;
    named.truncate(FOUND);
    nodes.extend(named.into_iter().filter(|node| !nodes.contains(node)).collect::<Vec<_>>());
    let mut pages = Vec::new();
    for node in nodes {
        let Some(place) = drawn.place(node) else { continue };
        let address = drawn.graph.standings.names.url(node);
        let title = store.page(PageId(node))?.map(|page| page.facts.title).unwrap_or_default();
        let above =
            drawn.tree.parent(place).map_or("", |parent| drawn.graph.standings.names.url(drawn.tree.node(parent)));
        let from = if drawn.tree.children(place).is_empty() { above } else { address };
        pages.push(FoundPage {
            page: Shown::titled(&site.name, address, &title),
            href: format!("/sites/{}/map{}#n{node}", site.name, query(&[("root", from), ("color", &asked.color)])),
            way: format!("depth {}", drawn.tree.depth(place)),
        });
    }
    Ok(FoundOnMap { pages, more })
}

/// Is the second, in lower case, a part of the first?
fn contains(text: &str, lower: &str) -> bool {
    let (text, lower) = (text.as_bytes(), lower.as_bytes());
    !lower.is_empty() && text.windows(lower.len()).any(|part| part.eq_ignore_ascii_case(lower))
}

/// Why a page stands where it stands.
pub(super) fn why(site: &str, drawn: &Drawn, store: &mut dyn Snapshot, asked: &Asked) -> Result<WhyHere, Problem> {
    let page = lookup::page(store, asked.why.trim())?;
    let why = drawing::why(&drawn.graph, &drawn.tree, page.0);
    let title = store.page(page)?.map(|page| page.facts.title).unwrap_or_default();
    let mut facts = Vec::new();
    facts.extend(why.layer.map(|layer| ("Depth", layer.to_string())));
    facts.extend(why.rank.map(|rank| ("Rank", format!("{rank:.4}"))));
    let candidates = why.candidates.iter().take(CANDIDATES);
    let candidates = candidates.map(|page| (Shown::address(site, page.url), format!("{:.4}", page.rank)));
    let parent = why.way.last().map(|url| format!("/sites/{site}/map{}", query(&[("root", url)])));
    Ok(WhyHere {
        page: Shown::titled(site, why.url, &title),
        says: why.says.clone(),
        facts,
        candidates: candidates.collect(),
        more: why.candidates.len().saturating_sub(CANDIDATES),
        place: parent,
        head: groma_tasks::map::wording::CANDIDATES,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_by_any_part_in_any_case() {
        assert!(contains("https://A.example/Docs/x", "docs/"));
        assert!(!contains("https://a.example/", "docs") && !contains("x", ""));
    }
}
