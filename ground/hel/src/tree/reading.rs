//! How a page becomes a tree: the quick way if it can be, else by the book.

use super::{Tree, build, quick};
use crate::bounds::Bounds;

impl Tree {
    /// The tree of a page. Never fails: what is beyond the bounds is left out, and [`Tree::cut`] says so.
    pub fn parse(page: &str, bounds: &Bounds) -> Tree {
        quick::read(page, bounds).unwrap_or_else(|| build::build(page, bounds))
    }

    /// The same, whatever the page, by the standard's tree construction and all its rules; for tests that hold the two together.
    #[doc(hidden)]
    pub fn parse_by_the_book(page: &str, bounds: &Bounds) -> Tree {
        build::build(page, bounds)
    }

    /// The tree of a page that needs no special rule; nothing of another one.
    #[doc(hidden)]
    pub fn parse_plain(page: &str, bounds: &Bounds) -> Option<Tree> {
        quick::read(page, bounds)
    }
}
