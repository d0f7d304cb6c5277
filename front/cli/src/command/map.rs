//! `groma map`: the hierarchical map of a survey, in the form that is wanted.

use std::io::IsTerminal;

use groma_atlas::{Atlas, StoreLabels};
use groma_chart::{Field, SiteMap, xml};

use crate::Exit;
use crate::args::{MapArgs, MapFormat, SchemaArg};
use crate::command::{rank, scope};
use crate::output::Out;
use groma_desk::Fault;
use groma_desk::lookup;
use groma_desk::{place, words};

mod draw;
mod why;

pub(crate) fn run(args: &MapArgs) -> Result<Exit, Fault> {
    if let Some(which) = args.schema {
        let mut out = Out::open(args.output.as_deref())?;
        out.writer().write_all(sheet(which).as_bytes())?;
        out.flush()?;
        return Ok(Exit::Fine);
    }
    let folder = place::find(args.store.store.as_deref())?;
    let fields = fields(args.fields.as_deref())?;
    let mut store = folder.read()?;
    let wanted = args.root.as_deref().map(|typed| lookup::page(&mut store, typed)).transpose()?;
    let site = scope::of(&folder, &args.scope)?;
    let mut atlas = Atlas::read(&mut store, &rank::reading(&args.ranking)?)?;
    let mut wanted = wanted;
    if let Some(site) = site {
        // A site that does not hold the start page of the survey is drawn from where it was found.
        let first = atlas.first_root().is_some_and(|root| site.holds(root));
        wanted = wanted.or(if first { None } else { site.start(&mut store)? });
        atlas.restrict(site.inside);
    }
    let root = atlas.root(wanted)?;
    let tree = atlas.tree(root);
    if let Some(typed) = &args.why {
        rank::say_horizon(&atlas);
        let page = lookup::page(&mut store, typed)?;
        return why::run(args, &atlas, &tree, page);
    }
    if args.output.is_none() && args.format == MapFormat::Pdf && std::io::stdout().is_terminal() {
        return Err(Fault::new(words::PDF_ON_TERMINAL, words::PDF_ON_TERMINAL_HINT));
    }
    let mut map = SiteMap::new(groma_desk::map::heading(&mut store, &atlas, &tree, root)?, &tree);
    map.fields = fields.unwrap_or_else(|| Field::USUAL.to_vec());
    map.depth = args.depth;
    let with_parts = map.shows(Field::Parts);
    let mut labels = StoreLabels::new(&mut store, &atlas, with_parts)?;
    draw::draw(args, &atlas, &map, &mut labels)?;
    Ok(Exit::Fine)
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
        let field = field.ok_or_else(|| Fault::new(words::no_such_field(name), words::field_names()))?;
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    Ok(Some(fields))
}
