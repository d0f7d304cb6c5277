//! `groma map --why URL`: why a page stands where it stands on the map.
//!
//! Its layer is its link distance from the root; of the pages of the layer before that link to it, the one with the highest
//! rank is its parent, of equal ones the one with the smaller address.

use serde::Serialize;

use groma_atlas::Atlas;
use groma_graph::Tree;
use groma_model::wording::{grouped, plain};
use groma_model::{PageId, State};

use crate::Exit;
use crate::args::{MapArgs, MapFormat};
use crate::output::Out;
use groma_desk::Fault;
use groma_desk::words;

/// Candidates people see; programs get all.
const SHOWN: usize = 15;

#[derive(Serialize)]
struct Why<'a> {
    url: &'a str,
    on_map: bool,
    says: String,
    layer: Option<u32>,
    rank: Option<f64>,
    /// From the root to its parent.
    way: Vec<&'a str>,
    /// The pages of the layer before that link to it, the best first: the first is its parent.
    candidates: Vec<Candidate<'a>>,
}

#[derive(Serialize)]
struct Candidate<'a> {
    url: &'a str,
    rank: f64,
}

pub(super) fn run(args: &MapArgs, atlas: &Atlas, tree: &Tree, page: PageId) -> Result<Exit, Fault> {
    let why = explain(atlas, tree, page.0);
    let mut out = Out::open(args.output.as_deref())?;
    match args.format {
        MapFormat::Json => out.json(&why)?,
        MapFormat::Text => print(&why, &mut out)?,
        _ => return Err(Fault::new(words::WHY_FORMAT, words::WHY_FORMAT_HINT)),
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn explain<'a>(atlas: &'a Atlas, tree: &Tree, typed: u32) -> Why<'a> {
    let names = &atlas.standings.names;
    let node = atlas.standings.page_of(typed);
    let mut why = Why {
        url: names.of(node),
        on_map: false,
        says: String::new(),
        layer: None,
        rank: None,
        way: Vec::new(),
        candidates: Vec::new(),
    };
    let Some(place) = (0..tree.len()).find(|&place| tree.node(place) == node) else {
        why.says = match atlas.standings.reason(node) {
            Some(reason) if !matches!(reason.state(), State::Indexed | State::Registered) => {
                words::not_on_map_state(reason.state().name(), reason.says())
            }
            _ if !atlas.is_page(node) && atlas.horizon.is_some() => words::NOT_ON_MAP_YET.to_owned(),
            _ if !atlas.is_page(node) => words::NOT_ON_MAP_PART.to_owned(),
            _ if !atlas.is_in_scope(node) => words::NOT_ON_MAP_SCOPE.to_owned(),
            _ => words::NOT_ON_MAP_UNREACHED.to_owned(),
        };
        return why;
    };
    let rank = |place: u32| atlas.ranks.values[tree.node(place) as usize];
    why.on_map = true;
    why.layer = Some(tree.depth(place));
    why.rank = Some(rank(place));
    let candidates = atlas.candidates(tree, place);
    why.candidates =
        candidates.iter().map(|&other| Candidate { url: names.of(tree.node(other)), rank: rank(other) }).collect();
    let mut above = tree.parent(place);
    while let Some(parent) = above {
        why.way.push(names.of(tree.node(parent)));
        above = tree.parent(parent);
    }
    why.way.reverse();
    why.says = words::stands_because(tree.depth(place), candidates.len());
    why
}

fn print(why: &Why<'_>, out: &mut Out) -> Result<(), Fault> {
    out.line(&out.paint.heading(&plain(why.url)))?;
    out.line(&why.says)?;
    if let (Some(layer), Some(rank)) = (why.layer, why.rank) {
        out.line("")?;
        out.line(&format!("{:12}{layer}", "layer"))?;
        out.line(&format!("{:12}{rank:.6}", "rank"))?;
        for (at, url) in why.way.iter().enumerate() {
            out.line(&format!("{:12}{}{}", if at == 0 { "way" } else { "" }, "  ".repeat(at.min(20)), plain(url)))?;
        }
    }
    if !why.candidates.is_empty() {
        out.line("")?;
        out.line(&out.paint.heading(words::CANDIDATES))?;
        for (at, candidate) in why.candidates.iter().take(SHOWN).enumerate() {
            let mark = if at == 0 { "parent" } else { "" };
            out.line(&format!("{mark:8}{:>12.6}  {}", candidate.rank, plain(candidate.url)))?;
        }
        let more = why.candidates.len().saturating_sub(SHOWN);
        if more > 0 {
            out.line(&format!("{:8}and {} more: -f json", "", grouped(more as u64)))?;
        }
    }
    Ok(())
}
