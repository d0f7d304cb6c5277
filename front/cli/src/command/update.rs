//! `groma update`: ask again, as the survey was begun.

use groma_settings::saved::Saved;
use groma_settings::{Fault, place};
use groma_tasks::crawl::seeds::{self, Seeds};
use groma_tasks::crawl::{CrawlRequest, Survey, Task};

use crate::Exit;
use crate::args::UpdateArgs;
use crate::survey::{Show, noting};

pub(crate) fn run(args: &UpdateArgs) -> Result<Exit, Fault> {
    let mut say = noting(args.talk.quiet);
    let named = seeds::read(args.url.as_slice(), None, &mut say)?;
    let folder = match (&args.store.store, named.first.first()) {
        (None, Some(seed)) => place::of_seed(None, seed)?,
        (store, _) => place::find(store.as_deref())?,
    };
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    // The page only names the survey, unless nobody knows where that began.
    let first = if saved.seeds.is_empty() { named.first } else { Vec::new() };
    let seeds = Seeds { first, listed: None, login: named.login };
    let task = &args.task;
    let request =
        CrawlRequest { task: Task::Update, seeds, settings: &task.settings, also_exclude: &task.also_exclude };
    let survey = Survey::requested(&folder, request, Some(&saved), args.by.requester(), &mut say)?;
    let show = Show {
        whole: false,
        passing: false,
        talk: &args.talk,
        format: args.output.format,
        output: args.output.output.clone(),
    };
    show.run(Survey { keep: task.keep, ..survey })
}
