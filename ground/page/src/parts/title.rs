//! The title, from the body alone.
//!
//! Formula: each heading, each block that is called a title, and each of the first blocks gets points by level, place, similarity to the
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

/// `summary` is the first block of the abstract, `declared` the title the head gives.
pub(crate) fn find_title(
    view: &View<'_>,
    sections: &Sections,
    summary: Option<usize>,
    declared: Option<&str>,
) -> Option<Spot> {
    let search = TitleSearch::new(view, sections, summary, declared);
    let mut best: Option<(i32, usize)> = None;
    let mut bylines: HashMap<usize, bool> = HashMap::new();
    let mut byline = |block: usize| *bylines.entry(block).or_insert_with(|| byline(view, block));
    let body = (0..view.blocks.len()).filter(|block| view.is_body(*block)).enumerate();
    for candidate in body.filter_map(|(before, block)| search.candidate(block, before)).take(CANDIDATES) {
        let score = search.points(&candidate);
        let wins = |score: i32| score >= candidate.floor() && best.is_none_or(|(known, _)| score > known);
        // What is left to ask costs most, and names after it are all that can help.
        if !wins(score + NAMES) {
            continue;
        }
        let score = score + search.points_around(&candidate, &mut byline);
        if wins(score) {
            best = Some((score, candidate.block));
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

/// What candidates are compared with.
struct TitleSearch<'a> {
    view: &'a View<'a>,
    sections: &'a Sections,
    summary: Option<usize>,
    /// The [`letters`] of the page's own title, and of what the head declares.
    page_title: String,
    declared: String,
    /// How many headings have a path.
    paths: HashMap<u32, u32>,
}

/// A block that may be the title.
struct Candidate<'a> {
    block: usize,
    text: &'a str,
    /// Level, if it is a heading.
    level: Option<u8>,
    /// What it and the element around it are called.
    own: Hints,
    /// It, or its first element, is called a title.
    called: bool,
    /// It stands right under a label that says title.
    fielded: bool,
    /// It is a label itself.
    label: bool,
}

impl Candidate<'_> {
    /// Points without which it is no title.
    fn floor(&self) -> i32 {
        if self.level.is_some() || self.called || self.fielded { 5 } else { 28 }
    }
}

impl<'a> TitleSearch<'a> {
    fn new(
        view: &'a View<'a>,
        sections: &'a Sections,
        summary: Option<usize>,
        declared: Option<&str>,
    ) -> TitleSearch<'a> {
        let mut paths: HashMap<u32, u32> = HashMap::new();
        let is_heading = |block: &usize| view.is_body(*block) && view.heading(*block).is_some();
        for block in (0..view.blocks.len()).filter(is_heading).take(3000) {
            *paths.entry(view.path(block)).or_default() += 1;
        }
        let declared = declared.map(letters).unwrap_or_default();
        TitleSearch { view, sections, summary, page_title: letters(&view.page.title), declared, paths }
    }

    /// A block of the body as a candidate, if it can be one; so many of the body stand before it.
    fn candidate(&self, block: usize, before: usize) -> Option<Candidate<'a>> {
        let view = self.view;
        let level = view.heading(block);
        let own: Hints = view
            .outline
            .up(view.blocks[block].node)
            .take(2)
            .fold(Hints::NOTHING, |hints, node| hints.with(view.outline.nodes[node as usize].hints));
        let inner = view.runs(block).first().map_or(Hints::NOTHING, |run| {
            view.outline.nodes.get(run.node as usize).map_or(Hints::NOTHING, |node| node.hints)
        });
        let fielded = self
            .sections
            .over(block)
            .is_some_and(|section| section.label == Some(Label::Title) && (section.heading as usize) + 1 == block);
        let called = own.with(inner).any(Hints::TITLE);
        let far = before >= 80 || self.summary.is_some_and(|summary| block > summary);
        if level.is_none() && !called && !fielded && far {
            return None;
        }
        let text = view.block_text(block);
        let label = wording::label(text).is_some();
        if !(4..=500).contains(&text.len()) || (label && level != Some(1) && !fielded) {
            return None;
        }
        Some(Candidate { block, text, level, own, called, fielded, label })
    }

    /// By its level, what it is called, its words and its place.
    fn points(&self, candidate: &Candidate<'_>) -> i32 {
        let Candidate { block, text, level, own, called, fielded, label } = *candidate;
        let within = self.view.blocks[block].within;
        let mut score: i32 = match level {
            Some(1) => 40,
            Some(2) => 28,
            Some(3) => 18,
            Some(4) => 10,
            Some(_) => 5,
            None => 0,
        };
        score += 8 * i32::from(level.is_none() && self.view.is_loud(block));
        score += 12 * i32::from(called) + 25 * i32::from(own.any(Hints::DECLARED) && called) + 35 * i32::from(fielded);
        score += self.similarity(text);
        score -= 15 * i32::from(label);
        // Links in a row are a way through the site.
        let share = self.view.link_share(block);
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
        score -= 40 * i32::from(sections::is_aside(self.sections.label(block)));
        let alike = || self.paths.get(&self.view.path(block)).copied().unwrap_or(0);
        score -= 20 * i32::from(level.is_some() && alike() >= 3);
        score -= 10 * i32::from(own.any(Hints::AUTHOR.with(Hints::FACTS).with(Hints::ABSTRACT)));
        match self.summary {
            Some(summary) if block < summary => score + 10,
            Some(summary) if block > summary && !fielded => score - 30,
            _ => score,
        }
    }

    /// To the page's own title, and to what the head declares.
    fn similarity(&self, text: &str) -> i32 {
        let (same, page_title, declared) = (letters(text), &self.page_title, &self.declared);
        let mut score = 0;
        if same.len() >= 8 && !page_title.is_empty() {
            score += if page_title.starts_with(&same) {
                30
            } else if page_title.contains(&same) {
                18
            } else {
                0
            };
        }
        if !declared.is_empty()
            && (*declared == same || (same.len() > 12 && (declared.starts_with(&same) || same.starts_with(declared))))
        {
            score += 60;
        }
        score
    }

    /// What costs most to find out: facts in it, and names in it or right after it.
    fn points_around(&self, candidate: &Candidate<'_>, byline: &mut impl FnMut(usize) -> bool) -> i32 {
        let (view, block, level) = (self.view, candidate.block, candidate.level);
        let mut score = -30 * i32::from(level.is_none() && places::has_fact(candidate.text));
        score -= 40 * i32::from(view.is_trail(block));
        let mut follow = (block + 1..view.blocks.len().min(block + 5)).filter(|next| view.is_body(*next)).take(3);
        if follow.any(&mut *byline) {
            score += NAMES;
        }
        if level.is_none() && byline(block) {
            score -= 25;
        }
        score
    }
}
