//! The elements of a page in document order, noted down while it is read: what its parts are found in.
//!
//! An arena, not a tree of pointers: an element knows its parent and the place after its last descendant, and the stretch of
//! text runs inside it, so that the text and the linked text of any element are two subtractions. A run is a piece of one
//! block's text that stands in one element; it is kept as a stretch of that block, not as a copy.
//!
//! Ends of elements are implied as in `html::stack`, with a search of at most [`REACH`] open elements, so a tag costs a
//! constant. Cost: linear in the tags. At most four times `limits.html_links` elements are kept; what stands in others
//! counts for the last one that is.
//!
//! Not guaranteed: the exact tree of the standard in misnested markup; `html` and `body` are no elements here, for their
//! class names change from page to page.

use groma_model::Limits;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::hints::{self, Hints};
use crate::fold;
use crate::html::attributes::{Attr, Attributes};
use crate::html::tag::Tag;

/// No element, no link.
pub(crate) const NONE: u32 = u32::MAX;
/// Open elements looked through for the one an end tag closes.
const REACH: usize = 48;
/// Bytes of data in scripts (JSON-LD) that are kept.
const DATA: usize = 512 << 10;
/// Texts in attributes that are kept, and bytes of each.
const TIPS: usize = 2000;
const TIP_BYTES: usize = 2000;

/// An element of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The element around it.
    pub(crate) parent: u32,
    /// One past its last descendant.
    pub(crate) end: u32,
    pub(crate) tag: Tag,
    /// It is `sup`.
    pub(crate) raised: bool,
    /// It is `b`, `strong`, `big` or `font`: set to be seen.
    pub(crate) loud: bool,
    /// It is not shown at first: hidden, or style says so.
    pub(crate) hidden: bool,
    /// A hash of the tags and class names down to it.
    pub(crate) path: u32,
    /// What its class names, id and other attributes hint at.
    pub(crate) hints: Hints,
    /// The text runs inside it.
    pub(crate) runs: (u32, u32),
    /// Where the name of its tag ends in the page.
    pub(crate) name_end: usize,
}

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The element it stands in, [`NONE`] outside of all.
    pub(crate) node: u32,
    /// The link it is text of, by its place in the page's list, or [`NONE`].
    pub(crate) link: u32,
    /// The block it belongs to, and the stretch of its text.
    pub(crate) block: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// A line of the block begins with it (`br`).
    pub(crate) breaks: bool,
}

impl Run {
    /// In bytes.
    pub(crate) fn len(&self) -> u32 {
        self.to - self.from
    }
}

/// The runs so far, and where we are.
#[derive(Debug)]
pub(crate) struct Runs {
    list: Vec<Run>,
    /// Runs from here on belong to the block that is open.
    open: usize,
    node: u32,
    link: u32,
    broken: bool,
}

impl Default for Runs {
    fn default() -> Runs {
        Runs { list: Vec::new(), open: 0, node: NONE, link: NONE, broken: false }
    }
}

impl Runs {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Text now comes from this element and this link.
    pub(crate) fn at(&mut self, node: u32, link: Option<usize>) {
        (self.node, self.link) = (node, link.map_or(NONE, |link| link as u32));
    }

    /// A stretch of the open block.
    pub(crate) fn add(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let (from, to, open) = (from as u32, to as u32, self.open);
        if self.list.len() > open
            && let Some(last) =
                self.list.last_mut().filter(|run| run.node == self.node && run.link == self.link && !self.broken)
        {
            last.to = to;
            return;
        }
        let breaks = std::mem::take(&mut self.broken) && self.list.len() > open;
        self.list.push(Run { node: self.node, link: self.link, block: 0, from, to, breaks });
    }

    /// A line ends here.
    pub(crate) fn line_break(&mut self) {
        self.broken = true;
    }

    /// The open block has got its number, or was left out.
    pub(crate) fn settle(&mut self, number: usize, kept: bool) {
        for run in &mut self.list[self.open..] {
            run.block = number as u32;
            if !kept {
                run.to = run.from;
            }
        }
        self.open = self.list.len();
        self.broken = false;
    }
}

#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    tag: Tag,
    /// A hash of the name, for elements that share a tag.
    name: u32,
}

/// The elements of a page.
#[derive(Debug)]
pub(crate) struct Outline {
    /// All of them, in document order.
    pub(crate) nodes: Vec<Node>,
    /// All text, in document order.
    pub(crate) runs: Vec<Run>,
    /// The element each of the page's links stands in.
    pub(crate) links: Vec<u32>,
    /// Texts in attributes (tooltips), by element.
    pub(crate) tips: Vec<(u32, String)>,
    /// What scripts that are data (JSON-LD) hold.
    pub(crate) data: Vec<String>,
    open: Vec<Open>,
    is_data: bool,
    room: usize,
    most: usize,
    depth: usize,
}

