//! How text becomes terms: the same way for a page that is written down and for a question about it.

mod fold;
mod keys;
mod language;
mod memory;
mod scan;
mod stream;
mod terms;

pub(crate) use fold::fold;
pub(crate) use language::{Language, segment};
pub(crate) use memory::Tally;
pub(crate) use scan::{BREAK, Run, Scan};
pub(crate) use stream::Words;
pub(crate) use terms::{Terms, lower, sign};
