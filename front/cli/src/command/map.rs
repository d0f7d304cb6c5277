//! `groma map`: the hierarchical map of a survey, in the form that is wanted.

use std::io::IsTerminal;

use groma_chart::{Field, SiteMap, xml};
use groma_settings::{Fault, place};
use groma_store::Snapshot;
use groma_survey_graph::StoreLabels;
use groma_tasks::bounds::Inside;
use groma_tasks::gather::NoticedDatabases;
use groma_tasks::graph_engine::Request;
use groma_tasks::lookup;
use groma_tasks::map::{Form, Grown, grow, start, wanted_root};

use crate::Exit;
use crate::args::{MapArgs, SchemaArg};
use crate::command::graph_engine::{self, EngineProgress};
use crate::command::{rank, scope};
use crate::output::Out;

mod draw;
mod why;

pub(crate) fn run(args: &MapArgs) -> Result<Exit, Fault> {
    if let Some(which) = args.schema {
        let mut out = Out::open(args.output.as_deref())?;
        out.writer().write_all(sheet(which).as_bytes())?;
        out.finish()?;
        return Ok(Exit::Fine);
    }
    let folder = place::find(args.store.store.as_deref())?;
    let request = graph_engine::request(&args.engine, &folder)?;
    let needs_links = args.why.is_some() || matches!(args.format, Form::Gexf | Form::Graphml);
    if request.is_some() && needs_links {
        return Err(Fault::new(
            "this needs every link in memory, and a cluster leaves them where they are",
            "leave out --engine; `groma export parquet` gives all links to other programs",
        ));
    }
    let mut store = folder.read()?;
    let site = scope::site_scope(&folder, args.task.scope.0)?;
    let Grown { graph, tree, root } = match request {
        None => grow(&args.task, &mut store, site)?,
        Some(request) => match grown_afar(args, &mut store, site, &request)? {
            Some(grown) => grown,
            None => return Ok(Exit::Interrupted),
        },
    };
    if let Some(typed) = &args.why {
        rank::say_horizon(&graph);
        let page = lookup::page(&mut store, typed)?;
        return why::run(args, &graph, &tree, page);
    }
    if args.output.is_none() && args.format == Form::Pdf && std::io::stdout().is_terminal() {
        return Err(Fault::new("a PDF is nothing for a terminal", "write it to a file with -o map.pdf"));
    }
    let mut map = SiteMap::new(groma_tasks::map::heading(&mut store, &graph, &tree, root)?, &tree);
    map.fields = args.task.shown_fields();
    map.depth = args.task.deepest();
    let with_parts = map.shows(Field::Parts);
    let databases = NoticedDatabases::of_map(&mut store, &map)?;
    let mut labels = StoreLabels::new(&mut store, &graph, with_parts)?.with_databases(databases);
    draw::draw(args, &graph, &map, &mut labels)?;
    Ok(Exit::Fine)
}

/// Grown on a cluster; nothing if it was interrupted.
fn grown_afar(
    args: &MapArgs,
    store: &mut dyn Snapshot,
    site: Option<Inside>,
    request: &Request,
) -> Result<Option<Grown>, Fault> {
    let wanted = wanted_root(&args.task, store)?;
    let reading = args.task.reading();
    let mut shown = EngineProgress::new()?;
    let within = site.as_ref().map(|site| &site.inside[..]);
    let computed = groma_tasks::graph_engine::rank(store, &reading, within, request, &mut |step| shown.step(step));
    shown.end();
    let Some(mut computed) = computed? else {
        shown.stopped();
        return Ok(None);
    };
    let wanted = start(store, &computed.survey_graph, wanted, site.as_ref())?;
    if let Some(site) = site {
        computed.survey_graph.restrict(site.inside);
    }
    let root = computed.survey_graph.root(wanted)?;
    let tree = computed.tree(root, request, &mut |step| shown.step(step));
    shown.end();
    let Some(tree) = tree? else {
        shown.stopped();
        return Ok(None);
    };
    Ok(Some(Grown { graph: computed.survey_graph, tree, root }))
}

fn sheet(which: SchemaArg) -> &'static str {
    match which {
        SchemaArg::Xsd => xml::SCHEMA,
        SchemaArg::Xhtml => xml::XHTML_SHEET,
        SchemaArg::Fo => xml::FO_SHEET,
    }
}
