//! What every form of the map is drawn from.

use groma_graph::Tree;

use crate::Field;

/// What stands at the head of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// The name of the site, for people: the title of its root, or its host.
    pub site: String,
    /// The URL of the root.
    pub root: String,
    /// When the survey was last written, in seconds since 1970.
    pub surveyed: i64,
    /// When the map was drawn, in seconds since 1970.
    pub drawn: i64,
    /// The name and version of the program.
    pub generator: String,
    /// Pages in the scope of the map that cannot be reached from its root, and so are not on it.
    pub unreached: u64,
    /// What a reader must know to read it right: "the crawl is running, drawn up to depth 3", ...
    pub notes: Vec<String>,
}

/// A tree, how much stands below each place, and what is to be shown of it.
#[derive(Debug)]
pub struct SiteMap<'a> {
    /// What stands at the head.
    pub heading: Heading,
    pub tree: &'a Tree,
    /// Pages at and below each place ([`Tree::sizes`]).
    pub sizes: Vec<u32>,
    /// Which values of a page are shown, in this order.
    pub fields: Vec<Field>,
    /// Layers below this one are folded into counts.
    pub depth: Option<u32>,
}

impl<'a> SiteMap<'a> {
    /// A map of a tree with the usual fields, of any depth.
    pub fn new(heading: Heading, tree: &'a Tree) -> SiteMap<'a> {
        SiteMap { heading, tree, sizes: tree.sizes(), fields: Field::USUAL.to_vec(), depth: None }
    }

    /// Is this value shown?
    pub fn shows(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// Pages at and below a place.
    pub fn pages(&self, place: u32) -> u32 {
        self.sizes[place as usize]
    }
}
