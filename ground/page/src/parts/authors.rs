//! The authors, from the body alone: lines near the title whose items look like names.
//!
//! Formula: a line of names gets points by the share and number of its names, what its elements are called, footnote marks, a byline's
//! words and its way from the title. Lines of one path are one group; the group with the best line and the most names wins. Cost: linear in the
//! lines given, of which those above [`LINE`] bytes are passed over.
//!
//! Not guaranteed: authors whose names are set in several ways on one page are found in one of them.

use std::collections::HashMap;

use super::hints::Hints;
use super::items::Item;
use super::names::{is_prose, names, text_inside};
use super::outline::NONE;
use super::places;
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::{self, Label};

/// Bytes of one line of names: five hundred names with their institutions.
const LINE: usize = 20_000;
/// Authors and affiliations kept, and different footnote marks.
pub(crate) const MOST: usize = 500;

/// The names of one block, and what is beside them.
struct Line {
    block: usize,
    names: Vec<(String, Item)>,
    /// There is an institution or a country in the same element as the first name.
    placed: bool,
    score: f32,
}

/// The authors in these blocks, and the marks that stand beside their names.
pub(crate) fn find_authors(
    view: &View<'_>,
    sections: &Sections,
    near: &[usize],
    title: Option<&Spot>,
) -> (Vec<Spot>, Vec<String>) {
    let title_block = title.and_then(|spot| spot.blocks.first().copied()).map(|block| block as usize);
    let mut groups: HashMap<u32, (f32, Vec<Line>)> = HashMap::new();
    let mut order: Vec<u32> = Vec::new();
    for &block in near {
        if Some(block) == title_block
            || sections.is_heading(block)
                && view.heading(block).is_none_or(|level| level < 3)
                && wording::label(view.block_text(block)).is_some()
        {
            continue;
        }
        if view.is_trail(block) {
            continue;
        }
        let Some(line) = line(view, sections, block, title_block) else { continue };
        let path = view.path(block);
        let group = groups.entry(path).or_insert_with(|| {
            order.push(path);
            (f32::MIN, Vec::new())
        });
        group.0 = group.0.max(line.score);
        group.1.push(line);
    }
    let best = order.iter().copied().max_by(|a, b| {
        let value = |path: &u32| {
            groups.get(path).map_or(0.0, |(score, lines)| {
                score + lines.iter().map(|line| line.names.len()).sum::<usize>().min(8) as f32 * 0.6
            })
        };
        value(a).total_cmp(&value(b))
    });
    let Some((score, lines)) = best.and_then(|path| groups.remove(&path)) else { return (Vec::new(), Vec::new()) };
    if score < 1.5 {
        return (Vec::new(), Vec::new());
    }
    // Names and places may be set alike: where some lines have names only, the others are addresses.
    let mut lines = lines;
    if lines.iter().any(|line| !line.placed) {
        lines.retain(|line| !line.placed);
    }
    let confidence = (45.0 + score * 6.0).clamp(40.0, 88.0) as u8;
    let (mut found, mut marks): (Vec<Spot>, Vec<String>) = (Vec::new(), Vec::new());
    for line in lines {
        for (name, item) in line.names {
            if found.len() < MOST && !found.iter().any(|known| known.text == name) {
                let marked = format!("{} {}", item.before, item.marks);
                marks.extend(marked.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).flat_map(single_marks));
                found.push(Spot {
                    text: name,
                    blocks: vec![line.block as u32],
                    nodes: vec![item.node],
                    links: vec![item.link],
                    confidence,
                });
            }
        }
    }
    marks.sort();
    marks.dedup();
    marks.retain(|mark| !mark.is_empty());
    marks.truncate(MOST);
    (found, marks)
}

/// "1*" is the mark 1 and the mark *; "**" is one mark, or twice the same.
fn single_marks(text: &str) -> Vec<String> {
    let word: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let mut marks: Vec<String> = text.chars().filter(|c| !c.is_alphanumeric()).map(String::from).collect();
    if word.is_empty() && marks.len() > 1 {
        marks.push(text.to_owned());
    }
    if !word.is_empty() {
        marks.push(word);
    }
    marks
}

