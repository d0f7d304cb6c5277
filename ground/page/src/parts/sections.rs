//! Which heading does a block stand under?
//!
//! Headings are the elements `h1` to `h6`, and whatever is a [label](super::wording) and nothing else: a term before its description, a
//! cell before a cell, a summary before its details, a bold line. A heading reaches to the end of the box it stands in, or to
//! the next heading of its level or above; a heading alone in its box is taken to head the box around that. What calls itself
//! related, comments or advertising ends where a paragraph is set as the last one before it was: the text goes on.
//!
//! Cost: linear in blocks times the headings open at once, which are at most [`DEEP`].

use super::outline::NONE;
use super::view::View;
use super::wording::{self, Label};
use crate::html::tag::Tag;

/// Headings open at once.
const DEEP: usize = 16;
/// How far a heading that is alone in its box looks outwards.
const CLIMB: usize = 4;
/// Bytes of a block that is surely a paragraph.
const PARAGRAPH: usize = 80;

/// A heading and what it announces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// The block that is the heading.
    pub(crate) heading: u32,
    /// What it announces; nothing for other words.
    pub(crate) label: Option<Label>,
    /// Its level: 1 to 6, 7 and 8 for labels that are no headings.
    pub(crate) level: u8,
    /// The box it heads.
    node: u32,
    /// The path of the last paragraph before it.
    before: u32,
}

/// The headings of a page.
pub(crate) struct Sections {
    pub(crate) all: Vec<Section>,
    /// For each block the innermost heading over it, as a place in `all`; [`NONE`] without one. A heading is under itself.
    of: Vec<u32>,
    /// For each block the outermost label over it that tells what it is for; what ends a content part counts before that.
    labels: Vec<Option<Label>>,
}

impl Sections {
    pub(crate) fn new(view: &View<'_>) -> Sections {
        let count = view.blocks.len();
        let mut sections = Sections { all: Vec::new(), of: vec![NONE; count], labels: vec![None; count] };
        let mut open: Vec<u32> = Vec::new();
        let (mut before, mut last) = (0, 0);
        for block in 0..count {
            if !view.is_body(block) {
                continue;
            }
            // Elements nobody knows are no boxes of lines, but may be boxes of sections.
            let node = view.runs(block).first().map_or(view.blocks[block].node, |run| run.node);
            open.retain(|section| {
                let within = sections.all[*section as usize].node;
                within == NONE || view.is_inside(node, within)
            });
            let path = view.path(block);
            // A word of a list of keywords may look like a label.
            let listed = path == last
                && open.last().is_some_and(|section| {
                    matches!(sections.all[*section as usize].label, Some(Label::Keywords | Label::Subjects))
                        && sections.all[*section as usize].heading as usize + 1 < block
                });
            let found = heading(view, block).filter(|(level, _)| !(listed && *level == 8));
            last = path;
            if found.is_none() && view.block_text(block).len() >= PARAGRAPH && view.link_share(block) < 30 {
                open.retain(|section| {
                    let section = sections.all[*section as usize];
                    !is_aside(section.label) || section.before != path || section.before == 0
                });
                if !open.iter().any(|section| is_aside(sections.all[*section as usize].label)) {
                    before = path;
                }
            }
            if let Some((level, label)) = found {
                open.retain(|section| sections.all[*section as usize].level < level);
                if open.len() < DEEP {
                    open.push(sections.all.len() as u32);
                    let node = headed(view, block);
                    // A word that would call most of the page an aside means less than that.
                    let (plain, _) = view.after(node, view.blocks[block].runs.1);
                    let all = view.plain();
                    let too_much = node == NONE || plain > if level > 6 { all / 4 } else { all / 2 };
                    let label =
                        label.filter(|label| !(is_aside(Some(*label)) && too_much && (before == 0 || level > 6)));
                    sections.all.push(Section { heading: block as u32, label, level, node, before });
                }
            }
            sections.of[block] = open.last().copied().unwrap_or(NONE);
            let labels = open.iter().filter_map(|section| sections.all[*section as usize].label);
            let tells = |label: &Label| !matches!(label, Label::Other);
            let told = labels.clone().find(tells).or_else(|| labels.clone().next_back());
            // A box of related works may stand under the heading of the abstract, never the other way round.
            let other = |label: &Label| is_aside(Some(*label)) || matches!(label, Label::References | Label::Contents);
            let inner = labels.clone().find(other).filter(|_| told.is_some_and(is_content));
            sections.labels[block] = inner.or(told);
        }
        sections
    }

