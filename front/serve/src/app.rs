//! What every request stands on: the sites, the accounts, the counts, and a bounded number of hands for work that blocks.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use groma_settings::Book;
use groma_settings::meaning::Settings;
use groma_store::StoreError;
use tokio::sync::{Semaphore, watch};

use crate::door::{Accounts, StartKey, Tries};
use crate::error::{Problem, ServeError};
use crate::metrics::Metrics;
use crate::options::{Listening, Options};
use crate::search::SearchDesk;
use crate::sites::{Site, Sites};
use crate::words;

/// The value of the desk that says that the public search is closed.
const SEARCH_CLOSED: &str = "search.closed";
/// How long a request waits for a hand.
const PATIENCE: Duration = Duration::from_secs(10);
/// Streams of events at a time, of all sites.
const STREAMS: usize = 64;
/// Requests at work on stores at a time.
const HANDS: usize = 16;

/// What every request stands on.
pub(crate) struct App {
    /// How the server was asked to run.
    pub(crate) options: Options,
    pub(crate) sites: Sites,
    /// Who may come in.
    pub(crate) accounts: Accounts,
    /// Who tried to come in and failed.
    pub(crate) tries: Tries,
    /// How the owner of a server without users comes in.
    pub(crate) start: StartKey,
    /// Counters for `/metrics`.
    pub(crate) metrics: Metrics,
    /// Questions and remembered answers.
    pub(crate) search: SearchDesk,
    /// Streams of events at a time.
    pub(crate) streams: Arc<Semaphore>,
    hands: Arc<Semaphore>,
    search_closed: AtomicBool,
    stop: watch::Sender<bool>,
}

impl App {
    /// Reads what is there.
    pub(crate) fn new(options: Options) -> Result<App, ServeError> {
        let sites = Sites::open(&options.home, &options.stores)?;
        let accounts = Accounts::open(&options.home)?;
        let weights = weights(&options)?;
        let search_closed = accounts.desk().value(SEARCH_CLOSED)?.is_some();
        Ok(App {
            start: StartKey::new(&options.home, options.listen, options.start_page),
            sites,
            accounts,
            options,
            search: SearchDesk::new(weights),
            streams: Arc::new(Semaphore::new(STREAMS)),
            search_closed: AtomicBool::new(search_closed),
            stop: watch::channel(false).0,
            tries: Tries::default(),
            metrics: Metrics::default(),
            hands: Arc::new(Semaphore::new(HANDS)),
        })
    }

    /// Does the start key open the server? Only where there are no users and nobody else was meant to reach it.
    pub(crate) fn takes_key(&self) -> Result<bool, StoreError> {
        Ok(self.options.is_private() && !self.accounts.has_users()?)
    }

    /// Where the server listens, and how its owner comes in.
    pub(crate) fn listening(&self) -> Result<Listening, ServeError> {
        let at = self.options.listen;
        if !self.takes_key()? {
            return Ok(Listening { at, start_url: None, key_file: None, start_page: None });
        }
        let start_url = Some(self.start.url()?);
        let key_file = Some(self.start.file().to_path_buf());
        Ok(Listening { at, start_url, key_file, start_page: self.start.page().map(std::path::Path::to_path_buf) })
    }

    /// May anybody search? Whoever started the server may allow it, and an admin may close it again.
    pub(crate) fn search_is_public(&self) -> bool {
        self.options.public_search && !self.search_closed.load(Ordering::Relaxed)
    }

    /// Closes the public search, or opens it as far as whoever started the server allows.
    pub(crate) fn close_search(&self, closed: bool) -> Result<(), Problem> {
        self.accounts.desk().set_value(SEARCH_CLOSED, closed.then_some("yes"))?;
        self.search_closed.store(closed, Ordering::Relaxed);
        Ok(())
    }

    /// The server goes home.
    pub(crate) fn stop(&self) {
        let _ = self.stop.send_replace(true);
    }

    /// Waits until the server goes home.
    pub(crate) async fn stopping(&self) {
        let mut stop = self.stop.subscribe();
        let _ = stop.wait_for(|stop| *stop).await;
    }

    /// The site with this name.
    pub(crate) fn site(&self, name: &str) -> Result<Arc<Site>, Problem> {
        let missing = || {
            Problem::new(axum::http::StatusCode::NOT_FOUND, no_such_site(name), "the sites are listed at /api/v1/sites")
        };
        self.sites.get(name).ok_or_else(missing)
    }

    /// Does what blocks (reading a store, hashing a password) aside from the sockets, so many at a time.
    pub(crate) async fn work<T, F>(self: &Arc<App>, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    {
        let work: Work = Box::new(move |app| Ok(Box::new(work(app)?) as Answer));
        let answer = self.aside(work).await?;
        // The box holds what was put into it two lines above.
        answer.downcast().map(|answer| *answer).map_err(|_| Problem::ours(words::FELL, words::FELL_HINT))
    }

    /// [`App::work`] for every type of answer: the runtime's code for a task is compiled once, not for each of a hundred handlers.
    async fn aside(self: &Arc<App>, work: Work) -> Result<Answer, Problem> {
        let hand = tokio::time::timeout(PATIENCE, Arc::clone(&self.hands).acquire_owned());
        let Ok(Ok(hand)) = hand.await else { return Err(Problem::busy()) };
        let app = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let _hand = hand;
            work(&app)
        });
        done.await.unwrap_or_else(|_| Err(Problem::ours(words::FELL, words::FELL_HINT)))
    }
}

/// An answer whose type only the one who asked knows.
type Answer = Box<dyn Any + Send>;

/// Work for a thread that may wait.
type Work = Box<dyn FnOnce(&App) -> Result<Answer, Problem> + Send>;

/// The weights of the configuration.
fn weights(options: &Options) -> Result<groma_search::Weights, ServeError> {
    let wrong = |fault: groma_settings::Fault| ServeError::Options { says: fault.says, hint: fault.hint };
    let mut book = Book::gather(&[], options.config.as_deref(), None).map_err(wrong)?;
    Ok(Settings::from_book(&mut book).map_err(wrong)?.weights)
}

pub(crate) use groma_settings::clock::now;

fn no_such_site(name: &str) -> String {
    format!("there is no site called {:?}", words::short(name))
}
