//! In elements that are called so: by class name or id, by a relation of links (`rel=tag`), or by a label for those who listen
//! (`aria-label`). Cost: linear in the elements.

use super::super::hints::Hints;
use super::super::sections::Sections;
use super::super::spot::Spot;
use super::super::view::View;
use super::super::wording::{self, Label};
use super::rows;
use super::words::split;
use crate::html::tag::Tag;

/// More words than this are the subjects of a site.
const MANY: usize = 40;
/// How sure we are.
const SURE: u8 = 60;
const TOLD: u8 = 78;

pub(super) fn named_keywords(view: &View<'_>, sections: &Sections) -> Vec<Spot> {
    let mut words = Vec::new();
    let told = |(node, text): &&(u32, String)| {
        text.len() < 60 && wording::label(text) == Some(Label::Keywords) && !is_outside(view, *node)
    };
    for (node, _) in view.outline.tips.iter().filter(told) {
        inside(view, *node, TOLD, &mut words);
    }
    if !words.is_empty() && words.len() <= MANY {
        return words;
    }
    words.clear();
    let mut past = 0;
    for (number, node) in view.outline.nodes.iter().enumerate() {
        let number = number as u32;
        if number < past || !node.hints.any(Hints::KEYWORD) || is_outside(view, number) {
            continue;
        }
        past = node.end;
        // One link of a row is called so: its neighbors may be no links.
        if node.tag == Tag::A
            && let Some((row, found)) = rows::around(view, sections, number)
        {
            past = view.outline.nodes[row as usize].end;
            let new = |word: &Spot| !words.iter().any(|known: &Spot| known.text.eq_ignore_ascii_case(&word.text));
            let found: Vec<Spot> =
                found.into_iter().filter(new).map(|word| Spot { confidence: SURE, ..word }).collect();
            words.extend(found);
        } else {
            inside(view, number, SURE, &mut words);
        }
        if words.len() > MANY {
            return Vec::new();
        }
    }
    words
}

fn is_outside(view: &View<'_>, node: u32) -> bool {
    let beside = Hints::SIDE.with(Hints::LANDMARK).with(Hints::FOOTER);
    view.within[node as usize].any(Hints::OUTSIDE.without(beside).with(Hints::HEADER).with(Hints::LIST))
}

/// The words in one element.
fn inside(view: &View<'_>, node: u32, sure: u8, words: &mut Vec<Spot>) {
    let (from, to) = view.node_blocks(node);
    if !(2..3000).contains(&view.node_text(node)) || to - from > 60 {
        return;
    }
    for block in from as usize..to as usize {
        let text = view.block_text(block);
        if !view.is_body(block) || (wording::label(text).is_some() && from + 1 < to) {
            continue;
        }
        let first =
            view.runs(block).iter().find(|run| view.is_inside(run.node, node)).map_or(0, |run| run.from as usize);
        let start = view.announced(block).map_or(0, |(_, at)| at);
        split(view, block, start.max(first), sure, words);
    }
}
