//! The clusters in and around a site as a small graph: what one can see at a glance, and what there is to accept or reject.
//!
//! Clusters that touch the site hold pages of it, or are linked with it; of these the [`SHOWN`] with the most pages inside, then
//! the most links with the site. Cost: one pass over pages and links.

use std::collections::HashMap;

use groma_bounds::Verdict;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_store::bounds::Clusters;
use groma_survey_graph::PageWeb;
use serde::{Deserialize, Serialize};

use super::label::labels;

/// Clusters that are shown.
const SHOWN: usize = 40;

/// A cluster in or beside the site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearbyCluster {
    /// Its number in the clustering: the smaller the larger.
    pub cluster: u32,
    /// What it is called.
    pub label: String,
    /// One of its pages: names it in decisions, whatever its number is next time.
    pub page: String,
    /// In pages.
    pub size: u32,
    /// Those in the site.
    pub r#in: u32,
    /// Those that may be.
    pub undecided: u32,
    /// Links with pages of the site, either way; those between two pages of it count once.
    pub links: u32,
}

/// Links between two clusters that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearbyLink {
    /// The place of one in the list.
    pub from: usize,
    /// The place of the other.
    pub to: usize,
    /// Links from the one to the other.
    pub links: u32,
}

/// Clusters around a site, and the links between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Nearby {
    /// The clusters, those with the most pages of the site first.
    pub clusters: Vec<NearbyCluster>,
    /// The links between them.
    pub links: Vec<NearbyLink>,
    /// Clusters that touch the site and are not shown.
    pub more: u32,
}

/// Draws it up. `verdict` says where a page stands.
pub(super) fn nearby(
    store: &mut dyn Snapshot,
    web: &PageWeb,
    clusters: &Clusters,
    verdict: &dyn Fn(u32) -> Verdict,
) -> Result<Nearby, Fault> {
    let mut of = vec![u32::MAX; web.standings.count() as usize];
    clusters.of.iter().for_each(|(page, cluster)| of[page.0 as usize] = *cluster);
    let empty = |_| NearbyCluster {
        cluster: 0,
        label: String::new(),
        page: String::new(),
        size: 0,
        r#in: 0,
        undecided: 0,
        links: 0,
    };
    let mut all: Vec<NearbyCluster> = (0..clusters.count).map(empty).collect();
    for (page, cluster) in &clusters.of {
        let row = &mut all[*cluster as usize];
        row.size += 1;
        match verdict(page.0) {
            Verdict::In => row.r#in += 1,
            Verdict::Undecided => row.undecided += 1,
            Verdict::Out => {}
        }
    }
    let mut add = |cluster: u32| all[cluster as usize].links = all[cluster as usize].links.saturating_add(1);
    each_link(web, &of, &mut |from, to| {
        let (here, there) = (verdict(from) == Verdict::In, verdict(to) == Verdict::In);
        let (a, b) = (of[from as usize], of[to as usize]);
        if there {
            add(a);
        }
        if here && (!there || a != b) {
            add(b);
        }
    });
    let mut order: Vec<u32> =
        (0..clusters.count).filter(|&c| all[c as usize].r#in > 0 || all[c as usize].links > 0).collect();
    order.sort_by_key(|&c| {
        let row = &all[c as usize];
        (std::cmp::Reverse((row.r#in, row.links, row.size)), c)
    });
    let more = order.len().saturating_sub(SHOWN) as u32;
    order.truncate(SHOWN);
    let place: HashMap<u32, usize> = order.iter().enumerate().map(|(at, cluster)| (*cluster, at)).collect();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for (page, cluster) in &clusters.of {
        if let Some(at) = place.get(cluster) {
            members[*at].push(page.0);
        }
    }
    let names = labels(store, web, &members)?;
    let mut links: HashMap<(usize, usize), u32> = HashMap::new();
    each_link(web, &of, &mut |from, to| {
        let (a, b) = (place.get(&of[from as usize]), place.get(&of[to as usize]));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            *links.entry((*a, *b)).or_default() += 1;
        }
    });
    let mut links: Vec<NearbyLink> =
        links.into_iter().map(|((from, to), links)| NearbyLink { from, to, links }).collect();
    links.sort_by_key(|link| (link.from, link.to));
    let shown = order.iter().zip(names).zip(&members).map(|((&cluster, label), pages)| NearbyCluster {
        cluster,
        label,
        page: pages.first().map(|page| web.address(*page).to_owned()).unwrap_or_default(),
        ..all[cluster as usize].clone()
    });
    Ok(Nearby { clusters: shown.collect(), links, more })
}

fn each_link(web: &PageWeb, of: &[u32], call: &mut dyn FnMut(u32, u32)) {
    for from in web.nodes() {
        for &to in web.graph.successors(from).iter().filter(|to| of[**to as usize] != u32::MAX) {
            call(from, to);
        }
    }
}
