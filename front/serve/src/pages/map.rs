//! `/sites/{site}/map`: the tree of a site beside a treemap of it, from any page down, colored as wanted.

mod asked;
pub(crate) mod color;
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
use groma_graph::Tree;
use groma_model::PageId;
use groma_store::Snapshot;
use groma_tasks::map::Form;
use groma_tasks::{lookup, map as drawing};

use self::asked::Asked;
use self::color::{Meaning, Scheme};
use self::find::{FoundOnMap, WhyHere, find, why};
use self::pen::{CellView, Crumb, Pen, TreeMark, View};
use self::treemap::Area;
use super::layout::{Frame, Tab, query, short, show};
use super::pager::query_number;
use super::scope::SiteScope;
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

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage {
    frame: Frame,
    site: String,
    head: MapHead,
    tools: MapTools,
    found: Option<FoundOnMap>,
    why: Option<WhyHere>,
    rows: Vec<TreeMark>,
    cells: Vec<CellView>,
    files: Vec<File>,
    scope: SiteScope,
    hrefs: MapHrefs,
}

/// What is shown, above the picture of it.
struct MapHead {
    top: Shown,
    /// The whole map is shown, from its usual root.
    usual: bool,
    grown: bool,
    extent: String,
    notes: Vec<String>,
    crumbs: Vec<Crumb>,
}

/// What the forms above the map offer, and what they hold.
struct MapTools {
    scheme: Scheme,
    legends: Vec<(Scheme, Vec<Meaning>)>,
    depth: u32,
    depths: Vec<u32>,
    root: String,
    find: String,
}

/// Other views of the map.
struct MapHrefs {
    /// From the first child again.
    back: Option<String>,
    grow: String,
    branch: String,
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
    let (place, tree) = choose_tree(&drawn, &mut *store, inside.as_deref(), asked)?;
    let sizes = tree.as_ref().map(Tree::sizes);
    let databases = super::databases::marks(site)?;
    let view = View {
        graph: &drawn.graph,
        tree: tree.as_ref().unwrap_or(&drawn.tree),
        sizes: sizes.as_deref().unwrap_or(&drawn.sizes),
        top: place.unwrap_or(0),
        grown: place.is_none(),
        databases: &databases,
    };
    let notes = notes(&view, &mut *store, inside.as_deref())?;
    let found = if asked.find.trim().is_empty() { None } else { Some(find(site, &drawn, &mut *store, asked)?) };
    let why = if asked.why.trim().is_empty() { None } else { Some(why(&site.name, &drawn, &mut *store, asked)?) };
    let layers = asked.depth()?.unwrap_or(LAYERS).clamp(1, DEEPEST);
    let skip = query_number(&asked.skip, "skip")?.unwrap_or(0);
    let shown = tree::Shown::choose(view.tree, view.sizes, view.top, layers, skip);
    let whole = Area { x: 0.0, y: 0.0, w: WIDE, h: HIGH };
    let cells = treemap::lay_out(view.tree, view.sizes, view.top, whole, CELLS);
    let mut pen = Pen::new(&site.name, &view, asked, &mut *store)?;
    let rows = pen.rows(&shown)?;
    let cells = pen.cells(&cells)?;
    let crumbs = pen.crumbs()?;
    let top = pen.label(view.tree.node(view.top))?;
    let top = Shown::titled(&site.name, &top.url, &top.title);
    let scoped = inside.is_some();
    Ok(MapPage {
        head: MapHead {
            top,
            usual: view.top == 0 && !view.grown,
            grown: view.grown,
            extent: extent(&view),
            notes,
            crumbs,
        },
        tools: MapTools::new(asked, layers),
        found,
        why,
        rows,
        cells,
        files: files(&site.name, asked),
        scope: SiteScope {
            start: starts.first().map(|start| short(start, 120)).unwrap_or_default(),
            alone: scoped,
            other: map_href(&site.name, asked, !scoped, &[]),
        },
        hrefs: MapHrefs::new(&site.name, asked, scoped, skip, &view),
        site: site.name.clone(),
        frame,
    })
}

