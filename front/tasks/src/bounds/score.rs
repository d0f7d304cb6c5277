//! How well are sites found whose pages are known? Every method side by side, as the paper's table 1 has it.
//!
//! Each true site that has pages in the survey is looked for from start pages of its own (its home page, or some drawn at random,
//! always in the same way), and what is found is held against it: precision, recall, F1; over several sites their means, each
//! site counting the same. Decisions of people have no part in it.

use groma_bounds::content_similarity::Compared;
use groma_bounds::truth::{self, Grouping, Score, ScoreRow, Truth};
use groma_bounds::{Method, Settings, Start, Web};
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_store::Folder;
use groma_survey_graph::PageWeb;

use super::clusters::{by_nodes, of_survey};
use super::start::{HOMES, seeds};
use super::{Beginning, Progress, Request, Watch};
use crate::bounds::wording::{NOT_COMPARED, bad_line};
use crate::observer::Observer;

/// Which pages a true site is looked for from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedChoice {
    /// Its home page, then those with the shortest URLs.
    Home,
    /// Any, drawn in a fixed way.
    Random,
}

/// What each method found of one site.
#[derive(Clone, Debug)]
pub struct OfSite {
    /// What the site is called.
    pub name: String,
    /// Where it was looked for from.
    pub seeds: Vec<String>,
    /// By method, in the order of [`Scores::methods`].
    pub scores: Vec<Score>,
}

/// How well each method did.
#[derive(Clone, Debug)]
pub struct Scores {
    /// Names of the methods.
    pub methods: Vec<&'static str>,
    /// Scores of each site.
    pub sites: Vec<OfSite>,
    /// The means, by method.
    pub rows: Vec<ScoreRow>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Scores {
    /// The table of the paper.
    pub fn table(&self) -> String {
        truth::table(&self.rows)
    }
}

/// Scores every method; `text` says what is true. Nothing if whoever watches said stop.
pub fn score(
    folder: &Folder,
    request: &Request,
    text: &str,
    choice: SeedChoice,
    per_site: usize,
    observer: &mut dyn Observer,
) -> Result<Option<Scores>, Fault> {
    let watch: &mut Watch<'_> = &mut |progress| observer.bounds(progress);
    let given = request.start != Beginning::Survey;
    let (truth, mut notes) = read(text, given)?;
    if !watch(Progress::Reading) {
        return Ok(None);
    }
    let mut store = folder.read()?;
    let web = PageWeb::read(&mut store, request.links, None)?;
    let members = Members::read(&web, &truth)?;
    let empty = members.pages.iter().filter(|pages| pages.is_empty()).count();
    if empty > 0 {
        notes.push(sites_without_pages(empty as u64));
    }
    let tokens = web.tokens();
    let similarity = request.alike(&mut store, &web)?;
    if similarity.is_none() && request.similarity != Compared::Nothing {
        notes.push(NOT_COMPARED.to_owned());
    }
    let sight = Web { graph: &web.graph, tokens: &tokens, pages: &web.pages, content_similarity: similarity.as_ref() };
    let Some((clusters, _)) = of_survey(folder, &web, &sight, request, watch)? else { return Ok(None) };
    let clustering = by_nodes(&web, &clusters);
    let mut searched = Vec::new();
    if given {
        let (_, seeds) = seeds(&mut store, &web, &request.start, Some(&clusters), &mut notes)?;
        searched.push((members.site_of_start(&seeds)?, seeds));
    } else {
        for (site, pages) in members.pages.iter().enumerate().filter(|(_, pages)| !pages.is_empty()) {
            searched.push((site, chosen(&web, pages, &truth.sites()[site].start, choice, per_site.max(1))));
        }
    }
    let mut sites = Vec::new();
    for (site, seeds) in searched {
        let mut scores = Vec::new();
        for method in Method::ALL {
            if !watch(Progress::Cutting) {
                return Ok(None);
            }
            let settings = Settings { method, ..request.settings.clone() };
            let start = Start { seeds: seeds.clone(), ..Start::default() };
            let found = groma_bounds::find(&sight, &start, &settings, Some(&clustering));
            scores.push(members.score(site, found.inside().filter(|page| web.is_page(*page))));
        }
        let name = truth.sites()[site].name.clone();
        let seeds = seeds.iter().map(|seed| web.address(*seed).to_owned()).collect();
        sites.push(OfSite { name, seeds, scores });
    }
    let methods: Vec<&'static str> = Method::ALL.iter().map(|method| method.name()).collect();
    let of = |at: usize| sites.iter().map(|site: &OfSite| site.scores[at]).collect::<Vec<Score>>();
    let rows = methods.iter().enumerate().map(|(at, method)| ScoreRow::mean(*method, &of(at))).collect();
    Ok(Some(Scores { methods, sites, rows, notes }))
}

/// Which pages of the survey are those of the true sites.
struct Members {
    /// By site, in the order of the truth.
    pages: Vec<Vec<u32>>,
    /// By number of a page: the site it belongs to.
    site: Vec<Option<usize>>,
}

impl Members {
    fn read(web: &PageWeb, truth: &Truth) -> Result<Members, Fault> {
        let mut pages: Vec<Vec<u32>> = vec![Vec::new(); truth.sites().len()];
        let mut of_page: Vec<Option<usize>> = vec![None; web.standings.count() as usize];
        for page in web.nodes() {
            if let Some(site) = truth.site_of(web.address(page)) {
                pages[site].push(page);
                of_page[page as usize] = Some(site);
            }
        }
        if pages.iter().all(Vec::is_empty) {
            return Err(Fault::new(
                "no page of the survey is in the file of true pages",
                "the URLs must be those of the survey; `groma pages` lists them",
            ));
        }
        Ok(Members { pages, site: of_page })
    }

