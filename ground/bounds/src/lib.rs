//! What belongs to one site? A site is the set of pages a person would call one: it may share a host with others, or span several.
//! Its pages are linked among themselves far more than with the rest, so its border is a minimum cut.

mod similarity;
mod tokens;

pub use similarity::{Similarity, deviation};
pub use tokens::{LONGEST, Tokens, distance, split};
