//! The abstract and the keywords, from the body alone.
//!
//! Four ways, the surer ones first: under a heading that says so; after a word that says so, in the same block; in an element
//! that is called so; and, for the abstract, by place: the first long paragraph after title and authors. What is found twice
//! is surer. Cost: linear in blocks and elements.

use super::chips;
use super::hints::Hints;
use super::items;
use super::outline::{NONE, Run};
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
/// Bytes a keyword has at most, and keywords a page has at most.
const WORD: usize = 100;
const WORDS: usize = 80;
/// Bytes of the longest line of keywords.
const LIST: usize = WORD * WORDS;

/// The abstract.
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

/// Under headings.
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
            // A row of words after the text is no text.
            let text = view.block_text(block);
            let told = text.ends_with(|c: char| c.is_ascii_punctuation() || "。！？」”’".contains(c));
            let path = |block: usize| view.path(block);
            if blocks.first().is_some_and(|first| path(*first as usize) != path(block))
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
        Label::Abstract | Label::Keywords | Label::Authors | Label::Affiliation | Label::References | Label::Contents
    )
}

/// A line that says what comes next is something else.
fn ends(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    let first = view.runs(block).first().map_or(0, |run| run.to as usize);
    let apart = if view.runs(block).len() > 1 { first } else { 0 };
    wording::inline(text, apart).is_some_and(|(label, _)| {
        matches!(label, Label::Keywords | Label::Authors | Label::Affiliation | Label::References)
    })
}

