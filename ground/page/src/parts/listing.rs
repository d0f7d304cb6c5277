//! The list a page is about: many links with the texts of works, set alike.
//!
//! Links are grouped by path. A group is a list of works if it has [`FEW`] links or more whose texts are long enough to be titles, and it is none
//! of menu, related pages, references or names. Its weight is its share of the text of all links that are no menu. Cost: linear
//! in the links.

use std::collections::HashMap;

use groma_model::{BlockKind, LinkKind};

use super::hints::Hints;
use super::names;
use super::people;
use super::sections::{self, Sections};
use super::view::View;
use super::wording::Label;

/// Fewer entries make no list.
const FEW: usize = 3;
/// Links of a group that are asked whether they are names.
const ASKED: usize = 200;
/// Ways in which the entries of one list are set, at most.
const WAYS: usize = 32;

/// The list of a page.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The paths of its entries, in ascending order.
    pub(crate) paths: Vec<u32>,
    /// How many entries there are.
    pub(crate) entries: usize,
    /// Their share of the text of links that are no menu, in per cent.
    pub(crate) share: u32,
    /// Words in an entry, on average, times ten.
    pub(crate) words: u32,
    /// The block of its first entry.
    pub(crate) first: Option<u32>,
    /// Lines of names beside links that are titles: the entries' own, in ascending order.
    pub(crate) bylines: Vec<u32>,
}

#[derive(Default)]
struct Group {
    links: usize,
    first: Option<u32>,
    bytes: usize,
    words: usize,
    names: usize,
    labelled: usize,
}

/// `taken` are links that are content parts already, `blocks[link]` is the block of a link.
pub(crate) fn find_listing(view: &View<'_>, sections: &Sections, blocks: &[Option<u32>], taken: &[bool]) -> Listing {
    let mut groups: HashMap<u32, Group> = HashMap::new();
    let (mut all, mut bylines) = (0, Vec::new());
    for (number, link) in view.page.links.iter().enumerate() {
        if link.kind != LinkKind::Anchor || link.text.is_empty() {
            continue;
        }
        let Some(node) = view.outline.nodes.get(view.outline.links[number] as usize) else { continue };
        let within = view.within[view.outline.links[number] as usize];
        let menu = within.any(
            Hints::NAVIGATION
                .with(Hints::NOISE)
                .with(Hints::FOOTER)
                .with(Hints::SEQUENCE)
                .with(Hints::DIALOG)
                .with(Hints::COMMENT),
        );
        if menu || link.block == BlockKind::Navigation {
            continue;
        }
        all += link.text.len();
        let label = blocks[number].and_then(|block| sections.label(block as usize));
        let aside = sections::is_aside(label)
            || label == Some(Label::References)
            || within.any(Hints::RELATED.with(Hints::REFERENCE).with(Hints::SIDE));
        if aside || taken[number] {
            continue;
        }
        if bylines.len() < ASKED {
            bylines.extend(blocks[number].and_then(|block| byline_of(view, block as usize, &link.text)));
        }
        let group = groups.entry(node.path).or_default();
        group.first.get_or_insert(blocks[number].unwrap_or(0));
        group.links += 1;
        group.bytes += link.text.len();
        group.words += words(&link.text);
        group.names += usize::from(group.links <= ASKED && people::is_name(&link.text));
        group.labelled += usize::from(label == Some(Label::Contents));
    }
    let is_list = |group: &Group| {
        group.links >= FEW && group.words >= group.links * 2 && group.names * 2 < group.links.min(ASKED)
    };
    let mut best: Vec<(u32, Group)> = groups.into_iter().filter(|(_, group)| is_list(group)).collect();
    best.sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then(a.0.cmp(&b.0)));
    bylines.sort_unstable();
    bylines.dedup();
    let mut listing = Listing { bylines, ..Listing::default() };
    let Some(top) = best.first().map(|(_, group)| group.bytes) else { return listing };
    let (mut bytes, mut count) = (0, 0);
    for (path, group) in best.iter().filter(|(_, group)| group.bytes * 3 >= top).take(WAYS) {
        listing.paths.push(*path);
        listing.first = listing.first.into_iter().chain(group.first).min();
        listing.entries += group.links;
        bytes += group.bytes;
        count += group.words;
    }
    listing.paths.sort_unstable();
    listing.share = (bytes * 100 / all.max(1)) as u32;
    listing.words = (count * 10 / listing.entries.max(1)) as u32;
    listing
}

/// The line of names beside a line that is nothing but a link with the text of a title.
fn byline_of(view: &View<'_>, block: usize, text: &str) -> Option<u32> {
    if words(text) < 3 || view.link_share(block) < 70 || people::is_name(text) {
        return None;
    }
    let beside = (block + 1..view.blocks.len().min(block + 3)).chain(block.checked_sub(1));
    let is_byline = |line: &usize| {
        view.is_body(*line)
            && view.heading(*line).is_none_or(|level| level > 2)
            && view.link_share(*line) < 50
            && names::byline(view, *line)
    };
    beside.into_iter().find(is_byline).map(|line| line as u32)
}

/// Words of a text; in scripts without spaces three characters are one.
pub(crate) fn words(text: &str) -> usize {
    let wide = text.chars().filter(|c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')).count();
    text.split_whitespace().count() + wide / 3
}
