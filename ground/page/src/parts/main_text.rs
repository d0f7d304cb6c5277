//! The main text of a page: the blocks of what it was made to be read for.
//!
//! Text is voted for and handed up: a block of running text scores `1 + commas + min(length / 100, 3)`; its box gets the
//! score, the box around that a half, the next ones a third, a quarter and a fifth of a half. A box's score is weighed with the part of
//! its text that is no links and with what it is called (after "Readability" by Arc90, 2009, and Kohlschütter et al., Boilerplate Detection
//! using Shallow Text Features, 2010: length and link density tell most). The best box wins, grows to the box around it while that brings
//! more running text than anything else, and then loses what in it is not running text: side boxes, link lists, captions, comments.
//!
//! Cost: linear in blocks and elements. Not guaranteed: pages of several short articles give one of them or all; a text whose
//! paragraphs are all shorter than [`SHORT`] characters may be missed.

use groma_model::BlockKind;

use super::hints::Hints;
use super::outline::NONE;
use super::sections::{self, Sections};
use super::view::View;
use crate::html::tag::Tag;

/// A paragraph shorter than this does not vote.
const SHORT: usize = 25;
/// Boxes a vote is handed up to.
const LEVELS: usize = 5;

/// The numbers of the blocks of the view that are main text.
pub(crate) fn find_main_text(view: &View<'_>, sections: &Sections) -> Vec<u32> {
    let votes: Vec<bool> = (0..view.blocks.len()).map(|block| votes(view, sections, block)).collect();
    let Some(top) = best_box(view, &votes) else { return fallback(view) };
    let chosen = boxes_beside(view, top);
    let inside = Inside::new(view, top);
    let mut main = Vec::new();
    for node in chosen {
        let (from, to) = if node == NONE { (0, view.blocks.len() as u32) } else { view.node_blocks(node) };
        main.extend((from..to).filter(|block| belongs(view, sections, *block as usize, &inside)));
    }
    main.sort_unstable();
    main.dedup();
    trim(view, &mut main);
    if main.is_empty() { fallback(view) } else { main }
}

/// The page's blocks that lines make up for the most part.
pub(crate) fn page_blocks(view: &View<'_>, lines: &[u32]) -> Vec<u32> {
    let mut blocks: Vec<(u32, usize)> = Vec::new();
    for line in lines {
        let (block, length) = (view.page_block(*line as usize), view.block_text(*line as usize).len());
        match blocks.last_mut() {
            Some(last) if last.0 == block => last.1 += length,
            _ => blocks.push((block, length)),
        }
    }
    let most = |(block, length): &(u32, usize)| {
        view.page.blocks.get(*block as usize).is_some_and(|block| length * 2 >= block.text.len())
    };
    blocks.iter().filter(|block| most(block)).map(|(block, _)| *block).collect()
}

/// Is it running text that may vote?
fn votes(view: &View<'_>, sections: &Sections, block: usize) -> bool {
    view.is_body(block)
        && view.heading(block).is_none()
        && view.block_text(block).len() >= SHORT
        && !view.blocks[block].within.any(Hints::OUTSIDE.with(Hints::HIDDEN))
        && view.link_share(block) < 60
        && !is_aside(sections, block)
}

/// Does it stand under a heading that says it is something else?
fn is_aside(sections: &Sections, block: usize) -> bool {
    sections::is_aside(sections.label(block))
}

fn commas(text: &str) -> usize {
    text.chars().filter(|c| matches!(c, ',' | '，' | '、' | '。' | '،' | '؛')).count()
}

fn vote(text: &str) -> f32 {
    // A character of Chinese, Japanese or Korean says as much as three letters, and has three bytes.
    1.0 + commas(text) as f32 + (text.len() as f32 / 100.0).min(3.0)
}

fn best_box(view: &View<'_>, votes: &[bool]) -> Option<u32> {
    let nodes = &view.outline.nodes;
    let mut score = vec![0f32; nodes.len()];
    for (block, votes) in votes.iter().enumerate() {
        if !votes {
            continue;
        }
        let points = vote(view.block_text(block));
        let node = view.blocks[block].node;
        let line = nodes
            .get(node as usize)
            .is_some_and(|node| matches!(node.tag, Tag::P | Tag::Pre | Tag::Blockquote | Tag::Li));
        for (level, node) in view.boxes(node).skip(usize::from(line)).take(LEVELS).enumerate() {
            let share = if level == 0 { 1.0 } else { 1.0 / (level as f32 + 1.0) };
            score[node as usize] += points * share;
        }
    }
    let weighed = |node: usize| {
        let (text, linked) = (view.node_text(node as u32).max(1), view.node_linked(node as u32));
        let hints = nodes[node].hints;
        let mut called = 1.0;
        if hints.any(Hints::BODY.with(Hints::MAIN)) {
            called = 1.15;
        }
        if view.within[node].any(Hints::OUTSIDE) {
            called = 0.4;
        }
        score[node] * (1.0 - linked as f32 / text as f32) * called
    };
    let scores: Vec<f32> = (0..nodes.len()).map(weighed).collect();
    let best = (0..nodes.len()).filter(|node| scores[*node] > 0.0).max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
    Some(grow(view, best as u32, &scores, votes))
}

