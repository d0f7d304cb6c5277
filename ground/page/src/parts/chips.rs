//! Keywords without a word that says so: a row of short links that lead to searches.
//!
//! A box of at least [`FEW`] short items set alike, most of which are links into searches, tags or subjects, and nothing else in it. The
//! box with the most of them wins. Right after the abstract the items need not be links. Cost: linear in links, each asked for the [`CLIMB`] boxes around it at most.
//!
//! Not guaranteed: menus of subjects that stand in the text look the same.

use std::collections::BTreeMap;

use groma_model::{LinkKind, Target};

use super::hints::Hints;
use super::outline::NONE;
use super::sections::{self, Sections};
use super::spot::Spot;
use super::view::View;
use super::wording::Label;
use super::{people, places};

/// Items of a row, at least and at most, and words of an item.
const FEW: usize = 3;
const MANY: usize = 25;
const WORDS: usize = 5;
/// Boxes looked at around a link.
const CLIMB: usize = 4;
/// How sure we are.
const SURE: u8 = 58;

/// The keywords.
pub(crate) fn of(view: &View<'_>, sections: &Sections) -> Vec<Spot> {
    // Boxes that are as wide as they can be without holding more than links and short items.
    let mut rows: BTreeMap<u32, usize> = BTreeMap::new();
    for (link, node) in view.page.links.iter().zip(&view.outline.links) {
        let Target::Web(url) = &link.target else { continue };
        let short = !link.text.is_empty() && link.text.split_whitespace().count() <= WORDS;
        if link.kind != LinkKind::Anchor || !short || !leads_to_search(url.path(), url.query()) {
            continue;
        }
        let around = view.boxes(*node).take(CLIMB).take_while(|node| is_row(view, *node));
        if let Some(row) = around.last() {
            *rows.entry(row).or_default() += 1;
        }
    }
    let best = rows.iter().filter(|(row, _)| may_stand(view, sections, **row)).max_by_key(|(_, links)| **links);
    best.map(|(row, links)| words(view, *row, *links)).unwrap_or_default()
}

/// The row right after the abstract: short items in elements of their own, links or not.
pub(crate) fn after(view: &View<'_>, sections: &Sections, last: usize) -> Vec<Spot> {
    let next = (last + 1..view.blocks.len()).find(|block| view.is_body(*block));
    let Some(next) = next.filter(|block| !sections.is_heading(*block) && view.block_text(*block).len() < 1200) else {
        return Vec::new();
    };
    // One block of many elements, or a block to each: then the box around them.
    let row = view.boxes(view.blocks[next].node).take(CLIMB).take_while(|node| is_row(view, *node)).last();
    let Some(row) = row.filter(|row| may_stand(view, sections, *row) && view.node_blocks(*row).0 as usize > last)
    else {
        return Vec::new();
    };
    let words = words(view, row, MANY);
    let own: std::collections::HashSet<u32> = words.iter().flat_map(|word| word.nodes.iter().copied()).collect();
    let names = words.iter().filter(|word| people::is_name(&word.text)).count();
    let facts = words.iter().any(|word| places::has_fact(&word.text) || word.text.len() > 60);
    // Keywords may look like names ("Computer Science"), but not all of them.
    if own.len() == words.len() && names < words.len() && !facts { words } else { Vec::new() }
}

/// An address that is a search, or all of a tag or subject.
fn leads_to_search(path: &str, query: Option<&str>) -> bool {
    let path = path.to_ascii_lowercase();
    let named = path.split('/').any(|part| {
        matches!(
            part,
            "search"
                | "keyword"
                | "keywords"
                | "tag"
                | "tags"
                | "topic"
                | "topics"
                | "subject"
                | "subjects"
                | "s"
                | "suche"
                | "recherche"
                | "buscar"
                | "busca"
                | "browse"
                | "find"
                | "results"
        )
    });
    let asked = query.is_some_and(|query| {
        query.split('&').any(|pair| {
            let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
            matches!(
                name.as_str(),
                "q" | "query"
                    | "s"
                    | "search"
                    | "keyword"
                    | "keywords"
                    | "kw"
                    | "term"
                    | "tag"
                    | "text"
                    | "wd"
                    | "field"
            )
        })
    });
    named || asked
}

/// A box of short items and little else.
fn is_row(view: &View<'_>, node: u32) -> bool {
    let text = view.node_text(node);
    let (from, to) = view.outline.nodes.get(node as usize).map_or((0, 0), |node| node.runs);
    text < 1200 && to > from && text / (to - from) < 40
}

fn may_stand(view: &View<'_>, sections: &Sections, row: u32) -> bool {
    let (from, to) = view.node_blocks(row);
    let label = sections.label(from as usize);
    let heads = sections.over(from as usize).is_some_and(|over| over.label == Some(Label::Contents));
    let outside = Hints::OUTSIDE.with(Hints::HEADER).with(Hints::FORM);
    from < to && !heads && !sections::is_aside(label) && !view.within[row as usize].any(outside)
}

fn words(view: &View<'_>, row: u32, links: usize) -> Vec<Spot> {
    let (from, to) = view.node_blocks(row);
    let mut words: Vec<Spot> = Vec::new();
    for block in from..to {
        for run in view.runs(block as usize).iter().filter(|run| view.is_inside(run.node, row)) {
            let text = view.run_text(run).trim_matches(|c: char| c.is_whitespace() || ",;·•|/#".contains(c));
            if text.chars().any(char::is_alphabetic) {
                words.push(Spot {
                    text: text.to_owned(),
                    blocks: vec![block],
                    nodes: vec![run.node],
                    links: if run.link == NONE { Vec::new() } else { vec![run.link] },
                    confidence: SURE,
                });
            }
        }
    }
    let short = words.iter().all(|word| word.text.split_whitespace().count() <= WORDS);
    let fits = (FEW..=MANY).contains(&words.len()) && links * 2 >= words.len() && short;
    if fits { words } else { Vec::new() }
}
