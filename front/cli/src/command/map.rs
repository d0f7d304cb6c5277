//! `groma map`: the hierarchical map of a survey, in the form that is wanted.

use std::io::IsTerminal;

use groma_atlas::{Atlas, StoreLabels};
use groma_chart::{Field, SiteMap, xml};
use groma_graph::Tree;
use groma_model::PageId;
use groma_store::Snapshot;

use crate::Exit;
use crate::args::{MapArgs, MapFormat, SchemaArg};
use crate::command::reckoning::{self, Reckoning};
use crate::command::{rank, scope};
use crate::output::Out;
use groma_desk::Fault;
use groma_desk::bounds::Inside;
use groma_desk::lookup;
use groma_desk::place;
use groma_desk::reckoning::Request;

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
    let fields = fields(args.fields.as_deref())?;
    let request = reckoning::request(&args.engine, &folder)?;
    let needs_links = args.why.is_some() || matches!(args.format, MapFormat::Gexf | MapFormat::Graphml);
    if request.is_some() && needs_links {
        return Err(Fault::new(
            "this needs every link in memory, and a cluster leaves them where they are",
            "leave out --engine; `groma export parquet` gives all links to other programs",
        ));
    }
    let mut store = folder.read()?;
    let wanted = args.root.as_deref().map(|typed| lookup::page(&mut store, typed)).transpose()?;
    let site = scope::of(&folder, &args.scope)?;
    let (atlas, tree, root) = match request {
        None => grown(args, &mut store, wanted, site)?,
        Some(request) => match grown_afar(args, &mut store, wanted, site, &request)? {
            Some(grown) => grown,
            None => return Ok(Exit::Interrupted),
        },
    };
    if let Some(typed) = &args.why {
        rank::say_horizon(&atlas);
        let page = lookup::page(&mut store, typed)?;
        return why::run(args, &atlas, &tree, page);
    }
    if args.output.is_none() && args.format == MapFormat::Pdf && std::io::stdout().is_terminal() {
        return Err(Fault::new("a PDF is nothing for a terminal", "write it to a file with -o map.pdf"));
    }
    let mut map = SiteMap::new(groma_desk::map::heading(&mut store, &atlas, &tree, root)?, &tree);
    map.fields = fields.unwrap_or_else(|| Field::USUAL.to_vec());
    map.depth = args.depth;
    let with_parts = map.shows(Field::Parts);
    let mut labels = StoreLabels::new(&mut store, &atlas, with_parts)?;
    draw::draw(args, &atlas, &map, &mut labels)?;
    Ok(Exit::Fine)
}

/// The map, its root and the survey it is of.
type Grown = (Atlas, Tree, u32);

/// Grown on this machine.
fn grown(
    args: &MapArgs,
    store: &mut dyn Snapshot,
    wanted: Option<PageId>,
    site: Option<Inside>,
) -> Result<Grown, Fault> {
    let mut atlas = Atlas::read(store, &rank::reading(&args.ranking)?)?;
    let wanted = start(store, &atlas, wanted, site.as_ref())?;
    if let Some(site) = site {
        atlas.restrict(site.inside);
    }
    let root = atlas.root(wanted)?;
    let tree = atlas.tree(root);
    Ok((atlas, tree, root))
}

/// Grown on a cluster; nothing if it was interrupted.
fn grown_afar(
    args: &MapArgs,
    store: &mut dyn Snapshot,
    wanted: Option<PageId>,
    site: Option<Inside>,
    request: &Request,
) -> Result<Option<Grown>, Fault> {
    let reading = rank::reading(&args.ranking)?;
    let mut shown = Reckoning::new()?;
    let within = site.as_ref().map(|site| &site.inside[..]);
    let reckoned = groma_desk::reckoning::rank(store, &reading, within, request, &mut |step| shown.step(step));
    shown.end();
    let Some(mut reckoned) = reckoned? else {
        shown.stopped();
        return Ok(None);
    };
    let wanted = start(store, &reckoned.atlas, wanted, site.as_ref())?;
    if let Some(site) = site {
        reckoned.atlas.restrict(site.inside);
    }
    let root = reckoned.atlas.root(wanted)?;
    let tree = reckoned.tree(root, request, &mut |step| shown.step(step));
    shown.end();
    let Some(tree) = tree? else {
        shown.stopped();
        return Ok(None);
    };
    Ok(Some((reckoned.atlas, tree, root)))
}

/// The page to begin with. A site that does not hold the start page of the survey is drawn from where it was found.
fn start(
    store: &mut dyn Snapshot,
    atlas: &Atlas,
    wanted: Option<PageId>,
    site: Option<&Inside>,
) -> Result<Option<PageId>, Fault> {
    match site.filter(|site| wanted.is_none() && !atlas.first_root().is_some_and(|root| site.holds(root))) {
        Some(site) => site.start(store),
        None => Ok(wanted),
    }
}

fn sheet(which: SchemaArg) -> &'static str {
    match which {
        SchemaArg::Xsd => xml::SCHEMA,
        SchemaArg::Xhtml => xml::XHTML_SHEET,
        SchemaArg::Fo => xml::FO_SHEET,
    }
}

/// The fields that were asked for, by name.
pub(crate) fn fields(names: Option<&str>) -> Result<Option<Vec<Field>>, Fault> {
    let Some(names) = names else { return Ok(None) };
    if names == "all" {
        return Ok(Some(Field::ALL.to_vec()));
    }
    let mut fields = Vec::new();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let field = Field::named(name);
        let field = field.ok_or_else(|| Fault::new(no_such_field(name), field_names()))?;
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    Ok(Some(fields))
}

fn no_such_field(name: &str) -> String {
    format!("--fields {name}: there is no such value of a page")
}

fn field_names() -> String {
    let names: Vec<&str> = groma_chart::Field::ALL.iter().map(|field| field.name()).collect();
    format!("one of: all, {}", names.join(", "))
}
