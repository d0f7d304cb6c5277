//! Running the engine as it was asked to: settings checked and kept in the store, a fetcher, a crawl.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_crawl::{CrawlError, CrawlSettings, End, Follow, Js, Rendered, Summary, Watch};
use groma_fetch::HttpFetcher;
use groma_model::url::{Logout, ScopeKind};
use groma_model::wording::{grouped, plain};
use groma_model::{Depth, Reason, State};
use groma_settings::meaning::{Access, Settings};
use groma_settings::saved::{self, Saved};
use groma_settings::{Book, Fault, clock, usable};
use groma_store::{Folder, Lock, Snapshot, Store, StoreError, WriteBatch};
use groma_strategy::{Layers, Strategy};
use groma_url::Url;
use groma_warc_store::WarcStore;

use crate::archive::warc_store;
use crate::bounds::Search;
use crate::crawl::seeds::{Listed, each_listed};
use crate::crawl::wording::{archive_remembered, nothing_fetched};
use crate::explain::next_step::{next_step, next_step_after};
use crate::outside::OutsideRequest;

/// Crawl, or ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Crawl, or go on.
    Crawl,
    /// Ask again for everything.
    Update,
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Crawl => "crawl",
            Task::Update => "update",
        }
    }
}

/// What came of lending a hand.
pub(crate) enum Helped {
    /// No crawl needed help.
    NotWanted,
    /// We were taken for dead: what we had has gone to others.
    TakenForDead,
    /// The crawl is over, or nobody leads it any more, or we were interrupted.
    ToTheEnd(Summary),
}

/// A survey to be run.
pub struct Survey {
    /// Crawl or update.
    pub task: Task,
    /// Folder of the survey.
    pub folder: Folder,
    /// Start pages.
    pub seeds: Vec<Url>,
    /// The rest of a long list of start pages.
    pub listed: Option<Listed>,
    /// All settings with their origins.
    pub book: Book,
    /// User name and password out of a URL.
    pub login: Option<(String, String)>,
    /// The sites are the user's own.
    pub owned: bool,
    /// Whoever named the start pages may not reach into private networks.
    pub guarded: bool,
    /// How the border is looked for, if the scope is `auto`.
    pub search: Search,
    /// A survey that is there stays what it is: its start pages and settings are not changed.
    pub aside: bool,
    /// Keep a copy of the survey as it stands.
    pub keep: bool,
    /// Replace a survey that is there.
    pub fresh: bool,
    /// Secrets it was once made with.
    pub not_kept: Vec<String>,
}

/// A survey whose settings have been checked; nothing has been touched yet.
pub struct Ready {
    /// What was asked for.
    pub survey: Survey,
    settings: Settings,
    /// Something is sent that tells the user from others.
    personal: bool,
    fetcher: HttpFetcher,
}

/// A survey whose store is open for writing.
pub struct Opened {
    /// Where it is kept.
    pub store: Box<dyn Store>,
    /// What the user should know before it starts.
    pub notes: Vec<String>,
    /// There was something in it already.
    pub known_before: bool,
    /// Folder of the survey.
    pub(crate) folder: Folder,
    /// Whoever asks may not reach into private networks.
    pub(crate) guarded: bool,
    /// The sites are the user's own.
    pub(crate) owned: bool,
    pub(crate) settings: Settings,
    _lock: Lock,
    task: Task,
    crawl: CrawlSettings,
    depth: Option<u32>,
    search: Search,
    fetcher: HttpFetcher,
    archive: Option<Arc<WarcStore>>,
}

/// Why a survey could not be opened.
enum NotOpened {
    Store(StoreError),
    Other(Fault),
}

impl From<StoreError> for NotOpened {
    fn from(error: StoreError) -> NotOpened {
        NotOpened::Store(error)
    }
}

impl From<Fault> for NotOpened {
    fn from(fault: Fault) -> NotOpened {
        NotOpened::Other(fault)
    }
}

