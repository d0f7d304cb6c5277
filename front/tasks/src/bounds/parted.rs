//! Clusters and bounds where the links do not fit into memory: in parts that a cluster of machines made ([`Parts`]).
//!
//! Clusters: every part is clustered by itself, so a cluster does not reach beyond its part. Bounds: the site is looked for in the parts
//! of its start pages and of pages somebody accepted; pages of other parts are not judged. A site larger than a part ends where it does.

use std::collections::HashMap;

use groma_graph_engines::mcl_parts::Manner;
use groma_model::PageId;
use groma_model::wording::grouped;
use groma_settings::Fault;
use groma_store::Folder;

use super::find::{self, Bounds};
use super::start::{begin, needs_clusters};
use super::{Clustered, Request, Watch};
use crate::bounds::wording::{NO_PAGES_READ, NO_PAGES_READ_HINT};
use crate::graph_engine::{self, InParts, Parts};

/// Links in memory at a time while parts are clustered: 16 bytes each.
const BATCH: u64 = 50_000_000;

/// Clusters the pages of a survey part by part; nothing if whoever watches said stop.
pub(super) fn cluster_in_parts(
    folder: &Folder,
    request: &Request,
    wanted: &InParts,
    watch: &mut graph_engine::Watch<'_>,
) -> Result<Option<Clustered>, Fault> {
    if !request.unweighted {
        return Err(Fault::new(
            "parts of a survey are clustered by their links alone",
            "leave out --sigma, or leave out --engine",
        ));
    }
    let Some(parts) = Parts::make(&mut folder.read()?, request.links, wanted, watch)? else { return Ok(None) };
    if parts.web.nodes().next().is_none() {
        return Err(Fault::new(NO_PAGES_READ, NO_PAGES_READ_HINT));
    }
    let manner = Manner { settings: request.settings.clustering(), largest: request.largest, batch: BATCH };
    // Whoever is not told of is a cluster of its own.
    let mut of: Vec<(PageId, u32)> = parts.web.nodes().map(|page| (PageId(page), page)).collect();
    let mut first: HashMap<u32, u32> = HashMap::new();
    let mut found = |page: u32, cluster: u32| {
        first.insert(page, cluster);
    };
    let Some(done) = parts.cluster(&manner, watch, &mut found)? else { return Ok(None) };
    of.iter_mut().for_each(|(page, cluster)| *cluster = first.get(&page.0).copied().unwrap_or(page.0));
    let sizes = number(&mut of);
    let count = sizes.len() as u32;
    let Parts { web, .. } = parts;
    Ok(Some(Clustered {
        count,
        sizes,
        rounds: done.rounds,
        converged: done.converged,
        kept: false,
        overlaps: Vec::new(),
        sigma: 0.0,
        of,
        web,
    }))
}

/// Numbers clusters that are called by their smallest page: the largest first, of equal ones that with the smaller page. Gives their sizes.
fn number(of: &mut [(PageId, u32)]) -> Vec<u32> {
    let mut sizes: HashMap<u32, u32> = HashMap::new();
    of.iter().for_each(|(_, cluster)| *sizes.entry(*cluster).or_default() += 1);
    let mut order: Vec<(u32, u32)> = sizes.into_iter().collect();
    order.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let numbers: HashMap<u32, u32> = (0u32..).zip(&order).map(|(number, (name, _))| (*name, number)).collect();
    of.iter_mut().for_each(|(_, cluster)| *cluster = numbers[cluster]);
    order.into_iter().map(|(_, size)| size).collect()
}

/// Looks for a site in the parts of its start pages; nothing if whoever watches said stop.
pub(super) fn find_in_parts(
    folder: &Folder,
    request: &Request,
    wanted: &InParts,
    steps: &mut graph_engine::Watch<'_>,
    watch: &mut Watch<'_>,
) -> Result<Option<Bounds>, Fault> {
    if request.online || needs_clusters(&request.start) {
        return Err(Fault::new(
            "parts are looked at around pages: with --engine a search begins at pages that are stored",
            "name a page or --seeds FILE instead of --keyword or --online, or leave out --engine",
        ));
    }
    let mut store = folder.read()?;
    let Some(parts) = Parts::make(&mut store, request.links, wanted, steps)? else { return Ok(None) };
    let begun = begin(&mut store, &mut folder.bounds_store()?, &parts.web, &request.start, None)?;
    let (count, all) = (parts.count(), parts.web.nodes().count());
    let near: Vec<u32> = begun.start.seeds.iter().chain(&begun.start.accepted).copied().collect();
    let web = parts.around(&near)?;
    let note = in_parts(web.nodes().count() as u64, all as u64, count as u64);
    let found = find::find_in(folder, &mut store, request, web, watch)?;
    Ok(found.map(|mut bounds| {
        bounds.header.notes.push(note);
        bounds
    }))
}

/// How much of a survey was looked at.
fn in_parts(seen: u64, all: u64, parts: u64) -> String {
    let (seen, all, parts) = (grouped(seen), grouped(all), grouped(parts));
    format!(
        "looked at {seen} of {all} pages: the parts (of {parts}) that hold the start; pages elsewhere were not judged"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_cluster_has_the_number_nought() {
        let mut of: Vec<(PageId, u32)> =
            [(1, 1), (2, 2), (4, 2), (5, 1), (6, 2), (7, 7)].map(|(page, of)| (PageId(page), of)).into();
        assert_eq!(number(&mut of), [3, 2, 1]);
        assert_eq!(of.iter().map(|(_, cluster)| *cluster).collect::<Vec<_>>(), [1, 0, 0, 1, 0, 2]);
    }
}
