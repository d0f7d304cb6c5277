//! A page as boxes, where no copy of it is kept: its text blocks in document order, neighbours of the same part as one box, as high
//! as their text is long.
//!
//! A block is given the part whose text it is: a content part that holds it or is held by it; the part of its links, if they are
//! most of its text; else main text or nothing in particular. Parts are not kept block by block, so this is a sketch: two parts with
//! the same words cannot be told apart. Cost: blocks times content parts (of which a page has few, and not more than a bound are
//! looked at), and one pass over the links.

use askama::Template;
use askama::filters::HtmlSafe;

use groma_model::wording::grouped;
use groma_model::{BlockKind, PartKind, Parts};
use groma_store::codec::{Details, KeptLink};

use crate::pages::words;

/// Boxes drawn, blocks and content parts looked at.
const BOXES: usize = 40;
const BLOCKS: usize = 2_000;
const CONTENT: usize = 60;
/// Links that are passed over to find one that stands in a block.
const AHEAD: usize = 6;
/// Letters that are enough for a piece of a long part; of a short one, a third of it.
const PIECE: usize = 30;
/// A box is at least so high and at most, in units of the picture.
const LOW: f64 = 20.0;
const HIGH: f64 = 150.0;
/// Letters of a line of text, and how high it is.
const LETTERS: f64 = 90.0;
const LINE: f64 = 6.0;

/// The content parts of a page as boxes, one above the other.
#[derive(Template)]
#[template(path = "picture/scheme.html")]
pub(crate) struct Scheme {
    boxes: Vec<Piece>,
    height: f64,
    label: String,
    more: usize,
}

impl HtmlSafe for Scheme {}

struct Piece {
    y: f64,
    height: f64,
    class: &'static str,
    name: &'static str,
    letters: String,
}

/// What a block is: a part, or nothing in particular.
type Label = Option<PartKind>;

impl Scheme {
    /// Of a page; nothing if it has no text.
    pub(super) fn draw(details: &Details, parts: &Parts) -> Option<Scheme> {
        let mut runs: Vec<(Label, usize)> = Vec::new();
        for (label, letters) in labels(details, parts) {
            match runs.last_mut() {
                Some((last, sum)) if *last == label => *sum += letters,
                _ => runs.push((label, letters)),
            }
        }
        let mut y = 0.0;
        let mut boxes = Vec::new();
        for (label, letters) in runs.iter().take(BOXES) {
            let height = ((*letters as f64 / LETTERS).ceil() * LINE + 8.0).clamp(LOW, HIGH);
            boxes.push(Piece {
                y,
                height,
                class: label.map_or("p-none", class),
                name: label.map_or("other text", words::part_says),
                letters: grouped(*letters as u64),
            });
            y += height + 3.0;
        }
        if boxes.is_empty() {
            return None;
        }
        let names: Vec<&str> = boxes.iter().map(|piece| piece.name).collect();
        Some(Scheme {
            label: format!("Its parts from top to bottom: {}", names.join(", ")),
            more: runs.len().saturating_sub(BOXES),
            height: y,
            boxes,
        })
    }
}

/// The label and the letters of each block.
fn labels(details: &Details, parts: &Parts) -> Vec<(Label, usize)> {
    let content: Vec<(String, PartKind)> =
        parts.content.iter().take(CONTENT).map(|part| (folded(&part.text), part.kind)).collect();
    let links: Vec<(&KeptLink, PartKind)> = details
        .links
        .iter()
        .zip(&parts.links)
        .filter(|(link, _)| !link.text.trim().is_empty())
        .map(|(link, part)| (link, part.kind))
        .collect();
    let mut next = 0;
    let mut all = Vec::new();
    for (place, block) in details.blocks.iter().take(BLOCKS).enumerate() {
        let text = folded(&block.text);
        let (of_links, passed) = of_links(&text, &links[next..]);
        next += passed;
        let is_main = parts.main.binary_search(&(place as u32)).is_ok();
        let label = of_content(&text, &content).or(of_links).or(is_main.then_some(PartKind::Text));
        // The title of the head stands on no page.
        if !text.is_empty() && block.kind != BlockKind::Title {
            all.push((label, text.chars().count()));
        }
    }
    all
}

/// The content part a block is, or is a piece of.
fn of_content(text: &str, content: &[(String, PartKind)]) -> Option<PartKind> {
    let holds = |whole: &str, piece: &str| piece.len() >= 3 && piece.len() * 2 > whole.len() && whole.contains(piece);
    // A word that also stands in the title is no piece of it.
    let is_piece = |part: &str| text.len() >= PIECE.min(part.len().div_ceil(3)).max(3) && part.contains(text);
    content.iter().find(|(part, _)| is_piece(part) || holds(text, part)).map(|(_, kind)| *kind)
}

