//! Looks for the border of a site, judges every page by it, and keeps what was found.

use groma_bounds::content_similarity::Compared;
use groma_bounds::{Direction, FoundSite, Judge, Judgement, Verdict, Web};
use groma_model::PageId;
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::bounds::{BoundsStore, Member, Side, SiteRow};
use groma_store::{Folder, Snapshot};
use groma_survey_graph::PageWeb;

use super::clusters::{by_nodes, of_survey};
use super::nearby::nearby;
use super::start::{Begun, begin, needs_clusters, seeds};
use super::told::Told;
use super::{Counts, Header, Nearby, Prefix, PriceStep, Progress, Request, Watch, adapt, online};
use crate::bounds::wording::{NO_PAGES_READ, NO_PAGES_READ_HINT, NOT_COMPARED};

/// Why a search ended that fetched nothing.
const OFF_LINE: &str = "off-line";

/// A site that was found, and all that is known of it.
pub struct Bounds {
    /// What stands at its head.
    pub header: Header,
    /// The site as beginnings of URLs.
    pub prefixes: Vec<Prefix>,
    /// The clusters in and around it, if pages were clustered.
    pub nearby: Option<Nearby>,
    web: PageWeb,
    found: FoundSite,
    /// By place among the pages that take part.
    judgements: Vec<(u32, Judgement)>,
}

/// A page and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<'a> {
    pub address: &'a str,
    /// On which side it is.
    pub verdict: Verdict,
    /// How sure that is.
    pub confidence: f32,
    /// The first member of the family it is in.
    pub step: Option<u32>,
    /// What speaks for it.
    pub reason: String,
}

impl Bounds {
    /// Every page that takes part, in order of their numbers.
    pub fn pages(&self) -> impl Iterator<Item = Page<'_>> {
        self.judgements.iter().map(|(node, judgement)| Page {
            address: self.web.address(*node),
            verdict: judgement.verdict,
            confidence: judgement.confidence,
            step: self.found.since.get(*node as usize).copied().filter(|step| *step != u32::MAX),
            reason: judgement.because.to_string(),
        })
    }

    /// The URLs of a member of the family, in order of their numbers.
    pub fn at(&self, step: usize) -> impl Iterator<Item = &str> {
        self.found.member(step).filter(|node| self.web.is_page(*node)).map(|node| self.web.address(node))
    }

    /// The numbers of the pages that are in, ascending.
    pub fn inside(&self) -> impl Iterator<Item = u32> + '_ {
        self.judgements.iter().filter(|(_, judgement)| judgement.verdict == Verdict::In).map(|(node, _)| *node)
    }
}

/// Looks for a site; nothing if whoever watches said stop.
pub(super) fn find(folder: &Folder, request: &Request, watch: &mut Watch<'_>) -> Result<Option<Bounds>, Fault> {
    if !watch(Progress::Reading) {
        return Ok(None);
    }
    let mut store = folder.read()?;
    let web = PageWeb::read(&mut store, request.links, None)?;
    find_in(folder, &mut store, request, web, watch)
}

/// Looks for a site among the pages of a web.
pub(super) fn find_in(
    folder: &Folder,
    store: &mut dyn Snapshot,
    request: &Request,
    web: PageWeb,
    watch: &mut Watch<'_>,
) -> Result<Option<Bounds>, Fault> {
    let online = if request.online { Some(online::account(store)?) } else { None };
    let request = &online::as_tried(request, online.as_ref());
    if web.nodes().next().is_none() {
        return Err(Fault::new(NO_PAGES_READ, NO_PAGES_READ_HINT));
    }
    // Whoever mistyped the start should not wait for clusters to hear of it.
    if !needs_clusters(&request.start) {
        seeds(store, &web, &request.start, None, &mut Vec::new())?;
    }
    let tokens = web.tokens();
    let similarity = request.alike(store, &web)?;
    let sight = Web { graph: &web.graph, tokens: &tokens, pages: &web.pages, content_similarity: similarity.as_ref() };
    let method = request.settings.method;
    let clusters = if method.clusters() || needs_clusters(&request.start) {
        let Some((clusters, _)) = of_survey(folder, &web, &sight, request, watch)? else { return Ok(None) };
        Some(clusters)
    } else {
        None
    };
    let mut bounds_store = folder.bounds_store()?;
    let begun = begin(store, &mut bounds_store, &web, &request.start, clusters.as_ref())?;
    if !watch(Progress::Cutting) {
        return Ok(None);
    }
    let clustering = clusters.as_ref().filter(|_| method.clusters()).map(|clusters| by_nodes(&web, clusters));
    let found = groma_bounds::find(&sight, &begun.start, &request.settings, clustering.as_ref());
    let judgements: Vec<(u32, Judgement)> = {
        let judge = Judge::new(&sight, &found, &begun.start);
        web.nodes().map(|node| (node, judge.judge(node))).collect()
    };
    if !watch(Progress::Telling) {
        return Ok(None);
    }
    let inside = marks(web.standings.count(), &judgements);
    let keywords = adapt::keywords(store, &web, &inside)?;
    let prefixes = adapt::prefixes(&web, &judgements);
    let nearby = match &clusters {
        None => None,
        Some(clusters) => {
            let mut sides = vec![Verdict::Out; web.standings.count() as usize];
            judgements.iter().for_each(|(node, judgement)| sides[*node as usize] = judgement.verdict);
            Some(nearby(store, &web, clusters, &|node| sides[node as usize])?)
        }
    };
    let mut header = header(request, &begun, &found, &web, &judgements);
    header.keywords = keywords;
    if similarity.is_some() {
        header.similarity = request.similarity.name().to_owned();
    } else if request.similarity != Compared::Nothing {
        header.notes.push(NOT_COMPARED.to_owned());
    }
    if let Some(account) = &online {
        header.stop = account.stop.to_string();
        header.fetches = account.fetches.into();
    }
    let bounds = Bounds { header, prefixes, nearby, web, found, judgements };
    if bounds_store.is_writable() {
        keep(&mut bounds_store, request, &bounds)?;
    }
    Ok(Some(bounds))
}

