//! The map a task asks for: which page it starts from, and what grows from there.

use groma_graph::Tree;
use groma_model::PageId;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_survey_graph::SurveyGraph;

use crate::bounds::Inside;
use crate::lookup;
use crate::task::Map;

/// A map, the page it starts from, and the survey it is of.
#[derive(Debug)]
pub struct Grown {
    /// The pages and links that count.
    pub graph: SurveyGraph,
    pub tree: Tree,
    /// The page it starts from.
    pub root: u32,
}

/// Grows a map on this machine, of the whole survey or of a site.
pub fn grow(task: &Map, store: &mut dyn Snapshot, site: Option<Inside>) -> Result<Grown, Fault> {
    let wanted = wanted_root(task, store)?;
    let mut graph = SurveyGraph::read(store, &task.reading())?;
    let wanted = start(store, &graph, wanted, site.as_ref())?;
    if let Some(site) = site {
        graph.restrict(site.inside);
    }
    let root = graph.root(wanted)?;
    let tree = graph.tree(root);
    Ok(Grown { graph, tree, root })
}

/// The page that was asked for.
pub(super) fn wanted_root(task: &Map, store: &mut dyn Snapshot) -> Result<Option<PageId>, Fault> {
    task.root.as_deref().map(|typed| lookup::page(store, typed)).transpose()
}

/// The page to begin with. A site that does not hold the start page of the survey is drawn from where it was found.
pub(super) fn start(
    store: &mut dyn Snapshot,
    graph: &SurveyGraph,
    wanted: Option<PageId>,
    site: Option<&Inside>,
) -> Result<Option<PageId>, Fault> {
    match site.filter(|site| wanted.is_none() && !graph.first_root().is_some_and(|root| site.holds(root))) {
        Some(site) => site.start(store),
        None => Ok(wanted),
    }
}
