//! What every request stands on: the sites, the accounts, the counts, and a bounded number of hands for work that blocks.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::{Semaphore, watch};
use url::Url;

use groma_desk::settings::Book;
use groma_desk::settings::meaning::Settings;
use groma_store::accounts::Accounts as _;

use crate::door::{Accounts, Tries};
use crate::error::{Problem, ServeError};
use crate::metrics::Metrics;
use crate::search::SearchDesk;
use crate::sites::{Site, Sites};
use crate::words;

/// How the server is asked to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where surveys begun over the web are kept, and the accounts (`desk.db`).
    pub home: PathBuf,
    /// Surveys besides those in the home folder.
    pub stores: Vec<PathBuf>,
    /// Hosts that are the user's own: they may be private, and on loopback asked without a pause.
    pub own: Vec<String>,
    /// Anybody may search.
    pub public_search: bool,
    /// How people reach it, if through another server: `https://survey.example.org/`.
    pub public_url: Option<Url>,
    /// Jobs done at a time; 0: jobs are left to other processes.
    pub workers: usize,
    /// The configuration file for jobs.
    pub config: Option<PathBuf>,
}

impl Options {
    /// The usual ones: loopback only, jobs done here, nothing public.
    pub fn on_loopback(home: PathBuf) -> Options {
        Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 8090)),
            home,
            stores: Vec::new(),
            own: Vec::new(),
            public_search: false,
            public_url: None,
            workers: 2,
            config: None,
        }
    }
}

/// The value of the desk that says that the public search is closed.
const SEARCH_CLOSED: &str = "search.closed";
/// How long a request waits for a hand.
const PATIENCE: Duration = Duration::from_secs(10);
/// Requests at work on stores at a time.
const HANDS: usize = 16;

/// What every request stands on.
pub(crate) struct App {
    /// How the server was asked to run.
    pub(crate) options: Options,
    /// The sites.
    pub(crate) sites: Sites,
    /// Who may come in.
    pub(crate) accounts: Accounts,
    /// Who tried to come in and failed.
    pub(crate) tries: Tries,
    /// What is counted.
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
            sites,
            accounts,
            options,
            search: SearchDesk::new(weights),
            streams: Arc::new(Semaphore::new(crate::live::STREAMS)),
            search_closed: AtomicBool::new(search_closed),
            stop: watch::channel(false).0,
            tries: Tries::default(),
            metrics: Metrics::default(),
            hands: Arc::new(Semaphore::new(HANDS)),
        })
    }

    /// Can only this machine reach the server, and nobody else through another one?
    pub(crate) fn is_private(&self) -> bool {
        self.options.listen.ip().to_canonical().is_loopback() && self.options.public_url.is_none()
    }

    /// Is everybody who can reach it its owner? Only where there are no users and nobody else can.
    pub(crate) fn is_open(&self) -> Result<bool, Problem> {
        Ok(self.is_private() && !self.accounts.has_users()?)
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
        let missing = || Problem::new(axum::http::StatusCode::NOT_FOUND, words::no_such_site(name), words::SITE_HINT);
        self.sites.get(name).ok_or_else(missing)
    }

    /// Does what blocks (reading a store, hashing a password) aside from the sockets, so many at a time.
    pub(crate) async fn work<T, F>(self: &Arc<App>, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    {
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

/// The weights of the configuration.
fn weights(options: &Options) -> Result<groma_search::Weights, ServeError> {
    let wrong = |fault: groma_desk::Fault| ServeError::Options { says: fault.says, hint: fault.hint };
    let mut book = Book::gather(&[], options.config.as_deref(), None).map_err(wrong)?;
    Ok(Settings::of(&mut book).map_err(wrong)?.weights)
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}
