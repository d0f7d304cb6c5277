//! How links and texts are kept: no row per link.
//!
//! ```text
//! targets  = count, then for each link the difference of its target's number to the one before    (varint, zigzag),
//!            then the marks of the links as runs: a byte for the mark, the length of the run
//! details  = zstd( links, blocks, forms, metas, anchors, sections, parts ), each a count followed by its items; see `section`, `parts`
//!   link   = kind, rel, block (a byte each), text, fragment
//!   block  = kind (a byte), text
//! ```
//!
//! The n-th link of the details leads to the n-th target. Targets are kept apart because the graph is built from them alone.
//! The details of a page of which only the links are known (an imported graph) are empty.
//! Reading is total: damaged bytes give `None`, never a panic.

mod markup;
mod parts;
mod section;
mod structured;

use std::cell::RefCell;

use groma_model::page::{Field, Form, Meta};
use groma_model::{Block, BlockKind, Link, LinkKind, Markup, PageId, ParsedPage, Parts, Rel, StructuredData, Target};

use crate::varint::{list, pass_text, put, put_text, take, take_byte, take_text, unzigzag, zigzag};

/// Details are never larger than this once unpacked; the limits of a page keep them far below.
const DETAILS_AT_MOST: usize = 256 << 20;

/// What a graph needs to know of a link besides its target, in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(u8);

impl Mark {
    const KIND: u8 = 0x0f;
    const NAVIGATION: u8 = 0x10;
    const NOFOLLOW: u8 = 0x20;

    /// The mark of a link.
    pub fn from_link(link: &Link) -> Mark {
        let navigation = if link.block == BlockKind::Navigation { Mark::NAVIGATION } else { 0 };
        let nofollow = if link.rel.has(Rel::NOFOLLOW) { Mark::NOFOLLOW } else { 0 };
        Mark(link.kind as u8 | navigation | nofollow)
    }

    /// A plain link of this kind.
    pub fn plain(kind: LinkKind) -> Mark {
        Mark(kind as u8)
    }

    /// The kind of the link.
    pub fn kind(self) -> LinkKind {
        LinkKind::from_code(self.0 & Mark::KIND).unwrap_or(LinkKind::Anchor)
    }

    /// It stands in the navigation of its page.
    pub fn is_navigation(self) -> bool {
        self.0 & Mark::NAVIGATION != 0
    }

    /// Its author does not vouch for it.
    pub fn is_nofollow(self) -> bool {
        self.0 & Mark::NOFOLLOW != 0
    }
}

/// Packs the numbers of the pages that a page links to, and the marks of the links, of which there are as many.
pub fn pack_targets(targets: &[PageId], marks: impl IntoIterator<Item = Mark>) -> Vec<u8> {
    let mut out = Vec::with_capacity(targets.len() * 2 + 16);
    put(&mut out, targets.len() as u64);
    let mut before = 0i64;
    for target in targets {
        let now = i64::from(target.0);
        put(&mut out, zigzag(now - before));
        before = now;
    }
    let mut run: Option<(Mark, u64)> = None;
    for mark in marks.into_iter().take(targets.len()) {
        match &mut run {
            Some((of, length)) if *of == mark => *length += 1,
            _ => put_run(&mut out, run.replace((mark, 1))),
        }
    }
    put_run(&mut out, run);
    out
}

fn put_run(out: &mut Vec<u8>, run: Option<(Mark, u64)>) {
    if let Some((mark, length)) = run {
        out.push(mark.0);
        put(out, length);
    }
}

/// Unpacks the targets that [`pack_targets`] packed.
pub fn unpack_targets(mut input: &[u8]) -> Option<Vec<PageId>> {
    let mut targets = Vec::new();
    take_targets(&mut input, |target| targets.push(PageId(target)))?;
    Some(targets)
}

/// Unpacks what [`pack_targets`] packed, in place of what `links` held before.
pub fn unpack_links(mut input: &[u8], links: &mut Vec<(u32, Mark)>) -> Option<()> {
    links.clear();
    take_targets(&mut input, |target| links.push((target, Mark::plain(LinkKind::Anchor))))?;
    let mut at = 0;
    while at < links.len() && !input.is_empty() {
        let mark = Mark(take_byte(&mut input)?);
        let length = usize::try_from(take(&mut input)?).ok()?;
        let run = links.get_mut(at..at.checked_add(length)?)?;
        run.iter_mut().for_each(|(_, of)| *of = mark);
        at += length;
    }
    Some(())
}