impl Survey {
    /// Checks everything that can be wrong with what was asked for.
    pub fn ready(mut self) -> Result<Ready, Fault> {
        self.remember_archive()?;
        let settings = Settings::from_book(&mut self.book)?;
        usable::check(&settings, &self.book)?;
        settings.check_manners(&self.seeds, self.owned)?;
        check_browser(&settings)?;
        let access = Access { owned: self.owned, guarded: self.guarded };
        let (config, notes) = settings.personal_config(&self.seeds, self.login.clone(), access)?;
        self.book.notes.extend(notes);
        let personal = config.is_personal();
        let fetcher = HttpFetcher::new(config)?;
        Ok(Ready { survey: self, settings, personal, fetcher })
    }

    /// What the survey was made with counts for its archive also where all else is typed anew: an archive that stops growing without
    /// a word is found out too late.
    fn remember_archive(&mut self) -> Result<(), Fault> {
        let load = || {
            if !self.folder.exists() {
                return Ok(None);
            }
            Saved::load(&mut self.folder.read()?)
        };
        let saved = match load() {
            // Whoever starts over may do so because nothing can be read.
            Err(_) if self.fresh => None,
            loaded => loaded?,
        };
        let Some(saved) = saved else { return Ok(()) };
        if self.book.remember_archive(&saved)? {
            let folder = self.book.entry("warc").value.shown();
            self.book.notes.push(archive_remembered(&folder));
        }
        Ok(())
    }
}

impl Ready {
    /// What the user should know about how the settings were read.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.survey.book.notes.clone();
        if !self.settings.contact_given && !self.settings.at_home(&self.survey.seeds) {
            notes.push(
                "tell webmasters how to reach you: --contact MAIL or URL (or `contact` in groma.toml)".to_owned(),
            );
        }
        if self.settings.rendered.js == Js::Auto && groma_render::find().is_none() {
            notes.push("no Chromium was found: pages that need scripts are kept as they come (on Debian: apt install chromium)".to_owned());
        }
        notes
    }

    /// Opens the store, which remembers what it is made with.
    pub fn open(self) -> Result<Opened, Fault> {
        self.try_open().map_err(|error| match error {
            NotOpened::Store(error) => error.into(),
            NotOpened::Other(fault) => fault,
        })
    }

    /// The same; nothing if somebody else is writing to it at this moment.
    pub fn open_unless_busy(self) -> Result<Option<Opened>, Fault> {
        match self.try_open() {
            Ok(opened) => Ok(Some(opened)),
            Err(NotOpened::Store(StoreError::Busy(_))) => Ok(None),
            Err(NotOpened::Store(error)) => Err(error.into()),
            Err(NotOpened::Other(fault)) => Err(fault),
        }
    }

    fn try_open(self) -> Result<Opened, NotOpened> {
        let Ready { mut survey, settings, personal, mut fetcher } = self;
        let whose = Whose { owned: survey.owned, personal };
        let mut crawl = crawl_settings(&settings, &survey.seeds, whose, &survey.folder);
        // Whatever can refuse does so before anything is removed.
        let archive = warc_store(&settings, &survey.seeds)?;
        if let Some(archive) = &archive {
            fetcher = fetcher.recorded_by(archive.clone());
        }
        // Whoever mistyped a host would lose the survey that was there for nothing.
        if survey.fresh && survey.folder.exists() && fetcher.knows_none(&survey.seeds) {
            return Err(Fault::new(
                no_such_host(&survey.seeds[0]),
                "check the name; nothing of the survey that is there was removed",
            )
            .into());
        }
        // Layers can be crawled by many at once; a strategy with a memory is one process's.
        let alone = survey.aside || crawl.scope.kind() == ScopeKind::Auto;
        let (mut store, lock) = match (survey.fresh, alone) {
            (true, alone) => survey.folder.open_anew(!alone)?,
            (false, true) => survey.folder.open()?,
            (false, false) => survey.folder.open_leading()?,
        };
        let mut notes = Vec::new();
        if survey.keep {
            notes.extend(keep_copy(&survey.folder, &mut store)?);
        }
        let known_before = store.balance()?.discovered() > 0;
        if !(survey.aside && known_before) {
            notes.extend(save(&survey, &mut store)?);
            if let Some(list) = survey.listed.take() {
                save_list(list, &mut store)?;
            }
        }
        if !survey.aside {
            notes.extend(take_listed(&mut crawl, &mut fetcher, &mut store, survey.guarded)?);
        }
        if let Some(workers) = store.workers() {
            workers.announce(survey.task.name())?;
        }
        Ok(Opened {
            archive,
            crawl,
            depth: settings.depth,
            folder: survey.folder,
            guarded: survey.guarded,
            owned: survey.owned,
            settings,
            search: survey.search,
            task: survey.task,
            _lock: lock,
            store,
            notes,
            known_before,
            fetcher,
        })
    }
}

