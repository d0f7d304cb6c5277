//! `map`: the map of the survey, as a file.

use groma_atlas::{Atlas, Reading, StoreLabels};
use groma_chart::{Field, SiteMap, sitemap};
use groma_store::Folder;
use serde_json::json;

use super::result::{ResultFiles, name};
use super::{Bench, Outcome};
use crate::map::{Form, Style, draw, heading, listed};
use crate::{Fault, words};

pub(super) fn map(folder: &Folder, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let wanted = if format.is_empty() { Some(Form::Html) } else { Form::named(format) };
    let form = wanted.ok_or_else(|| Fault::new(words::no_such_form(format), map_forms()))?;
    bench.progress(&json!({ "phase": "reading" }));
    let mut store = folder.read()?;
    let atlas = Atlas::read(&mut store, &Reading::default())?;
    let root = atlas.root(None)?;
    let tree = atlas.tree(root);
    let mut map = SiteMap::new(heading(&mut store, &atlas, &tree, root)?, &tree);
    map.fields = Field::USUAL.to_vec();
    bench.progress(&json!({ "phase": "drawing", "pages": tree.len() }));
    let mut labels = StoreLabels::new(&mut store, &atlas, map.shows(Field::Parts))?;
    let mut files = ResultFiles::begin(folder, bench)?;
    let drawn = if form == Form::Sitemap {
        // Several files where one is too small: all are called after the job.
        let stem = Some(bench.row.id.0.to_string());
        let options = sitemap::Options { drawn: map.heading.drawn, stem, ..sitemap::Options::default() };
        let mut nodes = listed(&atlas, &map, true);
        sitemap::render(&mut nodes, &mut labels, &mut |name| files.open(name), &options).map(|_| ())
    } else {
        files.open(&name(bench.row.id, form.ending())).and_then(|mut out| {
            draw(form, &Style::default(), &atlas, &map, &mut labels, &mut *out)?;
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

fn map_forms() -> String {
    let names: Vec<&str> = crate::map::Form::ALL.iter().map(|form| form.name()).collect();
    format!("one of: {}", names.join(", "))
}

fn map_drawn(pages: u32, layers: u32) -> String {
    format!(
        "map of {} in {}",
        words::counted(pages.into(), "page", "pages"),
        words::counted(layers.into(), "layer", "layers")
    )
}
