//! `groma export markdown|jsonl|csv|surt|soif|sqlite`: the pages of a survey, each in a form of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_model::State;
use groma_model::wording::counted;
use groma_settings::{Fault, place};
use groma_store::Snapshot;
use groma_tasks::export::{self, Exported, PagesWanted, Shape};

use crate::Exit;
use crate::args::{
    ExportCsvArgs, ExportMarkdownArgs, ExportSqliteArgs, ExportSurtArgs, ExportTextArgs, ExportWhat, TableArg,
};
use crate::command::{pages, scope};
use crate::output::{Format, Out, tell};
use crate::survey::on_signals;

/// What is asked for, found.
struct Asked {
    store: Box<dyn Snapshot>,
    states: Vec<State>,
    inside: Option<Vec<bool>>,
    stop: Arc<AtomicBool>,
}

impl Asked {
    fn from_args(what: &ExportWhat, usual: &[State]) -> Result<Asked, Fault> {
        let mut states = pages::states(&what.state)?;
        if states.is_empty() {
            states = usual.to_vec();
        }
        let folder = place::find(what.store.store.as_deref())?;
        let inside = scope::site_scope(&folder, what.scope.scope.0)?.map(|site| site.inside);
        Ok(Asked { store: Box::new(folder.read()?), states, inside, stop: on_signals()? })
    }

    fn wanted(&mut self, text: bool) -> (&mut dyn Snapshot, PagesWanted<'_>) {
        let (states, inside) = (std::mem::take(&mut self.states), self.inside.take());
        (&mut *self.store, PagesWanted { states, inside, text, stop: &self.stop })
    }
}

pub(crate) fn markdown(args: &ExportMarkdownArgs) -> Result<Exit, Fault> {
    let mut asked = Asked::from_args(&args.what, &[State::Fetched])?;
    let (store, wanted) = asked.wanted(true);
    let Some(folder) = &args.to else {
        let mut out = Out::open(args.output.as_deref())?;
        let done = export::write_markdown(store, &wanted, out.writer())?;
        out.finish()?;
        return Ok(ended(done, &args.what));
    };
    Ok(ended(export::write_markdown_folder(store, &wanted, folder)?, &args.what))
}

pub(crate) fn jsonl(args: &ExportTextArgs) -> Result<Exit, Fault> {
    let mut asked = Asked::from_args(&args.what, &[State::Fetched])?;
    let (store, wanted) = asked.wanted(args.what.with_text);
    let mut out = Out::open(args.output.as_deref())?;
    let done = export::write_jsonl(store, &wanted, out.writer())?;
    out.finish()?;
    Ok(ended(done, &args.what))
}

pub(crate) fn csv(args: &ExportCsvArgs) -> Result<Exit, Fault> {
    let what = &args.text.what;
    if args.table == TableArg::Links && what.with_text {
        return Err(Fault::new("--with-text is about pages, not about links", "omit it, or export the table of pages"));
    }
    let mut asked = Asked::from_args(what, &[])?;
    let mut out = Out::open(args.text.output.as_deref())?;
    if args.table == TableArg::Links {
        let (store, wanted) = asked.wanted(false);
        let done = export::write_links(store, &wanted, out.writer())?;
        out.finish()?;
        return Ok(ended(done, what));
    }
    let filter = pages::Filter {
        states: std::mem::take(&mut asked.states),
        inside: asked.inside.take(),
        text: what.with_text,
        ..pages::Filter::default()
    };
    pages::write(&mut *asked.store, &filter, Format::Csv, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

pub(crate) fn surt(args: &ExportSurtArgs) -> Result<Exit, Fault> {
    let mut asked = Asked::from_args(&args.text.what, &[State::Fetched])?;
    let (store, wanted) = asked.wanted(false);
    let mut out = Out::open(args.text.output.as_deref())?;
    let shape = if args.prefixes { Shape::Prefixes } else { Shape::Pages };
    let done = export::write_surt(store, &wanted, shape, out.writer())?;
    out.finish()?;
    Ok(ended(done, &args.text.what))
}

pub(crate) fn soif(args: &ExportTextArgs) -> Result<Exit, Fault> {
    let mut asked = Asked::from_args(&args.what, &[State::Fetched])?;
    let folder = place::find(args.what.store.store.as_deref())?;
    let (store, wanted) = asked.wanted(args.what.with_text);
    let mut out = Out::open(args.output.as_deref())?;
    let done = export::write_soif(store, &folder, &wanted, out.writer())?;
    out.finish()?;
    Ok(ended(done, &args.what))
}

pub(crate) fn sqlite(args: &ExportSqliteArgs) -> Result<Exit, Fault> {
    let mut asked = Asked::from_args(&args.what, &[])?;
    let (store, wanted) = asked.wanted(args.what.with_text);
    Ok(ended(export::write_sqlite(store, &wanted, &args.output)?, &args.what))
}

fn ended(done: Exported, what: &ExportWhat) -> Exit {
    if !what.quiet {
        tell(&format!("note: {}", exported_pages(done.pages, done.links, done.stopped)));
    }
    if done.stopped { Exit::Interrupted } else { Exit::Fine }
}

fn exported_pages(pages: u64, links: u64, stopped: bool) -> String {
    let end = if stopped { "stopped after" } else { "written:" };
    let links = if links > 0 { format!(", {}", counted(links, "link", "links")) } else { String::new() };
    format!("{end} {}{links}", counted(pages, "URL", "URLs"))
}
