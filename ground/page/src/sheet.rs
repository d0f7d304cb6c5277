//! How does a reader put a page together that is not HTML?
//!
//! Blocks and links go in as they come, in document order, within the limits of a page; what is known only at the end
//! (language, similarity, parts) is worked out there. Cost: linear in what is put in.

use encoding_rs::UTF_8;
use groma_model::page::Meta;
use groma_model::{Block, BlockKind, LinkKind, LinkPart, ParsedPage, Parts};
use groma_url::Url;

use crate::filter::Input;
use crate::fold::Folded;
use crate::html::{Links, Resolver};
use crate::{fold, language, text_fingerprint};

/// What a block costs of the room for text beyond its own, as in HTML.
const OVERHEAD: usize = 16;
/// Metas kept, and bytes kept of each content, as in HTML.
const METAS: usize = 500;
const META_BYTES: usize = 4096;

/// A page that is being put together.
pub(crate) struct Sheet<'a> {
    input: &'a Input<'a>,
    page: ParsedPage,
    links: Links,
    language: Option<String>,
    room: usize,
    /// The limit that gives the room.
    key: &'static str,
    anchor: usize,
}

impl<'a> Sheet<'a> {
    /// With the room of a page of the web.
    pub(crate) fn new(input: &'a Input<'a>) -> Sheet<'a> {
        Sheet::with_room(input, input.limits.html_text, "html_text")
    }

    /// With the room of a document, which may be a book.
    pub(crate) fn of_document(input: &'a Input<'a>) -> Sheet<'a> {
        Sheet::with_room(input, input.limits.document_text, "document_text")
    }

    fn with_room(input: &'a Input<'a>, room: u64, key: &'static str) -> Sheet<'a> {
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let anchor = usize::try_from(input.limits.anchor_bytes).unwrap_or(usize::MAX);
        let page = ParsedPage { charset: UTF_8.name(), ..ParsedPage::default() };
        Sheet { input, page, links: Links::new(input.limits.html_links), language: None, room, key, anchor }
    }

    /// Bytes of text that still fit.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Notes that the limit was reached.
    pub(crate) fn full(&mut self) {
        self.cut(self.key);
    }

    /// The charset the page was read in, if it is not UTF-8.
    pub(crate) fn charset(&mut self, name: &'static str) {
        self.page.charset = name;
    }

    /// The title; the first that says anything counts.
    pub(crate) fn title(&mut self, text: &str) {
        if self.page.title.is_empty() {
            self.page.title = fold::folded(text, self.room.min(META_BYTES));
        }
    }

    /// The language it calls its own.
    pub(crate) fn language(&mut self, declared: &str) {
        if self.language.is_none() {
            self.language = language::declared(declared);
        }
    }

    /// Something it says about itself.
    pub(crate) fn meta(&mut self, name: &str, content: &str) {
        if self.page.metas.len() < METAS && !content.trim().is_empty() {
            let content = fold::cut(content.trim(), META_BYTES).to_owned();
            self.page.metas.push(Meta { name: name.to_owned(), content });
        }
    }

    /// A block of text, white space folded. Empty ones are none.
    pub(crate) fn block(&mut self, kind: BlockKind, text: &str) {
        let mut folded = Folded::default();
        if !folded.push(text, self.room) {
            self.cut(self.key);
        }
        if !folded.text.is_empty() {
            self.room = self.room.saturating_sub(folded.text.len() + OVERHEAD);
            self.page.blocks.push(Block { kind, text: folded.text });
        }
    }

    /// A link by its reference, with the text a reader sees on it.
    pub(crate) fn link(&mut self, reference: &str, kind: LinkKind, rel: &str, text: &str, block: BlockKind) {
        if reference.len() as u64 > self.input.limits.url_bytes.saturating_mul(4) {
            // Far beyond any URL: not worth its memory.
            self.cut("url_bytes");
            return;
        }
        if let Some(link) = self.links.push(reference, kind, rel, block) {
            let text = fold::folded(fold::cut(text, self.anchor.saturating_mul(4)), self.anchor.saturating_mul(2));
            self.links.set_text(link, fold::cut(&text, self.anchor).trim_end().to_owned());
        }
    }

    /// All that another reader made of a piece of this page.
    pub(crate) fn take(&mut self, piece: ParsedPage) {
        for block in piece.blocks.into_iter().filter(|block| block.kind != BlockKind::Title) {
            self.block(block.kind, &block.text);
        }
        for link in piece.links {
            if let groma_model::Target::Web(url) = &link.target {
                self.link(url.as_str(), link.kind, "", &link.text, link.block);
            }
        }
        piece.cuts.into_iter().for_each(|key| self.cut(key));
    }

    /// A limit was hit.
    pub(crate) fn cut(&mut self, key: &'static str) {
        if !self.page.cuts.contains(&key) {
            self.page.cuts.push(key);
        }
    }

    /// The page, its references resolved against `base`.
    pub(crate) fn finish(mut self, base: &Url) -> ParsedPage {
        if self.links.cut {
            self.cut("html_links");
        }
        let mut page = self.page;
        page.links = self.links.finish(&Resolver::new(base, UTF_8));
        page.language = self.language.or_else(|| language::detected(&page.blocks));
        let like = text_fingerprint::fingerprint_blocks(&page.blocks);
        (page.text_fp, page.near_fp, page.words) = (like.text_fp, like.near_fp, like.words);
        if self.input.parts {
            page.parts = Some(Box::new(all_main(&page)));
        }
        page
    }
}

/// The parts of a page without marks of what its pieces are for: all of it is its main text.
pub(crate) fn all_main(page: &ParsedPage) -> Parts {
    let main = (0..page.blocks.len() as u32).collect();
    let (links, paths) = (vec![LinkPart::default(); page.links.len()], vec![0; page.blocks.len()]);
    Parts { main, links, paths, ..Parts::default() }
}
