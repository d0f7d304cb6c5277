//! Why does a page stand where it stands on the map?
//!
//! Its layer is its link distance from the root; of the pages of the layer before that link to it, the one with the highest
//! rank is its parent, of equal ones the one with the smaller URL.

use groma_graph::Tree;
use groma_model::State;
use groma_survey_graph::SurveyGraph;
use serde::Serialize;

/// Why a page stands where it does on the map.
#[derive(Debug, Serialize)]
pub struct Why<'a> {
    pub url: &'a str,
    /// Is it on the map?
    pub on_map: bool,
    /// Why, or why not.
    pub says: String,
    /// Layer on the map.
    pub layer: Option<u32>,
    /// PageRank.
    pub rank: Option<f64>,
    /// From the root to its parent.
    pub way: Vec<&'a str>,
    /// The pages of the layer before that link to it, the best first: the first is its parent.
    pub candidates: Vec<Candidate<'a>>,
}

/// A page that could be the parent.
#[derive(Debug, Serialize)]
pub struct Candidate<'a> {
    /// URL of the page.
    pub url: &'a str,
    /// PageRank.
    pub rank: f64,
}

/// Says why a page, by its number, is where it is. O(pages) to find its place.
pub fn why<'a>(graph: &'a SurveyGraph, tree: &Tree, number: u32) -> Why<'a> {
    let names = &graph.standings.names;
    let node = graph.standings.page_of(number);
    let mut why = Why {
        url: names.url(node),
        on_map: false,
        says: String::new(),
        layer: None,
        rank: None,
        way: Vec::new(),
        candidates: Vec::new(),
    };
    let Some(place) = (0..tree.len()).find(|&place| tree.node(place) == node) else {
        why.says = match graph.standings.reason(node) {
            Some(reason) if !matches!(reason.state(), State::Fetched | State::Skipped) => {
                not_on_map_state(reason.state().name(), reason.says())
            }
            _ if !graph.is_page(node) && graph.horizon.is_some() => {
                "not on the map yet: it lies deeper than the crawl has finished".to_owned()
            }
            _ if !graph.is_page(node) => {
                "not on the map: it is a part of pages (an image, a style, a script); --links all takes it".to_owned()
            }
            _ if !graph.is_in_scope(node) => "not on the map: it is outside the scope of the survey".to_owned(),
            _ => "not on the map: no way of links leads to it from the root".to_owned(),
        };
        return why;
    };
    let rank = |place: u32| graph.ranks.values[tree.node(place) as usize];
    why.on_map = true;
    why.layer = Some(tree.depth(place));
    why.rank = Some(rank(place));
    let candidates = graph.candidates(tree, place);
    why.candidates =
        candidates.iter().map(|&other| Candidate { url: names.url(tree.node(other)), rank: rank(other) }).collect();
    let mut above = tree.parent(place);
    while let Some(parent) = above {
        why.way.push(names.url(tree.node(parent)));
        above = tree.parent(parent);
    }
    why.way.reverse();
    why.says = stands_because(tree.depth(place), candidates.len());
    why
}

fn not_on_map_state(state: &str, says: &str) -> String {
    format!("not on the map: it is {state} ({says})")
}

fn stands_because(layer: u32, candidates: usize) -> String {
    match (layer, candidates) {
        (0, _) => "the root of the map".to_owned(),
        (_, 1) => format!("at depth {layer}; one page at depth {} links to it, so that is its parent", layer - 1),
        (_, n) => format!(
            "at depth {layer}; of {n} pages at depth {} that link to it, its parent is the one with the highest rank",
            layer - 1
        ),
    }
}