fn take_targets(input: &mut &[u8], mut call: impl FnMut(u32)) -> Option<()> {
    let count = usize::try_from(take(input)?).ok()?;
    if count > input.len() {
        return None;
    }
    let mut at = 0i64;
    for _ in 0..count {
        at = at.checked_add(unzigzag(take(input)?))?;
        call(u32::try_from(at).ok()?);
    }
    Some(())
}

/// A link as the store keeps it; its target stands in the list of targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLink {
    /// An anchor, an image, a form and so on.
    pub kind: LinkKind,
    /// The words of its `rel` attribute that matter to a crawl.
    pub rel: Rel,
    /// The block it stands in.
    pub block: BlockKind,
    /// As crawled (untrusted text).
    pub text: String,
    /// The fragment of its URL.
    pub fragment: String,
}

impl KeptLink {
    /// As a link of a page; where it leads stands in the list of targets alone.
    pub fn into_link(self) -> Link {
        let KeptLink { kind, rel, block, text, fragment: _ } = self;
        Link { target: Target::Malformed(String::new()), kind, text, rel, block }
    }
}

/// What is kept of a page besides its facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The links, in the order of the targets.
    pub links: Vec<KeptLink>,
    /// The texts, block by block, in their order.
    pub blocks: Vec<Block>,
    /// The forms with their fields, in their order.
    pub forms: Vec<Form>,
    /// The `meta` elements, in their order.
    pub metas: Vec<Meta>,
    /// What fragments can point at.
    pub anchors: Vec<String>,
    /// What the markup and the answer's header showed; nothing in surveys of older versions.
    pub markup: Option<Markup>,
    /// JSON-LD, microdata and RDFa, where there is any.
    pub structured: Option<StructuredData>,
    /// The parts, where they were asked for.
    pub parts: Option<Parts>,
}

/// Packs what is kept of a page.
pub fn pack_details(page: &ParsedPage) -> Vec<u8> {
    let text: usize = page.blocks.iter().map(|b| b.text.len() + 4).sum();
    let mut out = Vec::with_capacity(text + page.links.len() * 32 + 256);
    put(&mut out, page.links.len() as u64);
    for link in &page.links {
        out.extend([link.kind as u8, link.rel.0, link.block as u8]);
        put_text(&mut out, &link.text);
        let fragment = if let Target::Web(url) = &link.target { url.fragment() } else { None };
        put_text(&mut out, fragment.unwrap_or_default());
    }
    put(&mut out, page.blocks.len() as u64);
    for block in &page.blocks {
        out.push(block.kind as u8);
        put_text(&mut out, &block.text);
    }
    put(&mut out, page.forms.len() as u64);
    for form in &page.forms {
        put_form(&mut out, form);
    }
    put(&mut out, page.metas.len() as u64);
    for meta in &page.metas {
        put_text(&mut out, &meta.name);
        put_text(&mut out, &meta.content);
    }
    put(&mut out, page.anchors.len() as u64);
    for anchor in &page.anchors {
        put_text(&mut out, anchor);
    }
    if page.markup != Markup::default() {
        let mut bytes = Vec::new();
        markup::put_markup(&mut bytes, &page.markup);
        section::put_section(&mut out, section::MARKUP, &bytes);
    }
    if let Some(data) = &page.structured {
        let mut bytes = Vec::new();
        structured::put_structured(&mut bytes, data);
        section::put_section(&mut out, section::STRUCTURED, &bytes);
    }
    if let Some(parts) = &page.parts {
        parts::put_parts(&mut out, parts);
    }
    compress(&out)
}

fn put_form(out: &mut Vec<u8>, form: &Form) {
    put_text(out, &form.action);
    put_text(out, &form.method);
    put(out, form.fields.len() as u64);
    for field in &form.fields {
        put_text(out, &field.name);
        put_text(out, &field.kind);
        put_text(out, &field.value);
        put(out, field.options.len() as u64);
        for (value, label) in &field.options {
            put_text(out, value);
            put_text(out, label);
        }
    }
}