    /// The innermost heading over a block.
    pub(crate) fn over(&self, block: usize) -> Option<Section> {
        self.all.get(*self.of.get(block)? as usize).copied()
    }

    /// What the headings over a block say it is.
    pub(crate) fn label(&self, block: usize) -> Option<Label> {
        self.labels.get(block).copied().flatten()
    }

    /// Is the block a heading itself?
    pub(crate) fn is_heading(&self, block: usize) -> bool {
        self.over(block).is_some_and(|section| section.heading as usize == block)
    }
}

/// Does it announce what is no part of the text?
pub(crate) fn is_aside(label: Option<Label>) -> bool {
    matches!(label, Some(Label::Related | Label::Comments | Label::Noise))
}

/// Does it announce a content part?
fn is_content(label: Label) -> bool {
    matches!(
        label,
        Label::Abstract | Label::Keywords | Label::Subjects | Label::Authors | Label::Affiliation | Label::Title
    )
}

/// Is it a heading: of which level, and announcing what?
fn heading(view: &View<'_>, block: usize) -> Option<(u8, Option<Label>)> {
    let text = view.block_text(block);
    let label = if text.len() <= 80 { wording::label(text) } else { None };
    if let Some(level) = view.heading(block) {
        let related = || (text.len() <= 80 && is_related(view, block)).then_some(Label::Related);
        return Some((level, label.or_else(|| begins(text)).or_else(related)));
    }
    let tag = view.tag(block);
    if matches!(tag, Some(Tag::Dt | Tag::Th)) && text.len() <= 80 {
        return Some((7, Some(label.or_else(|| begins(text)).unwrap_or(Label::Other))));
    }
    if label.is_none() && tag == Some(Tag::Summary) && text.len() <= 80 {
        return Some((7, begins(text)));
    }
    // Small capitals and bold lines head boxes as well.
    let called = label.is_none() && (8..=80).contains(&text.len()) && view.link_share(block) < 50;
    if called && (text.ends_with([':', '：']) || view.is_loud(block)) && is_related(view, block) {
        return Some((8, Some(Label::Related)));
    }
    // A menu may have an entry "Authors" that announces nothing: labels that are links are none.
    label.filter(|_| view.link_share(block) < 50).map(|label| (8, Some(label)))
}

/// Has words of headings over related works, and heads links: titles have such words too.
fn is_related(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    text.split_whitespace().count() <= 6 && view.link_share(block) < 50 && wording::is_related(text) && {
        let (plain, linked) = view.after(headed(view, block), view.blocks[block].runs.1);
        linked * 2 >= plain
    }
}

/// Labels that headings begin with: "Related articles in this journal", "More from Nature".
fn begins(text: &str) -> Option<Label> {
    let text = wording::bare(text).to_lowercase();
    if text.len() > 80 {
        return None;
    }
    const STARTS: [(&str, Label); 21] = [
        ("related ", Label::Related),
        ("similar ", Label::Related),
        ("more from ", Label::Related),
        ("more in ", Label::Related),
        ("more on ", Label::Related),
        ("recommended ", Label::Related),
        ("you might ", Label::Related),
        ("you may ", Label::Related),
        ("cited by", Label::Related),
        ("verwandte ", Label::Related),
        ("ähnliche ", Label::Related),
        ("mehr zu", Label::Related),
        ("articles similaires", Label::Related),
        ("sur le même", Label::Related),
        ("artículos relacionados", Label::Related),
        ("abstract ", Label::Abstract),
        ("comments (", Label::Comments),
        ("references (", Label::References),
        ("see also", Label::Related),
        ("further ", Label::Related),
        ("other articles", Label::Related),
    ];
    STARTS.iter().find(|(start, _)| text.starts_with(start)).map(|(_, label)| *label)
}

/// The box a heading heads: the one it stands in, or one further out if there is nothing after it in there.
fn headed(view: &View<'_>, block: usize) -> u32 {
    let last = view.blocks[block].runs.1;
    let mut ups = view.outline.up(view.blocks[block].node);
    for _ in 0..CLIMB {
        let Some(node) = ups.next() else { return NONE };
        if view.outline.nodes[node as usize].runs.1 > last {
            return node;
        }
    }
    ups.next().unwrap_or(NONE)
}