fn is_text(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    let small = text.len() < 40 && !text.ends_with(['.', '。', '?', '!']) && view.heading(block).is_none();
    view.link_share(block) < 60 && !(small && (view.link_share(block) > 0 || is_button(text)))
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

/// A word that unfolds the rest of a list.
fn is_more(text: &str) -> bool {
    matches!(
        text.to_lowercase().as_str(),
        "show more"
            | "show less"
            | "show all"
            | "more"
            | "less"
            | "view all"
            | "see all"
            | "hide"
            | "expand"
            | "collapse"
    )
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
        let first = apart(view, block);
        if let Some((Label::Abstract, from)) = wording::inline(text, first) {
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

/// How much of a block's start is set apart from the rest.
fn apart(view: &View<'_>, block: usize) -> usize {
    match view.runs(block) {
        [first, second, ..] if first.node != second.node => first.to as usize,
        _ => 0,
    }
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

/// The keywords.
pub(crate) fn keywords(view: &View<'_>, sections: &Sections) -> Vec<Spot> {
    let mut best: Vec<Spot> = Vec::new();
    for section in sections.all.iter().filter(|section| section.label == Some(Label::Keywords)).take(20) {
        let heading = section.heading as usize;
        let weak = is_weak(view.block_text(heading));
        // What says outright that it is keywords may stand beside the text or at its foot.
        let aside = Hints::SIDE.with(Hints::FOOTER).with(Hints::LANDMARK).with(Hints::NOISE);
        let outside = Hints::OUTSIDE.without(if weak { Hints::NOISE } else { aside }).with(Hints::FORM);
        if view.blocks[heading].within.any(outside) {
            continue;
        }
        let mut words = Vec::new();
        for block in heading + 1..view.blocks.len().min(heading + 1 + WORDS) {
            if !view.is_body(block) {
                continue;
            }
            let over = sections.over(block);
            if over.is_none_or(|over| over.heading != section.heading)
                || view.block_text(block).len() > 1500
                || (ends(view, block) && !words.is_empty())
            {
                break;
            }
            if !split(view, block, 0, if weak { 55 } else { 85 }, &mut words) {
                break;
            }
        }
        if weak && words.len() < 3 {
            continue;
        }
        if better(&words, &best) {
            best = words;
        }
    }
    if best.is_empty() {
        for block in 0..view.blocks.len() {
            if !view.is_body(block)
                || view.blocks[block]
                    .within
                    .any(Hints::RELATED.with(Hints::COMMENT).with(Hints::NAVIGATION).with(Hints::FORM))
            {
                continue;
            }
            let text = view.block_text(block);
            let found = wording::inline(text, apart(view, block)).filter(|(label, _)| *label == Label::Keywords);
            let found = found
                .map(|(_, from)| (from, is_weak(&text[..from])))
                .or_else(|| buried(view, block).map(|from| (from, false)));
            if let Some((from, weak)) = found {
                let mut words = Vec::new();
                let confidence = if weak { 50 } else { 85 };
                split(view, block, from, confidence, &mut words);
                // One to a line, the first beside the label.
                let lines = (block + 1..view.blocks.len()).take(WORDS);
                for line in lines.take_while(|line| view.page_block(*line) == view.page_block(block)) {
                    if words.len() + block != line
                        || wording::inline(view.block_text(line), 0).is_some()
                        || !split(view, line, 0, confidence, &mut words)
                    {
                        break;
                    }
                }
                if weak && words.len() < 3 {
                    continue;
                }
                if better(&words, &best) {
                    best = words;
                }
            }
        }
    }
    if best.first().is_none_or(|spot| spot.confidence < 60) {
        let words = hinted_words(view);
        if !words.is_empty() {
            best = words;
        }
    }
    if best.is_empty() {
        best = chips::of(view, sections);
    }
    best
}

/// Words that often are the site's own subjects and not the work's keywords.
fn is_weak(label: &str) -> bool {
    matches!(
        wording::bare(label).to_lowercase().as_str(),
        "topics" | "subjects" | "tags" | "terms" | "descriptors" | "general terms"
    )
}

fn better(words: &[Spot], best: &[Spot]) -> bool {
    let rank = |words: &[Spot]| words.first().map_or(0, |word| word.confidence);
    rank(words) > rank(best)
}

/// Keywords at the end of a block that begins with something else: after a label that is set apart, or one with a mark.
fn buried(view: &View<'_>, block: usize) -> Option<usize> {
    const LABELS: [&str; 6] = ["Keywords:", "Keywords—", "Key words:", "Index Terms—", "关键词：", "キーワード："];
    let text = view.block_text(block);
    let set_apart = |run: &Run| {
        let label = view.run_text(run);
        let told = run.from > 0 && run.link == NONE && run.len() < 60;
        told && !is_weak(label) && wording::label(label) == Some(Label::Keywords)
    };
    let apart = view.runs(block).iter().find(|run| set_apart(run)).map(|run| run.to as usize);
    let from = apart.or_else(|| LABELS.iter().find_map(|label| text.find(label).map(|at| at + label.len())))?;
    let rest = text.get(from..)?;
    let marks = rest.len() - rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '#').len();
    (rest.len() < 600).then_some(from + marks)
}

/// Adds the keywords of a block. False if it holds none: a sentence, a heading.
fn split(view: &View<'_>, block: usize, from: usize, confidence: u8, words: &mut Vec<Spot>) -> bool {
    let rest = view.block_text(block).get(from..).unwrap_or_default();
    if rest.len() > LIST {
        return false;
    }
    let found = items::of(view, block, from, items::cut_of(rest));
    let fits = |text: &str| text.len() <= WORD && text.split_whitespace().count() <= 8;
    if found.is_empty() || found.iter().filter(|item| fits(&item.text)).count() * 3 < found.len() * 2 {
        return false;
    }
    for item in found {
        let text = item.text.trim().trim_end_matches(['.', '。']).trim_start_matches(['#', '-', '–']).trim();
        let known = words.iter().any(|word| word.text.eq_ignore_ascii_case(text));
        if fits(text) && text.chars().any(char::is_alphabetic) && !known && words.len() < WORDS && !is_more(text) {
            words.push(Spot {
                text: text.to_owned(),
                blocks: vec![block as u32],
                nodes: vec![item.node],
                links: vec![item.link],
                confidence,
            });
        }
    }
    true
}

/// In elements that are called so.
fn hinted_words(view: &View<'_>) -> Vec<Spot> {
    let mut words = Vec::new();
    let mut past = 0;
    for (number, node) in view.outline.nodes.iter().enumerate() {
        let number = number as u32;
        if number < past
            || !node.hints.any(Hints::KEYWORD)
            || view.within[number as usize].any(
                Hints::OUTSIDE
                    .without(Hints::SIDE)
                    .without(Hints::LANDMARK)
                    .without(Hints::FOOTER)
                    .with(Hints::HEADER)
                    .with(Hints::LIST),
            )
        {
            continue;
        }
        past = node.end;
        let (from, to) = view.node_blocks(number);
        if !(2..3000).contains(&view.node_text(number)) || to - from > 60 {
            continue;
        }
        for block in from as usize..to as usize {
            let text = view.block_text(block);
            if !view.is_body(block) || (wording::label(text).is_some() && from + 1 < to) {
                continue;
            }
            let first =
                view.runs(block).iter().find(|run| view.is_inside(run.node, number)).map_or(0, |run| run.from as usize);
            let start = wording::inline(text, apart(view, block)).map_or(0, |(_, at)| at);
            split(view, block, start.max(first), 60, &mut words);
        }
        if words.len() > 40 {
            return Vec::new();
        }
    }
    words
}
