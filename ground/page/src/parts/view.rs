//! A page and its outline, looked at together: whose text is where, how much of it is link text, what surrounds it.
//!
//! What is looked at are lines: blocks, cut where `br` ends a line outside of headings. Many pages set title, authors and abstract as lines of one
//! block. Everything in this folder numbers lines, and calls them blocks; only the results name the page's blocks.
//!
//! Hints go down: an element is in what any element around it hints at. An element that holds half of the page's text or
//! more is not believed to be a side matter, whatever it is called: site builders name their outermost boxes after anything. A
//! small box of links one of which leads home is a menu or the way to the page, whatever it is called; one with a link to small print is
//! the foot of the page.
//! Cost: linear in runs and elements.

use std::cell::OnceCell;

use groma_model::{BlockKind, ParsedPage};

use super::hints::Hints;
use super::outline::{NONE, Outline, Run};
use super::wording::{self, Label};
use crate::html::tag::Tag;

/// Bytes of a way through the site, at most, and links home and to small print that are looked at.
const TRAIL: usize = 500;
const HOMES: usize = 12;

/// What is known of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The innermost element around it that is no part of a line, or [`NONE`].
    pub(crate) node: u32,
    pub(crate) runs: (u32, u32),
    /// Bytes of its text that are links.
    pub(crate) linked: u32,
    /// What is hinted at around it.
    pub(crate) within: Hints,
}

