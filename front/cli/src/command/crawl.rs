//! `groma crawl`: begin a survey, or go on with it.

use std::io::Read;
use std::path::Path;

use groma_store::Folder;
use url::Url;

use crate::Exit;
use crate::args::CrawlArgs;
use crate::output::tell;
use crate::survey::Show;
use groma_desk::Fault;
use groma_desk::settings::Book;
use groma_desk::settings::saved::Saved;
use groma_desk::survey::{Survey, Task, saved_seeds};
use groma_desk::{address, place, words};

/// A list of addresses longer than this was not meant.
const LIST_BYTES: u64 = 1 << 30;

/// Crawls; with `whole`, ranks, checks and maps too.
pub(crate) fn run(args: &CrawlArgs, whole: bool) -> Result<Exit, Fault> {
    let (mut seeds, login) = typed_seeds(args)?;
    let typed = args.settings.given()?;
    let config = args.settings.set.config.as_deref();
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
        book: Book::gather(&typed, config, saved.as_ref())?,
        login,
        owned: args.settings.i_own_this_site || saved.as_ref().is_some_and(|saved| saved.owned),
        guarded: saved.as_ref().is_some_and(|saved| saved.guarded),
        search: groma_desk::bounds::Search::default(),
        aside: false,
        keep: false,
        fresh: args.fresh,
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

type Login = Option<(String, String)>;

/// The start pages of the command line and of the list, each once.
fn typed_seeds(args: &CrawlArgs) -> Result<(Vec<Url>, Login), Fault> {
    let mut typed = args.urls.clone();
    if let Some(path) = &args.input {
        let lines = read_list(path)?;
        let wanted = lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        typed.extend(wanted.map(str::to_owned));
        if typed.is_empty() {
            return Err(Fault::new(words::NO_URL, words::NO_URL_HINT));
        }
    }
    read_seeds(&typed, args.talk.quiet)
}

/// Reads start pages, each once, with what was assumed said.
pub(super) fn read_seeds(typed: &[String], quiet: bool) -> Result<(Vec<Url>, Login), Fault> {
    let (mut seeds, mut login): (Vec<Url>, Login) = (Vec::new(), None);
    let mut seen = std::collections::HashSet::new();
    for text in typed {
        let read = address::read(text)?;
        let notes = [read.note, read.login.is_some().then(|| words::LOGIN_TAKEN.to_owned())];
        for note in notes.into_iter().flatten().filter(|_| !quiet) {
            tell(&format!("note: {note}"));
        }
        login = login.or(read.login);
        if seen.insert(read.url.clone()) {
            seeds.push(read.url);
        }
    }
    Ok((seeds, login))
}

pub(super) fn read_list(path: &Path) -> Result<String, Fault> {
    let shown = path.display().to_string();
    let reader: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(path).map_err(|error| Fault::of_input(&shown, &error))?)
    };
    let mut text = String::new();
    reader.take(LIST_BYTES).read_to_string(&mut text).map_err(|error| Fault::of_input(&shown, &error))?;
    Ok(text)
}

/// The survey that a bare command goes on with.
fn gone_on_with(store: Option<&Path>) -> Result<(Folder, Saved), Fault> {
    let Some(folder) = place::find_any(store)? else {
        return Err(Fault::new(words::NO_URL, words::NO_URL_HINT));
    };
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    Ok((folder, saved))
}
