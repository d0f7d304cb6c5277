//! What the focused strategies have in common, and where they differ: the order in which known pages are fetched.

use groma_model::PartKind;
use groma_topic::{Near, Relevance};

use super::End;

/// A page that was fetched and read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetched<'a> {
    pub(crate) node: u32,
    /// How near it is to the topic.
    pub(crate) relevance: &'a Relevance,
}

/// A link from a page just read to a page that nobody asked for yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed<'a> {
    /// The node of the page it stands on.
    pub(crate) from: u32,
    /// The node it leads to.
    pub(crate) to: u32,
    /// The URL it leads to; empty if nobody told it.
    pub(crate) address: &'a str,
    /// How near its text is; nothing if it has none.
    pub(crate) anchor: Option<Near>,
    /// How near the text around it is, its own included.
    pub(crate) context: Near,
    /// The part of the page it stands in.
    pub(crate) part: PartKind,
    /// What the page it stands on is like.
    pub(crate) parent: &'a Relevance,
}

/// A page whose turn has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pick {
    pub(crate) node: u32,
    /// Its weight or score.
    pub(crate) weight: f64,
    /// The page whose link speaks for it most.
    pub(crate) parent: Option<u32>,
    /// Its arm, if there are arms.
    pub(crate) arm: Option<u32>,
}

/// An order of pages. For every page read: `read`, then `follow` for each of its links, then `done`.
pub(crate) trait Order: Send {
    /// A start page is about to be fetched.
    fn plant(&mut self, node: u32);

    /// A page was read.
    fn read(&mut self, page: Fetched<'_>);

    /// Are links of this part followed from this page?
    fn follows(&self, _page: Fetched<'_>, _part: PartKind) -> bool {
        true
    }

    /// One of its links.
    fn follow(&mut self, link: Followed<'_>);

    /// All of its links were told.
    fn done(&mut self, _node: u32) {}

    /// A page could not be had.
    fn fail(&mut self, _node: u32) {}

    /// A page turned out to be another name of `to`, which nobody asked for yet.
    fn rename(&mut self, node: u32, to: u32);

    /// The next pages, the best first, no page ever twice; or why there are none.
    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End>;

    /// The weight of a page by now.
    fn weight(&self, node: u32) -> f64;

    /// The name of an arm.
    fn arm(&self, _arm: u32) -> Option<&str> {
        None
    }
}