/// A page, ready to be looked at.
pub(crate) struct View<'a> {
    pub(crate) page: &'a ParsedPage,
    pub(crate) outline: &'a Outline,
    /// Facts about each line.
    pub(crate) blocks: Vec<Facts>,
    /// Where each line stands: the page's block, and the stretch of its text.
    lines: Vec<(u32, u32, u32)>,
    /// The runs, by lines.
    runs: Vec<Run>,
    /// One per element: what it and the elements around it hint at.
    pub(crate) within: Vec<Hints>,
    /// One per element: the innermost from it outwards that is no part of a line, or [`NONE`].
    flow: Vec<u32>,
    text: Vec<u32>,
    linked: Vec<u32>,
    /// The small boxes around links that lead home.
    pub(crate) ways: Vec<u32>,
    /// One per line: its label and where the rest begins, once somebody asked.
    announced: Vec<OnceCell<Option<(Label, usize)>>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(page: &'a ParsedPage, outline: &'a Outline) -> View<'a> {
        let sums = |len: &dyn Fn(&Run) -> u32| {
            let mut sum = 0u32;
            let mut sums = Vec::with_capacity(outline.runs.len() + 1);
            sums.push(0);
            for run in &outline.runs {
                sum = sum.saturating_add(len(run));
                sums.push(sum);
            }
            sums
        };
        let text = sums(&|run| run.len());
        let linked = sums(&|run| if run.link == NONE { 0 } else { run.len() });
        let (blocks, within) = (Vec::new(), Vec::new());
        let (lines, runs) = lines(page, outline);
        let flow = flow(outline);
        let ways = Vec::new();
        let announced = vec![OnceCell::new(); lines.len()];
        let mut view = View { page, outline, blocks, lines, runs, within, flow, text, linked, ways, announced };
        view.spread_hints();
        view.place_blocks();
        view
    }

    fn spread_hints(&mut self) {
        let total = self.text.last().copied().unwrap_or(0) - self.linked.last().copied().unwrap_or(0);
        let side = Hints::OUTSIDE.with(Hints::HIDDEN).with(Hints::HEADER).with(Hints::CAPTION).with(Hints::REFERENCE);
        let mut within: Vec<Hints> = Vec::with_capacity(self.outline.nodes.len());
        let ways = ways(self.page, self.outline, |node| (self.node_text(node), self.node_linked(node)));
        for (number, node) in self.outline.nodes.iter().enumerate() {
            let mut own = node.hints;
            for (_, hint) in ways.iter().filter(|(node, _)| *node == number as u32) {
                own = own.with(*hint);
            }
            if node.hidden {
                own = own.with(Hints::HIDDEN);
            }
            let plain = self.node_text(number as u32) - self.node_linked(number as u32);
            if node.tag != Tag::Nav && own.any(side.with(Hints::FORM)) {
                if plain > total / 4 * 3 {
                    own = own.without(Hints::FORM);
                }
                if plain > total / 3 {
                    own = own.without(side.without(Hints::COMMENT).without(Hints::RELATED));
                }
                if plain > total / 2 {
                    own = own.without(side);
                }
            }
            let above = within.get(node.parent as usize).copied().unwrap_or_default();
            within.push(above.with(own));
        }
        self.within = within;
        self.ways = ways.iter().filter(|(_, hint)| *hint == Hints::NAVIGATION).map(|(node, _)| *node).collect();
    }

    fn place_blocks(&mut self) {
        let empty = Facts { node: NONE, runs: (0, 0), linked: 0, within: Hints::NOTHING };
        let mut blocks = vec![empty; self.lines.len()];
        let mut at = 0;
        while at < self.runs.len() {
            let block = self.runs[at].block;
            let mut to = at;
            while self.runs.get(to).is_some_and(|run| run.block == block) {
                to += 1;
            }
            let node = self.flow_node(self.runs[at].node);
            let within = self.within.get(node as usize).copied().unwrap_or_default();
            if let Some(slot) = blocks.get_mut(block as usize) {
                let linked = self.linked[to] - self.linked[at];
                *slot = Facts { node, runs: (at as u32, to as u32), linked, within };
            }
            at = to;
        }
        self.blocks = blocks;
    }

    /// The innermost element from this one outwards that is no part of a line.
    pub(crate) fn flow_node(&self, node: u32) -> u32 {
        self.flow.get(node as usize).copied().unwrap_or(NONE)
    }

    /// The boxes around an element, itself among them, from inside out.
    pub(crate) fn boxes(&self, node: u32) -> impl Iterator<Item = u32> {
        let known = |node: u32| Some(self.flow_node(node)).filter(|node| *node != NONE);
        std::iter::successors(known(node), move |node| {
            self.outline.nodes.get(*node as usize).and_then(|node| known(node.parent))
        })
    }

    /// Bytes of text in an element.
    pub(crate) fn node_text(&self, node: u32) -> u32 {
        self.stretch(&self.text, node)
    }

    /// Bytes of link text in an element.
    pub(crate) fn node_linked(&self, node: u32) -> u32 {
        self.stretch(&self.linked, node)
    }

    /// Bytes of the page's text that are no links.
    pub(crate) fn plain(&self) -> u32 {
        self.text.last().copied().unwrap_or(0) - self.linked.last().copied().unwrap_or(0)
    }

    fn stretch(&self, sums: &[u32], node: u32) -> u32 {
        let Some(node) = self.outline.nodes.get(node as usize) else { return 0 };
        let sum = |at: u32| sums.get(at as usize).copied().unwrap_or(0);
        sum(node.runs.1).saturating_sub(sum(node.runs.0))
    }

    /// The blocks with text in an element: from, and one past the last.
    pub(crate) fn node_blocks(&self, node: u32) -> (u32, u32) {
        let Some(node) = self.outline.nodes.get(node as usize) else { return (0, 0) };
        let (from, to) = node.runs;
        if from >= to {
            return (0, 0);
        }
        let block = |at: u32| self.runs.get(at as usize).map(|run| run.block);
        match (block(from), block(to - 1)) {
            (Some(from), Some(to)) => (from, to + 1),
            _ => (0, 0),
        }
    }

    /// The element of a block.
    pub(crate) fn tag(&self, block: usize) -> Option<Tag> {
        self.outline.nodes.get(self.blocks[block].node as usize).map(|node| node.tag)
    }

    /// Is one element inside another (or the same)?
    pub(crate) fn is_inside(&self, node: u32, outer: u32) -> bool {
        let end = self.outline.nodes.get(outer as usize).map_or(0, |node| node.end);
        outer <= node && node < end
    }

    pub(crate) fn block_text(&self, block: usize) -> &'a str {
        let Some((number, from, to)) = self.lines.get(block) else { return "" };
        let text = self.page.blocks.get(*number as usize).map_or("", |block| block.text.as_str());
        text.get(*from as usize..*to as usize).unwrap_or_default()
    }

    /// The page's block a line belongs to.
    pub(crate) fn page_block(&self, line: usize) -> u32 {
        self.lines.get(line).map_or(0, |line| line.0)
    }

    /// What kind of block a line belongs to.
    pub(crate) fn kind(&self, line: usize) -> BlockKind {
        self.page.blocks.get(self.page_block(line) as usize).map_or(BlockKind::Paragraph, |block| block.kind)
    }

    /// The path of a line: that of its box, or of its first element if the box has more lines.
    pub(crate) fn path(&self, line: usize) -> u32 {
        let number = self.page_block(line);
        let alone = self.lines.get(line.wrapping_sub(1)).is_none_or(|before| before.0 != number)
            && self.lines.get(line + 1).is_none_or(|after| after.0 != number);
        let node = if alone { self.blocks[line].node } else { self.runs(line).first().map_or(NONE, |run| run.node) };
        self.outline.nodes.get(node as usize).map_or(0, |node| node.path)
    }

    /// Is all of it set to be seen?
    pub(crate) fn is_loud(&self, line: usize) -> bool {
        let loud = |run: &Run| self.outline.up(run.node).take(3).any(|node| self.outline.nodes[node as usize].loud);
        !self.runs(line).is_empty() && self.runs(line).iter().all(loud)
    }

    /// A way through the site: links in a row with signs between them, or one that begins at home.
    pub(crate) fn is_trail(&self, line: usize) -> bool {
        // Asked for every link of a line: the length comes first.
        if self.block_text(line).len() >= TRAIL || self.link_share(line) < 55 {
            return false;
        }
        let (mut links, mut last, mut signed) = (0, NONE, false);
        for run in self.runs(line).iter().take(TRAIL) {
            if run.link == NONE {
                let between = self.run_text(run).trim();
                signed |= links == 1 && !between.is_empty() && between.chars().all(is_sign);
                continue;
            }
            links += usize::from(run.link != last);
            if links == 2 && signed || links == 1 && wording::is_home(self.run_text(run)) {
                return true;
            }
            last = run.link;
        }
        false
    }

    /// A label at the start of a line that goes on, and where the rest begins.
    pub(crate) fn announced(&self, line: usize) -> Option<(Label, usize)> {
        let apart = match self.runs(line) {
            [first, second, ..] if first.node != second.node => first.to as usize,
            _ => 0,
        };
        *self.announced.get(line)?.get_or_init(|| wording::inline(self.block_text(line), apart))
    }

    /// Bytes of an element's text after a run: those that are no links, and those that are.
    pub(crate) fn after(&self, node: u32, run: u32) -> (u32, u32) {
        let whole = (0, self.runs.len() as u32);
        let runs = self.outline.nodes.get(node as usize).map_or(whole, |node| node.runs);
        let sum = |sums: &[u32], at: u32| sums.get(at as usize).copied().unwrap_or(0);
        let (from, to) = (run.max(runs.0), runs.1.max(run));
        let text = sum(&self.text, to).saturating_sub(sum(&self.text, from));
        let linked = sum(&self.linked, to).saturating_sub(sum(&self.linked, from));
        (text.saturating_sub(linked), linked)
    }

    pub(crate) fn all_runs(&self) -> &[Run] {
        &self.runs
    }

    /// The runs of a block.
    pub(crate) fn runs(&self, block: usize) -> &[Run] {
        let (from, to) = self.blocks.get(block).map_or((0, 0), |facts| facts.runs);
        self.runs.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The block the text of an element stands in: that of its first run, or of the last before it.
    pub(crate) fn runs_block(&self, node: u32) -> Option<u32> {
        let (from, to) = self.outline.nodes.get(node as usize)?.runs;
        let at = if from < to { from } else { from.checked_sub(1)? };
        self.runs.get(at as usize).map(|run| run.block)
    }

    pub(crate) fn run_text(&self, run: &Run) -> &'a str {
        self.block_text(run.block as usize).get(run.from as usize..run.to as usize).unwrap_or_default()
    }

    /// Is it a block of the page's body, with text of its own?
    pub(crate) fn is_body(&self, block: usize) -> bool {
        let shown = !matches!(
            self.kind(block),
            BlockKind::Title | BlockKind::Description | BlockKind::Keywords | BlockKind::ImageAlt
        );
        shown && self.blocks[block].runs.0 < self.blocks[block].runs.1
    }

    /// The level of a heading.
    pub(crate) fn heading(&self, block: usize) -> Option<u8> {
        // The kind says "navigation" for headings in a site's header: the element knows better.
        let tag = self.tag(block)?;
        let at = self.outline.up(self.blocks[block].node).take(3).find_map(|node| {
            let tag = self.outline.nodes[node as usize].tag;
            tag.is_heading().then_some(tag)
        });
        let tag = if tag.is_heading() { Some(tag) } else { at };
        tag.map(|tag| tag as u8 - Tag::H1 as u8 + 1)
    }

    /// What part of a block's text is links, in per cent.
    pub(crate) fn link_share(&self, block: usize) -> u32 {
        let length = self.block_text(block).len().max(1) as u64;
        (u64::from(self.blocks[block].linked) * 100 / length) as u32
    }
}

