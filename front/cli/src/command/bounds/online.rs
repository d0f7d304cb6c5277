//! `groma bounds URL --online`: crawls as far as the search for the border needs, and goes on where it stopped.

use std::sync::Arc;

use groma_crawl::End;
use groma_desk::bounds::{Beginning, Request, Search};
use groma_desk::settings::{Book, Given};
use groma_desk::survey::{Survey, Task, first_failure};
use groma_desk::{Fault, place, words};
use groma_store::{Folder, Snapshot};

use crate::Exit;
use crate::args::FindArgs;
use crate::command::crawl::read_seeds;
use crate::output::{Format, Out, tell};
use crate::survey::{on_signals, opened};
use crate::watch::Teller;

/// Crawls; the survey that was made, or how it ended without one.
pub(super) fn run(args: &FindArgs, request: &Request) -> Result<Result<Folder, Exit>, Fault> {
    let pages = match &request.start {
        Beginning::Page(page) => vec![page.clone()],
        Beginning::Pages { pages, .. } => pages.clone(),
        Beginning::Survey | Beginning::Keyword(_) => {
            return Err(Fault::new(words::ON_LINE_FROM_PAGES, words::ON_LINE_FROM_PAGES_HINT));
        }
    };
    let (seeds, login) = read_seeds(&pages, args.talk.quiet)?;
    let Some(first) = seeds.first() else {
        return Err(Fault::new(words::ON_LINE_FROM_PAGES, words::ON_LINE_FROM_PAGES_HINT));
    };
    let folder = place::of_seed(args.store.store.as_deref(), first)?;
    let mut typed = args.settings.overrides.given();
    typed.push(Given::flag("scope", "--online", "auto"));
    let book = Book::gather(&typed, args.settings.by.config.as_deref(), None)?;
    let survey = Survey::new(Task::Crawl, folder.clone(), seeds, book);
    let (owned, search) = (args.settings.by.i_own_this_site, Search::of(&request.settings));
    let survey = Survey { login, owned, search, ..survey };
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
    if store.balance()?.state(groma_model::State::Indexed) == 0 {
        let fault = first_failure(&mut store)?;
        tell(&format!("groma: {}", fault.says));
        tell(&format!("hint: {}", fault.hint));
        return Ok(Err(Exit::Nothing));
    }
    Ok(Ok(folder))
}
