//! Writing the index: which documents there must be, which there are, and how one becomes the other.

mod anchors;
mod complaints;
mod desk;
mod document;
mod follow;
mod gathered;
mod leaf;
mod pages;
mod records;
mod survey;
mod whole;

pub(crate) use complaints::complaints;
pub(crate) use document::{date, is_body};
pub(crate) use follow::{follow, mark};
pub(crate) use gathered::{Gathered, digest_of_record, gathers_of};
pub(crate) use survey::Mark;