impl Ready {
    /// Lends a hand with a crawl that somebody else leads.
    pub(crate) fn help(self, watch: &mut dyn Watch, interrupt: Arc<AtomicBool>) -> Result<Helped, Fault> {
        let Ready { survey, settings, personal, mut fetcher } = self;
        let Some(mut store) = survey.folder.open_helping()? else { return Ok(Helped::NotWanted) };
        let whose = Whose { owned: survey.owned, personal };
        let mut crawl = crawl_settings(&settings, &survey.seeds, whose, &survey.folder);
        take_listed(&mut crawl, &mut fetcher, &mut store, survey.guarded)?;
        let archive = warc_store(&settings, &survey.seeds)?;
        if let Some(archive) = &archive {
            fetcher = fetcher.recorded_by(archive.clone());
        }
        let mut strategy = Layers::new(settings.depth);
        let updating = survey.task == Task::Update;
        let helped = groma_crawl::help(&mut store, crawl, Arc::new(fetcher), &mut strategy, watch, interrupt, updating);
        let finished = archive.map_or(Ok(()), |archive| archive.finish());
        match helped {
            Ok(summary) => finished.map(|()| Helped::ToTheEnd(summary)).map_err(Fault::from),
            Err(CrawlError::Store(StoreError::TakenOver(_))) => Ok(Helped::TakenForDead),
            Err(error) => Err(error.into()),
        }
    }
}

