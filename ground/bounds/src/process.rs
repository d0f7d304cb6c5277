//! From a start page to a site: the paper's figure 9, off-line.
//!
//! ```text
//! 1  clusters by MCL of the undirected links, weighted by the similarity of their URLs
//! 2  K: the clusters that hold the start pages, or the pages of its folder that a single one links to if its own lies elsewhere; of clusters
//!    of several folders that of the start pages (folder.rs)
//! 3  the family of minimum cuts around K at falling prices of a page; the links carry the same similarity
//! 4  the member that stands longest (choice.rs), or a larger one that fills the folder of the start pages (folder.rs)
//! ```
//!
//! Source: paper 2, figure 9. Beyond it: links are weighted in the clustering too, the price is swept and chosen rather than given,
//! links count both ways. Unweighted, a documentation of 24 manuals on one host was all but one cluster; weighted, its manuals.
//! How well it does: `cargo run --profile dist -p groma-bench -- bounds`.
//! Cost: that of MCL and of the sweep (groma_graph). Not guaranteed: a start page with hardly any links finds hardly anything.

use groma_graph::flow::{self, Family, Network};
use groma_graph::mcl::{self, Clustering};
use groma_graph::{Csr, Weighted};

use crate::choice::{FamilyStep, Why, choose};
use crate::folder;
use crate::settings::Sigma;
use crate::similarity::deviation;
use crate::{Direction, Method, Settings, Similarity, Web};

/// Pairs of URLs whose distance is taken to fit sigma.
const PAIRS: u32 = 20_000;
/// The highest price of a family, in links within a folder, and how many prices follow, each by how much lower.
const HIGHEST: f64 = 10.0;
const PRICES: i32 = 40;
const LOWER: f64 = 0.7;
/// Of several start pages, a cluster must hold this share to count as theirs.
const HOLDS: f64 = 0.15;
/// A site this many times larger than the clusters it was drawn around is said to leak, perhaps.
const LEAKS: f64 = 2.0;

/// Where a search begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Pages of the site.
    pub seeds: Vec<u32>,
    /// Pages that somebody said belong to it.
    pub accepted: Vec<u32>,
    /// Pages that somebody said do not.
    pub rejected: Vec<u32>,
}

/// What makes a result doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// The cut is far larger than the seeds it was drawn around.
    Leak {
        /// Pages it was drawn around.
        core: u32,
        /// Pages of the site.
        size: u32,
    },
    /// More capacity leaves the site than lies within.
    Loose,
    /// All pages there are belong to it: a wider survey might show its border.
    Everything,
    /// The start pages have no links.
    Unlinked,
    /// The clustering did not come to rest.
    Unsettled,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Leak { core, size } => {
                write!(f, "the site may leak: {size} pages were found around {core} to begin with")
            }
            Warning::Loose => f.write_str("it is linked to other pages more than within itself"),
            Warning::Everything => {
                f.write_str("every page of the survey belongs to it; a wider survey might show where it ends")
            }
            Warning::Unlinked => f.write_str("the start pages have no links to pages of the survey"),
            Warning::Unsettled => f.write_str("the clustering was broken off before it came to rest"),
        }
    }
}

/// A site that was found, and the family it is from.
#[derive(Clone, Debug)]
pub struct FoundSite {
    /// Method that found it.
    pub method: Method,
    /// The width of the similarity.
    pub sigma: f64,
    /// The price of a page; 0 where there was no cut.
    pub epsilon: f64,
    /// The members of the family, smallest first.
    pub family: Vec<FamilyStep>,
    /// Which of them is the site.
    pub chosen: usize,
    /// For each node the first member it belongs to; `u32::MAX` if none.
    pub since: Vec<u32>,
    /// Why this member of the family was chosen.
    pub why: Why,
    /// What makes it doubtful.
    pub warnings: Vec<Warning>,
    /// Where it began: start pages and their clusters, ascending.
    pub core: Vec<u32>,
}

impl FoundSite {
    /// Does a node belong to the site?
    pub fn is_inside(&self, node: u32) -> bool {
        self.since.get(node as usize).is_some_and(|&since| since as usize <= self.chosen)
    }

    /// The nodes of a member of the family, ascending.
    pub fn member(&self, member: usize) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.since).filter(move |(_, since)| **since as usize <= member).map(|(node, _)| node)
    }

    /// The nodes of the site, ascending.
    pub fn inside(&self) -> impl Iterator<Item = u32> + '_ {
        self.member(self.chosen)
    }
}

