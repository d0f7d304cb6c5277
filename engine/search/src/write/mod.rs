//! Writing the index: which documents there must be, which there are, and how one becomes the other.

mod anchors;
mod complaints;
mod document;
mod follow;
mod leaf;
mod survey;

pub(crate) use complaints::complaints;
pub(crate) use document::{date, is_body};
pub(crate) use follow::{follow, mark};
