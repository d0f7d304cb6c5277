//! Two surveys side by side: which URL of one is which of the other.

use std::collections::HashMap;

use groma_graph::Tree;
use groma_store::Snapshot;

use crate::{Reading, SurveyGraph, SurveyGraphError};

/// No such URL on the other side.
pub(super) const NONE: u32 = u32::MAX;

/// Two surveys, with the URLs of each matched to the other's.
#[derive(Debug)]
pub struct Sides {
    /// The older survey.
    pub a: Side,
    /// The newer survey.
    pub b: Side,
    /// By number in the older: the number in the newer.
    pub(super) b_of_a: Vec<u32>,
    /// By number in the newer: the number in the older.
    pub(super) a_of_b: Vec<u32>,
}

/// One of two surveys that are compared.
#[derive(Debug)]
pub struct Side {
    /// Its graph and ranks.
    pub graph: SurveyGraph,
    pub tree: Tree,
    /// The scheme, host and port that addresses are compared without, if the two differ.
    pub origin: Option<String>,
}

impl Side {
    fn read(store: &mut dyn Snapshot) -> Result<Side, SurveyGraphError> {
        let graph = SurveyGraph::read(store, &Reading::default())?;
        let tree = graph.tree(graph.root(None)?);
        let root = groma_url::Url::parse(graph.standings.names.url(tree.node(0))).ok();
        let origin = root.filter(groma_url::Url::has_host).map(|url| url.origin().ascii_serialization());
        Ok(Side { graph, tree, origin })
    }

    pub(super) fn url(&self, number: u32) -> &str {
        self.graph.standings.names.url(number)
    }

    /// A URL as it is compared.
    pub(super) fn key<'u>(&self, url: &'u str) -> &'u str {
        let rest = self.origin.as_deref().and_then(|origin| url.strip_prefix(origin));
        rest.filter(|rest| rest.starts_with('/')).unwrap_or(url)
    }
}

impl Sides {
    pub(super) fn read(a: &mut dyn Snapshot, b: &mut dyn Snapshot) -> Result<Sides, SurveyGraphError> {
        let (mut a, mut b) = (Side::read(a)?, Side::read(b)?);
        if a.origin == b.origin {
            (a.origin, b.origin) = (None, None);
        }
        let numbers = b.graph.standings.count();
        let known: HashMap<&str, u32> = (0..numbers)
            .filter(|&number| b.graph.standings.reason(number).is_some())
            .map(|number| (b.key(b.url(number)), number))
            .collect();
        let mut a_of_b = vec![NONE; numbers as usize];
        let b_of_a: Vec<u32> = (0..a.graph.standings.count())
            .map(|number| {
                let is_there = a.graph.standings.reason(number).is_some();
                let other = if is_there { known.get(a.key(a.url(number))).copied() } else { None };
                if let Some(other) = other {
                    a_of_b[other as usize] = number;
                }
                other.unwrap_or(NONE)
            })
            .collect();
        drop(known);
        Ok(Sides { a, b, b_of_a, a_of_b })
    }
}