/// The similarity that settings ask for.
pub fn similarity(web: &Web<'_>, settings: &Settings) -> Similarity {
    match settings.sigma {
        Sigma::Given(sigma) => Similarity::new(sigma),
        Sigma::Fitted => {
            let pages: Vec<u32> = web.pages().collect();
            let fitted = deviation(web.tokens, &pages, PAIRS).filter(|sigma| *sigma > 0.0);
            Similarity::new(fitted.unwrap_or(crate::settings::SIGMA))
        }
    }
}

/// The prices of a family.
pub fn prices(similarity: &Similarity) -> Vec<f64> {
    let unit = similarity.of_distance(1);
    (0..PRICES).map(|power| unit * HIGHEST * LOWER.powi(power)).collect()
}

/// Clusters the pages; `watch` is told of every round and may end it.
pub fn clusters(web: &Web<'_>, settings: &Settings, watch: &mut dyn FnMut(u32, f64) -> bool) -> Clustering {
    let similarity = similarity(web, settings);
    mcl::cluster(&weighted(web, &similarity), &settings.clustering(), watch)
}

/// The links of pages, weighted by similarity.
pub fn weighted(web: &Web<'_>, similarity: &Similarity) -> Weighted {
    let arcs = |from: u32| web.graph.successors(from).iter().map(move |&to| (from, to));
    let edges = (0..web.node_count()).flat_map(arcs);
    Weighted::of_edges(web.node_count(), edges.map(|(from, to)| (from, to, web.capacity(similarity, from, to) as f32)))
}

/// Looks for the site of some pages. The clustering is needed unless the method is flow alone.
pub fn find(web: &Web<'_>, start: &Start, settings: &Settings, clustering: Option<&Clustering>) -> FoundSite {
    let similarity = similarity(web, settings);
    let rejected = marks(web.node_count(), &start.rejected);
    let is_in_play = |node: &u32| web.is_page(*node) && !rejected[*node as usize];
    let mut seeds: Vec<u32> = start.seeds.iter().copied().filter(is_in_play).collect();
    tidy(&mut seeds);
    let mut core = match clustering {
        Some(clustering) if settings.method.clusters() => {
            let witnesses = folder::witnesses(web, &seeds, &clustering.of);
            clusters_of(clustering, witnesses.as_ref().unwrap_or(&seeds))
        }
        _ => Vec::new(),
    };
    core.retain(is_in_play);
    folder::narrow(web, &seeds, &mut core);
    let from_clusters = settings.method == Method::MclFlow && clustering.is_some_and(|of| are_clusters(of, &core));
    core.extend(seeds.iter().chain(&start.accepted).copied().filter(is_in_play));
    tidy(&mut core);
    let mut found = if settings.method == Method::Mcl {
        of_clusters(web, &similarity, &core)
    } else {
        cut_around(web, &similarity, &core, &rejected, settings, from_clusters)
    };
    if from_clusters && settings.epsilon.is_none() {
        folder::fill(web, &seeds, &mut found, similarity.of_distance(1));
    }
    found.method = settings.method;
    found.core = core;
    found.warnings = warnings(web, &found, clustering.filter(|_| settings.method.clusters()));
    found
}

/// The nodes of the clusters that hold start pages: of many start pages, of those clusters only that hold some of them.
fn clusters_of(clustering: &Clustering, seeds: &[u32]) -> Vec<u32> {
    let mut held: Vec<u32> = seeds.iter().filter_map(|&seed| clustering.of.get(seed as usize).copied()).collect();
    held.sort_unstable();
    let most = held.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0);
    let least = (seeds.len() as f64 * HOLDS).min(most as f64);
    let runs = held.chunk_by(|a, b| a == b).filter(|run| run.len() as f64 >= least);
    let chosen: Vec<u32> = runs.map(|run| run[0]).collect();
    (0u32..).zip(&clustering.of).filter(|(_, of)| chosen.binary_search(of).is_ok()).map(|(node, _)| node).collect()
}

/// Is there a cluster of several pages among them? Whether it has more pages than there were start pages is another question:
/// who starts from all pages of a small site starts from a cluster, too.
fn are_clusters(clustering: &Clustering, core: &[u32]) -> bool {
    let mut held: Vec<u32> = core.iter().filter_map(|&node| clustering.of.get(node as usize).copied()).collect();
    tidy(&mut held);
    core.len() > held.len()
}

/// The seed clusters as they are.
fn of_clusters(web: &Web<'_>, similarity: &Similarity, core: &[u32]) -> FoundSite {
    let mut since = vec![u32::MAX; web.node_count() as usize];
    for &node in core {
        since[node as usize] = 0;
    }
    let (within, across) = capacities(web, similarity, &since, 1);
    let step = FamilyStep { epsilon: 0.0, size: core.len() as u32, boundary: across[0], inside: within[0] };
    FoundSite {
        method: Method::Mcl,
        sigma: similarity.sigma(),
        epsilon: 0.0,
        family: vec![step],
        chosen: 0,
        since,
        why: Why::Clusters,
        warnings: Vec::new(),
        core: Vec::new(),
    }
}

