//! A node as it is kept: by numbers of others.

use std::ops::Range;

/// The number of a node: its place in document order.
pub type Node = u32;

/// The number of nothing.
pub(super) const NONE: u32 = u32::MAX;

/// The document, which no rule can name.
pub const DOCUMENT: Node = 0;

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) parent: u32,
    /// Where the next node begins that is no descendant.
    pub(super) end: u32,
    pub(super) label: u32,
    /// Of a text: its bytes in the pool. Of an element: its attributes.
    pub(super) content: Range<u32>,
}

/// The label of the document, which is not in any list.
pub(super) const OF_DOCUMENT: u32 = 0;
/// The label of texts.
pub(super) const OF_TEXT: u32 = 1;
