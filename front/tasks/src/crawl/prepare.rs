//! From what was asked for to a survey that can be run, the same for a command and for a job.

use std::collections::HashSet;
use std::path::Path;

use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Origin, Overrides};
use groma_store::Folder;
use groma_url::Url;

use crate::crawl::seeds::Seeds;
use crate::crawl::survey::{Opened, Survey, Task, saved_seeds};
use crate::crawl::wording::archive_remembered;

/// Who asks for a task: what they may do, and which file has their settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Requester<'r> {
    /// The sites are the requester's own.
    pub owned: bool,
    /// May not reach into private networks: whoever asks over the web.
    pub guarded: bool,
    /// Instead of the usual `groma.toml`.
    pub config: Option<&'r Path>,
}

/// What crawls, updates and focused crawls have in common.
#[derive(Debug)]
pub struct CrawlRequest<'t> {
    /// Crawl, or ask again.
    pub task: Task,
    /// None: those the survey began with.
    pub seeds: Seeds,
    /// Settings that count more than the saved ones.
    pub settings: &'t Overrides,
    /// Exclusions on top of those that hold anyway.
    pub also_exclude: &'t [String],
}

impl Survey {
    /// Of these start pages, with these settings and nothing else that is special.
    pub fn new(task: Task, folder: Folder, seeds: Vec<Url>, book: Book) -> Survey {
        Survey {
            task,
            folder,
            seeds,
            listed: None,
            book,
            login: None,
            owned: false,
            guarded: false,
            search: crate::bounds::Search::default(),
            aside: false,
            keep: false,
            fresh: false,
            not_kept: Vec::new(),
        }
    }

    /// The survey that a request is about. What was saved with it counts where the request says nothing: settings always, whose the
    /// sites are for the hosts it began with, the guard where no start page is named.
    pub fn requested(
        folder: &Folder,
        request: CrawlRequest<'_>,
        saved: Option<&Saved>,
        requester: Requester<'_>,
        say: &mut dyn FnMut(&str),
    ) -> Result<Survey, Fault> {
        let CrawlRequest { task, seeds: Seeds { first: named, listed, login }, settings, also_exclude } = request;
        let another = saved.filter(|_| !named.is_empty()).map(Saved::for_another_run);
        let book = Book::of_task(settings, also_exclude, requester.config, another.as_ref().or(saved))?;
        let (mut owned, mut guarded, mut not_kept) = (requester.owned, requester.guarded, Vec::new());
        if let Some(saved) = saved {
            owned |= saved.owned && knows_hosts(saved, &named);
            guarded |= saved.guarded && named.is_empty();
            not_kept.clone_from(&saved.not_kept);
            let missing = book.lacks(&not_kept);
            if !missing.is_empty() && login.is_none() {
                say(&secrets_not_kept(&missing));
            }
        }
        if !named.is_empty() {
            tell_kept(&book, say);
        }
        let seeds = if named.is_empty() { saved_seeds(saved.unwrap_or(&Saved::default()))? } else { named };
        Ok(Survey { listed, login, owned, guarded, not_kept, ..Survey::new(task, folder.clone(), seeds, book) })
    }

    /// Checks and opens it. `say` hears what the requester should know.
    pub fn open(self, say: &mut dyn FnMut(&str)) -> Result<Opened, Fault> {
        let ready = self.ready()?;
        ready.notes().iter().for_each(|note| say(note));
        let opened = ready.open()?;
        opened.notes.iter().for_each(|note| say(note));
        Ok(opened)
    }

    /// The same; nothing if somebody else writes to it at this moment.
    pub fn open_unless_busy(self, say: &mut dyn FnMut(&str)) -> Result<Option<Opened>, Fault> {
        let ready = self.ready()?;
        ready.notes().iter().for_each(|note| say(note));
        let opened = ready.open_unless_busy()?;
        opened.iter().flat_map(|opened| &opened.notes).for_each(|note| say(note));
        Ok(opened)
    }
}

/// Names the flags that count though nobody typed them this time.
fn tell_kept(book: &Book, say: &mut dyn FnMut(&str)) {
    let kept = book.entries.iter().filter(|entry| entry.origin == Origin::SavedTyped);
    let (archive, kept): (Vec<_>, Vec<_>) = kept.partition(|entry| entry.row.key.starts_with("warc"));
    if let Some(folder) = archive.iter().find(|entry| entry.row.key == "warc") {
        say(&archive_remembered(&folder.value.shown()));
    }
    if !kept.is_empty() {
        let keys: Vec<&str> = kept.iter().map(|entry| entry.row.key.as_str()).collect();
        say(&flags_of_survey(&keys));
    }
}

/// Are all of these on hosts and ports that the survey began with?
pub(crate) fn knows_hosts(saved: &Saved, seeds: &[Url]) -> bool {
    let host = |url: &Url| (url.host_str().map(str::to_owned), url.port_or_known_default());
    let known: HashSet<_> = saved.seeds.iter().filter_map(|seed| Url::parse(seed).ok()).map(|url| host(&url)).collect();
    seeds.iter().all(|seed| known.contains(&host(seed)))
}

fn flags_of_survey(keys: &[&str]) -> String {
    format!("using flags saved with this survey: {} (type a flag to change it)", keys.join(", "))
}

fn secrets_not_kept(keys: &[String]) -> String {
    format!(
        "this survey was made with secrets that are not kept ({}); give them again if they are needed",
        keys.join(", ")
    )
}