fn line(view: &View<'_>, sections: &Sections, block: usize, title: Option<usize>) -> Option<Line> {
    let text = view.block_text(block);
    if text.len() > LINE {
        return None;
    }
    let inline = view.announced(block);
    if inline.is_some_and(|(label, _)| !matches!(label, Label::Authors | Label::Affiliation)) {
        return None;
    }
    let labelled = inline.is_some_and(|(label, _)| label == Label::Authors)
        || sections
            .over(block)
            .is_some_and(|section| section.label == Some(Label::Authors) && section.heading as usize != block);
    let from = inline.filter(|(label, _)| *label == Label::Authors).map_or(0, |(_, at)| at);
    let node = view.blocks[block].node;
    let first = view.runs(block).first().map_or(node, |run| run.node);
    let hints = view
        .outline
        .up(first)
        .take(5)
        .fold(Hints::NOTHING, |hints, node| hints.with(view.outline.nodes[node as usize].hints));
    if view.outline.up(first).take(3).any(|node| view.outline.nodes[node as usize].hints.any(Hints::AFFILIATION))
        && !hints.any(Hints::AUTHOR)
    {
        return None;
    }
    let expected = labelled || hints.any(Hints::AUTHOR);
    if !expected && is_prose(text) {
        return None;
    }
    let (names, _, items) = names(view, block, from, expected);
    if names.is_empty() {
        return None;
    }
    let ratio = names.len() as f32 / (items.max(1)) as f32;
    if ratio < if expected { 0.34 } else { 0.6 } {
        return None;
    }
    let mut score = ratio * 2.0 + (names.len().min(6) as f32) * 0.25;
    score += if hints.any(Hints::AUTHOR) { 3.0 } else { 0.0 };
    score += if hints.any(Hints::DECLARED) && hints.any(Hints::AUTHOR) { 1.0 } else { 0.0 };
    score += if labelled { 3.0 } else { 0.0 };
    score += if names.iter().any(|(_, item)| !item.marks.is_empty()) { 1.5 } else { 0.0 };
    let lower = text.to_lowercase();
    score += if ["by ", "von ", "par ", "por "].iter().any(|word| lower.starts_with(word)) { 1.5 } else { 0.0 };
    score += if names.iter().filter(|(_, item)| item.link != NONE && leads_to_person(view, item.link)).count() * 2
        > names.len()
    {
        1.2
    } else {
        0.0
    };
    if let Some(title) = title {
        let distance = block.abs_diff(title) as f32;
        score -= (distance - 1.0).max(0.0) * if block < title { 0.5 } else { 0.12 };
    }
    score -= if view.heading(block).is_some_and(|level| level <= 2) { 2.0 } else { 0.0 };
    score -= if hints.any(Hints::KEYWORD.with(Hints::FACTS).with(Hints::EDITOR)) && !hints.any(Hints::AUTHOR) {
        1.5
    } else {
        0.0
    };
    score -= if view.blocks[block].within.any(Hints::SIDE.with(Hints::HEADER))
        && title.is_none_or(|title| {
            view.blocks[title].within.any(Hints::HEADER) != view.blocks[block].within.any(Hints::HEADER)
        }) {
        1.0
    } else {
        0.0
    };
    score -= if sections.over(block).is_some_and(|section| section.label == Some(Label::Other) && section.level >= 7) {
        3.0
    } else {
        0.0
    };
    let unlinked = names.iter().all(|(_, item)| item.link == NONE);
    let around = names.first().map(|(_, item)| text_inside(view, block, item.node)).unwrap_or_default();
    let placed = unlinked && (places::is_institution(&around) || places::ends_in_country(&around));
    Some(Line { block, names, placed, score })
}

/// An address that is of a person: `/people/`, `/author/`, ORCID.
fn leads_to_person(view: &View<'_>, link: u32) -> bool {
    let Some(link) = view.page.links.get(link as usize) else { return false };
    let groma_model::Target::Web(url) = &link.target else { return false };
    let address = url.as_str().to_ascii_lowercase();
    ["author", "people", "person", "profile", "orcid", "researcher", "contributor", "/a/", "creator", "autor"]
        .iter()
        .any(|word| address.contains(word))
}
