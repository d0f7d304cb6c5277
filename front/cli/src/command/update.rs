//! `groma update`: ask again, as the survey was begun.

use super::crawl::read_seeds;
use crate::Exit;
use crate::args::UpdateArgs;
use crate::output::tell;
use crate::survey::Show;
use groma_desk::Fault;
use groma_desk::settings::Book;
use groma_desk::settings::saved::Saved;
use groma_desk::survey::{Survey, Task, saved_seeds};
use groma_desk::{place, words};

pub(crate) fn run(args: &UpdateArgs) -> Result<Exit, Fault> {
    let typed: Vec<String> = args.url.iter().cloned().collect();
    let (named, login) = read_seeds(&typed, args.talk.quiet)?;
    let folder = match (&args.store.store, named.first()) {
        (None, Some(seed)) => place::of_seed(None, seed)?,
        (store, _) => place::find(store.as_deref())?,
    };
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    let seeds = if named.is_empty() || !saved.seeds.is_empty() { saved_seeds(&saved)? } else { named };
    let book = Book::of_task(&args.task.settings, &args.task.also_exclude, args.by.config.as_deref(), Some(&saved))?;
    let missing = book.lacks(&saved.not_kept);
    if !missing.is_empty() && !args.talk.quiet {
        tell(&format!("note: {}", words::not_kept(&missing)));
    }
    let survey = Survey {
        task: Task::Update,
        folder,
        seeds,
        listed: None,
        book,
        login,
        owned: args.by.i_own_this_site || saved.owned,
        guarded: saved.guarded,
        search: groma_desk::bounds::Search::default(),
        aside: false,
        keep: args.task.keep,
        fresh: false,
        not_kept: saved.not_kept,
    };
    let show = Show {
        whole: false,
        passing: false,
        talk: &args.talk,
        format: args.output.format,
        output: args.output.output.clone(),
    };
    show.run(survey)
}
