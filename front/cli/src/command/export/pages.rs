//! `groma export markdown|jsonl|csv|structured|surt|soif|sqlite`: the pages of a survey, each in a form of its own.

use std::path::Path;

use groma_settings::{Fault, place};
use groma_tasks::export::{self, Exported, Exporting, Form};
use groma_tasks::outcome::Outcome;

use crate::Exit;
use crate::args::{
    ExportCsvArgs, ExportMarkdownArgs, ExportSqliteArgs, ExportSurtArgs, ExportTextArgs, ExportWhat, TableArg,
};
use crate::output::{Out, tell};
use crate::terminal::Terminal;

pub(crate) fn markdown(args: &ExportMarkdownArgs) -> Result<Exit, Fault> {
    let Some(folder) = &args.to else { return write(&args.what, Form::Markdown, args.output.as_deref()) };
    let exported = begin(&args.what, Form::Markdown)?.write_markdown_folder(folder)?;
    Ok(ended(exported, &args.what))
}

pub(crate) fn jsonl(args: &ExportTextArgs) -> Result<Exit, Fault> {
    write(&args.what, Form::Jsonl, args.output.as_deref())
}

pub(crate) fn csv(args: &ExportCsvArgs) -> Result<Exit, Fault> {
    let form = if args.table == TableArg::Links { Form::Links } else { Form::Csv };
    write(&args.text.what, form, args.text.output.as_deref())
}

pub(crate) fn structured(args: &ExportTextArgs) -> Result<Exit, Fault> {
    write(&args.what, Form::Structured, args.output.as_deref())
}

pub(crate) fn surt(args: &ExportSurtArgs) -> Result<Exit, Fault> {
    let form = if args.prefixes { Form::SurtPrefixes } else { Form::Surt };
    write(&args.text.what, form, args.text.output.as_deref())
}

pub(crate) fn soif(args: &ExportTextArgs) -> Result<Exit, Fault> {
    write(&args.what, Form::Soif, args.output.as_deref())
}

pub(crate) fn sqlite(args: &ExportSqliteArgs) -> Result<Exit, Fault> {
    let exported = begin(&args.what, Form::Sqlite)?.write_sqlite(&args.output)?;
    Ok(ended(exported, &args.what))
}

fn begin(what: &ExportWhat, form: Form) -> Result<Exporting, Fault> {
    let folder = place::find(what.store.store.as_deref())?;
    export::run(&folder, &what.task, form, &mut Terminal::new(what.quiet))
}

fn write(what: &ExportWhat, form: Form, output: Option<&Path>) -> Result<Exit, Fault> {
    let exporting = begin(what, form)?;
    let mut out = Out::open(output)?;
    let exported = exporting.write(form, out.writer())?;
    out.finish()?;
    Ok(ended(exported, what))
}

fn ended(exported: Exported, what: &ExportWhat) -> Exit {
    if !what.quiet {
        let outcome = Outcome::from(exported).to_string();
        let says = if exported.stopped { outcome.replacen("written:", "stopped after", 1) } else { outcome };
        tell(&format!("note: {says}"));
    }
    if exported.stopped { Exit::Interrupted } else { Exit::Fine }
}
