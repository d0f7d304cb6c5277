//! Title, authors and affiliations, from the body alone: the head of an article as it is set.
//!
//! The title is the heading that scores best by level, place, likeness to the page's own title, and what follows it. Authors are blocks near
//! it whose items look like names; blocks of one path are one group, and the group with the most names, hints and footnote marks
//! wins. What stands around an institution in its line is its address, and no name. Cost: linear in the blocks
//! looked at, which are at most [`NEAR`] around the title with [`REGION`] bytes, plus one look at every block for labels and headings.

use std::collections::{HashMap, HashSet};

use super::hints::Hints;
use super::items::{self, Cut, Item};
use super::outline::{NONE, Run};
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::{self, Label};
use super::{affiliations, people, places};

/// Blocks looked at after the title, and before it.
const NEAR: usize = 60;
const BEFORE: usize = 6;
/// Bytes of text in which authors and affiliations are looked for, and of one line of names: five hundred names with their
/// institutions.
const REGION: usize = 120_000;
const LINE: usize = 20_000;
/// Authors and affiliations kept, and different footnote marks.
pub(crate) const MOST: usize = 500;
/// Blocks that may be the title.
const CANDIDATES: usize = 1000;

/// Title, authors, affiliations.
#[derive(Debug, Default)]
pub(crate) struct Masthead {
    pub(crate) title: Option<Spot>,
    pub(crate) authors: Vec<Spot>,
    pub(crate) affiliations: Vec<Spot>,
}

/// Finds them. `summary` is the first block of the abstract, `declared` the title the head gives.
pub(crate) fn of(view: &View<'_>, sections: &Sections, summary: Option<usize>, declared: Option<&str>) -> Masthead {
    let title = title(view, sections, summary, declared);
    let near = region(view, sections, title.as_ref().and_then(|spot| spot.blocks.first().copied()), summary);
    let (authors, marks) = authors(view, sections, &near, title.as_ref());
    let affiliations = affiliations::of(view, sections, &near, &authors, &marks, title.as_ref());
    Masthead { title, authors, affiliations }
}

pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(300).collect()
}