/// By number: is it in?
fn marks(count: u32, judgements: &[(u32, Judgement)]) -> Vec<bool> {
    let mut inside = vec![false; count as usize];
    for (node, judgement) in judgements {
        inside[*node as usize] = judgement.verdict == Verdict::In;
    }
    inside
}

fn header(
    request: &Request,
    begun: &Begun,
    found: &FoundSite,
    web: &PageWeb,
    judgements: &[(u32, Judgement)],
) -> Header {
    let count = |verdict| judgements.iter().filter(|(_, judgement)| judgement.verdict == verdict).count() as u32;
    let within = || judgements.iter().filter(|(_, judgement)| judgement.verdict == Verdict::In);
    let mut hosts: Vec<u32> = within().map(|(node, _)| web.standings.host(*node)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let inside = count(Verdict::In);
    let sure: f64 = within().map(|(_, judgement)| f64::from(judgement.confidence)).sum();
    let step = |step: &groma_bounds::FamilyStep| PriceStep {
        epsilon: step.epsilon,
        size: step.size,
        boundary: step.boundary,
        inside: step.inside,
    };
    Header {
        kind: "bounds".to_owned(),
        start: begun.name.clone(),
        at: now(),
        method: found.method.name().to_owned(),
        sigma: found.sigma,
        similarity: Compared::Nothing.name().to_owned(),
        epsilon: found.epsilon,
        direction: if request.settings.direction == Direction::Forward { "forward" } else { "both" }.to_owned(),
        inflation: found.method.clusters().then_some(request.settings.inflation),
        chosen: found.chosen,
        why: found.why.to_string(),
        warnings: found.warnings.iter().map(ToString::to_string).collect(),
        notes: begun.notes.clone(),
        family: found.family.iter().map(step).collect(),
        stop: OFF_LINE.to_owned(),
        fetches: 0,
        seeds: begun.start.seeds.len() as u32,
        decisions: begun.decisions as u32,
        counts: Counts {
            pages: judgements.len() as u32,
            r#in: inside,
            undecided: count(Verdict::Undecided),
            out: count(Verdict::Out),
            hosts: hosts.len() as u32,
        },
        confidence: if inside == 0 { 0.0 } else { (sure / f64::from(inside)) as f32 },
        keywords: Vec::new(),
    }
}

/// Keeps what was found: the pages of every member of the family, and those that may belong to it.
fn keep(bounds_store: &mut BoundsStore, request: &Request, bounds: &Bounds) -> Result<(), Fault> {
    let step = |node: u32| bounds.found.since.get(node as usize).copied().unwrap_or(u32::MAX);
    let member = |(node, judgement): &(u32, Judgement)| Member {
        page: PageId(*node),
        side: match judgement.verdict {
            Verdict::In => Side::In,
            Verdict::Undecided => Side::Undecided,
            Verdict::Out => Side::Out,
        },
        step: step(*node),
        confidence: judgement.confidence,
    };
    let is_near = |member: &Member| member.side != Side::Out || member.step != u32::MAX;
    let told = Told { header: bounds.header.clone(), prefixes: bounds.prefixes.clone(), nearby: bounds.nearby.clone() };
    Ok(bounds_store.keep_site(&SiteRow {
        start: bounds.header.start.clone(),
        at: bounds.header.at,
        settings: request.asked().stored(),
        header: serde_json::to_string(&told).unwrap_or_default(),
        mark: bounds.web.mark,
        members: bounds.judgements.iter().map(member).filter(is_near).collect(),
    })?)
}
