//! The title, from the body alone.
//!
//! Formula: each heading, each block that is called a title, and each of the first blocks gets points by level, place, likeness to the
//! page's own title and to what the head declares, and what follows it; the most points win. Cost: linear in the blocks; at most
//! [`CANDIDATES`] are given points.
//!
//! Not guaranteed: a slogan in large letters above the title of a page without a head may win.

use std::collections::HashMap;

use super::hints::Hints;
use super::names::byline;
use super::outline::NONE;
use super::places;
use super::sections::{self, Sections};
use super::spot::Spot;
use super::view::View;
use super::wording::{self, Label};

/// Blocks that may be the title.
const CANDIDATES: usize = 1000;

/// Letters and digits in small that titles are compared by.
const LETTERS: usize = 300;
/// Points for names right after it.
const NAMES: i32 = 14;

/// Letters and digits in small, the first three hundred: how titles are compared.
pub(crate) fn letters(text: &str) -> String {
    if text.is_ascii() {
        let small = text.bytes().filter(u8::is_ascii_alphanumeric).map(|b| char::from(b.to_ascii_lowercase()));
        let mut letters = String::with_capacity(text.len().min(LETTERS));
        letters.extend(small.take(LETTERS));
        return letters;
    }
    small(text).take(LETTERS).collect()
}

/// Do the [`letters`] of a text begin with these?
pub(crate) fn begins(text: &str, start: &str) -> bool {
    let mut letters = small(text).take(LETTERS);
    start.chars().all(|c| letters.next() == Some(c))
}

fn small(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// The title. `summary` is the first block of the abstract, `declared` the title the head gives.
pub(crate) fn of(view: &View<'_>, sections: &Sections, summary: Option<usize>, declared: Option<&str>) -> Option<Spot> {
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
        score -= 40 * i32::from(sections::is_aside(sections.label(block)));
        score -= 20 * i32::from(level.is_some() && paths.get(&path(block)).copied().unwrap_or(0) >= 3);
        score -= 10 * i32::from(own.any(Hints::AUTHOR.with(Hints::FACTS).with(Hints::ABSTRACT)));
        match summary {
            Some(summary) if block < summary => score += 10,
            Some(summary) if block > summary && !fielded => score -= 30,
            _ => {}
        }
        let floor = if level.is_some() || called || fielded { 5 } else { 28 };
        let wins = |score: i32| score >= floor && best.is_none_or(|(known, _)| score > known);
        // What is left to ask costs most, and names after it are all that can help.
        if !wins(score + NAMES) {
            continue;
        }
        score -= 30 * i32::from(level.is_none() && places::has_fact(text));
        // Names right after it, or a byline.
        score -= 40 * i32::from(view.is_trail(block));
        let follow = (block + 1..view.blocks.len().min(block + 5)).filter(|next| view.is_body(*next)).take(3);
        if follow.into_iter().any(&mut byline) {
            score += NAMES;
        }
        if level.is_none() && byline(block) {
            score -= 25;
        }
        if wins(score) {
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
