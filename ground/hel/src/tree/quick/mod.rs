//! The tree of a plain page, built in one pass; nothing of any other page.
//!
//! Most pages never ask for what makes the standard's tree construction slow: elements that are moved out of tables, formatting that is opened
//! again, content behind the end of the body. Here such pages are read from bytes to numbered nodes at once, with no tree in between; whenever
//! anything happens that the standard has a special rule for, the page is given back, and [`build`](super::build) reads it from its beginning.
//!
//! ```text
//! plain = no element of formatting is closed but by its own end tag, right inside it; nothing stands in a table that does not belong there;
//!         nothing but white space behind </body>; no template, frameset, plaintext, ruby or NUL; known references; depth and size far from the bounds
//! ```
//!
//! Then the list of active formatting elements is that of the open ones, nothing is ever reopened or adopted, and nodes come in document order.
//! Whether a page is plain is decided while it is read, so a wrong guess costs what was read until then, at most the page once.
//!
//! Source: HTML standard, 13.2.5 and 13.2.6. Cost: linear in the page times the depth of open elements, which is bounded. Guaranteed by tests (random
//! pages in `tests/it/quick.rs`): the tree is the one that the slow way builds.

mod attributes;
mod construct;
mod names;
mod plain;
mod references;
mod tags;
mod tokens;

use std::borrow::Cow;

pub(super) use self::plain::Plain;
use crate::bounds::Bounds;

/// The tree of a page, if it is plain.
pub(super) fn read(page: &str, bounds: &Bounds) -> Option<Plain> {
    if page.len() > bounds.page_bytes.min(1 << 28) || page.starts_with('\u{feff}') || page.as_bytes().contains(&0) {
        return None;
    }
    // Ends of lines are one character each before anything else is looked at.
    let page = match page.contains('\r') {
        true => Cow::Owned(page.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(page),
    };
    let mut construction = construct::Construction::new(bounds);
    tokens::read(&page, &mut construction)?;
    construction.finish()
}