impl Opened {
    /// Crawls to the end, or until the flag is set. The store stays locked until the second half is dropped.
    pub fn crawl(
        self,
        watch: &mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<(Summary, Box<dyn Store>, Lock), Fault> {
        let mut strategy: Box<dyn Strategy> = match self.crawl.scope.kind() {
            ScopeKind::Auto => Box::new(self.search.strategy()),
            _ => Box::new(Layers::new(self.depth)),
        };
        self.crawl_as(&mut *strategy, watch, interrupt)
    }

    /// The same, and then asks the links that lead out whether they are there, if the settings say so.
    pub fn crawl_and_ask(
        self,
        watch: &mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<(Summary, Box<dyn Store>, Lock), Fault> {
        let folder = self.folder.clone();
        let request = OutsideRequest::new(self.settings.outside, &self.settings, &self.crawl.seeds, self.guarded);
        let (mut summary, store, lock) = self.crawl(watch, Arc::clone(&interrupt))?;
        if let Some(request) = request.filter(|_| summary.end != End::Interrupted) {
            match request.ask(&folder, watch, interrupt) {
                Ok(true) => {}
                Ok(false) => summary.end = End::Interrupted,
                // The crawl itself is done, and kept.
                Err(fault) => watch.notice(&format!("the links to other sites could not be asked: {}", fault.says)),
            }
        }
        Ok((summary, store, lock))
    }

    /// The same by a strategy that says itself how far it goes.
    pub(crate) fn crawl_by(
        mut self,
        strategy: &mut dyn Strategy,
        watch: &mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<(Summary, Box<dyn Store>, Lock), Fault> {
        self.crawl.max_pages = None;
        self.crawl_as(strategy, watch, interrupt)
    }

    fn crawl_as(
        self,
        strategy: &mut dyn Strategy,
        watch: &mut dyn Watch,
        interrupt: Arc<AtomicBool>,
    ) -> Result<(Summary, Box<dyn Store>, Lock), Fault> {
        let Opened { mut store, _lock: lock, task, crawl, fetcher, archive, .. } = self;
        let fetcher = Arc::new(fetcher);
        let summary = match task {
            Task::Crawl => groma_crawl::crawl(&mut store, crawl, fetcher, strategy, watch, interrupt),
            Task::Update => groma_crawl::update(&mut store, crawl, fetcher, strategy, watch, interrupt),
        };
        // Also after a failure: what is kept is kept as whole files.
        let finished = archive.map_or(Ok(()), |archive| archive.finish());
        let summary = summary?;
        finished?;
        Ok((summary, store, lock))
    }
}

/// Where a survey started.
pub fn saved_seeds(saved: &Saved) -> Result<Vec<Url>, Fault> {
    let seeds: Vec<Url> = saved.seeds.iter().filter_map(|text| Url::parse(text).ok()).collect();
    if seeds.is_empty() {
        return Err(Fault::new("the survey does not say where it started", "name the URL: groma update URL"));
    }
    Ok(seeds)
}

/// Why there is no page: what became of the first start page, and what can be done about it.
pub fn first_failure(store: &mut dyn Snapshot) -> Result<Fault, Fault> {
    let rows = store.addresses(None, 100)?;
    let start = rows.iter().find(|row| row.depth == Depth(0) && row.state() != State::Alias).or(rows.first());
    let Some(row) = start else {
        return Ok(Fault::new(nothing_fetched("", Reason::Waiting.says()), next_step(Reason::Waiting)));
    };
    let note = store.page(row.id)?.map(|page| page.facts.note).unwrap_or_default();
    let why = if note.is_empty() || row.reason.state() == State::Fetched { row.reason.says() } else { &note };
    Ok(Fault::new(nothing_fetched(&row.url, why), next_step_after(row.reason, &note)))
}

/// A copy of what the last run left. One that was interrupted left nothing that could be compared.
fn keep_copy(folder: &Folder, store: &mut dyn Store) -> Result<Option<String>, Fault> {
    match store.runs()?.last() {
        Some(run) if run.ended.is_some() => folder.keep(run.id)?,
        Some(run) => return Ok(Some(not_ended(run.id))),
        None => {}
    }
    Ok(None)
}

/// The store remembers what it was made with.
pub(crate) fn save(survey: &Survey, store: &mut dyn Store) -> Result<Option<String>, Fault> {
    let mut saved = Saved { guarded: survey.guarded, ..Saved::from_book(&survey.book, &survey.seeds, survey.owned) };
    // What is guarded is asked for without them.
    saved.not_kept.retain(|key| !(survey.guarded && matches!(key.as_str(), "login" | "header" | "cookie_file")));
    let before = Saved::load(store)?.unwrap_or_default();
    let new = saved.join(&before);
    // Somebody may have meant another folder.
    let note = (!before.seeds.is_empty() && !new.is_empty()).then(|| adds_start_pages(&before.seeds, &new));
    saved.not_kept.extend(survey.not_kept.iter().cloned());
    saved.not_kept.sort();
    saved.not_kept.dedup();
    let text = serde_json::to_string(&saved).unwrap_or_default();
    if store.value(saved::KEY)?.as_deref() != Some(text.as_str()) {
        let now = clock::now();
        let values = vec![(saved::KEY.to_owned(), text)];
        store.commit(&WriteBatch { now, values, ..WriteBatch::default() })?;
    }
    Ok(note)
}

/// Puts the rest of a long list of start pages into the store.
fn save_list(list: Listed, store: &mut dyn Store) -> Result<(), Fault> {
    let mut saved = Saved::load(store)?.unwrap_or_default();
    let keep = |saved: &Saved, store: &mut dyn Store| {
        let now = clock::now();
        let values = vec![(saved::KEY.to_owned(), serde_json::to_string(saved).unwrap_or_default())];
        store.commit(&WriteBatch { now, values, ..WriteBatch::default() })
    };
    saved.half_listed = true;
    keep(&saved, store)?;
    list.save(&mut saved, store)?;
    saved.half_listed = false;
    Ok(keep(&saved, store)?)
}

/// The start pages of lists that the store holds are named like all others, and belong to what decides. Gives what the user should know.
fn take_listed(
    crawl: &mut CrawlSettings,
    fetcher: &mut HttpFetcher,
    store: &mut dyn Snapshot,
    guarded: bool,
) -> Result<Option<String>, Fault> {
    let Some(saved) = Saved::load(store)?.filter(|saved| saved.pieces > 0 || saved.half_listed) else {
        return Ok(None);
    };
    crawl.listed = saved.pieces;
    crawl.decisions.push_str(&format!("listed {}\n", saved.listed));
    if !guarded {
        each_listed(store, &saved, &mut |url| fetcher.own(&url))?;
    }
    Ok(saved.half_listed.then(|| {
        "the list of start pages was not read to its end when this survey was begun; give it again with -i".to_owned()
    }))
}

/// Whoever wants every page built needs something to build it with; pictures are of pages that were built.
fn check_browser(settings: &Settings) -> Result<(), Fault> {
    if settings.screenshots && settings.rendered.js == Js::Never {
        return Err(Fault::new("there are no pictures without a browser", "say --js auto or --js always too"));
    }
    if settings.rendered.js == Js::Always && groma_render::find().is_none() {
        return Err(Fault::new(
            "no Chromium was found, and every page is to be built by one",
            "install it (on Debian: apt install chromium), or say --js auto or --js never",
        ));
    }
    Ok(())
}

/// On whose behalf servers are asked.
#[derive(Clone, Copy, Default)]
pub(crate) struct Whose {
    /// On that of the site's owner.
    pub(crate) owned: bool,
    /// On that of somebody whom servers know: by a login, cookies or fields.
    pub(crate) personal: bool,
}

pub(crate) fn crawl_settings(settings: &Settings, seeds: &[Url], whose: Whose, folder: &Folder) -> CrawlSettings {
    let Whose { owned, personal } = whose;
    let logout = personal.then(|| Logout::new(settings.logout.clone()));
    let mut decisions = settings.decisions(seeds);
    if personal {
        let more: Vec<&str> = settings.logout.iter().map(|pattern| pattern.text()).collect();
        decisions.push_str(&format!("logout {more:?}\n"));
    }
    CrawlSettings {
        seeds: seeds.to_vec(),
        listed: 0,
        canonizer: settings.canonizer(),
        scope: settings.scope(seeds),
        max_pages: settings.limit,
        manners: settings.manners(owned),
        // Loose pages have no distance that could be within a limit.
        follow: Follow { sitemaps: settings.follow.sitemaps && settings.depth.is_none(), ..settings.follow },
        keep: settings.keep,
        rendered: Rendered { pictures: settings.screenshots.then(|| folder.pictures()), ..settings.rendered.clone() },
        learn: settings.learn,
        logout,
        decisions,
    }
}

/// Start pages that a survey does not know yet.
fn adds_start_pages(known: &[String], new: &[String]) -> String {
    let some = |urls: &[String]| match urls {
        [one] => one.clone(),
        [one, rest @ ..] => format!("{one} and {} more", grouped(rest.len() as u64)),
        [] => String::new(),
    };
    format!("this survey already holds {}; adding {}", some(known), some(new))
}

fn not_ended(run: u32) -> String {
    format!("run {run} was interrupted: there is no finished survey that could be kept")
}

fn no_such_host(url: &groma_url::Url) -> String {
    format!("{}: there is no host of this name", plain(url.as_str()))
}
