//! Where a content part was found.

use super::view::View;

/// A content part and where it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spot {
    pub(crate) text: String,
    /// The blocks it stands in.
    pub(crate) blocks: Vec<u32>,
    /// The elements that carry it.
    pub(crate) nodes: Vec<u32>,
    /// The links that are it.
    pub(crate) links: Vec<u32>,
    /// How sure we are, in per cent.
    pub(crate) confidence: u8,
}

impl Spot {
    /// Whole blocks, one after the other.
    pub(crate) fn of_blocks(view: &View<'_>, blocks: Vec<u32>, confidence: u8) -> Spot {
        let texts: Vec<&str> = blocks.iter().map(|block| view.block_text(*block as usize)).collect();
        let nodes = blocks.iter().map(|block| view.blocks[*block as usize].node).collect();
        Spot { text: texts.join(" "), blocks, nodes, links: Vec::new(), confidence }
    }
}
