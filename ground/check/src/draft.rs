//! A finding before it has words: 16 bytes, so that ten million of them can be sorted in memory.

use groma_model::PageId;

use crate::facts::NONE;
use crate::finding::Kind;

/// A finding to be worded. Sorted, drafts stand in the order in which findings are told: kind, page, target, link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) from: u32,
    /// The target of the link as it is linked, or the first page of the group; [`NONE`] without one.
    pub(crate) to: u32,
    /// Which link of the page it is, counted from 0; of a page, the number of what a judge said of it. [`NONE`] without either.
    pub(crate) link: u32,
}

impl Draft {
    pub(crate) fn of_page(kind: Kind, page: PageId) -> Draft {
        Draft { kind, from: page.0, to: NONE, link: NONE }
    }

    /// About a page, with the number of what was said of it.
    pub(crate) fn with_remark(kind: Kind, page: PageId, remark: u32) -> Draft {
        Draft { kind, from: page.0, to: NONE, link: remark }
    }

    pub(crate) fn of_double(kind: Kind, page: PageId, first: PageId) -> Draft {
        Draft { kind, from: page.0, to: first.0, link: NONE }
    }

    pub(crate) fn of_link(kind: Kind, page: PageId, target: PageId, link: usize) -> Draft {
        Draft { kind, from: page.0, to: target.0, link: u32::try_from(link).unwrap_or(NONE) }
    }
}
