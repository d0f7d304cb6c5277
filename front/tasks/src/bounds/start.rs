//! From what was asked and decided to the pages a search begins at.

use std::collections::{HashMap, HashSet};

use groma_bounds::Start;
use groma_model::wording::counted;
use groma_settings::{Fault, address};
use groma_store::Snapshot;
use groma_store::bounds::{BoundsStore, Clusters, Decided};
use groma_survey_graph::PageWeb;

use super::{Beginning, Request};
use crate::bounds::wording::{NO_PAGES_READ, NO_PAGES_READ_HINT, NO_SEED_PAGES};
use crate::lookup;
use crate::task::Bounds;

/// Names of pages that are the home of their folder, the best first.
pub(super) const HOMES: [&str; 4] = ["", "index.html", "index.htm", "index.php"];
/// Sites that are one, at most: whoever merges more means something else.
const MERGED: usize = 100;

/// Where a search begins, and what it is called.
pub(super) struct Begun {
    /// What the site is called by: see [`Beginning`].
    pub(super) name: String,
    /// Its pages; lists are in order.
    pub(super) start: Start,
    /// What the user should know.
    pub(super) notes: Vec<String>,
    /// Decisions in force.
    pub(super) decisions: usize,
}

/// Does a search that begins like this need clusters, whatever its method?
pub(super) fn needs_clusters(beginning: &Beginning) -> bool {
    matches!(beginning, Beginning::Keyword(_))
        || matches!(beginning, Beginning::Page(text) if keyword_of(text).is_some())
}

/// Finds the pages from which a search starts.
pub(super) fn begin(
    store: &mut dyn Snapshot,
    bounds_store: &mut BoundsStore,
    web: &PageWeb,
    beginning: &Beginning,
    clusters: Option<&Clusters>,
) -> Result<Begun, Fault> {
    let mut notes = Vec::new();
    let (name, mut seeds) = seeds(store, web, beginning, clusters, &mut notes)?;
    let (mut logs, mut decisions) = (Vec::new(), 0);
    for (site, decided) in merged(bounds_store, &name)? {
        if site != name {
            match seeds_of_site(store, bounds_store, web, &site, clusters) {
                Ok(more) => seeds.extend(more),
                Err(fault) => notes.push(merged_not_found(&site, &fault.says)),
            }
        }
        decisions += decided.rows.len();
        logs.push(decided);
    }
    let mut start = Start { seeds, ..Start::default() };
    if logs.iter().any(Decided::has_subjects) {
        for page in web.nodes() {
            // What was decided about the site itself comes before what was decided about sites that are merged into it.
            match logs.iter().find_map(|decided| decided.about(web.address(page))) {
                Some(said) if said.accepted => start.accepted.push(page),
                Some(_) => start.rejected.push(page),
                None => {}
            }
        }
        let rejected: HashSet<u32> = start.rejected.iter().copied().collect();
        start.seeds.retain(|seed| !rejected.contains(seed));
        if start.seeds.is_empty() && start.accepted.is_empty() {
            return Err(Fault::new(
                "every start page has been rejected by hand",
                "take that back with `groma bounds undo`, or begin elsewhere",
            ));
        }
    }
    start.seeds.sort_unstable();
    start.seeds.dedup();
    Ok(Begun { name, start, notes, decisions })
}

/// The site and all that are merged into it, with what was decided about each.
fn merged(bounds_store: &mut BoundsStore, name: &str) -> Result<Vec<(String, Decided)>, Fault> {
    let mut all: Vec<(String, Decided)> = Vec::new();
    let mut waiting = vec![name.to_owned()];
    while let Some(site) = waiting.pop() {
        if all.len() < MERGED && !all.iter().any(|(known, _)| *known == site) {
            let decided = Decided::from_log(&bounds_store.decisions(Some(&site))?);
            waiting.extend(decided.merged.iter().rev().cloned());
            all.push((site, decided));
        }
    }
    Ok(all)
}

/// The start pages of a site by what it is called.
fn seeds_of_site(
    store: &mut dyn Snapshot,
    bounds_store: &mut BoundsStore,
    web: &PageWeb,
    site: &str,
    clusters: Option<&Clusters>,
) -> Result<Vec<u32>, Fault> {
    let kept = bounds_store.site(site).ok().flatten().and_then(|row| Bounds::read_stored(&row.settings).ok());
    let beginning = match (kept, keyword_of(site)) {
        (Some(task), _) => Request::from_task(&task).start,
        (None, Some(word)) => Beginning::Keyword(word.to_owned()),
        (None, None) => Beginning::Page(site.to_owned()),
    };
    Ok(seeds(store, web, &beginning, clusters, &mut Vec::new())?.1)
}

fn keyword_of(name: &str) -> Option<&str> {
    name.strip_prefix("keyword:").filter(|word| !word.is_empty())
}

