//! Answering: what was typed, what it means, which pages it finds, and what is shown of them.

mod cut;
mod gather;
mod parse;
mod query;
mod section;
mod snippet;

pub(crate) use gather::{Filter, Gather, Home, MatchSet};
pub(crate) use parse::{Choice, Part, Question, parse};
pub(crate) use query::{Atom, Phrasing, build};
pub(crate) use section::{Place, resolve};
pub(crate) use snippet::{Marker, passages, push_plain};