impl Outline {
    pub(crate) fn new(limits: &Limits) -> Outline {
        let most = usize::try_from(limits.html_links.saturating_mul(4)).unwrap_or(usize::MAX).min(NONE as usize - 1);
        Outline {
            nodes: Vec::new(),
            runs: Vec::new(),
            links: Vec::new(),
            tips: Vec::new(),
            data: Vec::new(),
            open: Vec::new(),
            is_data: false,
            room: DATA,
            most,
            depth: usize::try_from(limits.html_depth).unwrap_or(usize::MAX),
        }
    }

    /// The innermost open element.
    pub(crate) fn here(&self) -> u32 {
        self.open.last().map_or(NONE, |open| open.node)
    }

    /// So many links have been met: the new ones stand here.
    pub(crate) fn note_links(&mut self, count: usize) {
        if self.links.len() < count {
            self.links.resize(count, self.here());
        }
    }

    /// A start tag, when there are so many runs.
    pub(crate) fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool, runs: usize) {
        self.is_data = false;
        match tag {
            Tag::Script => {
                self.is_data = attributes.text(Attr::Type).trim_ascii().eq_ignore_ascii_case("application/ld+json");
                if self.is_data {
                    self.data.push(String::new());
                }
                return;
            }
            Tag::Html
            | Tag::Body
            | Tag::Head
            | Tag::Title
            | Tag::Style
            | Tag::Option
            | Tag::Noscript
            | Tag::Template => return,
            _ => {}
        }
        let name = attributes.name();
        let hash = lower_hash(name);
        self.imply(tag, runs);
        if self.nodes.len() >= self.most || self.open.len() >= self.depth {
            return;
        }
        let parent = self.here();
        let above = self.nodes.get(parent as usize).map_or(0, |node| node.path);
        let (hints, classes) = hints::read_hints(tag, attributes);
        let path = step(above, hash, classes);
        let node = self.nodes.len() as u32;
        let style = attributes.text(Attr::Style);
        let hidden = attributes.has(Attr::Hidden)
            || attributes.text(Attr::AriaHidden).eq_ignore_ascii_case("true")
            || (!style.is_empty() && hides(style));
        let raised = name.eq_ignore_ascii_case(b"sup");
        let loud = [&b"b"[..], b"strong", b"big", b"font"].iter().any(|known| known.eq_ignore_ascii_case(name));
        let runs = (runs as u32, runs as u32);
        self.nodes.push(Node {
            parent,
            end: node + 1,
            tag,
            raised,
            loud,
            hidden,
            path,
            hints,
            runs,
            name_end: attributes.name_end(),
        });
        self.tip(node, attributes);
        let closed = closes_itself && matches!(tag, Tag::Other | Tag::Svg | Tag::Math);
        if !closed && !is_empty(tag, name) {
            self.open.push(Open { node, tag, name: hash });
        }
    }

    fn tip(&mut self, node: u32, attributes: &Attributes<'_>) {
        for attr in [Attr::Tip, Attr::Title, Attr::AriaLabel] {
            let text = attributes.text(attr);
            if text.len() > 3 && self.tips.len() < TIPS {
                self.tips.push((node, fold::folded(text, TIP_BYTES)));
            }
        }
    }

    /// Closes what the start of an element implies the end of.
    fn imply(&mut self, tag: Tag, runs: usize) {
        if self.open.is_empty() {
            return;
        }
        let bars =
            |open: Tag| matches!(open, Tag::Td | Tag::Th | Tag::Table | Tag::Caption | Tag::Button | Tag::Object);
        if tag.is_flow() || matches!(tag, Tag::P | Tag::Table | Tag::Hr | Tag::Form) {
            self.close_to(|open| open == Tag::P, bars, runs);
        }
        match tag {
            Tag::Li => {
                self.close_to(|open| open == Tag::Li, |open| bars(open) || matches!(open, Tag::Ul | Tag::Ol), runs)
            }
            Tag::Dt | Tag::Dd => {
                self.close_to(|open| matches!(open, Tag::Dt | Tag::Dd), |open| bars(open) || open == Tag::Dl, runs)
            }
            Tag::Td | Tag::Th => {
                self.close_to(
                    |open| matches!(open, Tag::Td | Tag::Th),
                    |open| matches!(open, Tag::Tr | Tag::Table),
                    runs,
                );
            }
            Tag::Tr => self.close_to(|open| open == Tag::Tr, |open| open == Tag::Table, runs),
            Tag::Tbody | Tag::Thead | Tag::Tfoot => {
                let part = |open| matches!(open, Tag::Tbody | Tag::Thead | Tag::Tfoot);
                self.close_to(part, |open| open == Tag::Table, runs);
            }
            Tag::A => self.close_to(|open| open == Tag::A, bars, runs),
            tag if tag.is_heading() => self.close_to(|open| open.is_heading(), |open| !open.is_heading(), runs),
            _ => {}
        }
    }

    fn close_to(&mut self, is: impl Fn(Tag) -> bool, bars: impl Fn(Tag) -> bool, runs: usize) {
        let near = self.open.iter().rev().take(REACH).position(|open| is(open.tag) || bars(open.tag));
        if let Some(up) = near.filter(|up| is(self.open[self.open.len() - 1 - up].tag)) {
            self.close(up + 1, runs);
        }
    }

    pub(crate) fn end(&mut self, tag: Tag, name: &[u8], runs: usize) {
        self.is_data = false;
        if matches!(tag, Tag::Body | Tag::Html) || self.open.is_empty() {
            return;
        }
        let hash = lower_hash(name);
        let cell = matches!(tag, Tag::Table | Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot);
        let near = self.open.iter().rev().take(REACH).position(|open| {
            open.name == hash || (!cell && open.tag.is_scope()) || (tag.is_heading() && open.tag.is_heading())
        });
        let Some(up) = near else { return };
        let found = self.open[self.open.len() - 1 - up];
        if found.name == hash || (tag.is_heading() && found.tag.is_heading()) {
            self.close(up + 1, runs);
        }
    }

    fn close(&mut self, count: usize, runs: usize) {
        let end = self.nodes.len() as u32;
        let from = self.open.len().saturating_sub(count);
        for open in self.open.drain(from..) {
            let node = &mut self.nodes[open.node as usize];
            node.end = end;
            node.runs.1 = runs as u32;
        }
    }

    /// Text nobody sees: kept if it is data.
    pub(crate) fn script(&mut self, text: &str) {
        if self.is_data
            && let Some(data) = self.data.last_mut()
        {
            let text = fold::cut(text, self.room);
            self.room -= text.len();
            data.push_str(text);
        }
    }

    /// The page is over; of the links these were kept.
    pub(crate) fn finish(&mut self, runs: Runs, kept: &[usize]) {
        self.close(self.open.len(), runs.len());
        let mut places = vec![NONE; self.links.len()];
        for (place, number) in kept.iter().enumerate() {
            if let Some(slot) = places.get_mut(*number) {
                *slot = place as u32;
            }
        }
        self.links = kept.iter().map(|number| self.links.get(*number).copied().unwrap_or(NONE)).collect();
        self.runs = runs.list;
        for run in &mut self.runs {
            run.link = places.get(run.link as usize).copied().unwrap_or(NONE);
        }
    }

    /// The elements around one, from itself outwards.
    pub(crate) fn up(&self, node: u32) -> impl Iterator<Item = u32> {
        let next = |node: &u32| self.nodes.get(*node as usize).map(|node| node.parent).filter(|parent| *parent != NONE);
        std::iter::successors(Some(node).filter(|node| (*node as usize) < self.nodes.len()), next)
    }
}

/// A path that goes one element further.
fn step(above: u32, name: u32, classes: u64) -> u32 {
    let bytes = [&name.to_le_bytes()[..], &classes.to_le_bytes()[..]].concat();
    let hash = xxh3_64_with_seed(&bytes, u64::from(above));
    (hash ^ (hash >> 32)) as u32
}

fn lower_hash(name: &[u8]) -> u32 {
    let mut lower = [0; 24];
    match lower.get_mut(..name.len()) {
        Some(lower) => {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            xxh3_64(lower) as u32
        }
        None => xxh3_64(&name.to_ascii_lowercase()) as u32,
    }
}

/// Does an inline style keep it from being seen?
fn hides(style: &str) -> bool {
    let style: String = style.chars().take(400).filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}

/// Whether the element never has content.
fn is_empty(tag: Tag, name: &[u8]) -> bool {
    const NAMES: [&[u8]; 6] = [b"wbr", b"col", b"param", b"track", b"keygen", b"basefont"];
    tag.is_void() || (tag == Tag::Other && NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)))
}
