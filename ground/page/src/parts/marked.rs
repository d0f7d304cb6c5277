//! A copy of a page in which the elements that carry parts say so: `data-part="abstract"`.
//!
//! For showing a page with its parts laid over it, in a frame without scripts. The attribute is put right after the name of a
//! start tag that the scanner has read as one, so nothing else of the page changes. Cost: linear.

use groma_model::{Limits, LinkKind, PartKind};
use groma_url::Url;

use super::outline::NONE;
use crate::filter::Input;
use crate::html;

/// The page with its parts marked. `url` is where it came from.
///
/// Content parts are marked at the elements that hold them, links at their own elements with the part they stand in (running text is not
/// marked). Elements that already have a `data-part` keep a second, which browsers pass over: the first counts.
pub fn marked(page: &str, url: &Url, limits: &Limits) -> String {
    let text = html::line_feeds(page);
    let input = Input { bytes: text.as_bytes(), url, charset: Some("utf-8"), limits, parts: true };
    let (parsed, outline) = html::outlined(&text, &input);
    let Some(outline) = outline else { return text.into_owned() };
    let found = super::find_parts(&parsed, &outline);
    let mut marks: Vec<(usize, PartKind)> = Vec::new();
    let mut at = |node: u32, kind: PartKind| {
        if let Some(node) = outline.nodes.get(node as usize).filter(|_| node != NONE) {
            marks.push((node.name_end, kind));
        }
    };
    found.nodes.iter().for_each(|(node, kind)| at(*node, *kind));
    for (number, part) in found.parts.links.iter().enumerate() {
        let is_anchor = parsed.links.get(number).is_some_and(|link| link.kind == LinkKind::Anchor);
        if is_anchor && part.kind != PartKind::Text {
            at(outline.links.get(number).copied().unwrap_or(NONE), part.kind);
        }
    }
    // The sort keeps the order of equals: of two marks for one element the content part counts.
    marks.sort_by_key(|(place, _)| *place);
    marks.dedup_by_key(|(place, _)| *place);
    let mut out = String::with_capacity(text.len() + marks.len() * 20);
    let mut from = 0;
    for (place, kind) in marks {
        let Some(before) = text.get(from..place) else { continue };
        out.push_str(before);
        out.push_str(" data-part=\"");
        out.push_str(kind.name());
        out.push('"');
        // A tag like `<b/title>` would have its next attribute glued on.
        if !text[place..].starts_with(|c: char| c.is_ascii_whitespace() || c == '>') {
            out.push(' ');
        }
        from = place;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}
