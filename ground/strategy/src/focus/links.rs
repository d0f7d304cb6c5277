//! The links of a page, as a focused crawl sees them: each page once, with the text on the link and the text around it.
//!
//! ```text
//! anchor(p)  = the texts of all links to p, taken together
//! context(p) = the block that a link to p stands in, and the blocks behind it that hold no link, up to a heading
//! ```
//!
//! Lists of works often have a title, its authors, and then a summary: the summary belongs to the title. A parsed page does not say
//! in which block a link stands, so links and blocks, both in document order, are laid side by side: each link's text is looked for
//! from where the last one was found, short ones at most `AHEAD` blocks on.
//!
//! Cost: linear in the text; looking for texts is given up after `PASSES` times the length of the page. Not guaranteed: a link whose text is as common as "next"
//! may be found too early; then its neighbors still are where they are. Links without text, and those of menus and noise, have no context.

use std::collections::HashMap;
use std::ops::Range;

use groma_model::{BlockKind, Link, LinkKind, PageId, ParsedPage, PartKind, Parts};
use groma_topic::{Judge, Near, Reading};

use crate::Lead;

/// Blocks that a short text is looked for in.
const AHEAD: usize = 24;
/// Bytes of a text that is not short.
const LONG: usize = 16;
/// How many times a page is read, at most, to find where its links stand.
const PASSES: usize = 16;
/// Terms of a block, or of a context, that is still about one thing.
const TERMS: usize = 400;
/// Bytes of the texts of links to one page.
const ANCHOR: usize = 512;
/// Contexts of links to one page.
const CONTEXTS: usize = 4;

/// What the links to one page say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Said {
    /// How near their texts are; nothing if they have none.
    pub(crate) anchor: Option<Near>,
    /// How near the text around them is.
    pub(crate) context: Near,
    /// The part the best of them stands in.
    pub(crate) part: PartKind,
}

/// The links of one page.
pub(crate) struct Links<'a> {
    page: &'a ParsedPage,
    parts: Option<&'a Parts>,
    reading: &'a Reading,
    /// The places of links by where they lead, until it was said what they say.
    by_page: HashMap<PageId, Vec<usize>>,
    /// The block each link was found in.
    blocks: Vec<Option<usize>>,
    /// By block: does it hold a link?
    holds: Vec<bool>,
    /// Similarity of contexts that were judged already.
    judged: HashMap<(usize, usize), Near>,
}

impl<'a> Links<'a> {
    /// The links of a page, with these parts of it.
    pub(crate) fn from_page(
        page: &'a ParsedPage,
        parts: Option<&'a Parts>,
        leads: &[Lead],
        reading: &'a Reading,
    ) -> Links<'a> {
        let mut by_page: HashMap<PageId, Vec<usize>> = HashMap::new();
        for lead in leads {
            let places = by_page.entry(lead.page).or_default();
            places.extend(lead.link.filter(|at| *at < page.links.len()));
        }
        let blocks = blocks_of(page);
        let mut holds = vec![false; page.blocks.len()];
        blocks.iter().flatten().for_each(|block| holds[*block] = true);
        Links { page, parts, reading, by_page, blocks, holds, judged: HashMap::new() }
    }

    /// The part a link stands in, as far as anybody knows.
    fn part(&self, at: usize) -> PartKind {
        let known = self.parts.and_then(|parts| parts.links.get(at));
        let in_menu = self.page.links.get(at).is_some_and(|link| link.block == BlockKind::Navigation);
        match known {
            Some(part) => part.kind,
            None if in_menu => PartKind::Menu,
            None => PartKind::Text,
        }
    }

    /// What is said about a page this one leads to; nothing if that has been told.
    pub(crate) fn say(&mut self, page: PageId, judge: &mut Judge) -> Option<Said> {
        let places = self.by_page.remove(&page)?;
        let rank = |at: &usize| match self.part(*at) {
            PartKind::Noise => 2,
            PartKind::Menu => 1,
            _ => 0,
        };
        let part = places.iter().min_by_key(|at| rank(at)).map_or(PartKind::Text, |at| self.part(*at));
        let mut text = String::new();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for &at in &places {
            let link = &self.page.links[at];
            if !link.text.is_empty() && text.len() + link.text.len() <= ANCHOR && !text.contains(&link.text) {
                text.push_str(&link.text);
                text.push('\n');
            }
            let in_menu = matches!(self.part(at), PartKind::Menu | PartKind::Noise);
            if ranges.len() < CONTEXTS && !in_menu && link.kind == LinkKind::Anchor {
                ranges.extend(self.blocks[at].and_then(|block| self.context(block)));
            }
        }
        let language = self.reading.language;
        let anchor = (!text.is_empty()).then(|| judge.text(&text, language));
        let mut context = anchor.unwrap_or_default();
        for range in ranges {
            let near = *self
                .judged
                .entry((range.start, range.end))
                .or_insert_with(|| judge.terms(self.reading.terms(range).to_vec(), language));
            if (near.cover, near.cosine) > (context.cover, context.cosine) {
                context = near;
            }
        }
        Some(Said { anchor, context, part })
    }

    /// The blocks that belong to a link in this block.
    fn context(&self, block: usize) -> Option<Range<usize>> {
        let mut terms = self.reading.terms(block..block + 1).len();
        if terms > TERMS {
            return None;
        }
        let mut end = block + 1;
        while let Some(next) = self.page.blocks.get(end) {
            terms += self.reading.terms(end..end + 1).len();
            if self.holds[end] || terms > TERMS || !is_running(next.kind) {
                break;
            }
            end += 1;
        }
        Some(block..end)
    }
}

fn is_running(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::TableCell | BlockKind::Preformatted)
}

/// The block each link stands in.
fn blocks_of(page: &ParsedPage) -> Vec<Option<usize>> {
    let (mut block, mut from) = (0, 0);
    // Texts that are nowhere would cost the whole page each.
    let mut work = PASSES * (1024 + page.blocks.iter().map(|block| block.text.len()).sum::<usize>());
    let mut find = |text: &str| {
        // A word or two may stand anywhere; a longer text that is far off is still the one.
        let ahead = if text.len() < LONG { AHEAD } else { usize::MAX };
        let mut start = from;
        for (at, candidate) in page.blocks.iter().enumerate().skip(block).take(ahead) {
            work = work.saturating_sub(candidate.text.len() + 1);
            if work == 0 {
                return None;
            }
            if let Some(found) = candidate.text.get(start..).and_then(|rest| rest.find(text)) {
                (block, from) = (at, start + found + text.len());
                return Some(at);
            }
            start = 0;
        }
        None
    };
    let is_read = |link: &&Link| link.kind == LinkKind::Anchor && !link.text.is_empty();
    page.links.iter().map(|link| Some(link).filter(is_read).and_then(|link| find(&link.text))).collect()
}