fn title(view: &View<'_>, sections: &Sections, summary: Option<usize>, declared: Option<&str>) -> Option<Spot> {
    let page_title = letters(&view.page.title);
    let declared = declared.map(letters).unwrap_or_default();
    let mut paths: HashMap<u32, u32> = HashMap::new();
    let heads: Vec<usize> = (0..view.blocks.len())
        .filter(|block| view.is_body(*block) && view.heading(*block).is_some())
        .take(3000)
        .collect();
    let path = |block: usize| view.path(block);
    heads.iter().for_each(|block| *paths.entry(path(*block)).or_default() += 1);
    let mut best: Option<(i32, usize)> = None;
    let (mut body, mut candidates) = (0, 0);
    let mut bylines: HashMap<usize, bool> = HashMap::new();
    let mut byline = |block: usize| *bylines.entry(block).or_insert_with(|| byline(view, block));
    for block in 0..view.blocks.len() {
        if !view.is_body(block) {
            continue;
        }
        body += 1;
        let level = view.heading(block);
        let node = view.blocks[block].node;
        let own: Hints = view
            .outline
            .up(node)
            .take(2)
            .fold(Hints::NOTHING, |hints, node| hints.with(view.outline.nodes[node as usize].hints));
        let inner = view.runs(block).first().map_or(Hints::NOTHING, |run| {
            view.outline.nodes.get(run.node as usize).map_or(Hints::NOTHING, |node| node.hints)
        });
        let fielded = sections
            .over(block)
            .is_some_and(|section| section.label == Some(Label::Title) && (section.heading as usize) + 1 == block);
        let called = own.with(inner).any(Hints::TITLE);
        if level.is_none() && !called && !fielded && (body > 80 || summary.is_some_and(|summary| block > summary)) {
            continue;
        }
        let text = view.block_text(block);
        let label = wording::label(text).is_some();
        if !(4..=500).contains(&text.len()) || (label && level != Some(1) && !fielded) {
            continue;
        }
        candidates += 1;
        if candidates > CANDIDATES {
            break;
        }
        let within = view.blocks[block].within;
        let mut score: i32 = match level {
            Some(1) => 40,
            Some(2) => 28,
            Some(3) => 18,
            Some(4) => 10,
            Some(_) => 5,
            None => 0,
        };
        score += 8 * i32::from(level.is_none() && view.is_loud(block));
        score += 12 * i32::from(called) + 25 * i32::from(own.any(Hints::DECLARED) && called) + 35 * i32::from(fielded);
        let same = letters(text);
        if same.len() >= 8 && !page_title.is_empty() {
            score += if page_title.starts_with(&same) || page_title == same {
                30
            } else if page_title.contains(&same) {
                18
            } else {
                0
            };
        }
        if !declared.is_empty()
            && (declared == same || (same.len() > 12 && (declared.starts_with(&same) || same.starts_with(&declared))))
        {
            score += 60;
        }
        score -= 15 * i32::from(label);
        // Links in a row are a way through the site.
        let share = view.link_share(block);
        score -= if level.is_none() && share > 60 { 15 } else { 0 };
        score -= if share > 30 && text.contains(['»', '>', '›', '/', '→', '|']) { 20 } else { 0 };
        let words = text.split_whitespace().count();
        let wide = text.chars().filter(|c| !c.is_ascii()).count() > 6;
        score += if words >= 4 || wide {
            8
        } else if words == 1 {
            -8
        } else {
            0
        };
        score -= 20 * i32::from(within.any(Hints::HEADER.with(Hints::LANDMARK)));
        score -= 45 * i32::from(within.any(Hints::OUTSIDE.without(Hints::LANDMARK)));
        score -= 20 * i32::from(within.any(Hints::LIST) && level.is_none_or(|level| level > 1));
        score -= 15 * i32::from(within.any(Hints::HIDDEN));
        score -= 40 * i32::from(super::sections::is_aside(sections.label(block)));
        score -= 20 * i32::from(level.is_some() && paths.get(&path(block)).copied().unwrap_or(0) >= 3);
        score -= 10 * i32::from(own.any(Hints::AUTHOR.with(Hints::FACTS).with(Hints::ABSTRACT)));
        score -= 30 * i32::from(level.is_none() && places::has_fact(text));
        match summary {
            Some(summary) if block < summary => score += 10,
            Some(summary) if block > summary && !fielded => score -= 30,
            _ => {}
        }
        // Names right after it, or a byline.
        score -= 40 * i32::from(view.is_trail(block));
        let follow = (block + 1..view.blocks.len().min(block + 5)).filter(|next| view.is_body(*next)).take(3);
        if follow.into_iter().any(&mut byline) {
            score += 14;
        }
        if level.is_none() && byline(block) {
            score -= 25;
        }
        let floor = if level.is_some() || called || fielded { 5 } else { 28 };
        if score >= floor && best.is_none_or(|(known, _)| score > known) {
            best = Some((score, block));
        }
    }
    let (score, block) = best?;
    let confidence = (40 + score.max(0) / 2).clamp(30, 90) as u8;
    let text = view.block_text(block);
    let start = wording::inline(text, 0).filter(|(label, _)| *label == Label::Title).map_or(0, |(_, at)| at);
    let mut spot = Spot::of_blocks(view, vec![block as u32], confidence);
    spot.text = text[start..].to_owned();
    spot.links = view.runs(block).iter().map(|run| run.link).filter(|link| *link != NONE).collect();
    Some(spot)
}

/// Mostly names, and more than one or called so.
pub(crate) fn byline(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    if text.len() > 3000 {
        return false;
    }
    let items = items::of(view, block, 0, Cut::Names);
    let names = items.iter().filter(|item| is_named(item)).count();
    names > 0 && names * 3 >= items.len() * 2
}

/// Looks like a name, perhaps with a place after it; what stands in brackets is something else: "(Miller, 2019)".
fn is_named(item: &Item) -> bool {
    !item.text.starts_with(['(', '（', '[']) && people::is_name(&people::clean(&apart_from_place(&item.text).0))
}

