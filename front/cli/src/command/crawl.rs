//! `groma crawl`: begin a survey, or go on with it.

use groma_settings::saved::Saved;
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::crawl::seeds::{self, Login, Seeds};
use groma_tasks::crawl::wording::{NO_URL, NO_URL_HINT};
use groma_tasks::crawl::{CrawlRequest, Survey, Task};
use groma_url::Url;

use crate::Exit;
use crate::args::CrawlArgs;
use crate::survey::{Show, noting};

/// Crawls; with `whole`, ranks, checks and maps too.
pub(crate) fn run(args: &CrawlArgs, whole: bool) -> Result<Exit, Fault> {
    let mut say = noting(args.talk.quiet);
    let task = &args.task;
    let seeds = seeds::read(&task.seeds, args.input.as_deref(), &mut say)?;
    let folder = match seeds.first.first() {
        Some(first) => place::of_seed(args.store.as_deref(), first)?,
        None => place::find_any(args.store.as_deref())?.ok_or_else(|| Fault::new(NO_URL, NO_URL_HINT))?,
    };
    // Whoever names the pages to start over with says all that counts from now on.
    let anew = task.fresh && !seeds.first.is_empty();
    let saved = if anew { None } else { saved_with(&folder)? };
    let request = CrawlRequest { task: Task::Crawl, seeds, settings: &task.settings, also_exclude: &task.also_exclude };
    let survey = Survey::requested(&folder, request, saved.as_ref(), args.by.requester(), &mut say)?;
    let show = Show {
        whole,
        passing: false,
        talk: &args.talk,
        format: args.output.format,
        output: args.output.output.clone(),
    };
    show.run(Survey { fresh: task.fresh, ..survey })
}

/// What a survey was begun with, if there is one.
pub(super) fn saved_with(folder: &Folder) -> Result<Option<Saved>, Fault> {
    if folder.exists() { Saved::load(&mut folder.read()?) } else { Ok(None) }
}

/// Reads start pages, each once, with what was assumed said.
pub(super) fn read_seeds(typed: &[String], quiet: bool) -> Result<(Vec<Url>, Login), Fault> {
    let Seeds { first, login, .. } = seeds::read(typed, None, &mut noting(quiet))?;
    Ok((first, login))
}