/// What the site is called, and its start pages.
pub(super) fn seeds(
    store: &mut dyn Snapshot,
    web: &PageWeb,
    beginning: &Beginning,
    clusters: Option<&Clusters>,
    notes: &mut Vec<String>,
) -> Result<(String, Vec<u32>), Fault> {
    match beginning {
        Beginning::Survey => {
            let page = web.first_page().ok_or_else(|| Fault::new(NO_PAGES_READ, NO_PAGES_READ_HINT))?;
            Ok((web.address(page).to_owned(), vec![page]))
        }
        Beginning::Page(typed) => match keyword_of(typed) {
            Some(word) => seeds(store, web, &Beginning::Keyword(word.to_owned()), clusters, notes),
            None => {
                let page = page(store, web, typed, notes)?;
                Ok((web.address(page).to_owned(), vec![page]))
            }
        },
        Beginning::Keyword(word) => Ok((beginning.to_string(), by_keyword(web, word, clusters)?)),
        Beginning::Pages { pages, .. } => {
            let (mut found, mut missing) = (Vec::new(), Vec::new());
            for typed in pages {
                match page(store, web, typed, &mut Vec::new()) {
                    Ok(page) => found.push(page),
                    Err(fault) => missing.push(fault),
                }
            }
            if found.is_empty() {
                let none = || Fault::new(NO_SEED_PAGES, "write a URL a line; `groma pages` lists those of the survey");
                return Err(missing.pop().unwrap_or_else(none));
            }
            if !missing.is_empty() {
                notes.push(seeds_missing(missing.len() as u64, &missing[0].says));
            }
            Ok((beginning.to_string(), found))
        }
    }
}

/// A page that takes part, by its URL in any spelling. A folder without a page of its own stands for its home page.
pub(super) fn page(
    store: &mut dyn Snapshot,
    web: &PageWeb,
    typed: &str,
    notes: &mut Vec<String>,
) -> Result<u32, Fault> {
    let found = lookup::page(store, typed);
    let page = found.as_ref().map_or(u32::MAX, |page| web.standings.page_of(page.0));
    if web.is_page(page) {
        return Ok(page);
    }
    if let Some(home) = home(web, typed) {
        notes.push(begun_at(web.address(home)));
        return Ok(home);
    }
    found?;
    let why = web.standings.reason(page).map_or("", |reason| reason.says());
    Err(Fault::new(
        start_not_read(typed, why),
        "begin at a page that was read: `groma pages --state fetched` lists them",
    ))
}

/// The home page of a folder: by its name, else the page with the shortest URL below it.
fn home(web: &PageWeb, typed: &str) -> Option<u32> {
    let mut folder: String = address::read(typed).ok()?.url.into();
    if !folder.ends_with('/') {
        folder.push('/');
    }
    web.nodes()
        .filter_map(|page| Some((page, web.address(page).strip_prefix(&folder)?)))
        .min_by_key(|(page, rest)| {
            (HOMES.iter().position(|name| name == rest).unwrap_or(HOMES.len()), rest.len(), *page)
        })
        .map(|(page, _)| page)
}

/// The pages whose URLs hold a word, of the cluster that has most of them.
fn by_keyword(web: &PageWeb, word: &str, clusters: Option<&Clusters>) -> Result<Vec<u32>, Fault> {
    let wanted = word.to_lowercase();
    let holds = |page: &u32| web.address(*page).to_lowercase().contains(&wanted);
    let Some(clusters) = clusters else {
        return Err(Fault::new("a keyword is looked for in clusters, and there are none", "begin at a URL instead"));
    };
    let mut counts: HashMap<u32, u32> = HashMap::new();
    let hits: Vec<(u32, u32)> =
        clusters.of.iter().map(|(page, of)| (page.0, *of)).filter(|hit| holds(&hit.0)).collect();
    hits.iter().for_each(|(_, cluster)| *counts.entry(*cluster).or_default() += 1);
    // Of equals the larger cluster, which has the smaller number.
    let best = counts
        .iter()
        .max_by_key(|(cluster, count)| (**count, std::cmp::Reverse(**cluster)))
        .map(|(cluster, _)| *cluster);
    let best = best.ok_or_else(|| {
        Fault::new(keyword_nowhere(word), "take a word that is a part of URLs; `groma pages` lists them")
    })?;
    Ok(hits.into_iter().filter(|(_, cluster)| *cluster == best).map(|(page, _)| page).collect())
}

fn keyword_nowhere(word: &str) -> String {
    format!("no URL of the survey holds `{word}`")
}

fn start_not_read(typed: &str, why: &str) -> String {
    if why.is_empty() { format!("{typed} was not read") } else { format!("{typed} was not read: {why}") }
}

fn seeds_missing(missing: u64, example: &str) -> String {
    format!("{} left out, for example: {example}", counted(missing, "start page", "start pages"))
}

fn merged_not_found(site: &str, why: &str) -> String {
    format!("the site of {site}, which is merged into this one, begins nowhere: {why}")
}

fn begun_at(home: &str) -> String {
    format!("no page has just this URL: begun at {home}")
}
