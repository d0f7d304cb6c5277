//! What a tree is made of, before it is one.

use std::collections::HashMap;
use std::ops::Range;

use crate::tree::entry::{Entry, Node};

/// The parts of a tree, by the same names.
#[derive(Default)]
pub(crate) struct Plain {
    pub(crate) nodes: Vec<Entry>,
    pub(crate) pool: String,
    pub(crate) attributes: Vec<(u32, Range<u32>)>,
    pub(crate) names: HashMap<Box<str>, u32>,
    pub(crate) labels: Vec<Box<str>>,
    pub(crate) places: Vec<Vec<Node>>,
    pub(crate) owners: HashMap<Node, Node>,
}