/// Signs that stand between the steps of a way.
fn is_sign(c: char) -> bool {
    matches!(c, '»' | '>' | '›' | '/' | '→' | '|' | '▸' | '⟩' | '＞' | '｜' | '-' | ':' | '\\' | '≫' | '▶' | '⇒')
}

/// The boxes around links that lead home or to small print, as far as they are small and hold little else than links: ways to the page
/// and menus, and the foot of the page.
fn ways(page: &ParsedPage, outline: &Outline, share: impl Fn(u32) -> (u32, u32)) -> Vec<(u32, Hints)> {
    let hint = |text: &str| match text {
        text if text.len() > 60 => None,
        text if wording::is_home(text) => Some(Hints::NAVIGATION),
        text if wording::is_small_print(text) => Some(Hints::FOOTER),
        _ => None,
    };
    let known = page.links.iter().zip(&outline.links).filter_map(|(link, node)| Some((hint(&link.text)?, node)));
    let mut found = Vec::new();
    for (hint, node) in known.take(HOMES) {
        let small = |node: &u32| {
            let (text, linked) = share(*node);
            (text as usize) < TRAIL && linked * 2 >= text
        };
        let around: Vec<u32> = outline.up(*node).skip(1).take(4).take_while(small).collect();
        let widest = around.iter().rev().find(|node| is_flow(outline.nodes[**node as usize].tag));
        found.extend(widest.map(|node| (*node, hint)));
    }
    found
}

