//! `groma extract`: values out of the pages of a survey, as a table.

use std::path::Path;

use groma_settings::{Fault, place};
use groma_tasks::extract::{self, ColumnLine, Form, read_columns};
use groma_tasks::outcome::Outcome;

use crate::Exit;
use crate::args::ExtractArgs;
use crate::output::{Out, tell};
use crate::terminal::Terminal;

pub(crate) fn run(args: &ExtractArgs) -> Result<Exit, Fault> {
    let mut task = args.task.clone();
    if let Some(file) = &args.columns {
        task.column.extend(columns_of_file(file)?);
    }
    task.check()?;
    if args.format == Form::Parquet && cfg!(not(feature = "parquet")) {
        return Err(extract::without_parquet());
    }
    let folder = place::find(args.store.store.as_deref())?;
    let mut out = Out::open(args.output.as_deref())?;
    let mut terminal = Terminal::new(args.quiet);
    let extracted = extract::run(&folder, &task, args.format, args.by.requester(), &mut terminal, out.writer())?;
    drop(terminal);
    out.finish()?;
    let stopped = extracted.stopped;
    if !args.quiet {
        tell(&format!("note: {}", Outcome::Extracted(extracted)));
    }
    Ok(if stopped { Exit::Interrupted } else { Exit::Fine })
}

fn columns_of_file(file: &Path) -> Result<Vec<ColumnLine>, Fault> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| Fault::of_input(&name, &error))?;
    read_columns(&text).map_err(|fault| Fault::new(format!("{name}: {}", fault.says), fault.hint))
}
