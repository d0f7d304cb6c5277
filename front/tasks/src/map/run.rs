//! Grows the map of a survey, here or on a graph engine, and draws it.

use std::io::{self, Write};

use groma_chart::{Field, SiteMap, sitemap};
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{StoreLabels, SurveyGraph};

use crate::bounds::Inside;
use crate::gather::NoticedDatabases;
use crate::graph_engine::wording::ENGINE_GOES_ON;
use crate::graph_engine::{self, Request};
use crate::map::grow::{start, wanted_root};
use crate::map::{Form, Grown, Style, draw, grow, heading, listed};
use crate::observer::{Observer, Step};
use crate::outcome::Outcome;
use crate::task::Map;

/// A map and the survey it is of, from one moment.
pub struct GrownMap {
    /// The map.
    pub grown: Grown,
    /// The survey.
    pub store: Box<dyn Snapshot>,
}

/// Grows the map; nothing if somebody said stop.
pub fn run(
    folder: &Folder,
    task: &Map,
    engine: Option<&Request>,
    observer: &mut dyn Observer,
) -> Result<Option<GrownMap>, Fault> {
    let site = task.scope.0.site(folder, observer)?;
    observer.step(Step::Reading);
    let mut store = folder.read()?;
    let grown = match engine {
        None => Some(grow(task, &mut store, site)?),
        Some(request) => grow_elsewhere(task, &mut store, site, request, observer)?,
    };
    let Some(grown) = grown else {
        observer.note(ENGINE_GOES_ON);
        return Ok(None);
    };
    observer.step(Step::Drawing { pages: grown.tree.len() });
    Ok(Some(GrownMap { grown, store }))
}

/// The same on a cluster.
fn grow_elsewhere(
    task: &Map,
    store: &mut dyn Snapshot,
    site: Option<Inside>,
    request: &Request,
    observer: &mut dyn Observer,
) -> Result<Option<Grown>, Fault> {
    let wanted = wanted_root(task, store)?;
    let within = site.as_ref().map(|site| &site.inside[..]);
    let watch = &mut |round: &_| observer.round(round);
    let Some(mut computed) = graph_engine::rank(store, &task.reading(), within, request, watch)? else {
        return Ok(None);
    };
    let wanted = start(store, &computed.survey_graph, wanted, site.as_ref())?;
    if let Some(site) = site {
        computed.survey_graph.restrict(site.inside);
    }
    let root = computed.survey_graph.root(wanted)?;
    let tree = computed.tree(root, request, watch)?;
    Ok(tree.map(|tree| Grown { graph: computed.survey_graph, tree, root }))
}

impl GrownMap {
    /// What it came to.
    pub fn outcome(&self) -> Outcome {
        let tree = &self.grown.tree;
        Outcome::Drawn { pages: tree.len().into(), layers: tree.layer_count().into() }
    }

    /// Draws it in a form that is one file.
    pub fn draw(&mut self, task: &Map, form: Form, style: &Style<'_>, out: &mut dyn Write) -> Result<(), Fault> {
        self.render(task, &mut |map, labels, graph| draw(form, style, graph, map, labels, out))
    }

    /// Writes it as a sitemap, in several files where one is too small; `stem`: what they are called.
    pub fn sitemap(
        &mut self,
        task: &Map,
        stem: Option<&str>,
        files: &mut sitemap::Files<'_>,
    ) -> Result<sitemap::Summary, Fault> {
        self.render(task, &mut |map, labels, graph| {
            let drawn = map.heading.drawn;
            let stem = stem.map(str::to_owned);
            let options = sitemap::Options { drawn, gzip: task.gzip, stem, ..sitemap::Options::default() };
            let mut nodes = listed(graph, map, task.root.is_none() && task.depth.is_none());
            sitemap::render(&mut nodes, labels, files, &options)
        })
    }

    /// Calls back with the map as it is to be drawn, and the labels of its pages.
    fn render<T>(
        &mut self,
        task: &Map,
        write: &mut dyn FnMut(&SiteMap<'_>, &mut StoreLabels<'_>, &SurveyGraph) -> io::Result<T>,
    ) -> Result<T, Fault> {
        let Grown { graph, tree, root } = &self.grown;
        let mut map = SiteMap::new(heading(&mut self.store, graph, tree, *root)?, tree);
        map.fields = task.shown_fields();
        map.depth = task.deepest();
        let databases = NoticedDatabases::of_map(&mut self.store, &map)?;
        let with_parts = map.shows(Field::Parts);
        let mut labels = StoreLabels::new(&mut self.store, graph, with_parts)?.with_databases(databases);
        Ok(write(&map, &mut labels, graph)?)
    }
}
