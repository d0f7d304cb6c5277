//! A survey in a scratch folder, and what the tests ask of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use groma_crawl::{CrawlSettings, Follow, Keep, Manners, Summary, Unwatched, Watch, crawl, update};
use groma_fetch::{FetchConfig, HttpFetcher, OwnHosts, ProxyChoice};
use groma_model::url::{Canonizer, RuleBook, Scope, ScopeKind};
use groma_model::{Limits, Reason, State};
use groma_store::{AddressRow, Balance, Folder, Snapshot, verify};
use groma_strategy::Layers;
use groma_url::Url;

/// A survey of one test site.
pub(crate) struct Survey {
    pub(crate) folder: Folder,
    pub(crate) base: Url,
    pub(crate) depth: Option<u32>,
    pub(crate) pages: Option<u64>,
    pub(crate) scope: ScopeKind,
    pub(crate) limits: Limits,
    pub(crate) sitemaps: bool,
    pub(crate) robots: bool,
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Names of hosts that are the server too.
    pub(crate) names: Vec<String>,
    /// Other servers on this machine that may be asked.
    pub(crate) own: Vec<Url>,
    scratch: PathBuf,
}

impl Survey {
    /// A survey of the site at this URL.
    pub(crate) fn for_site(base: &str) -> Survey {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let scratch = std::env::temp_dir().join(format!("groma-crawl-{}-{number}", std::process::id()));
        Survey {
            folder: Folder::new(scratch.join("t.groma")),
            base: Url::parse(base).unwrap(),
            depth: None,
            pages: None,
            scope: ScopeKind::Host,
            limits: Limits { retry_ms: 20, ..Limits::default() },
            sitemaps: false,
            robots: true,
            interrupt: Arc::new(AtomicBool::new(false)),
            names: Vec::new(),
            own: Vec::new(),
            scratch,
        }
    }

    pub(crate) fn settings(&self) -> CrawlSettings {
        let decisions = format!("{:?} {:?} {:?} {:?}", self.depth, self.pages, self.scope, self.limits);
        CrawlSettings {
            seeds: vec![self.base.clone()],
            canonizer: Canonizer::new(RuleBook::default(), &self.limits),
            scope: Scope::new(self.scope, &[], Vec::new(), Vec::new()),
            listed: 0,
            max_pages: self.pages,
            manners: Manners {
                concurrency: 16,
                per_host: 16,
                delay: Duration::ZERO,
                stranger_delay: Duration::ZERO,
                agent: "groma".into(),
                robots: self.robots,
                limits: self.limits.clone(),
            },
            follow: Follow { sitemaps: self.sitemaps, ..Follow::default() },
            keep: Keep::default(),
            rendered: groma_crawl::Rendered::default(),
            learn: true,
            logout: None,
            decisions,
        }
    }

    pub(crate) fn fetcher(&self) -> Arc<HttpFetcher> {
        let own_hosts = OwnHosts::of_urls(self.own.iter().chain([&self.base]));
        let port = self.base.port().unwrap();
        let resolve = self.names.iter().map(|name| format!("{name}:{port}:127.0.0.1").parse().unwrap()).collect();
        let limits = self.limits.clone();
        let config = FetchConfig { own_hosts, resolve, limits, proxy: ProxyChoice::None, ..FetchConfig::default() };
        Arc::new(HttpFetcher::new(config).unwrap())
    }

    /// Crawls, or goes on.
    pub(crate) fn crawl(&self) -> Summary {
        self.crawl_watched(&mut Unwatched)
    }

    /// Crawls while somebody watches.
    pub(crate) fn crawl_watched(&self, watch: &mut dyn Watch) -> Summary {
        let (mut store, _lock) = self.folder.open().unwrap();
        let mut layers = Layers::new(self.depth);
        crawl(&mut store, self.settings(), self.fetcher(), &mut layers, watch, Arc::clone(&self.interrupt)).unwrap()
    }

    /// Asks again for everything.
    pub(crate) fn update(&self) -> Summary {
        let (mut store, _lock) = self.folder.open().unwrap();
        let mut layers = Layers::new(self.depth);
        let interrupt = Arc::clone(&self.interrupt);
        update(&mut store, self.settings(), self.fetcher(), &mut layers, &mut Unwatched, interrupt).unwrap()
    }

    /// Opens the store for reading, after the store's own check.
    pub(crate) fn read(&self) -> Box<dyn groma_store::Snapshot> {
        let mut store = self.folder.read().unwrap();
        let report = verify::verify(&mut store).unwrap();
        assert_eq!(report.wrong, 0, "{:?}", report.complaints);
        store
    }

    pub(crate) fn balance(&self) -> Balance {
        self.read().balance().unwrap()
    }

    pub(crate) fn count(&self, state: State) -> u64 {
        self.balance().state(state)
    }

    /// All URLs by path and query (other hosts: whole).
    pub(crate) fn addresses(&self) -> BTreeMap<String, AddressRow> {
        let rows = self.read().addresses(None, usize::MAX >> 1).unwrap();
        let origin = self.origin();
        let short = |url: &str| url.strip_prefix(&origin).unwrap_or(url).to_string();
        rows.into_iter().map(|row| (short(&row.url), row)).collect()
    }

    /// Scheme, host and port of the base.
    pub(crate) fn origin(&self) -> String {
        self.base.origin().ascii_serialization()
    }

    /// Why a URL is in its state.
    pub(crate) fn reason(&self, path: &str) -> Reason {
        self.addresses().get(path).unwrap_or_else(|| panic!("{path} is not known")).reason
    }

    pub(crate) fn indexed(&self) -> Vec<String> {
        let all = self.addresses();
        all.into_iter().filter(|(_, row)| row.state() == State::Fetched).map(|(path, _)| path).collect()
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}
