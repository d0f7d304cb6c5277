//! Ranks and the map of a survey, made elsewhere.

use groma_graph::Tree;
use groma_graph::pagerank::Ranks;
use groma_graph_engines::{Engine, GraphEngineError, Input};
use groma_parquet::GraphPage;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_survey_graph::{Counted, Reading, SurveyGraph};

use super::held::Held;
use super::out::{self, Written};
use super::{Request, Watch, back};

/// Ranks that a cluster made, and the cluster that made them.
pub struct Computed {
    /// The survey with its ranks; its links are not in memory.
    pub survey_graph: SurveyGraph,
    engine: Option<Box<dyn Engine>>,
    _held: Held,
}

/// Ranks the pages of a survey on a cluster; nothing if whoever watches said stop. `within`: of a part of the survey, by numbers, only these
/// pages may stand on its map.
pub fn rank(
    store: &mut dyn Snapshot,
    reading: &Reading,
    within: Option<&[bool]>,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Option<Computed>, Fault> {
    let counted = Counted::read(store, reading)?;
    let held = Held::take(request)?;
    let settings = reading.ranking.sound();
    let is_within = |node: u32| within.is_none_or(|within| within.get(node as usize).copied().unwrap_or(false));
    let written = out::write(request, watch, &mut |outlet| {
        for node in (0..counted.standings.count()).filter(|&node| counted.stands(node)) {
            outlet.page(&GraphPage {
                id: node,
                url: counted.standings.names.url(node),
                is_source: counted.is_source(node),
                is_member: counted.is_inside(node) && is_within(node),
            });
        }
        counted.each_arc(store, &mut |source, target, navigation| outlet.link(source, target, navigation))
    })?;
    let Some(Written { said: passed, pages, .. }) = written else { return Ok(None) };
    let count = counted.standings.count();
    if pages == 0 {
        // Clusters have nothing to say about nothing.
        let ranks = Ranks { values: Vec::new(), rounds: 0, change: 0.0, tolerance: settings.tolerance };
        return Ok(Some(Computed {
            survey_graph: SurveyGraph::of_ranks(counted, passed, ranks),
            engine: None,
            _held: held,
        }));
    }
    let input = Input::Survey(request.graph());
    let made = groma_graph_engines::open(&request.address, &input, &request.work).and_then(|mut engine| {
        let outcome = engine.ranks(&settings, watch)?;
        Ok((engine, outcome))
    });
    let (engine, outcome) = match made {
        Err(GraphEngineError::Stopped { .. }) => return Ok(None),
        other => other.map_err(|error| request.fault(&error))?,
    };
    // What links do not reach has what everybody has; a cluster is not asked about URLs that are no pages.
    let mut values = vec![1.0 - settings.damping; count as usize];
    back::ranks(&outcome.path, &|node| counted.stands(node), pages, &mut values)
        .map_err(|error| request.unread(&error))?;
    let ranks = Ranks { values, rounds: outcome.rounds, change: outcome.change, tolerance: settings.tolerance };
    Ok(Some(Computed {
        survey_graph: SurveyGraph::of_ranks(counted, passed, ranks),
        engine: Some(engine),
        _held: held,
    }))
}

impl Computed {
    /// The map from a root; nothing if whoever watches said stop.
    pub fn tree(&mut self, root: u32, request: &Request, watch: &mut Watch<'_>) -> Result<Option<Tree>, Fault> {
        // As where the links are in memory: a root outside the map has no tree below it.
        let Some(engine) = self.engine.as_mut().filter(|_| self.survey_graph.is_in_scope(root)) else {
            return Ok(Some(Tree::default()));
        };
        match engine.map(i64::from(root), watch) {
            Err(GraphEngineError::Stopped { .. }) => Ok(None),
            Err(error) => Err(request.fault(&error)),
            Ok(outcome) => {
                let tree = back::tree(&outcome.path, self.survey_graph.standings.count());
                tree.map(Some).map_err(|error| request.unread(&error))
            }
        }
    }
}
