//! `/sites/{site}/map`: the tree of a site beside a treemap of it, from any page down, coloured as wanted.

pub(crate) mod colour;
mod export;
mod find;
mod pen;
mod tree;
mod treemap;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use groma_desk::lookup;
use groma_desk::map::{self as drawing, Form};
use groma_graph::Tree;
use groma_model::PageId;

use self::colour::{Meaning, Scheme};
use self::find::{Found, WhyHere, find, why};
use self::pen::{CellView, Crumb, Pen, Step, View};
use self::treemap::Area;
use super::layout::{Frame, Tab, query, short, show};
use super::shown::{Shown, counted};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::{Drawn, Inside, Site};

/// Layers below the top shown at first, and at most.
const LAYERS: u32 = 2;
const DEEPEST: u32 = 12;
/// Cells of the treemap.
const CELLS: usize = 800;
const WIDE: f64 = 640.0;
const HIGH: f64 = 480.0;

/// The page and its files.
pub(super) fn router() -> Router<Arc<App>> {
    let pages = Router::new().route("/sites/{site}/map", get(map));
    Form::ALL.iter().fold(pages, |pages, form| {
        let (path, route) = export::route(*form);
        pages.route(&path, route)
    })
}

/// What was asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// The page it starts from.
    root: String,
    /// With anything in it: a map is grown from that page, instead of showing its branch of the usual one.
    grow: String,
    depth: String,
    colour: String,
    /// Words of a title or a part of an address.
    find: String,
    /// A page: why does it stand where it stands?
    why: String,
    /// Children of the root passed over.
    skip: String,
    /// `site`: only the logical site that was found last in the survey.
    scope: String,
}

impl Asked {
    /// Layers below the root; nothing if none are asked for.
    fn depth(&self) -> Result<Option<u32>, Problem> {
        number(&self.depth, "depth")
    }
}

/// A number of a query; nothing if it is left out.
pub(super) fn number(text: &str, name: &str) -> Result<Option<u32>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let bad = |_| {
        Problem::bad(format!("{name}={} is no number", short(text, 40)), format!("write {name}=3, or leave it out"))
    };
    text.parse().map(Some).map_err(bad)
}

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage {
    frame: Frame,
    site: String,
    top: Shown,
    /// The whole map is shown, from its usual root.
    usual: bool,
    grown: bool,
    extent: String,
    notes: Vec<String>,
    crumbs: Vec<Crumb>,
    scheme: Scheme,
    legends: Vec<(Scheme, Vec<Meaning>)>,
    depth: u32,
    depths: Vec<u32>,
    root: String,
    find: String,
    found: Option<Found>,
    why: Option<WhyHere>,
    rows: Vec<Step>,
    cells: Vec<CellView>,
    files: Vec<File>,
    back: Option<String>,
    /// What the logical site was found from that can be shown alone; empty: none was found.
    border: String,
    /// It is shown alone.
    scoped: bool,
    other_scope: String,
    grow_href: String,
    branch_href: String,
}

struct File {
    href: String,
    name: &'static str,
    says: &'static str,
}

async fn map(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&site)?;
    let frame = frame.on(&site, Tab::Map);
    let page = app.work(move |_| draw(frame, &site, &asked)).await?;
    Ok(show(&page))
}

