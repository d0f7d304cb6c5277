//! The text of a page as it runs: blocks, and the text of the link that is open.

use groma_model::{Block, BlockKind, Limits};

use super::stack::Place;
use crate::fold::{self, Folded};
use crate::parts::outline::Runs;

/// What a block costs of `limits.html_text` beyond its text, so that a page of empty-handed blocks is bounded too.
const OVERHEAD: usize = 16;

#[derive(Debug)]
pub(crate) struct Blocks {
    done: Vec<Block>,
    /// Images met inside the current block: their texts come after it.
    images: Vec<Block>,
    text: Folded,
    pre: bool,
    room: usize,
    /// Something did not fit.
    pub(crate) cut: bool,
    link: Option<LinkText>,
    anchor: usize,
    /// Where the text comes from, if the parts of the page are wanted.
    pub(crate) runs: Option<Runs>,
}

/// The text of an open link.
#[derive(Debug, Default)]
struct LinkText {
    /// Where it begins in the current block.
    from: usize,
    /// What it had in the blocks before.
    before: Folded,
    /// The texts of images in it.
    images: Folded,
}

impl Blocks {
    pub(crate) fn new(limits: &Limits) -> Blocks {
        let room = usize::try_from(limits.html_text).unwrap_or(usize::MAX);
        let anchor = usize::try_from(limits.anchor_bytes).unwrap_or(usize::MAX);
        let (done, images, text) = (Vec::new(), Vec::new(), Folded::default());
        Blocks { done, images, text, pre: false, room, cut: false, link: None, anchor, runs: None }
    }

    pub(crate) fn text(&mut self, text: &str, place: Place) {
        self.pre = place.pre;
        if self.cut {
            return;
        }
        let before = self.text.text.len();
        if !place.pre {
            self.cut = !self.text.push(text, self.room);
            self.note(before);
            return;
        }
        let fits = fold::cut(text, self.room.saturating_sub(self.text.text.len()));
        self.text.text.push_str(fits);
        self.cut = fits.len() < text.len();
        self.note(before);
    }

    /// The text from here on came from where we are.
    #[inline]
    fn note(&mut self, from: usize) {
        if let Some(runs) = &mut self.runs {
            runs.add(from, self.text.text.len());
        }
    }

    /// A word ends here (`br`), or a line where white space counts.
    pub(crate) fn line(&mut self, place: Place) {
        if let Some(runs) = &mut self.runs {
            runs.line_break();
        }
        if place.pre {
            self.text("\n", place);
        } else {
            self.text.gap = true;
        }
    }

    /// The current block ends; it began where it stands.
    pub(crate) fn end(&mut self, place: Place) {
        if let Some(link) = &mut self.link {
            link.before.gap = true;
            link.before.push(&self.text.text[link.from.min(self.text.text.len())..], self.anchor);
            link.from = 0;
        }
        if !self.text.text.is_empty() {
            let text = if self.pre { self.take_pre() } else { self.text.take() };
            let before = self.done.len();
            self.push(place.block(), text);
            if let Some(runs) = &mut self.runs {
                runs.settle(before, self.done.len() > before);
            }
        }
        self.text.gap = false;
        if !self.images.is_empty() {
            self.done.append(&mut self.images);
        }
    }

    fn take_pre(&mut self) -> String {
        let text = self.text.text.trim_start_matches(['\n', '\r']).trim_end().to_owned();
        self.text.text.clear();
        text
    }

    /// A block of its own.
    pub(crate) fn push(&mut self, kind: BlockKind, text: String) {
        if let Some(block) = self.admit(kind, text) {
            self.done.push(block);
        }
    }

    fn admit(&mut self, kind: BlockKind, text: String) -> Option<Block> {
        if text.is_empty() {
            return None;
        }
        if text.len() > self.room {
            self.cut = true;
            return None;
        }
        self.room = self.room.saturating_sub(text.len() + OVERHEAD);
        Some(Block { kind, text })
    }

    /// The text that stands for an image.
    pub(crate) fn image(&mut self, alt: &str) {
        let alt = fold::folded(alt, self.room);
        if let Some(link) = &mut self.link {
            link.images.gap = true;
            link.images.push(&alt, self.anchor);
        }
        if let Some(block) = self.admit(BlockKind::ImageAlt, alt) {
            if self.text.text.is_empty() { self.done.push(block) } else { self.images.push(block) }
        }
    }

    /// How much text may still come.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// A link begins here.
    pub(crate) fn begin_link(&mut self) {
        self.link = Some(LinkText { from: self.text.text.len(), ..LinkText::default() });
    }

    /// The link ends here: what a reader saw of it, or the texts of its images.
    pub(crate) fn end_link(&mut self) -> String {
        let Some(mut link) = self.link.take() else { return String::new() };
        let text = &self.text.text[link.from.min(self.text.text.len())..];
        // The usual case: all of it stands in this block, folded already.
        let whole = text.trim_ascii();
        if !self.pre && link.before.text.is_empty() && (1..=self.anchor).contains(&whole.len()) {
            return whole.to_owned();
        }
        link.before.gap = true;
        if !link.before.push(text, self.anchor) && link.before.text.is_empty() {
            // One word longer than all the room: its start is better than nothing.
            let word = fold::folded(text, usize::MAX);
            return fold::cut(&word, self.anchor).to_owned();
        }
        if link.before.text.is_empty() { link.images.take() } else { link.before.take() }
    }

    /// All blocks; the last one ends.
    pub(crate) fn finish(mut self, place: Place) -> (Vec<Block>, Option<Runs>) {
        self.end(place);
        (self.done, self.runs)
    }
}
