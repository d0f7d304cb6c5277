//! `groma map`: the hierarchical map of a survey, in the form that is wanted.

use std::io::IsTerminal;

use groma_chart::xml;
use groma_settings::{Fault, place};
use groma_tasks::lookup;
use groma_tasks::map::wording::up_to_layer;
use groma_tasks::map::{self, Form};

use crate::Exit;
use crate::args::{MapArgs, SchemaArg};
use crate::command::graph_engine;
use crate::output::{Out, tell};
use crate::terminal::Terminal;

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
    let Some(mut map) = map::run(&folder, &args.task, request.as_ref(), &mut Terminal::new(false))? else {
        return Ok(Exit::Interrupted);
    };
    if let Some(typed) = &args.why {
        if let Some(layer) = map.grown.graph.horizon {
            tell(&format!("note: {}", up_to_layer(layer)));
        }
        let page = lookup::page(&mut map.store, typed)?;
        return why::run(args, &map.grown, page);
    }
    if args.output.is_none() && args.format == Form::Pdf && std::io::stdout().is_terminal() {
        return Err(Fault::new("a PDF is nothing for a terminal", "write it to a file with -o map.pdf"));
    }
    draw::draw(args, &mut map)?;
    Ok(Exit::Fine)
}

fn sheet(which: SchemaArg) -> &'static str {
    match which {
        SchemaArg::Xsd => xml::SCHEMA,
        SchemaArg::Xhtml => xml::XHTML_SHEET,
        SchemaArg::Fo => xml::FO_SHEET,
    }
}