/// The blocks in which authors and affiliations may stand.
fn region(view: &View<'_>, sections: &Sections, title: Option<u32>, summary: Option<usize>) -> Vec<usize> {
    let title = title.map(|title| title as usize);
    let from = title.or(summary).unwrap_or(0).saturating_sub(if title.is_some() { BEFORE } else { 20 });
    let to = summary.filter(|summary| title.is_none_or(|title| *summary > title)).unwrap_or(view.blocks.len());
    let near = |block: &usize| {
        let block = *block;
        let aside = super::sections::is_aside(sections.label(block))
            || matches!(
                sections.label(block),
                Some(Label::References | Label::Contents | Label::Comments | Label::Keywords)
            );
        view.is_body(block)
            && !aside
            && !view.blocks[block].within.any(
                Hints::RELATED
                    .with(Hints::NAVIGATION)
                    .with(Hints::COMMENT)
                    .with(Hints::DIALOG)
                    .with(Hints::FOOTER)
                    .with(Hints::EDITOR)
                    .with(Hints::FORM),
            )
    };
    let mut blocks: Vec<usize> = (from..to.min(from + NEAR + BEFORE)).filter(near).collect();
    // What is labelled counts wherever it stands.
    let labelled = |block: &usize| {
        matches!(sections.over(*block).and_then(|section| section.label), Some(Label::Authors | Label::Affiliation))
    };
    let more: Vec<usize> =
        (0..view.blocks.len()).filter(|block| view.is_body(*block) && labelled(block)).take(400).collect();
    blocks.extend(more);
    blocks.sort_unstable();
    blocks.dedup();
    let mut room = REGION;
    blocks.retain(|block| {
        let length = view.block_text(*block).len();
        let fits = length <= room;
        room -= if fits { length } else { 0 };
        fits
    });
    blocks
}

/// The names of one block, and what is beside them.
struct Line {
    block: usize,
    names: Vec<(String, Item)>,
    /// There is an institution or a country in the same element as the first name.
    placed: bool,
    score: f32,
}