    /// The true site that start pages are on: that of the first which is on one.
    fn site_of_start(&self, seeds: &[u32]) -> Result<usize, Fault> {
        seeds.iter().find_map(|seed| self.site[*seed as usize]).ok_or_else(|| {
            Fault::new(
                "no start page is in the file of true pages",
                "begin at a page of a true site, or leave the start out: every site is looked for then",
            )
        })
    }

    /// What was found of a site, held against what it has.
    fn score(&self, site: usize, found: impl Iterator<Item = u32>) -> Score {
        let (mut size, mut both) = (0, 0);
        for page in found {
            size += 1;
            both += u32::from(self.site[page as usize] == Some(site));
        }
        Score::new(size, self.pages[site].len() as u32, both)
    }
}

/// Reads what is true. Prefixes alone, without a start, are a site each; with a start they are all of that site, unless they are
/// named apart.
fn read(text: &str, given: bool) -> Result<(Truth, Vec<String>), Fault> {
    let (mut truth, complaints) = truth::read(text, Grouping::Usual);
    if let [one] = truth.sites()
        && !given
        && one.pages == 0
        && one.prefixes > 1
    {
        truth = truth::read(text, Grouping::Apart).0;
    }
    if truth.sites().is_empty() {
        let why = complaints.first().map(|one| bad_line(one.line, one.why));
        return Err(Fault::new(
            no_truth(why.as_deref()),
            "write a prefix that ends in / or *, or a URL, a line; or a table with the columns prefix and \
                              pages",
        ));
    }
    Ok((truth, complaints.iter().map(|one| bad_line(one.line, one.why)).collect()))
}

/// The pages a site is looked for from.
fn chosen(web: &PageWeb, pages: &[u32], start: &str, choice: SeedChoice, most: usize) -> Vec<u32> {
    match choice {
        SeedChoice::Home => {
            let home = |page: u32| HOMES.iter().position(|name| web.address(page).strip_prefix(start) == Some(*name));
            let mut order = pages.to_vec();
            order.sort_by(|&a, &b| {
                let key = |page: u32| (home(page).unwrap_or(HOMES.len()), web.address(page).len());
                key(a).cmp(&key(b)).then_with(|| web.address(a).cmp(web.address(b)))
            });
            order.truncate(most);
            order
        }
        SeedChoice::Random => {
            let mut left = pages.to_vec();
            let mut state = 0x9e37_79b9_7f4a_7c15u64;
            for at in 0..most.min(left.len()) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let other = at + ((state >> 33) % (left.len() - at) as u64) as usize;
                left.swap(at, other);
            }
            left.truncate(most);
            left
        }
    }
}

fn no_truth(why: Option<&str>) -> String {
    match why {
        Some(why) => format!("nothing in the file says what is true: {why}"),
        None => "nothing in the file says what is true".to_owned(),
    }
}

fn sites_without_pages(sites: u64) -> String {
    format!("{} of the file have no page in the survey and are left out", counted(sites, "site", "sites"))
}
