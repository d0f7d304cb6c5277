//! HTML: bytes to typed text blocks, links, forms and what the head says, in one pass and without a tree.
//!
//! The tokenizer (`scan`) follows the HTML standard. What it finds goes straight into blocks and links; a small stack of
//! open elements (`stack`) knows which block text belongs to, with the implied ends of the standard that matter for this:
//! list items, cells, headings, options, foreign content. We run no scripts and show no frames, so `noscript` and
//! `noframes` are markup; the content of `template` is not part of the page.
//!
//! Cost: linear in the bytes, whatever they are. Depth, attributes, links, text and forms are bounded by the limits, and a
//! bound that cut something is named in `cuts`. Anchors and the fields of forms are bounded by `html_links` too.
//!
//! Not guaranteed: the exact tree of the standard where markup is misnested (formatting elements, content moved out of
//! tables); text that scripts write or style sheets hide.

pub(crate) mod attributes;
mod blocks;
mod contact;
mod forms;
mod head;
pub(crate) mod links;
mod names;
mod names_of_roles;
mod page;
mod raw;
mod reference;
pub(crate) mod scan;
mod seek;
mod stack;
mod symptoms;
mod tables;
pub(crate) mod tag;

#[cfg(test)]
mod tests;

use groma_model::ParsedPage;

use crate::filter::{Filter, Input};
use crate::parts::{self, outline::Outline};
use crate::structured::sink::read_again;
use crate::{charset, language, text_fingerprint};
pub(crate) use head::{link_kind, refresh};
pub(crate) use links::{Links, Resolver};
use page::Page;

/// Reads `text/html` and `application/xhtml+xml`.
#[derive(Clone, Copy, Debug)]
pub struct Html;

impl Filter for Html {
    fn takes(&self, media_type: &str) -> bool {
        matches!(media_type, "text/html" | "application/xhtml+xml")
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let (text, encoding) = charset::decode(input.bytes, input.charset);
        let page = Page::new(input.limits, text.trim_start().starts_with("<?xml"));
        let mut page = if input.parts { page.with_outline() } else { page };
        let text = scan::with_line_feeds(text);
        page.cut_attributes = !scan::scan(&text, input.limits.html_attributes, input.parts, &mut page);
        page.finish();
        if !symptoms::has_doctype(&text) {
            page.symptoms.no_doctype();
        }
        let (mut parsed, outline) = finish(page, &text, input, encoding);
        parsed.parts = outline.map(|outline| Box::new(parts::find_parts(&parsed, &outline).parts));
        parsed
    }
}

/// A page with line feeds only, as it is read.
pub(crate) fn line_feeds(text: &str) -> std::borrow::Cow<'_, str> {
    scan::with_line_feeds(text.into())
}

/// Reads a page that is text already (line feeds only), with its outline: where its elements stand.
pub(crate) fn outlined(text: &str, input: &Input<'_>) -> (ParsedPage, Option<Box<Outline>>) {
    let mut page = Page::new(input.limits, text.trim_start().starts_with("<?xml")).with_outline();
    page.cut_attributes = !scan::scan(text, input.limits.html_attributes, true, &mut page);
    page.finish();
    finish(page, text, input, encoding_rs::UTF_8)
}

fn finish(
    mut page: Page<'_>,
    text: &str,
    input: &Input<'_>,
    encoding: &'static encoding_rs::Encoding,
) -> (ParsedPage, Option<Box<Outline>>) {
    let mut cuts = Vec::new();
    let base = page.head.base_url(input.url, input.limits.url_bytes, &mut cuts);
    let base = Resolver::new(&base, encoding);
    let again = page.structured.second().map(|reader| read_again(text, input.limits, reader));
    let structured = page.structured.finish(again, text, &base, &mut cuts);
    let forms_cut = page.forms.cut;
    let marks = [
        (page.stack.overflowed, "html_depth"),
        (page.cut_attributes, "html_attributes"),
        (page.links.cut || page.anchors.cut || page.forms.cut_fields, "html_links"),
        (page.blocks.cut, "html_text"),
        (forms_cut, "html_forms"),
    ];
    cuts.extend(marks.iter().filter(|(cut, _)| *cut).map(|(_, key)| *key));
    let (blocks, runs) = page.blocks.finish(page.stack.place());
    let like = text_fingerprint::fingerprint_blocks(&blocks);
    let mut outline = page.outline;
    let mut kept = Vec::new();
    let links = if outline.is_some() || page.symptoms.names_links() {
        page.links.finish_noting(&base, |number| kept.push(number))
    } else {
        page.links.finish(&base)
    };
    if let Some(outline) = &mut outline {
        outline.finish(runs.unwrap_or_default(), &kept);
    }
    let declared = page.head.language();
    if let Some(spoken) = declared.as_ref().and_then(|declared| language::other_than(declared, &blocks)) {
        page.symptoms.other_language(spoken);
    }
    let parsed = ParsedPage {
        title: page.head.title.take().unwrap_or_default(),
        links,
        forms: page.forms.finish(&base, input.url),
        language: declared.or_else(|| language::detected(&blocks)),
        metas: page.head.metas,
        anchors: page.anchors.names,
        directives: page.head.directives,
        charset: encoding.name(),
        text_fp: like.text_fp,
        near_fp: like.near_fp,
        words: like.words,
        cuts,
        blocks,
        structured,
        parts: None,
        markup: page.symptoms.finish(input.url, &kept),
    };
    (parsed, outline)
}