fn authors(view: &View<'_>, sections: &Sections, near: &[usize], title: Option<&Spot>) -> (Vec<Spot>, Vec<String>) {
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
    let apart = match view.runs(block) {
        [first, second, ..] if first.node != second.node => first.to as usize,
        _ => 0,
    };
    let inline = wording::inline(text, apart);
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

/// The names of a block, institutions beside them, and how many items it has.
pub(crate) fn names(
    view: &View<'_>,
    block: usize,
    from: usize,
    expected: bool,
) -> (Vec<(String, Item)>, Vec<Spot>, usize) {
    let rest = view.block_text(block).get(from..).unwrap_or_default();
    let cut = if rest.contains([';', '；']) { Cut::Semicolons } else { Cut::Names };
    let mut all = items::of(view, block, from, cut);
    before_year(&mut all);
    // "Smith, J., Lee, K.": initials alone belong to what stands before them.
    if cut == Cut::Names {
        all = join_initials(all);
    }
    let path = |node: u32| view.outline.nodes.get(node as usize).map_or(0, |node| node.path);
    let sure: Vec<&Item> = all.iter().filter(|item| is_named(item)).collect();
    let plain = sure.len();
    let linked = sure.iter().filter(|item| item.link != NONE).count();
    let set_alike: HashSet<u32> = sure.iter().filter(|item| item.link != NONE).map(|item| path(item.node)).collect();
    let mostly = plain >= 2 && plain * 3 >= all.len() * 2;
    let mut names = Vec::new();
    let mut beside: Vec<Spot> = Vec::new();
    let mut count = 0;
    // "Ana Smith, University of X, Bo Lee, Institut Y": names and institutions in turns.
    let places: Vec<bool> = all.iter().map(|item| places::is_institution(&item.text)).collect();
    let named_first = all.first().is_some_and(is_named);
    let place_of = |node: u32| {
        let hinted = |node: &u32| view.outline.nodes[*node as usize].hints.any(Hints::AFFILIATION);
        if node == NONE { None } else { view.outline.up(node).take(2).find(hinted) }
    };
    // A line that begins with an institution's or anything else's name, and has one, is an address.
    if !named_first && places.contains(&true) && linked == 0 && from == 0 {
        return (Vec::new(), Vec::new(), all.len());
    }
    let mut institution: Option<u32> = None;
    for (at, item) in all.into_iter().enumerate() {
        // What calls itself an affiliation is one, whatever it looks like.
        if let Some(node) = place_of(item.node) {
            // Whole: commas and words that mean "and" belong to it.
            if beside.last().is_none_or(|last| last.nodes != [node]) {
                let text = text_inside(view, block, node);
                beside.push(Spot { text, blocks: vec![block as u32], nodes: vec![node], ..Spot::default() });
            }
            continue;
        }
        // "Jane Doe" as a link, and "(University of X)" after it.
        if let (Some(inner), false) = (item.text.strip_prefix(['(', '（']), names.is_empty()) {
            let place = inner.trim_end_matches([')', '）', ' ']);
            if place.len() > 6 && places::may_be_institution(place) {
                let (text, blocks) = (place.to_owned(), vec![block as u32]);
                beside.push(Spot { text, blocks, nodes: vec![item.node], ..Spot::default() });
            }
            continue;
        }
        // With two or more names that are links, what is no link is no name.
        if linked >= 2 && item.link == NONE {
            continue;
        }
        let (text, place) = apart_from_place(&item.text);
        if let Some(place) = place {
            beside.push(Spot { text: place, blocks: vec![block as u32], nodes: vec![item.node], ..Spot::default() });
        }
        let name = people::clean(&text);
        // "University of X, Rosa Blum Street, Czech Republic": what follows an institution in the same element is its address.
        let in_turns = named_first && places.get(at + 1) == Some(&true);
        let is_address = institution == Some(item.node) && item.link == NONE && cut == Cut::Names && !in_turns;
        if places::is_institution(&name) {
            institution = Some(item.node);
        }
        if is_address || places::is_place(&name) {
            continue;
        }
        // Among links that are names, set alike, the odd one is a name too.
        let alike = people::may_be_name(&name)
            && (linked >= 1 && item.link != NONE && set_alike.contains(&path(item.node))
                || mostly && name.contains(' '));
        if people::is_name(&name) || alike || (expected && people::is_single_name(&name)) {
            names.push((name, item));
            count += 1;
        } else if name.chars().filter(|c| c.is_alphabetic()).count() > 1 && !is_tool(&name) {
            count += usize::from(!places::is_institution(&name));
        }
    }
    // A link is one person at most: the title of a work with commas in it is no list of names.
    if let [(_, first), (_, second), ..] = &names[..]
        && first.link != NONE
        && first.link == second.link
    {
        names.clear();
    }
    (names, beside, count)
}

/// "Doe, J. and Roe, R. (1996) Title": what follows the year of a citation is no name.
fn before_year(items: &mut Vec<Item>) {
    let year = |text: &str| {
        let at = text.find('(')?;
        let inner = text[at + 1..].split(')').next()?;
        (inner.len() == 4 && inner.bytes().all(|b| b.is_ascii_digit())).then_some(at)
    };
    let found = items.iter().enumerate().find_map(|(number, item)| Some((number, year(&item.text)?)));
    if let Some((number, at)) = found {
        items[number].text.truncate(at);
        items.truncate(number + 1);
        items.retain(|item| item.text.chars().any(char::is_alphanumeric));
    }
}

fn is_tool(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "orcid", "view", "show", "search", "e-mail", "email", "author", "envelope", "+", "…", "...", "others", "et al",
        "contact", "profile",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn join_initials(items: Vec<Item>) -> Vec<Item> {
    let initials = |text: &str| {
        !text.is_empty()
            && text.len() <= 12
            && text.split(['.', ' ', '-']).all(|part| part.chars().count() <= 1)
            && text.chars().any(|c| c.is_uppercase())
    };
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match out.last_mut() {
            Some(last) if initials(&item.text) && !last.text.contains(' ') && last.link == item.link => {
                last.text = format!("{} {}", item.text, last.text);
                last.marks.push_str(&item.marks);
            }
            _ => out.push(item),
        }
    }
    out
}

/// The text of a block that stands in an element, raised marks left out.
fn text_inside(view: &View<'_>, block: usize, node: u32) -> String {
    let raised = |run: &Run| view.outline.up(run.node).take(3).any(|node| view.outline.nodes[node as usize].raised);
    let runs = view.runs(block).iter().filter(|run| view.is_inside(run.node, node) && !raised(run));
    runs.map(|run| view.run_text(run)).collect::<String>().trim().to_owned()
}

/// "Jane Doe (University of X)" and "Jane Doe, University of X" are a name and an institution.
fn apart_from_place(text: &str) -> (String, Option<String>) {
    if let Some((name, rest)) = text.split_once(['(', '（']) {
        // "Doe, J. (1996) Title": a year is no place.
        let dated = rest.starts_with(|c: char| c.is_ascii_digit());
        let place = rest.trim_end_matches([')', '）', ' ']);
        let closed = place.len() < rest.len();
        if !dated
            && (places::is_institution(place) || closed && people::is_name(&people::clean(name)) && place.len() > 6)
        {
            return (name.trim().to_owned(), Some(place.to_owned()));
        }
    }
    if let Some((name, place)) = text.split_once(", ")
        && places::is_institution(place)
        && people::is_name(&people::clean(name))
    {
        return (name.to_owned(), Some(place.to_owned()));
    }
    (text.to_owned(), None)
}