/// Unpacks what [`pack_details`] packed; `None` if the bytes are damaged.
pub fn unpack_details(packed: &[u8]) -> Option<Details> {
    let bytes = decompress(packed)?;
    let input = &mut bytes.as_slice();
    let mut details = Details {
        links: list(input, take_link)?,
        blocks: list(input, take_block)?,
        forms: list(input, take_form)?,
        metas: list(input, |i| Some(Meta { name: take_text(i)?.to_string(), content: take_text(i)?.to_string() }))?,
        anchors: list(input, |i| take_text(i).map(str::to_string))?,
        ..Details::default()
    };
    section::take_sections(input, |tag, mut bytes| {
        match tag {
            section::MARKUP => details.markup = Some(markup::take_markup(&mut bytes)?),
            section::STRUCTURED => details.structured = Some(structured::take_structured(&mut bytes)?),
            _ => {}
        }
        Some(())
    })?;
    if !input.is_empty() {
        details.parts = Some(parts::take_parts(input)?);
    }
    Some(details)
}

/// Unpacks the text blocks alone of what [`pack_details`] packed: a search result needs no more.
pub fn unpack_blocks(packed: &[u8]) -> Option<Vec<Block>> {
    let bytes = decompress(packed)?;
    let input = &mut bytes.as_slice();
    pass_links(input)?;
    list(input, take_block)
}

/// Texts of a page that are lent one by one, without a copy of each.
pub trait Lent {
    /// A link, in the order of the targets.
    fn link(&mut self, kind: LinkKind, text: &str);
    /// A block, after all links.
    fn block(&mut self, kind: BlockKind, text: &str);
}

/// Lends the links and the blocks of what [`pack_details`] packed; `None` if the bytes are damaged. `buffer` is there to be
/// used again.
pub fn lend_texts(packed: &[u8], buffer: &mut Vec<u8>, to: &mut dyn Lent) -> Option<()> {
    decompress_into(packed, buffer)?;
    let input = &mut buffer.as_slice();
    each_link(input, &mut |kind, text| to.link(kind, text))?;
    each_block(input, &mut |kind, text| to.block(kind, text))
}

/// A link with all that is kept of it, lent while it is read (see [`KeptLink`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LentLink<'a> {
    /// An anchor, an image, a form and so on.
    pub kind: LinkKind,
    /// The words of its `rel` attribute that matter to a crawl.
    pub rel: Rel,
    /// The block it stands in.
    pub block: BlockKind,
    /// As crawled (untrusted text).
    pub text: &'a str,
    /// The fragment of its URL.
    pub fragment: &'a str,
}