/// A tree of its own, if the usual map does not show what is asked for, and the place of the top page; without a place the map is
/// grown from that page.
fn choose_tree(
    drawn: &Drawn,
    store: &mut dyn Snapshot,
    inside: Option<&Inside>,
    asked: &Asked,
) -> Result<(Option<u32>, Option<Tree>), Problem> {
    let usual = match inside.and_then(|inside| inside.root) {
        Some(start) => start,
        None => drawn.graph.root(None)?,
    };
    let root = match asked.root.trim() {
        "" => usual,
        typed => drawn.graph.standings.page_of(lookup::page(store, typed)?.0),
    };
    if let Some(inside) = inside {
        return within(drawn, inside, usual, root, !asked.grow.is_empty());
    }
    let place = drawn.place(root).filter(|_| asked.grow.is_empty());
    if place.is_some() {
        return Ok((place, None));
    }
    // A page that the map does not reach has a map of its own.
    Ok((None, Some(drawn.graph.tree(drawn.graph.root(Some(PageId(root)))?))))
}

/// What the reader should know of the map.
fn notes(view: &View<'_>, store: &mut dyn Snapshot, inside: Option<&Inside>) -> Result<Vec<String>, Problem> {
    let heading = drawing::heading(store, view.graph, view.tree, view.tree.node(0))?;
    let mut notes = heading.notes;
    let unreached = match inside {
        Some(inside) => view.graph.unreached_within(view.tree, &inside.pages),
        None => heading.unreached,
    };
    if unreached > 0 {
        notes.push(format!("{} of the site cannot be reached from here by links", counted(unreached, "page", "pages")));
    }
    Ok(notes)
}

/// How large what is shown is.
fn extent(view: &View<'_>) -> String {
    if view.top == 0 {
        let depth = view.tree.layer_count().saturating_sub(1);
        return format!("{} to depth {depth}", counted(view.tree.len().into(), "page", "pages"));
    }
    let below = view.sizes[view.top as usize];
    format!("{} in this branch, at depth {}", counted(below.into(), "page", "pages"), view.tree.depth(view.top))
}

fn files(site: &str, asked: &Asked) -> Vec<File> {
    let query = query(&[("root", asked.root.trim()), ("depth", asked.depth.trim())]);
    let file = |form: &Form| File {
        href: format!("/sites/{site}/map.{}{query}", form.format().ending),
        name: form.format().name,
        says: form.format().says,
    };
    Form::ALL.iter().map(file).collect()
}

/// The map, colored as it is now, of the whole survey or of the logical site.
fn map_href(site: &str, asked: &Asked, scoped: bool, first: &[(&str, &str)]) -> String {
    let color = if asked.color.is_empty() { "" } else { Scheme::named(&asked.color).name() };
    let last = [("color", color), ("scope", if scoped { "site" } else { "" })];
    format!("/sites/{site}/map{}", query(&[first, &last].concat()))
}

impl MapTools {
    fn new(asked: &Asked, layers: u32) -> MapTools {
        MapTools {
            scheme: Scheme::named(&asked.color),
            legends: Scheme::ALL.map(|scheme| (scheme, scheme.legend())).to_vec(),
            depth: layers,
            depths: (1..=6).chain((layers > 6).then_some(layers)).collect(),
            root: asked.root.trim().to_owned(),
            find: short(&asked.find, 200),
        }
    }
}

impl MapHrefs {
    fn new(site: &str, asked: &Asked, scoped: bool, skip: u32, view: &View<'_>) -> MapHrefs {
        let here = |pairs: &[(&str, &str)]| map_href(site, asked, scoped, pairs);
        let top = view.graph.standings.names.url(view.tree.node(view.top)).to_owned();
        MapHrefs {
            back: (skip > 0).then(|| here(&[("root", asked.root.trim()), ("depth", asked.depth.trim())])),
            grow: here(&[("root", &top), ("grow", "1")]),
            branch: here(&[("root", &top)]),
        }
    }
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
        let tree = drawn.graph.tree_within(usual, &inside.pages);
        let place = (0..tree.len()).find(|place| tree.node(*place) == root);
        if place.is_some() {
            return Ok((place, Some(tree)));
        }
    }
    let root = drawn.graph.root(Some(PageId(root)))?;
    Ok((None, Some(drawn.graph.tree_within(root, &inside.pages))))
}
