//! The abstract, from the body alone.
//!
//! Four ways, the surer ones first: under a heading that says so; after a word that says so, in the same block; in an element
//! that is called so; and by place: the first long paragraph after title and authors. What is found twice
//! is surer. Cost: linear in blocks and elements.

use super::hints::Hints;
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::{self, Label};

/// Bytes an abstract has at least, and at most.
const LEAST: usize = 60;
const MOST: usize = 12_000;
/// Blocks it has at most, and what stands between them.
const BLOCKS: usize = 200;
/// An unlabelled paragraph has to be this long to be taken for one.
const LONG: usize = 250;
/// How sure we are of an excerpt.
const EXCERPT: u8 = 45;
/// Texts set alike that are the entries of a list, and no abstract of the page.
const ALIKE: usize = 3;

/// Finds the abstract.
pub(crate) fn summary(view: &View<'_>, sections: &Sections) -> Option<Spot> {
    let hinted = hinted(view, sections);
    let mut best = headed(view, sections).or_else(|| inline(view));
    if let Some(best) = &mut best {
        if is_excerpt(&best.text) {
            best.confidence = EXCERPT;
            return Some(best.clone());
        }
        if hinted.as_ref().is_some_and(|other| other.blocks.iter().any(|block| best.blocks.contains(block))) {
            best.confidence = 92;
        }
        return Some(best.clone());
    }
    hinted
}

/// The beginning of an abstract, as entries of lists have it.
fn is_excerpt(text: &str) -> bool {
    let words = ["Read more.", "Read more", "Continue reading", "more", "More", "»"];
    let bare = words.iter().fold(text.trim_end(), |text, word| text.strip_suffix(word).unwrap_or(text).trim_end());
    bare.ends_with(['…']) || bare.ends_with("...") || bare.ends_with("[...]") || bare.ends_with("[…]")
}

fn headed(view: &View<'_>, sections: &Sections) -> Option<Spot> {
    let mut best: Option<(u32, Spot)> = None;
    for section in sections.all.iter().filter(|section| section.label == Some(Label::Abstract)).take(20) {
        let heading = section.heading as usize;
        if view.blocks[heading].within.any(Hints::DIALOG.with(Hints::RELATED).with(Hints::COMMENT).with(Hints::FORM)) {
            continue;
        }
        let mut blocks = Vec::new();
        let (mut size, mut linked) = (0, 0);
        for block in heading + 1..view.blocks.len().min(heading + 1 + BLOCKS) {
            if !view.is_body(block) {
                continue;
            }
            if sections.label(block) != Some(Label::Abstract) || ends(view, block) {
                break;
            }
            // Another abstract begins, or a table of fields.
            let inner = sections.over(block).filter(|inner| inner.heading != section.heading);
            if inner.is_some_and(|inner| inner.level == 7 || inner.label.is_some_and(is_other)) {
                break;
            }
            // A row of words after the text is no text, with signs between them or set otherwise.
            let text = view.block_text(block);
            let told = text.ends_with(|c: char| c.is_ascii_punctuation() || "。！？」”’".contains(c));
            let path = |block: usize| view.path(block);
            if (blocks.first().is_some_and(|first| path(*first as usize) != path(block)) || is_row(text))
                && !blocks.is_empty()
                && text.len() < LONG
                && !told
                && !sections.is_heading(block)
            {
                break;
            }
            if is_text(view, block) {
                size += view.block_text(block).len();
                blocks.push(block as u32);
            } else {
                linked += 1;
            }
            if size > MOST {
                break;
            }
        }
        if size > MOST / 2 {
            // More than an abstract: what is set as its first paragraph, without a break.
            let first = blocks.first().map(|block| view.blocks[*block as usize].node);
            let parent =
                first.and_then(|node| view.outline.nodes.get(node as usize)).map(|node| (node.path, node.parent));
            let alike = |block: &&u32| {
                let node = view.outline.nodes.get(view.blocks[**block as usize].node as usize);
                node.map(|node| (node.path, node.parent)) == parent
            };
            let count = blocks.iter().take_while(alike).count().min(4);
            blocks.truncate(count.max(1));
        }
        // A heading with nothing under it heads what comes next.
        while blocks.last().is_some_and(|block| sections.is_heading(*block as usize)) {
            blocks.pop();
        }
        // Lines between titles that are links: a table of contents.
        let is_list = linked >= ALIKE && linked * 3 >= blocks.len();
        let spot = Spot::of_blocks(view, blocks, 85);
        let size = spot.text.len();
        if size < LEAST || is_list {
            continue;
        }
        let real = if section.level <= 7 { 2 } else { 1 };
        let score = real * 1000 + (size as u32).min(800);
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, spot));
        }
    }
    best.map(|(_, spot)| spot)
}

/// What no part of an abstract is headed with.
fn is_other(label: Label) -> bool {
    matches!(
        label,
        Label::Abstract
            | Label::Keywords
            | Label::Subjects
            | Label::Authors
            | Label::Affiliation
            | Label::References
            | Label::Contents
    )
}