/// The family of cuts around the core, and the member that is chosen.
fn cut_around(
    web: &Web<'_>,
    similarity: &Similarity,
    core: &[u32],
    rejected: &[bool],
    settings: &Settings,
    from_clusters: bool,
) -> FoundSite {
    let capacity = |a: u32, b: u32| {
        if rejected[a as usize] || rejected[b as usize] { 0.0 } else { web.capacity(similarity, a, b) }
    };
    let network = match settings.direction {
        Direction::Both => Network::undirected(web.graph, capacity),
        Direction::Forward => Network::directed(web.graph, capacity),
    };
    let prices = match (settings.epsilon, &settings.prices) {
        (Some(epsilon), _) => vec![epsilon.max(0.0)],
        (None, Some(tried)) => tried.clone(),
        (None, None) => prices(similarity),
    };
    let Family { cuts, since } = flow::sweep(&network, core, &prices, None, &mut |_| true);
    let (within, _) = capacities(web, similarity, &since, cuts.len());
    let step = |(cut, inside): (&flow::Cut, &f64)| FamilyStep {
        epsilon: cut.price,
        size: cut.size,
        boundary: cut.boundary,
        inside: *inside,
    };
    let family: Vec<FamilyStep> = cuts.iter().zip(&within).map(step).collect();
    let (chosen, why) = match settings.epsilon {
        Some(_) => (0, Why::Given),
        None => choose(&family, similarity.of_distance(1), from_clusters),
    };
    let epsilon = family.get(chosen).map_or(0.0, |step| step.epsilon);
    let sigma = similarity.sigma();
    FoundSite {
        method: settings.method,
        sigma,
        epsilon,
        family,
        chosen,
        since,
        why,
        warnings: Vec::new(),
        core: Vec::new(),
    }
}

/// For each member of a family the capacity of the links within it and of those across its border; a pair of pages is one link.
fn capacities(web: &Web<'_>, similarity: &Similarity, since: &[u32], members: usize) -> (Vec<f64>, Vec<f64>) {
    // A link is within from the later of its ends on, and across the border from the earlier one until then.
    let (mut within, mut across) = (vec![0.0; members + 1], vec![0.0; members + 1]);
    for from in 0..web.node_count() {
        for &to in web.graph.successors(from) {
            if from > to && web.graph.links(to, from) {
                continue;
            }
            let (a, b) = (since[from as usize] as usize, since[to as usize] as usize);
            let (first, last) = (a.min(b).min(members), a.max(b).min(members));
            if first == members {
                continue;
            }
            let capacity = web.capacity(similarity, from, to);
            within[last] += capacity;
            across[first] += capacity;
            across[last] -= capacity;
        }
    }
    for member in 1..members {
        within[member] += within[member - 1];
        across[member] += across[member - 1];
    }
    (within, across)
}

fn warnings(web: &Web<'_>, found: &FoundSite, clustering: Option<&Clustering>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let Some(step) = found.family.get(found.chosen) else { return vec![Warning::Unlinked] };
    let core = found.core.len() as u32;
    let is_unlinked = |&page: &u32| web.graph.successors(page).is_empty();
    if step.size <= core && found.core.iter().all(is_unlinked) {
        warnings.push(Warning::Unlinked);
    }
    if clustering.is_some() && f64::from(step.size) > LEAKS * f64::from(core) {
        warnings.push(Warning::Leak { core, size: step.size });
    }
    if !step.is_real() {
        warnings.push(Warning::Loose);
    }
    if step.size as usize == web.pages().count() {
        warnings.push(Warning::Everything);
    }
    if clustering.is_some_and(|clustering| !clustering.converged) {
        warnings.push(Warning::Unsettled);
    }
    warnings
}

fn marks(count: u32, nodes: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; count as usize];
    for &node in nodes {
        if let Some(mark) = marks.get_mut(node as usize) {
            *mark = true;
        }
    }
    marks
}

fn tidy(nodes: &mut Vec<u32>) {
    nodes.sort_unstable();
    nodes.dedup();
}

/// The graph with every link turned round, if links of the other direction are asked for often.
pub(crate) fn turned(graph: &Csr) -> Csr {
    let arcs = (0..graph.node_count()).flat_map(|from| graph.successors(from).iter().map(move |&to| (to, from)));
    Csr::of_arcs(graph.node_count(), arcs)
}
