//! `groma crawl`: begin a survey, or go on with it.

use std::path::Path;

use groma_store::Folder;
use url::Url;

use crate::Exit;
use crate::args::CrawlArgs;
use crate::output::tell;
use crate::survey::Show;
use groma_desk::Fault;
use groma_desk::seeds::{self, Login, Seeds};
use groma_desk::settings::Book;
use groma_desk::settings::saved::Saved;
use groma_desk::survey::{Survey, Task, saved_seeds};
use groma_desk::{place, words};

/// Crawls; with `whole`, ranks, checks and maps too.
pub(crate) fn run(args: &CrawlArgs, whole: bool) -> Result<Exit, Fault> {
    let quiet = args.talk.quiet;
    let mut say = |note: &str| {
        if !quiet {
            tell(&format!("note: {note}"))
        }
    };
    let Seeds { first: mut seeds, listed, login } = seeds::read(&args.task.seeds, args.input.as_deref(), &mut say)?;
    let (folder, saved) = match seeds.first() {
        Some(first) => (place::of_seed(args.store.as_deref(), first)?, None),
        None => {
            let (folder, saved) = gone_on_with(args.store.as_deref())?;
            seeds = saved_seeds(&saved)?;
            (folder, Some(saved))
        }
    };
    let survey = Survey {
        task: Task::Crawl,
        folder,
        seeds,
        listed,
        book: Book::of_task(&args.task.settings, &args.task.also_exclude, args.by.config.as_deref(), saved.as_ref())?,
        login,
        owned: args.by.i_own_this_site || saved.as_ref().is_some_and(|saved| saved.owned),
        guarded: saved.as_ref().is_some_and(|saved| saved.guarded),
        search: groma_desk::bounds::Search::default(),
        aside: false,
        keep: false,
        fresh: args.task.fresh,
        not_kept: saved.map(|saved| saved.not_kept).unwrap_or_default(),
    };
    let show = Show {
        whole,
        passing: false,
        talk: &args.talk,
        format: args.output.format,
        output: args.output.output.clone(),
    };
    show.run(survey)
}

/// Reads start pages, each once, with what was assumed said.
pub(super) fn read_seeds(typed: &[String], quiet: bool) -> Result<(Vec<Url>, Login), Fault> {
    let mut say = |note: &str| {
        if !quiet {
            tell(&format!("note: {note}"))
        }
    };
    let Seeds { first, login, .. } = seeds::read(typed, None, &mut say)?;
    Ok((first, login))
}

/// The survey that a bare command goes on with.
fn gone_on_with(store: Option<&Path>) -> Result<(Folder, Saved), Fault> {
    let Some(folder) = place::find_any(store)? else {
        return Err(Fault::new(words::NO_URL, words::NO_URL_HINT));
    };
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    Ok((folder, saved))
}