/// A line that says what comes next is something else.
pub(crate) fn ends(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    let first = view.runs(block).first().map_or(0, |run| run.to as usize);
    let apart = if view.runs(block).len() > 1 { first } else { 0 };
    wording::inline(text, apart).is_some_and(|(label, _)| {
        matches!(
            label,
            Label::Keywords | Label::Subjects | Label::Codes | Label::Authors | Label::Affiliation | Label::References
        )
    })
}

fn is_text(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    let small = text.len() < 40 && !text.ends_with(['.', '。', '?', '!']) && view.heading(block).is_none();
    view.link_share(block) < 60 && !(small && (view.link_share(block) > 0 || is_button(text)))
}

/// Short words with signs of lists between them.
fn is_row(text: &str) -> bool {
    let signs = [" · ", " | ", " • "];
    signs.iter().any(|sign| text.matches(sign).count() >= 2 && text.split(sign).all(|word| word.len() <= 60))
}

fn is_button(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "show more",
        "show less",
        "read more",
        "view more",
        "hide",
        "expand",
        "collapse",
        "translate",
        "mehr",
        "more",
        "full abstract",
        "download",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// After a word in the same block. Many of them, set alike, are the entries of a list.
fn inline(view: &View<'_>) -> Option<Spot> {
    let mut found: Vec<(u32, Spot)> = Vec::new();
    for block in 0..view.blocks.len() {
        if !view.is_body(block)
            || view.blocks[block]
                .within
                .any(Hints::RELATED.with(Hints::COMMENT).with(Hints::NAVIGATION).with(Hints::FORM))
        {
            continue;
        }
        let text = view.block_text(block);
        if text.len() < LEAST {
            continue;
        }
        if let Some((Label::Abstract, from)) = view.announced(block) {
            let mut rest = &text[from..];
            // Keywords may follow in the same block.
            if let Some(at) = ["Keywords:", "Keywords—", "Index Terms", "关键词", "キーワード", "Key words:"]
                .iter()
                .filter_map(|word| rest.find(word))
                .min()
            {
                rest = rest[..at].trim_end();
            }
            if rest.len() >= LEAST {
                let node = view.blocks[block].node;
                let (text, blocks) = (rest.to_owned(), vec![block as u32]);
                found.push((
                    view.path(block),
                    Spot { text, blocks, nodes: vec![node], confidence: 80, ..Spot::default() },
                ));
            }
        }
        if found.len() > ALIKE {
            break;
        }
    }
    first_of_few(&found)
}

/// The first, unless it is one of many that are set alike.
fn first_of_few(found: &[(u32, Spot)]) -> Option<Spot> {
    let (path, first) = found.first()?;
    let alike = found.iter().filter(|(other, _)| other == path).count();
    (alike < ALIKE).then(|| first.clone())
}

/// In an element that is called so.
fn hinted(view: &View<'_>, sections: &Sections) -> Option<Spot> {
    let mut found: Vec<(u32, Spot)> = Vec::new();
    let mut past = 0;
    for (number, node) in view.outline.nodes.iter().enumerate() {
        let number = number as u32;
        if number < past
            || !node.hints.any(Hints::ABSTRACT)
            || view.within[number as usize]
                .any(Hints::RELATED.with(Hints::COMMENT).with(Hints::LIST).with(Hints::REFERENCE).with(Hints::SIDE))
        {
            continue;
        }
        let (from, to) = view.node_blocks(number);
        let text = view.node_text(number) as usize;
        if !(LEAST..MOST).contains(&text) || view.node_linked(number) as usize * 3 > text {
            continue;
        }
        past = node.end;
        let whole = |block: &u32| {
            let block = *block as usize;
            view.is_body(block) && view.is_inside(view.blocks[block].node, number)
                || view.runs(block).first().is_some_and(|run| view.is_inside(run.node, number))
        };
        let blocks: Vec<u32> = (from..to)
            .filter(whole)
            .take_while(|block| !ends(view, *block as usize))
            .filter(|block| {
                is_text(view, *block as usize)
                    && !(sections.is_heading(*block as usize)
                        && sections.over(*block as usize).is_some_and(|section| section.label.is_some()))
            })
            .collect();
        let spot = Spot::of_blocks(view, blocks, 65);
        if spot.text.len() >= LEAST {
            found.push((node.path, spot));
        }
        if found.len() > 50 {
            break;
        }
    }
    first_of_few(&found)
}

/// By its place: the first long paragraph after some block, before a heading.
pub(crate) fn by_place(view: &View<'_>, sections: &Sections, after: usize) -> Option<Spot> {
    let mut seen = 0;
    for block in after + 1..view.blocks.len() {
        if !view.is_body(block) || view.blocks[block].within.any(Hints::OUTSIDE) {
            continue;
        }
        seen += 1;
        if seen > 25 {
            return None;
        }
        if sections.over(block).is_some_and(|section| {
            section.heading as usize > after
                && section.level <= 7
                && section.label.is_some_and(|label| label != Label::Other)
        }) {
            continue;
        }
        if view.heading(block).is_some() && seen > 6 {
            return None;
        }
        if view.block_text(block).len() >= LONG && view.link_share(block) < 20 {
            return Some(Spot::of_blocks(view, vec![block as u32], 40));
        }
    }
    None
}