fn draw(frame: Frame, site: &Arc<Site>, asked: &Asked) -> Result<MapPage, Problem> {
    let drawn = site.drawn()?;
    let mut store = site.read()?;
    let starts = site.starts()?;
    let inside = if asked.scope == "site" { site.inside()? } else { None };
    let usual = match inside.as_ref().and_then(|inside| inside.root) {
        Some(start) => start,
        None => drawn.atlas.root(None)?,
    };
    let root = match asked.root.trim() {
        "" => usual,
        typed => drawn.atlas.standings.page_of(lookup::page(&mut *store, typed)?.0),
    };
    let (place, tree) = match &inside {
        None => {
            let place = drawn.place(root).filter(|_| asked.grow.is_empty());
            // A page that the map does not reach has a map of its own.
            let grown = || Ok::<_, Problem>(drawn.atlas.tree(drawn.atlas.root(Some(PageId(root)))?));
            (place, if place.is_some() { None } else { Some(grown()?) })
        }
        Some(inside) => within(&drawn, inside, usual, root, !asked.grow.is_empty())?,
    };
    let sizes = tree.as_ref().map(Tree::sizes);
    let databases = super::databases::marks(site)?;
    let view = View {
        atlas: &drawn.atlas,
        tree: tree.as_ref().unwrap_or(&drawn.tree),
        sizes: sizes.as_deref().unwrap_or(&drawn.sizes),
        top: place.unwrap_or(0),
        grown: place.is_none(),
        databases: &databases,
    };
    let heading = drawing::heading(&mut *store, view.atlas, view.tree, view.tree.node(0))?;
    let found = if asked.find.trim().is_empty() { None } else { Some(find(site, &drawn, &mut *store, asked)?) };
    let why = if asked.why.trim().is_empty() { None } else { Some(why(&site.name, &drawn, &mut *store, asked)?) };
    let layers = asked.depth()?.unwrap_or(LAYERS).clamp(1, DEEPEST);
    let skip = number(&asked.skip, "skip")?.unwrap_or(0);
    let shown = tree::Shown::choose(view.tree, view.sizes, view.top, layers, skip);
    let whole = Area { x: 0.0, y: 0.0, w: WIDE, h: HIGH };
    let cells = treemap::lay_out(view.tree, view.sizes, view.top, whole, CELLS);
    let mut pen = Pen::new(&site.name, &view, asked, &mut *store)?;
    let rows = pen.rows(&shown)?;
    let cells = pen.cells(&cells)?;
    let crumbs = pen.crumbs()?;
    let top = pen.label(view.tree.node(view.top))?;
    let top = Shown::of(&site.name, &top.url, &top.title);
    let scope = if inside.is_some() { "site" } else { "" };
    let here = |pairs: &[(&str, &str)]| format!("/sites/{}/map{}", site.name, query(pairs));
    let depth_text = asked.depth.trim();
    let files = Form::ALL.iter().map(|form| File {
        href: format!(
            "/sites/{}/map.{}{}",
            site.name,
            form.ending(),
            query(&[("root", asked.root.trim()), ("depth", depth_text)])
        ),
        name: form.name(),
        says: form.says(),
    });
    let scheme = Scheme::named(&asked.colour);
    let mut notes = heading.notes;
    let unreached = match &inside {
        Some(inside) => view.atlas.unreached_within(view.tree, &inside.pages),
        None => heading.unreached,
    };
    if unreached > 0 {
        notes.push(format!("{} of the site cannot be reached from here by links", counted(unreached, "page", "pages")));
    }
    let layer_count = view.tree.layer_count();
    let extent = if view.top == 0 {
        format!(
            "{} in {}",
            counted(view.tree.len().into(), "page", "pages"),
            counted(layer_count.into(), "layer", "layers")
        )
    } else {
        let below = view.sizes[view.top as usize];
        format!("{} in this branch, in layer {}", counted(below.into(), "page", "pages"), view.tree.depth(view.top))
    };
    let address = view.atlas.standings.names.of(view.tree.node(view.top)).to_owned();
    let colour = if asked.colour.is_empty() { "" } else { scheme.name() };
    Ok(MapPage {
        usual: view.top == 0 && !view.grown,
        grown: view.grown,
        extent,
        notes,
        crumbs,
        scheme,
        legends: Scheme::ALL.map(|scheme| (scheme, scheme.legend())).to_vec(),
        depth: layers,
        depths: (1..=6).chain((layers > 6).then_some(layers)).collect(),
        root: asked.root.trim().to_owned(),
        find: short(&asked.find, 200),
        found,
        why,
        rows,
        cells,
        files: files.collect(),
        back: (skip > 0)
            .then(|| here(&[("root", asked.root.trim()), ("depth", depth_text), ("colour", colour), ("scope", scope)])),
        grow_href: here(&[("root", &address), ("grow", "1"), ("colour", colour), ("scope", scope)]),
        branch_href: here(&[("root", &address), ("colour", colour), ("scope", scope)]),
        border: starts.first().map(|start| short(start, 120)).unwrap_or_default(),
        scoped: inside.is_some(),
        other_scope: here(&[("colour", colour), ("scope", if inside.is_some() { "" } else { "site" })]),
        top,
        site: site.name.clone(),
        frame,
    })
}

/// The map of the logical site alone, and the place of a page on it. A page that it does not reach has one of its own.
fn within(
    drawn: &Drawn,
    inside: &Inside,
    usual: u32,
    root: u32,
    grow: bool,
) -> Result<(Option<u32>, Option<Tree>), Problem> {
    if !grow {
        let tree = drawn.atlas.tree_within(usual, &inside.pages);
        let place = (0..tree.len()).find(|place| tree.node(*place) == root);
        if place.is_some() {
            return Ok((place, Some(tree)));
        }
    }
    let root = drawn.atlas.root(Some(PageId(root)))?;
    Ok((None, Some(drawn.atlas.tree_within(root, &inside.pages))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_or_refused_with_a_hint() {
        assert_eq!(number(" 3 ", "depth").unwrap(), Some(3));
        assert_eq!(number("", "depth").unwrap(), None);
        let problem = number("<b>", "depth").unwrap_err();
        assert!(problem.detail.contains("depth=<b> is no number") && problem.hint.contains("depth=3"));
    }
}
