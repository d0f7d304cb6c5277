//! Clusters of the pages of a survey: taken from what is kept as long as the survey is the same, else made and kept.

use groma_bounds::{Similarity, Web, similarity, weighted};
use groma_graph::Weighted;
use groma_graph::mcl::{self, Clustering};
use groma_model::PageId;
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::Folder;
use groma_store::bounds::{Clusters, Watermark};
use groma_survey_graph::PageWeb;
use xxhash_rust::xxh3::xxh3_64;

use super::label::labels;
use super::{Progress, Request, Watch};
use crate::bounds::wording::{NO_PAGES_READ, NO_PAGES_READ_HINT};

/// A clustering of a survey.
pub struct Clustered {
    /// How many clusters there are.
    pub count: u32,
    /// How many pages each has; the largest first.
    pub sizes: Vec<u32>,
    pub rounds: u32,
    /// Nothing moved any more at its end.
    pub converged: bool,
    /// It was not made, but taken from what is kept.
    pub kept: bool,
    /// Pages that belong to further clusters too, with those.
    pub overlaps: Vec<(u32, u32)>,
    /// The width of the similarity by which links were weighed; 0 if they were not.
    pub sigma: f64,
    pub(super) web: PageWeb,
    pub(super) of: Vec<(PageId, u32)>,
}

impl Clustered {
    /// Every page with its cluster, in order of their numbers.
    pub fn pages(&self) -> impl Iterator<Item = (&str, u32)> {
        self.of.iter().map(|(page, cluster)| (self.web.address(page.0), *cluster))
    }

    /// The same by numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.of.iter().map(|(page, cluster)| (page.0, *cluster))
    }

    /// The URL of a page.
    pub fn address(&self, page: u32) -> &str {
        self.web.address(page)
    }

    /// What the first clusters are called.
    pub fn labels(&self, folder: &Folder, most: usize) -> Result<Vec<String>, Fault> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); most.min(self.count as usize)];
        for (page, cluster) in &self.of {
            if let Some(list) = members.get_mut(*cluster as usize) {
                list.push(page.0);
            }
        }
        labels(&mut folder.read()?, &self.web, &members)
    }
}

/// Clusters the pages of a survey; nothing if whoever watches said stop.
pub(super) fn cluster(folder: &Folder, request: &Request, watch: &mut Watch<'_>) -> Result<Option<Clustered>, Fault> {
    if !watch(Progress::Reading) {
        return Ok(None);
    }
    let mut store = folder.read()?;
    let web = PageWeb::read(&mut store, request.links, None)?;
    if web.nodes().next().is_none() {
        return Err(Fault::new(NO_PAGES_READ, NO_PAGES_READ_HINT));
    }
    let tokens = web.tokens();
    let similarity = request.alike(&mut store, &web)?;
    let sight = Web { graph: &web.graph, tokens: &tokens, pages: &web.pages, content_similarity: similarity.as_ref() };
    let Some((clusters, kept)) = of_survey(folder, &web, &sight, request, watch)? else { return Ok(None) };
    let mut sizes = vec![0u32; clusters.count as usize];
    clusters.of.iter().for_each(|(_, cluster)| sizes[*cluster as usize] += 1);
    Ok(Some(Clustered {
        count: clusters.count,
        sizes,
        rounds: clusters.rounds,
        converged: clusters.converged,
        kept,
        overlaps: clusters.overlaps.iter().map(|(page, cluster)| (page.0, *cluster)).collect(),
        sigma: clusters.manner.sigma,
        of: clusters.of,
        web,
    }))
}

/// The clusters of a survey, and whether they were kept; nothing if whoever watches said stop.
pub(super) fn of_survey(
    folder: &Folder,
    web: &PageWeb,
    sight: &Web<'_>,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Option<(Clusters, bool)>, Fault> {
    let similarity = similarity(sight, &request.settings);
    let manner = request.manner(similarity.sigma());
    // Clusters hold as long as the links do and what they weigh.
    let mark = Watermark {
        graph: web.mark.graph ^ sight.content_similarity.map_or(0, |of| xxh3_64(of.as_bytes())),
        ..web.mark
    };
    let mut bounds_store = folder.bounds_store()?;
    // What cannot be read is made again, and replaces it.
    if let Ok(Some(clusters)) = bounds_store.clusters(&manner, mark.graph)
        && fits(&clusters, web)
    {
        return Ok(Some((clusters, true)));
    }
    let Some(clustering) = make(web, sight, &similarity, request, watch) else { return Ok(None) };
    // By places among the pages, as it was made; by their numbers, as it is kept.
    let pages: Vec<u32> = web.nodes().collect();
    let of = pages.iter().zip(&clustering.of).map(|(page, cluster)| (PageId(*page), *cluster));
    let overlaps = clustering.overlaps.iter().map(|(place, cluster)| (PageId(pages[*place as usize]), *cluster));
    let clusters = Clusters {
        manner,
        mark,
        at: now(),
        rounds: clustering.rounds,
        converged: clustering.converged,
        count: clustering.sizes.len() as u32,
        of: of.collect(),
        overlaps: overlaps.collect(),
    };
    if bounds_store.is_writable() {
        bounds_store.keep_clusters(&clusters)?;
    }
    Ok(Some((clusters, false)))
}

/// Is it of these pages? A digest can lie, if rarely.
fn fits(clusters: &Clusters, web: &PageWeb) -> bool {
    clusters.of.iter().map(|(page, _)| page.0).eq(web.nodes())
        && clusters.of.iter().all(|(_, cluster)| *cluster < clusters.count)
}

/// Makes it. Only pages take part, so that what takes no part costs nothing and is no cluster.
fn make(
    web: &PageWeb,
    sight: &Web<'_>,
    similarity: &Similarity,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Option<Clustering> {
    let pages: Vec<u32> = web.nodes().collect();
    let links = if request.unweighted { Weighted::undirected(&web.graph) } else { weighted(sight, similarity) };
    let links = links.part(&pages);
    let settings = request.settings.clustering();
    let mut stopped = false;
    let mut round = |round: u32, chaos: f64| {
        stopped |= !watch(Progress::Clustering { round, chaos });
        !stopped
    };
    let mut clustering = mcl::cluster(&links, &settings, &mut round);
    if request.largest > 0 && clustering.sizes.first().is_some_and(|size| *size > request.largest) {
        clustering = mcl::divide(&links, clustering, &settings, request.largest, &mut round);
    }
    (!stopped).then_some(clustering)
}

/// The same as the process of the bounds takes it: by nodes. What takes no part is a cluster of its own, behind all others.
pub(super) fn by_nodes(web: &PageWeb, clusters: &Clusters) -> Clustering {
    let mut of = vec![u32::MAX; web.standings.count() as usize];
    let mut sizes = vec![0u32; clusters.count as usize];
    for (page, cluster) in &clusters.of {
        of[page.0 as usize] = *cluster;
        sizes[*cluster as usize] += 1;
    }
    for cluster in of.iter_mut().filter(|cluster| **cluster == u32::MAX) {
        *cluster = sizes.len() as u32;
        sizes.push(1);
    }
    let overlaps = clusters.overlaps.iter().map(|(page, cluster)| (page.0, *cluster)).collect();
    Clustering { of, sizes, overlaps, rounds: clusters.rounds, converged: clusters.converged }
}