/// For each element the innermost from it outwards that is no part of a line.
fn flow(outline: &Outline) -> Vec<u32> {
    let mut flow: Vec<u32> = Vec::with_capacity(outline.nodes.len());
    for (number, node) in outline.nodes.iter().enumerate() {
        let above = flow.get(node.parent as usize).copied().unwrap_or(NONE);
        flow.push(if is_flow(node.tag) { number as u32 } else { above });
    }
    flow
}

/// Cuts the blocks of a page into lines, and says where each run stands by them.
fn lines(page: &ParsedPage, outline: &Outline) -> (Vec<(u32, u32, u32)>, Vec<Run>) {
    let mut lines: Vec<(u32, u32, u32)> = Vec::with_capacity(page.blocks.len());
    let mut runs = outline.runs.clone();
    let mut at = 0;
    for (number, block) in page.blocks.iter().enumerate() {
        let number = number as u32;
        // Runs of a block that was left out bear the number of the next one, and are empty.
        let (first, first_run) = (lines.len(), at);
        lines.push((number, 0, block.text.len() as u32));
        let heading = (BlockKind::Heading1 as u8..=BlockKind::Heading6 as u8).contains(&(block.kind as u8));
        while let Some(run) = runs.get_mut(at).filter(|run| run.block <= number) {
            if run.breaks && !heading && run.from > lines[lines.len() - 1].1 {
                let before = lines.len() - 1;
                lines[before].2 = run.from;
                lines.push((number, run.from, block.text.len() as u32));
            }
            let line = lines.len() - 1;
            let start = lines[line].1;
            run.block = line as u32;
            (run.from, run.to) = (run.from.saturating_sub(start), run.to.saturating_sub(start));
            at += 1;
        }
        // A line begins after the space that stands for its break.
        let spaced =
            |(_, from, to): (u32, u32, u32)| from < to && block.text.as_bytes().get(from as usize) == Some(&b' ');
        for run in runs.iter_mut().take(at).skip(first_run).filter(|run| run.block as usize > first) {
            if spaced(lines[run.block as usize]) {
                (run.from, run.to) = (run.from.saturating_sub(1), run.to.saturating_sub(1));
            }
        }
        for line in lines.iter_mut().skip(first + 1).filter(|line| spaced(**line)) {
            line.1 += 1;
        }
    }
    let count = lines.len() as u32;
    runs.iter_mut().skip(at).for_each(|run| (run.block, run.from, run.to) = (count.saturating_sub(1), 0, 0));
    (lines, runs)
}

/// No part of a line.
pub(crate) fn is_flow(tag: Tag) -> bool {
    tag.is_flow()
        || matches!(
            tag,
            Tag::P
                | Tag::Table
                | Tag::Tr
                | Tag::Td
                | Tag::Th
                | Tag::Tbody
                | Tag::Thead
                | Tag::Tfoot
                | Tag::Caption
                | Tag::Form
        )
}
