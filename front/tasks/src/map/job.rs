//! `map`: the map of the survey, as a file.

use groma_chart::{Field, SiteMap, sitemap};
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_store::Folder;
use groma_survey_graph::StoreLabels;
use serde_json::json;

use crate::bounds;
use crate::gather::NoticedDatabases;
use crate::jobs::bench::Bench;
use crate::jobs::outcome::Outcome;
use crate::jobs::result::{ResultFiles, name};
use crate::map::{Form, Grown, Style, draw, grow, heading, listed};
use crate::task::Map;

pub(crate) fn map(folder: &Folder, task: &Map, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let form = Form::chosen(format)?;
    let site = bounds::job::site(folder, task.scope.0, bench)?;
    bench.progress(&json!({ "phase": "reading" }));
    let mut store = folder.read()?;
    let Grown { graph, tree, root } = grow(task, &mut store, site)?;
    let mut map = SiteMap::new(heading(&mut store, &graph, &tree, root)?, &tree);
    map.fields = task.shown_fields();
    map.depth = task.deepest();
    bench.progress(&json!({ "phase": "drawing", "pages": tree.len() }));
    let databases = NoticedDatabases::of_map(&mut store, &map)?;
    let mut labels = StoreLabels::new(&mut store, &graph, map.shows(Field::Parts))?.with_databases(databases);
    let mut files = ResultFiles::begin(folder, bench)?;
    let drawn = if form == Form::Sitemap {
        // Several files where one is too small: all are called after the job.
        let stem = Some(bench.row.id.0.to_string());
        let options =
            sitemap::Options { drawn: map.heading.drawn, gzip: task.gzip, stem, ..sitemap::Options::default() };
        let mut nodes = listed(&graph, &map, task.root.is_none() && task.depth.is_none());
        sitemap::render(&mut nodes, &mut labels, &mut |name| files.open(name), &options).map(|_| ())
    } else {
        files.open(&name(bench.row.id, form.format().ending)).and_then(|mut out| {
            let style = Style { rows: task.most_rows(), ascii: task.ascii, ..Style::default() };
            draw(form, &style, &graph, &map, &mut labels, &mut *out)?;
            out.flush()
        })
    };
    match drawn {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?,
    }
    let layers = tree.layer_count();
    files.finish(bench)?;
    Ok(Outcome::Done(map_drawn(tree.len(), layers)))
}

fn map_drawn(pages: u32, layers: u32) -> String {
    format!("map of {} in {}", counted(pages.into(), "page", "pages"), counted(layers.into(), "layer", "layers"))
}