/// Lends whole links, and then the blocks; `None` if the bytes are damaged.
pub fn lend_details(
    packed: &[u8],
    buffer: &mut Vec<u8>,
    mut link: impl FnMut(LentLink<'_>),
    mut block: impl FnMut(BlockKind, &str),
) -> Option<()> {
    decompress_into(packed, buffer)?;
    let input = &mut buffer.as_slice();
    for _ in 0..take(input)? {
        let (kind, rel) = (LinkKind::from_code(take_byte(input)?)?, Rel(take_byte(input)?));
        let of = BlockKind::from_code(take_byte(input)?)?;
        link(LentLink { kind, rel, block: of, text: take_text(input)?, fragment: take_text(input)? });
    }
    each_block(input, &mut block)
}

/// Lends the links alone.
pub fn lend_links(packed: &[u8], buffer: &mut Vec<u8>, mut link: impl FnMut(LinkKind, &str)) -> Option<()> {
    decompress_into(packed, buffer)?;
    each_link(&mut buffer.as_slice(), &mut link)
}

/// Lends the blocks alone.
pub fn lend_blocks(packed: &[u8], buffer: &mut Vec<u8>, mut block: impl FnMut(BlockKind, &str)) -> Option<()> {
    decompress_into(packed, buffer)?;
    let input = &mut buffer.as_slice();
    pass_links(input)?;
    each_block(input, &mut block)
}

fn each_link(input: &mut &[u8], call: &mut impl FnMut(LinkKind, &str)) -> Option<()> {
    for _ in 0..take(input)? {
        let kind = LinkKind::from_code(take_byte(input)?)?;
        *input = input.get(2..)?;
        let text = take_text(input)?;
        pass_text(input)?;
        call(kind, text);
    }
    Some(())
}

fn each_block(input: &mut &[u8], call: &mut impl FnMut(BlockKind, &str)) -> Option<()> {
    for _ in 0..take(input)? {
        let kind = BlockKind::from_code(take_byte(input)?)?;
        call(kind, take_text(input)?);
    }
    Some(())
}

fn pass_links(input: &mut &[u8]) -> Option<()> {
    for _ in 0..take(input)? {
        *input = input.get(3..)?;
        pass_text(input)?;
        pass_text(input)?;
    }
    Some(())
}

fn take_block(input: &mut &[u8]) -> Option<Block> {
    Some(Block { kind: BlockKind::from_code(take_byte(input)?)?, text: take_text(input)?.to_string() })
}

fn take_link(input: &mut &[u8]) -> Option<KeptLink> {
    Some(KeptLink {
        kind: LinkKind::from_code(take_byte(input)?)?,
        rel: Rel(take_byte(input)?),
        block: BlockKind::from_code(take_byte(input)?)?,
        text: take_text(input)?.to_string(),
        fragment: take_text(input)?.to_string(),
    })
}

fn take_form(input: &mut &[u8]) -> Option<Form> {
    let text = |i: &mut &[u8]| take_text(i).map(str::to_string);
    Some(Form {
        action: text(input)?,
        method: text(input)?,
        fields: list(input, |i| {
            Some(Field {
                name: text(i)?,
                kind: text(i)?,
                value: text(i)?,
                options: list(i, |i| Some((text(i)?, text(i)?)))?,
            })
        })?,
    })
}

/// Compresses a blob: fast rather than small, it is on the hot path of a crawl. (Against level 1 it makes the
/// survey of the postgres documentation a quarter larger: 5.4 MB to 4.3.)
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    thread_local! {
        static PACKER: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    }
    PACKER.with_borrow_mut(|packer| {
        if packer.is_none() {
            *packer = zstd::bulk::Compressor::new(-3).ok();
        }
        let packed = packer.as_mut().and_then(|p| p.compress(bytes).ok());
        packed.expect("zstd compresses any bytes into a buffer of its own bound")
    })
}

/// Undoes [`compress`]; `None` if the bytes are damaged.
pub fn decompress(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    decompress_into(packed, &mut bytes)?;
    Some(bytes)
}