/// The part of the links in a block, if they are most of its text; and how many links were used up.
fn of_links(text: &str, links: &[(&KeptLink, PartKind)]) -> (Option<PartKind>, usize) {
    let (mut rest, mut passed, mut inside) = (text, 0, 0);
    let mut sums = [0usize; PartKind::ALL.len()];
    while let Some((ahead, at, length)) =
        links[passed..].iter().take(AHEAD).enumerate().find_map(|(ahead, (link, _))| {
            let name = folded(&link.text);
            rest.find(&name).map(|at| (ahead, at, name.len()))
        })
    {
        sums[links[passed + ahead].1 as usize] += length;
        inside += length;
        rest = &rest[at + length..];
        passed += ahead + 1;
    }
    let most = sums.iter().enumerate().max_by_key(|(_, sum)| **sum).filter(|_| inside * 2 > text.len());
    (most.and_then(|(code, _)| PartKind::from_code(code as u8)), passed)
}

/// Each run of white space becomes one space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The class a part has in pictures and lists.
pub(super) fn class(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Text => "p-text",
        PartKind::Title => "p-title",
        PartKind::Authors => "p-authors",
        PartKind::Affiliation => "p-affiliation",
        PartKind::Abstract => "p-abstract",
        PartKind::Keywords => "p-keywords",
        PartKind::List => "p-list",
        PartKind::Sequence => "p-sequence",
        PartKind::Related => "p-related",
        PartKind::Menu => "p-menu",
        PartKind::Noise => "p-noise",
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{Block, LinkKind, LinkPart, Part, Rel};

    use super::*;

    fn page(
        blocks: &[&str],
        links: &[(&str, PartKind)],
        content: &[(PartKind, &str)],
        main: &[u32],
    ) -> (Details, Parts) {
        let block = |text: &&str| Block { kind: BlockKind::Paragraph, text: (*text).into() };
        let kept = |(text, _): &(&str, PartKind)| KeptLink {
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            block: BlockKind::Paragraph,
            text: (*text).into(),
            fragment: String::new(),
        };
        let parts = Parts {
            content: content
                .iter()
                .map(|(kind, text)| Part { kind: *kind, text: (*text).into(), confidence: 9 })
                .collect(),
            links: links.iter().map(|(_, kind)| LinkPart { kind: *kind, ..LinkPart::default() }).collect(),
            main: main.to_vec(),
            ..Parts::default()
        };
        let blocks = blocks.iter().map(block).collect();
        (Details { blocks, links: links.iter().map(kept).collect(), ..Details::default() }, parts)
    }

    #[test]
    fn boxes_stand_in_document_order_with_their_parts() {
        let (details, parts) = page(
            &[
                "Home Papers",
                "Plumb lines and rods",
                "A. Author",
                "We hang a weight on a line. It points down.",
                "Imprint",
            ],
            &[
                ("Home", PartKind::Menu),
                ("", PartKind::Noise),
                ("Papers", PartKind::Menu),
                ("Imprint", PartKind::Noise),
            ],
            &[(PartKind::Title, "Plumb lines and rods"), (PartKind::Authors, "A. Author")],
            &[3],
        );
        let labels: Vec<Label> = labels(&details, &parts).into_iter().map(|one| one.0).collect();
        let kinds = [PartKind::Menu, PartKind::Title, PartKind::Authors, PartKind::Text, PartKind::Noise];
        assert_eq!(labels, kinds.map(Some));
        let drawn = Scheme::draw(&details, &parts).unwrap();
        assert_eq!(drawn.boxes.len(), 5);
        assert!(drawn.boxes.windows(2).all(|pair| pair[0].y + pair[0].height < pair[1].y));
        assert!(Scheme::draw(&Details::default(), &Parts::default()).is_none());
        let title = [("Plumb lines and rods".to_owned(), PartKind::Title)];
        assert_eq!(of_content("rods", &title), None, "a word of the title is not the title");
    }

    #[test]
    fn long_pages_are_cut_and_neighbours_are_one_box() {
        let texts: Vec<String> = (0..5_000).map(|n| format!("block {n}")).collect();
        let blocks: Vec<&str> = texts.iter().map(String::as_str).collect();
        let every_other: Vec<u32> = (0..5_000).step_by(2).collect();
        let (details, parts) = page(&blocks, &[], &[], &every_other);
        let drawn = Scheme::draw(&details, &parts).unwrap();
        assert_eq!((drawn.boxes.len(), drawn.more), (BOXES, BLOCKS - BOXES));
        let (details, parts) = page(&blocks, &[], &[], &[]);
        assert_eq!(Scheme::draw(&details, &parts).unwrap().boxes.len(), 1);
    }
}
