//! `groma import warc`: a survey made from archives, without a network.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use groma_model::wording::{counted, grouped};
use groma_settings::{Book, Fault, place};
use groma_tasks::archive::{Import, Told, import};
use groma_tasks::crawl::Task;

use crate::Exit;
use crate::args::ImportWarcArgs;
use crate::output::{Out, tell};
use crate::signals::on_signals;
use crate::survey::{Ran, Show};
use crate::watch::Teller;

pub(super) fn run(args: &ImportWarcArgs) -> Result<Exit, Fault> {
    let folder = place::find(Some(&args.store))?;
    let book = Book::gather(&args.settings.overrides.given(), args.settings.by.config.as_deref(), None)?;
    let asked = Import {
        files: args.files.clone(),
        folder: folder.clone(),
        starts: args.start.clone(),
        all: args.all,
        fresh: args.fresh,
        book,
    };
    let mut out = Out::open(args.output.output.as_deref())?;
    let interrupt = on_signals()?;
    let shows = !args.talk.quiet && std::io::stderr().is_terminal();
    let mut teller = Teller::new(&mut out, args.output.format, &args.talk, Arc::clone(&interrupt));
    let result = import(
        asked,
        &mut teller,
        &mut |told| {
            if shows {
                let _ = write!(std::io::stderr(), "\r{} records", grouped(told.records));
            }
        },
        &interrupt,
    );
    teller.end();
    let failed = teller.failed.take();
    let mut imported = result?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if !args.talk.quiet {
        tell(&format!("note: {}", imported_archive(&imported.told)));
        for line in wrong_with_archive(&imported.told) {
            tell(&format!("warning: {line}"));
        }
        if imported.loose > 0 && !args.all {
            tell(&format!("note: {}", loose_pages(imported.loose)));
        }
    }
    let show = Show { whole: false, passing: false, talk: &args.talk, format: args.output.format, output: None };
    let ran = Ran { task: Task::Crawl, folder, seeds: imported.starts.clone(), idle: false };
    let exit = show.report(&ran, &mut imported.store, &imported.summary, &mut out)?;
    out.finish()?;
    Ok(exit)
}

/// What was read of archives, in a line.
fn imported_archive(told: &Told) -> String {
    let (records, files) = (counted(told.records, "record", "records"), counted(told.files, "file", "files"));
    format!("{records} in {files}, {} of them answers of servers", grouped(told.answers))
}

/// What is wrong with them, a line each.
fn wrong_with_archive(told: &Told) -> Vec<String> {
    let mut lines: Vec<String> =
        told.counts.iter().map(|(what, count)| format!("{}: {what}", grouped(*count))).collect();
    lines.extend(told.wrong.iter().take(10).map(|wrong| format!("{} at {}: {}", wrong.file, wrong.offset, wrong.what)));
    lines
}

fn loose_pages(count: u64) -> String {
    let (pages, are) = (counted(count, "page", "pages"), if count == 1 { "is" } else { "are" });
    format!("{pages} of the archive {are} reached by no link from the start; --all takes in such pages too")
}
