//! `groma bounds URL --online`: crawls as far as the search for the bounds of a site needs, and goes on where it stopped.

use std::sync::Arc;

use groma_crawl::End;
use groma_settings::{Fault, Raw, place};
use groma_store::{Folder, Snapshot};
use groma_tasks::bounds::{Beginning, Request, Search};
use groma_tasks::crawl::{CrawlRequest, Survey, Task, first_failure, seeds};

use crate::Exit;
use crate::args::FindArgs;
use crate::command::crawl::saved_with;
use crate::output::{Format, Out, tell};
use crate::signals::on_signals;
use crate::survey::{noting, opened};
use crate::watch::Teller;

/// Crawls; the survey that was made, or how it ended without one.
pub(super) fn run(args: &FindArgs, request: &Request) -> Result<Result<Folder, Exit>, Fault> {
    let pages = match &request.start {
        Beginning::Page(page) => vec![page.clone()],
        Beginning::Pages { pages, .. } => pages.clone(),
        Beginning::Survey | Beginning::Keyword(_) => {
            return Err(Fault::new(ON_LINE_FROM_PAGES, ON_LINE_FROM_PAGES_HINT));
        }
    };
    let mut say = noting(args.talk.quiet);
    let seeds = seeds::read(&pages, None, &mut say)?;
    let Some(first) = seeds.first.first() else {
        return Err(Fault::new(ON_LINE_FROM_PAGES, ON_LINE_FROM_PAGES_HINT));
    };
    let folder = place::of_seed(args.store.store.as_deref(), first)?;
    let mut settings = args.settings.overrides.clone();
    settings.set("scope", "--online", Raw::One("auto".to_owned()))?;
    let saved = saved_with(&folder)?;
    let crawl = CrawlRequest { task: Task::Crawl, seeds, settings: &settings, also_exclude: &[] };
    let survey = Survey::requested(&folder, crawl, saved.as_ref(), args.settings.by.requester(), &mut say)?;
    let survey = Survey { search: Search::from_settings(&request.settings), ..survey };
    let opened = opened(survey, args.talk.quiet)?;
    let interrupt = on_signals()?;
    // Rows of pages are not what was asked for: only the bar is shown.
    let mut out = Out::open(None)?;
    let mut teller = Teller::new(&mut out, Format::Text, &args.talk, Arc::clone(&interrupt));
    let result = opened.crawl(&mut teller, interrupt);
    teller.end();
    let (summary, mut store, _lock) = result?;
    if summary.end == End::Interrupted {
        return Ok(Err(Exit::Interrupted));
    }
    if store.balance()?.state(groma_model::State::Fetched) == 0 {
        let fault = first_failure(&mut store)?;
        tell(&format!("groma: {}", fault.says));
        tell(&format!("hint: {}", fault.hint));
        return Ok(Err(Exit::Nothing));
    }
    Ok(Ok(folder))
}

const ON_LINE_FROM_PAGES: &str = "a search on line begins at a page";

const ON_LINE_FROM_PAGES_HINT: &str = "name one: groma bounds URL --online";
