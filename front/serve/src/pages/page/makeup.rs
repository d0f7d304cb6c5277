//! What is a page made of? Its type, its parts with what they are for, its links by the part they stand in, how much of it is main
//! text; and a picture: the stored copy with its parts outlined, or boxes where no copy is kept.

use groma_model::wording::grouped;
use groma_model::{PartKind, Parts};
use groma_store::codec::Details;

use super::scheme::{Scheme, class};
use crate::pages::layout::{query, short};
use crate::pages::words;

/// Parts shown, and letters of each.
const PARTS: usize = 60;
const LETTERS: usize = 500;

/// What a page is made of.
pub(crate) struct Makeup {
    pub(crate) kind: &'static str,
    pub(crate) sure: String,
    pub(crate) parts: Vec<PartRow>,
    pub(crate) parts_more: usize,
    pub(crate) links: Vec<LinkRow>,
    /// How much of the text is main text.
    pub(crate) main: Option<MainShare>,
    /// The stored copy with its parts outlined.
    pub(crate) overlay: Option<String>,
    pub(crate) scheme: Option<Scheme>,
}

pub(crate) struct PartRow {
    pub(crate) name: &'static str,
    pub(crate) class: &'static str,
    pub(crate) text: String,
    pub(crate) sure: String,
}

/// The links of one part.
pub(crate) struct LinkRow {
    pub(crate) name: &'static str,
    pub(crate) class: &'static str,
    pub(crate) count: String,
}

/// How much of the text is main text.
pub(crate) struct MainShare {
    pub(crate) says: String,
    /// In per cent, for a bar.
    pub(crate) width: f64,
}

impl Makeup {
    /// Of a page as it is kept; nothing if its parts are not.
    pub(crate) fn read(site: &str, address: &str, details: &Details, has_copy: bool) -> Option<Makeup> {
        let parts = details.parts.as_ref()?;
        let part = |part: &groma_model::Part| PartRow {
            name: words::part_says(part.kind),
            class: class(part.kind),
            text: short(&part.text, LETTERS),
            sure: format!("{} %", part.confidence),
        };
        Some(Makeup {
            kind: parts.page_type.name(),
            sure: format!("{} %", parts.confidence),
            parts: parts.content.iter().take(PARTS).map(part).collect(),
            parts_more: parts.content.len().saturating_sub(PARTS),
            links: links(parts),
            main: main_share(details, parts),
            overlay: has_copy.then(|| format!("/sites/{site}/copy{}", query(&[("url", address), ("parts", "1")]))),
            scheme: if has_copy { None } else { Scheme::draw(details, parts) },
        })
    }
}

/// How many links stand in which part.
fn links(parts: &Parts) -> Vec<LinkRow> {
    let count = |kind: PartKind| parts.links.iter().filter(|link| link.kind == kind).count();
    let counted = PartKind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0);
    counted
        .map(|(kind, count)| LinkRow { name: words::part_says(kind), class: class(kind), count: grouped(count as u64) })
        .collect()
}

fn main_share(details: &Details, parts: &Parts) -> Option<MainShare> {
    let letters = |text: &str| text.chars().count() as f64;
    let all: f64 = details.blocks.iter().map(|block| letters(&block.text)).sum();
    let main = parts.main.iter().filter_map(|place| details.blocks.get(*place as usize));
    let main: f64 = main.map(|block| letters(&block.text)).sum();
    (all > 0.0).then(|| {
        let width = (main / all * 1000.0).round().min(1000.0) / 10.0;
        MainShare { says: format!("{width:.0} % of its text is main text"), width }
    })
}

#[cfg(test)]
mod tests {
    use groma_model::{Block, BlockKind, LinkPart, Part};

    use super::*;

    #[test]
    fn a_page_is_told_by_its_parts() {
        let block = |text: &str| Block { kind: BlockKind::Paragraph, text: text.into() };
        let link = |kind| LinkPart { kind, ..LinkPart::default() };
        let parts = Parts {
            content: vec![Part { kind: PartKind::Title, text: "<b>Plumb\u{202e} lines".into(), confidence: 90 }],
            links: vec![link(PartKind::Menu), link(PartKind::Menu), link(PartKind::List)],
            main: vec![1, 77],
            ..Parts::default()
        };
        let mut details = Details { blocks: vec![block("menu"), block("twelve letters")], ..Details::default() };
        assert!(Makeup::read("s", "http://a/", &details, true).is_none());
        details.parts = Some(parts);
        let made = Makeup::read("s", "http://a/", &details, true).unwrap();
        assert_eq!((made.parts[0].text.as_str(), made.parts[0].sure.as_str()), ("<b>Plumb lines", "90 %"));
        let links: Vec<_> = made.links.iter().map(|row| (row.name, row.count.as_str())).collect();
        assert_eq!(links, [("entries of a list", "1"), ("menu", "2")]);
        assert_eq!(made.main.unwrap().says, "78 % of its text is main text");
        assert!(made.overlay.is_some() && made.scheme.is_none());
        assert!(Makeup::read("s", "http://a/", &details, false).unwrap().scheme.is_some());
    }
}
