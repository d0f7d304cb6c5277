//! `groma import warc`: a survey made from archives, without a network.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use groma_desk::archive::{Import, import};
use groma_desk::settings::Book;
use groma_desk::survey::Task;
use groma_desk::{Fault, place, words};
use groma_model::wording::grouped;

use crate::Exit;
use crate::args::ImportWarcArgs;
use crate::output::{Out, tell};
use crate::survey::{Ran, Show, on_signals};
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
        tell(&format!("note: {}", words::imported_archive(&imported.told)));
        for line in words::wrong_with_archive(&imported.told) {
            tell(&format!("warning: {line}"));
        }
        if imported.loose > 0 && !args.all {
            tell(&format!("note: {}", words::loose_pages(imported.loose)));
        }
    }
    let show = Show { whole: false, passing: false, talk: &args.talk, format: args.output.format, output: None };
    let ran = Ran { task: Task::Crawl, folder, seeds: imported.starts.clone(), idle: false };
    let exit = show.report(&ran, &mut imported.store, &imported.summary, &mut out)?;
    out.finish()?;
    Ok(exit)
}