fn decompress_into(packed: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    thread_local! {
        static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok()??;
    let size = usize::try_from(size).ok().filter(|&s| s <= DETAILS_AT_MOST)?;
    bytes.clear();
    bytes.reserve(size);
    UNPACKER.with_borrow_mut(|unpacker| {
        if unpacker.is_none() {
            *unpacker = zstd::bulk::Decompressor::new().ok();
        }
        unpacker.as_mut()?.decompress_to_buffer(packed, bytes).ok().map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::markup::{Alternate, HeaderField, Observation, Symptom};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn links_come_back(links in proptest::collection::vec((any::<u32>(), 0u8..11, any::<bool>()), 0..50)) {
            let ids: Vec<PageId> = links.iter().map(|(id, ..)| PageId(*id)).collect();
            let mark = |kind: u8, navigation: bool| Mark(kind | if navigation { Mark::NAVIGATION } else { 0 });
            let packed = pack_targets(&ids, links.iter().map(|(_, kind, navigation)| mark(*kind, *navigation)));
            prop_assert_eq!(unpack_targets(&packed), Some(ids));
            let mut back = Vec::new();
            prop_assert!(unpack_links(&packed, &mut back).is_some());
            prop_assert_eq!(back.len(), links.len());
            for ((id, kind, navigation), (target, of)) in links.into_iter().zip(back) {
                prop_assert_eq!((id, kind, navigation), (target, of.kind() as u8, of.is_navigation()));
            }
        }

        #[test]
        fn damaged_bytes_are_refused_not_feared(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            unpack_targets(&bytes);
            unpack_links(&bytes, &mut Vec::new());
            unpack_details(&bytes);
            unpack_details(&compress(&bytes));
            unpack_blocks(&compress(&bytes));
            lend_details(&compress(&bytes), &mut Vec::new(), |_| (), |_, _| ());
        }
    }

    #[test]
    fn sections_are_read_passed_over_or_not_there() {
        let parts = Parts { confidence: 7, ..Parts::default() };
        let thing = groma_model::Thing { types: vec!["Article".into()], ..Default::default() };
        let item = groma_model::DataItem { syntax: groma_model::DataSyntax::JsonLd, line: 3, thing };
        let data = StructuredData { items: vec![item], faults: Vec::new() };
        let plain = ParsedPage { anchors: vec!["top".into()], ..ParsedPage::default() };
        for (structured, parts) in
            [(None, None), (Some(&data), None), (None, Some(&parts)), (Some(&data), Some(&parts))]
        {
            let structured_box = structured.cloned().map(Box::new);
            let page = ParsedPage { structured: structured_box, parts: parts.cloned().map(Box::new), ..plain.clone() };
            let details = unpack_details(&pack_details(&page)).unwrap();
            assert_eq!((details.structured.as_ref(), details.parts.as_ref()), (structured, parts));
            assert_eq!(details.anchors, page.anchors);
        }
        // Of a later version, with parts behind it.
        let mut bytes = decompress(&pack_details(&plain)).unwrap();
        section::put_section(&mut bytes, 0xf1, b"unknown");
        parts::put_parts(&mut bytes, &parts);
        assert_eq!(unpack_details(&compress(&bytes)).and_then(|details| details.parts), Some(parts));
        // Cut, or not what its tag says.
        bytes = decompress(&pack_details(&plain)).unwrap();
        section::put_section(&mut bytes, section::STRUCTURED, b"\x09");
        assert_eq!(unpack_details(&compress(&bytes)), None);
        bytes.truncate(bytes.len() - 1);
        assert_eq!(unpack_details(&compress(&bytes)), None);
    }

    #[test]
    fn details_come_back() {
        let page = ParsedPage {
            blocks: vec![Block { kind: BlockKind::Heading1, text: "Grüße".into() }],
            links: vec![groma_model::Link {
                target: Target::Malformed("http://[".into()),
                kind: LinkKind::Anchor,
                text: "here".into(),
                rel: Rel::NOFOLLOW,
                block: BlockKind::Paragraph,
            }],
            forms: vec![Form {
                action: "/find".into(),
                method: "get".into(),
                fields: vec![Field {
                    name: "q".into(),
                    kind: "select".into(),
                    value: "1".into(),
                    options: vec![("1".into(), "one".into())],
                }],
            }],
            metas: vec![Meta { name: "author".into(), content: "somebody".into() }],
            anchors: vec!["top".into()],
            markup: Markup {
                lang: Some("cs".into()),
                alternates: vec![Alternate { link: 0, hreflang: "de".into() }],
                observations: vec![Observation { symptom: Symptom::Image, count: 300, example: "x.png".into() }],
                header: vec![(HeaderField::Server, "nginx".into())],
            },
            ..ParsedPage::default()
        };
        let details = unpack_details(&pack_details(&page)).unwrap();
        assert_eq!(details.blocks, page.blocks);
        assert_eq!(unpack_blocks(&pack_details(&page)), Some(page.blocks.clone()));
        assert_eq!(details.forms, page.forms);
        assert_eq!(details.metas, page.metas);
        assert_eq!(details.anchors, page.anchors);
        assert_eq!(details.markup.as_ref(), Some(&page.markup));
        assert_eq!(details.links[0].text, "here");
        let (mut links, mut blocks) = (Vec::new(), Vec::new());
        let whole = lend_details(
            &pack_details(&page),
            &mut Vec::new(),
            |link| links.push((link.kind, link.rel, link.block, link.text.to_owned())),
            |kind, text| blocks.push(Block { kind, text: text.to_owned() }),
        );
        assert_eq!(whole, Some(()));
        assert_eq!(links, [(LinkKind::Anchor, Rel::NOFOLLOW, BlockKind::Paragraph, "here".to_owned())]);
        assert_eq!(blocks, page.blocks);
        assert!(details.links[0].rel.has(Rel::NOFOLLOW));
    }

    #[test]
    fn sections_of_later_versions_are_passed_over() {
        let mut bytes = vec![0; 5];
        bytes.extend([0xf7, 3, 1, 2, 3]);
        bytes.extend([section::MARKUP, 7, 0, 0, 1, 0xff, 9, 0, 0]);
        let details = unpack_details(&compress(&bytes)).unwrap();
        assert_eq!(details.markup, Some(Markup::default()), "a symptom nobody knows is none");
        assert_eq!(details.parts, None);
        assert_eq!(unpack_details(&compress(&bytes[..bytes.len() - 1])), None);
    }
}
