//! The parts of a page: what its pieces are to a reader who looks for literature.
//!
//! What the head declares and what the body shows are read apart and then held together; either can stand alone. Blocks and
//! elements come from the same single pass that reads the page (`outline`); everything here looks at them a bounded number
//! of times. Cost: linear in elements and text runs, apart from sorting the candidates of some rules.
//!
//! Not guaranteed: anything, on a page nobody has seen. Every label carries a confidence, and [`template`] corrects single
//! pages by what steadily holds on their site.

mod affiliations;
mod authors;
mod cards;
mod declared;
mod gather;
mod hints;
mod items;
mod keywords;
mod lexicon;
mod links;
mod listing;
mod main_text;
mod marked;
mod masthead;
mod names;
pub(crate) mod outline;
mod page_type;
mod people;
mod phrases;
mod places;
mod sections;
mod spot;
mod summary;
pub mod template;
mod title;
mod view;
mod wording;

#[cfg(test)]
mod tests;

pub use marked::marked;
pub use template::Templates;

use groma_model::{PageType, ParsedPage, Part, PartKind, Parts};

use gather::Gathered;
use outline::Outline;
use sections::Sections;
use spot::Spot;
use view::View;

use crate::html::tag::Tag;

/// The parts of a page, and the elements that carry them.
pub(crate) struct FoundParts {
    pub(crate) parts: Parts,
    /// Elements that carry content parts.
    pub(crate) nodes: Vec<(u32, PartKind)>,
}

pub(crate) fn find_parts(page: &ParsedPage, outline: &Outline) -> FoundParts {
    let view = View::new(page, outline);
    let sections = Sections::new(&view);
    let path = |node: u32| outline.nodes.get(node as usize).map_or(0, |node| node.path);
    let mut paths = vec![0; page.blocks.len()];
    for (line, facts) in view.blocks.iter().enumerate().rev() {
        paths[view.page_block(line) as usize] = path(facts.node);
    }
    let mut found = gather::gather_parts(&view, &sections);
    let link_blocks = links::blocks(&view);
    let taken = found.links(page.links.len());
    let listing = listing::find_listing(&view, &sections, &link_blocks, &taken);
    let (page_type, confidence) = page_type::detect_page_type(&view, &sections, &listing, &found);
    found.settle(page_type);
    let main = main_text::find_main_text(&view, &sections);
    let spots = found.spots();
    let is_list = page_type == PageType::List;
    let has_main = outline.nodes.iter().any(|node| node.tag == Tag::Main);
    let known = links::Known { sections: &sections, listing: &listing, is_list, spots: &spots, has_main, main: &main };
    let links = links::classify_links(&view, &link_blocks, &known);
    let content = content(&spots);
    let main = main_text::page_blocks(&view, &main);
    let nodes = spots.iter().flat_map(|(kind, spot)| spot.nodes.iter().map(|node| (*node, *kind))).collect();
    FoundParts { parts: Parts { page_type, confidence, content, links, paths, main }, nodes }
}

/// The content parts in document order; what only the head says comes last.
fn content(spots: &[(PartKind, &Spot)]) -> Vec<Part> {
    let mut order: Vec<&(PartKind, &Spot)> = spots.iter().collect();
    order.sort_by_key(|(_, spot)| spot.blocks.first().copied().unwrap_or(u32::MAX));
    let part =
        |(kind, spot): &(PartKind, &Spot)| Part { kind: *kind, text: spot.text.clone(), confidence: spot.confidence };
    order.into_iter().map(part).collect()
}