/// The box around the best one is better if it brings much more running text that is not called anything else.
fn grow(view: &View<'_>, mut node: u32, scores: &[f32], votes: &[bool]) -> u32 {
    let mut sums = Vec::with_capacity(votes.len() + 1);
    sums.push(0);
    for (block, votes) in votes.iter().enumerate() {
        sums.push(sums[block] + if *votes { view.block_text(block).len() } else { 0 });
    }
    // Bytes of running text in a box.
    let running = |node: u32| {
        let (from, to) = view.node_blocks(node);
        sums[to as usize] - sums[from as usize]
    };
    loop {
        let parent = view.outline.nodes[node as usize].parent;
        if parent == NONE {
            return node;
        }
        let (own, all) = (running(node), running(parent));
        let better = scores[parent as usize] > scores[node as usize] * 0.75 && all > own * 5 / 4
            || only_child(view, node, parent);
        if !better {
            return node;
        }
        node = parent;
    }
}

fn only_child(view: &View<'_>, node: u32, parent: u32) -> bool {
    view.node_text(parent) == view.node_text(node)
}

/// The best box, and boxes beside it that are set alike.
fn boxes_beside(view: &View<'_>, top: u32) -> Vec<u32> {
    let nodes = &view.outline.nodes;
    let own = nodes[top as usize];
    let mut chosen = vec![top];
    if own.parent == NONE {
        return chosen;
    }
    let parent = nodes[own.parent as usize];
    let mut at = own.parent + 1;
    while at < parent.end {
        let node = nodes[at as usize];
        if at != top && node.path == own.path && super::view::is_flow(node.tag) {
            let (text, linked) = (view.node_text(at), view.node_linked(at));
            if text > 200 && linked * 4 < text && !view.within[at as usize].any(Hints::OUTSIDE) {
                chosen.push(at);
            }
        } else if at != top
            && matches!(node.tag, Tag::P)
            && view.node_text(at) > 80
            && view.node_linked(at) * 4 < view.node_text(at)
        {
            chosen.push(at);
        }
        at = node.end.max(at + 1);
    }
    chosen
}

/// For the elements of the best box: is it, or one around it in there, something beside the text, and is there a list item?
struct Inside {
    top: u32,
    /// By element from the best box on.
    beside: Vec<(bool, bool)>,
}

impl Inside {
    fn new(view: &View<'_>, top: u32) -> Inside {
        let end = view.outline.nodes[top as usize].end;
        let mut beside: Vec<(bool, bool)> = vec![(false, false)];
        for node in top + 1..end {
            let parent = view.outline.nodes[node as usize].parent;
            let (out, listed) = beside.get(parent.wrapping_sub(top) as usize).copied().unwrap_or_default();
            let item = view.outline.nodes[node as usize].tag == Tag::Li;
            beside.push((out || is_beside(view, node), listed || item));
        }
        Inside { top, beside }
    }

    fn placement(&self, node: u32) -> (bool, bool) {
        node.checked_sub(self.top).and_then(|at| self.beside.get(at as usize)).copied().unwrap_or_default()
    }
}

/// Is an element in the best box something beside the text: a side box, a caption, a list of links?
fn is_beside(view: &View<'_>, node: u32) -> bool {
    let element = view.outline.nodes[node as usize];
    let (all, linked) = (view.node_text(node), view.node_linked(node));
    element.hidden
        || element.hints.any(Hints::OUTSIDE.with(Hints::CAPTION).with(Hints::HIDDEN))
        || matches!(element.tag, Tag::Figure | Tag::Button | Tag::Figcaption)
        || (matches!(element.tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::Dl)
            && linked * 2 > all)
}

/// Does a block in the best box belong to the text?
fn belongs(view: &View<'_>, sections: &Sections, block: usize, inside: &Inside) -> bool {
    if !view.is_body(block) || is_aside(sections, block) {
        return false;
    }
    let (beside, listed) = inside.placement(view.blocks[block].node);
    if beside {
        return false;
    }
    if view.heading(block).is_some() {
        return true;
    }
    let short = view.block_text(block).len() < 120;
    !(view.link_share(block) > 50 && (short || listed))
}

/// Headings at the end head nothing; a heading right before another of the same or a higher level neither.
fn trim(view: &View<'_>, main: &mut Vec<u32>) {
    while main.last().is_some_and(|block| view.heading(*block as usize).is_some()) {
        main.pop();
    }
    let heads = main.iter().take_while(|block| view.heading(**block as usize) == Some(1)).count();
    main.drain(..heads);
}

/// No box stands out: all running text outside of menus.
fn fallback(view: &View<'_>) -> Vec<u32> {
    let plain = |block: &u32| {
        let block = *block as usize;
        view.is_body(block)
            && view.kind(block) != BlockKind::Navigation
            && view.link_share(block) < 50
            && !view.blocks[block].within.any(Hints::OUTSIDE.with(Hints::HIDDEN))
    };
    (0..view.blocks.len() as u32).filter(plain).collect()
}
