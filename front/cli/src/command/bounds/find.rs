//! Finds the site of a page, a keyword or a list of pages, and shows it in the form that was asked for.

use std::io::Read;
use std::path::Path;

use groma_settings::{Fault, place};
use groma_tasks::bounds::wording::surt_untold;
use groma_tasks::bounds::{self, Bounds, Form, Request, write};

use super::{online, show};
use crate::Exit;
use crate::args::{BoundsFormat, FindArgs};
use crate::command::graph_engine;
use crate::output::{Out, tell};
use crate::terminal::Terminal;

/// A list of pages is not longer than this.
const LONGEST: u64 = 64 << 20;

pub(super) fn run(args: &FindArgs) -> Result<Exit, Fault> {
    let request = Request::from_task(&args.task);
    let folder = if args.task.online {
        if args.engine.engine.engine != "local" {
            return Err(Fault::new(
                "a search on line is done on this machine, not on a cluster",
                "omit --online or --engine",
            ));
        }
        match online::run(args, &request)? {
            Ok(folder) => folder,
            Err(exit) => return Ok(exit),
        }
    } else {
        place::find(args.store.store.as_deref())?
    };
    let in_parts = graph_engine::in_parts(&args.engine, &folder)?;
    let found = bounds::run(&folder, &request, in_parts.as_ref(), &mut Terminal::new(args.talk.quiet))?;
    let Some(bounds) = found else { return Ok(Exit::Interrupted) };
    let mut out = Out::open(args.output.as_deref())?;
    let form = match args.format {
        BoundsFormat::Text => None,
        BoundsFormat::Json => Some(Form::Json),
        BoundsFormat::Csv => Some(Form::Csv),
        BoundsFormat::Surt => Some(Form::Surt),
        BoundsFormat::Tsv => Some(Form::Tsv),
    };
    match form {
        None => show::print(&bounds, &folder, args.list, &mut out)?,
        Some(form) => {
            if !args.talk.quiet {
                say(&bounds);
            }
            let untold = write(&bounds, form, out.writer())?;
            if !untold.is_empty() {
                tell(&format!("note: {}", surt_untold(&untold)));
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// What makes the result doubtful goes to where people look, whatever the form.
fn say(bounds: &Bounds) {
    for line in bounds.header.warnings.iter().chain(&bounds.header.notes) {
        tell(&format!("note: {line}"));
    }
}

/// A text file, or stdin.
pub(super) fn read(path: &Path) -> Result<String, Fault> {
    let name = path.display().to_string();
    let fault = |error: std::io::Error| Fault::of_input(&name, &error);
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().take(LONGEST).read_to_end(&mut bytes).map_err(fault)?;
    } else {
        std::fs::File::open(path).map_err(fault)?.take(LONGEST).read_to_end(&mut bytes).map_err(fault)?;
    }
    // What is no text in it is complained about where the line is read.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
