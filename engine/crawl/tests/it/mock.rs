//! A web in memory and a survey of it in a scratch folder: no sockets, and a crawl that hangs fails its test.
//!
//! A web is a closure from what is asked to what is answered. It stands at `http://a.test`; paths mean pages of that host, and
//! everything elsewhere goes by its whole URL. A web that changes looks at the epoch.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use groma_crawl::{
    CrawlError, CrawlSettings, End, Follow, GatherSettings, Keep, Manners, OutsideList, OutsideSettings, PageSeen,
    Unwatched, Watch, ask_outside, crawl, gather, update,
};
use groma_fetch::{BoxFuture, Fetcher, Lane};
use groma_model::url::{Canonizer, RuleBook, Scope, ScopeKind};
use groma_model::{Depth, Limits, Outcome, Reason, Request, Response};
use groma_store::gathers::NewGather;
use groma_store::outside::OutsideAnswer;
use groma_store::{AddressRow, ChangeKind, Folder, Snapshot, Store, verify};
use groma_strategy::{Asker, Layers, Strategy};
use groma_url::Url;

/// The host at which webs in memory stand.
const HOME: &str = "http://a.test";
/// A crawl that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// Fetches under way at once.
pub(crate) const CONCURRENCY: usize = 8;

/// What a web is asked.
pub(crate) struct Ask<'a> {
    /// Path and query; elsewhere than at home, the whole URL.
    pub(crate) path: &'a str,
    /// How often the web has changed.
    pub(crate) epoch: u32,
    /// The request as it came.
    pub(crate) request: &'a Request,
}

impl Ask<'_> {
    /// A parameter of the query that is a number.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        let mut pairs = self.request.url.query_pairs();
        pairs.find(|(key, _)| key == name).and_then(|(_, value)| value.parse().ok())
    }
}

/// An answer with these headers.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Outcome {
    Outcome::Answer(Box::new(Response {
        status,
        headers: headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        body: body.as_bytes().to_vec(),
        cut: None,
        remote: None,
        version: "HTTP/1.1",
        elapsed: Duration::ZERO,
    }))
}

pub(crate) fn html(body: &str) -> Outcome {
    answer(200, &[("content-type", "text/html")], body)
}

/// A text, for robots.txt.
pub(crate) fn text(body: &str) -> Outcome {
    answer(200, &[("content-type", "text/plain")], body)
}

pub(crate) fn redirect(place: &str) -> Outcome {
    answer(302, &[("location", place)], "")
}

pub(crate) fn status(code: u16) -> Outcome {
    answer(code, &[], "")
}

/// There is no such page.
pub(crate) fn missing() -> Outcome {
    status(404)
}

/// Anchors to these places.
pub(crate) fn links(places: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    places.into_iter().map(|place| format!("<a href='{}'>x</a> ", place.as_ref())).collect()
}

type Web = dyn Fn(&Ask<'_>) -> Outcome + Send + Sync;

/// A web in memory, and what it has been asked.
#[derive(Clone)]
pub(crate) struct InMemory {
    web: Arc<Web>,
    epoch: Arc<AtomicU32>,
    asked: Arc<Mutex<Vec<(String, Instant)>>>,
    under_way: Arc<AtomicUsize>,
    peak: Arc<AtomicUsize>,
    /// How long an answer takes.
    pub(crate) latency: Duration,
}

impl InMemory {
    /// What has been asked so far, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(path, _)| path.clone()).collect()
    }

    /// The same, with how long after the first.
    pub(crate) fn asked_after(&self) -> Vec<(String, Duration)> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(path, at)| (path.clone(), at.duration_since(asked[0].1))).collect()
    }

    /// The most requests that were ever under way at once.
    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Ordering::SeqCst)
    }
}

impl Fetcher for InMemory {
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome> {
        Box::pin(self.answer(request))
    }

    fn lane<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Lane> {
        Box::pin(async { Lane::Host(url.host_str().unwrap().to_string()) })
    }
}

impl InMemory {
    async fn answer(&self, request: Request) -> Outcome {
        let path = short(request.url.as_str());
        self.asked.lock().unwrap().push((path.to_string(), Instant::now()));
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.peak.fetch_max(now, Ordering::SeqCst);
        if !self.latency.is_zero() {
            tokio::time::sleep(self.latency).await;
        }
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        (self.web)(&Ask { path, epoch: self.epoch.load(Ordering::SeqCst), request: &request })
    }
}

/// A survey of a web in memory.
pub(crate) struct Survey {
    pub(crate) web: InMemory,
    pub(crate) seeds: Vec<&'static str>,
    pub(crate) depth: Option<u32>,
    pub(crate) pages: Option<u64>,
    pub(crate) scope: ScopeKind,
    pub(crate) limits: Limits,
    pub(crate) sitemaps: bool,
    pub(crate) assets: bool,
    pub(crate) keep_bodies: bool,
    pub(crate) book: RuleBook,
    pub(crate) delay: Duration,
    pub(crate) agent: &'static str,
    pub(crate) interrupt: Arc<AtomicBool>,
    scratch: PathBuf,
}

impl Survey {
    /// A survey of this web, from its home page.
    pub(crate) fn for_web(web: impl Fn(&Ask<'_>) -> Outcome + Send + Sync + 'static) -> Survey {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let web = InMemory {
            web: Arc::new(web),
            epoch: Arc::default(),
            asked: Arc::default(),
            under_way: Arc::default(),
            peak: Arc::default(),
            latency: Duration::ZERO,
        };
        Survey {
            web,
            seeds: vec!["http://a.test/"],
            depth: None,
            pages: None,
            scope: ScopeKind::Host,
            limits: Limits { retries: 0, retry_ms: 1, retry_after_s: 0, robots_cache_s: 0, ..Limits::default() },
            sitemaps: false,
            assets: false,
            keep_bodies: false,
            book: RuleBook::default(),
            delay: Duration::ZERO,
            agent: "groma",
            interrupt: Arc::default(),
            scratch: std::env::temp_dir().join(format!("groma-crawl-mock-{}-{number}", std::process::id())),
        }
    }

    fn settings(&self) -> CrawlSettings {
        CrawlSettings {
            seeds: self.seeds.iter().map(|seed| Url::parse(seed).unwrap()).collect(),
            listed: 0,
            canonizer: Canonizer::new(self.book.clone(), &self.limits),
            scope: Scope::new(self.scope, &[], Vec::new(), Vec::new()),
            max_pages: self.pages,
            manners: self.manners(),
            follow: Follow { nofollow: false, assets: self.assets, sitemaps: self.sitemaps },
            keep: Keep { bodies: self.keep_bodies, parts: false },
            rendered: groma_crawl::Rendered::default(),
            learn: true,
            logout: None,
            decisions: format!("{:?} {:?} {:?} {:?} {}", self.seeds, self.depth, self.pages, self.scope, self.agent),
        }
    }

    fn manners(&self) -> Manners {
        Manners {
            concurrency: CONCURRENCY,
            per_host: CONCURRENCY,
            delay: self.delay,
            stranger_delay: Duration::ZERO,
            agent: self.agent.into(),
            robots: true,
            limits: self.limits.clone(),
        }
    }

    fn folder(&self) -> Folder {
        Folder::new(self.scratch.join("t.groma"))
    }

    /// Crawls, or goes on.
    pub(crate) fn crawl(&self) -> End {
        self.crawl_with(Layers::new(self.depth))
    }

    /// Crawls as this strategy says.
    pub(crate) fn crawl_with(&self, strategy: impl Strategy + 'static) -> End {
        self.go(Going::Crawl, strategy, Unwatched)
    }

    /// Crawls until so many pages are settled, then is interrupted.
    pub(crate) fn crawl_interrupted_after(&self, pages: u32) -> End {
        self.go_interrupted_after(Going::Crawl, pages)
    }

    /// Asks again for everything.
    pub(crate) fn update(&self) -> End {
        self.go(Going::Update, Layers::new(self.depth), Unwatched)
    }

    /// Asks again until so many pages are settled, then is interrupted.
    pub(crate) fn update_interrupted_after(&self, pages: u32) -> End {
        self.go_interrupted_after(Going::Update, pages)
    }

    fn go_interrupted_after(&self, going: Going, pages: u32) -> End {
        let watch = Interrupter { left: pages, interrupt: Arc::clone(&self.interrupt) };
        let end = self.go(going, Layers::new(self.depth), watch);
        self.interrupt.store(false, Ordering::SeqCst);
        end
    }

    fn go(&self, going: Going, strategy: impl Strategy + 'static, watch: impl Watch + Send + 'static) -> End {
        self.go_on(|store| store, going, strategy, watch).unwrap()
    }

    /// Crawls on a store that is put around that of the survey.
    pub(crate) fn crawl_on<S: Store>(
        &self,
        wrap: impl FnOnce(Box<dyn Store>) -> S + Send + 'static,
    ) -> Result<End, CrawlError> {
        self.go_on(wrap, Going::Crawl, Layers::new(self.depth), Unwatched)
    }

    fn go_on<S: Store>(
        &self,
        wrap: impl FnOnce(Box<dyn Store>) -> S + Send + 'static,
        going: Going,
        mut strategy: impl Strategy + 'static,
        mut watch: impl Watch + Send + 'static,
    ) -> Result<End, CrawlError> {
        let (folder, settings, web) = (self.folder(), self.settings(), self.web.clone());
        let interrupt = Arc::clone(&self.interrupt);
        within_patience(move || {
            let (store, _lock) = folder.open().unwrap();
            let mut store = wrap(store);
            let summary = match going {
                Going::Crawl => crawl(&mut store, settings, Arc::new(web), &mut strategy, &mut watch, interrupt),
                Going::Update => update(&mut store, settings, Arc::new(web), &mut strategy, &mut watch, interrupt),
            };
            summary.map(|summary| summary.end)
        })
    }

    /// Asks as this strategy says, up to so many requests, of nobody but `a.test`.
    pub(crate) fn gather_with(&self, mut asker: impl Asker + 'static, most_requests: Option<u64>) -> End {
        let (folder, web, interrupt) = (self.folder(), self.web.clone(), Arc::clone(&self.interrupt));
        let settings = GatherSettings {
            manners: self.manners(),
            most_requests,
            may_ask: Box::new(|url| url.host_str().is_some_and(|host| host == "a.test")),
        };
        within_patience(move || {
            drop(folder.open().unwrap());
            let mut gathers = folder.gathers().unwrap();
            let new = NewGather { key: "k".into(), address: HOME.into(), asked: "{}".into(), at: 1 };
            let row = gathers.begin(&new).unwrap();
            let watch = &mut Unwatched;
            let end = gather(&mut gathers, row.id, settings, Arc::new(web), &mut asker, watch, interrupt).unwrap().end;
            if end == End::Finished {
                gathers.end(row.id, "done", "{}", 2).unwrap();
            }
            assert_eq!(gathers.complaints().unwrap(), Vec::<String>::new());
            end
        })
    }

    /// Asks the links that lead out, or so many of them.
    pub(crate) fn ask_outside(&self, sample: Option<u64>) -> End {
        self.ask_outside_with(sample, Unwatched)
    }

    /// Asks them until so many have answered, then is interrupted.
    pub(crate) fn ask_outside_interrupted_after(&self, answers: u32) -> End {
        let end = self.ask_outside_with(None, Interrupter { left: answers, interrupt: Arc::clone(&self.interrupt) });
        self.interrupt.store(false, Ordering::SeqCst);
        end
    }

    fn ask_outside_with(&self, sample: Option<u64>, mut watch: impl Watch + Send + 'static) -> End {
        let (folder, web, interrupt) = (self.folder(), self.web.clone(), Arc::clone(&self.interrupt));
        let settings = OutsideSettings { manners: self.manners(), again_s: 3_600, known_at: Vec::new(), sample };
        within_patience(move || {
            let (mut store, mut keeper) = (folder.read().unwrap(), folder.outside().unwrap());
            let list = OutsideList::read(&mut store, &mut keeper, &settings).unwrap();
            ask_outside(&mut store, list, &mut keeper, &settings, Arc::new(web), &mut watch, interrupt).unwrap().end
        })
    }

    /// What links that lead out have answered.
    pub(crate) fn outside(&self) -> Vec<OutsideAnswer> {
        let mut answers = Vec::new();
        self.folder().outside().unwrap().each(&mut |answer| answers.push(answer)).unwrap();
        answers
    }

    /// Changes the mock web, as time would between two crawls.
    pub(crate) fn next_epoch(&self) {
        self.web.epoch.fetch_add(1, Ordering::SeqCst);
    }

    /// Opens the store for reading, after the store's own check.
    pub(crate) fn read(&self) -> Box<dyn Snapshot> {
        let mut store = self.folder().read().unwrap();
        let report = verify::verify(&mut store).unwrap();
        assert_eq!(report.wrong, 0, "{:?}", report.complaints);
        store
    }

    /// All URLs by path and query (other hosts: whole).
    pub(crate) fn addresses(&self) -> BTreeMap<String, AddressRow> {
        let rows = self.read().addresses(None, usize::MAX >> 1).unwrap();
        rows.into_iter().map(|row| (short(&row.url).to_string(), row)).collect()
    }

    pub(crate) fn address(&self, path: &str) -> AddressRow {
        self.addresses().remove(path).unwrap_or_else(|| panic!("{path} is not known"))
    }

    /// Why a URL is in its state.
    pub(crate) fn reason(&self, path: &str) -> Reason {
        self.address(path).reason
    }

    /// The distance of a URL.
    pub(crate) fn distance(&self, path: &str) -> Depth {
        self.address(path).depth
    }

    /// The URLs with this reason.
    pub(crate) fn with_reason(&self, reason: Reason) -> BTreeSet<String> {
        self.addresses().into_iter().filter(|(_, row)| row.reason == reason).map(|(path, _)| path).collect()
    }

    /// How often a URL was asked for.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.web.asked().iter().filter(|asked| *asked == path).count()
    }

    /// The URLs to which this happened in a run.
    pub(crate) fn changes(&self, run: u32, kind: ChangeKind) -> BTreeSet<String> {
        let mut store = self.read();
        let log = store.changes(0, usize::MAX >> 1).unwrap();
        let pages = log.iter().filter(|change| change.run == run && change.kind == kind).map(|change| change.page);
        pages.map(|page| short(&store.address(page).unwrap().unwrap().url).to_string()).collect()
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

#[derive(Clone, Copy)]
enum Going {
    Crawl,
    Update,
}

/// Interrupts after so many pages.
struct Interrupter {
    left: u32,
    interrupt: Arc<AtomicBool>,
}

impl Watch for Interrupter {
    fn page(&mut self, _page: &PageSeen<'_>) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.interrupt.store(true, Ordering::SeqCst);
        }
    }
}

/// Works in a thread of its own, which is left behind if it hangs: the test fails and the others go on.
fn within_patience<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = channel();
    let worker = thread::spawn(move || {
        let _ = done.send(work());
    });
    match result.recv_timeout(PATIENCE) {
        Ok(value) => value,
        Err(RecvTimeoutError::Timeout) => panic!("the crawl hangs"),
        Err(RecvTimeoutError::Disconnected) => resume_unwind(worker.join().unwrap_err()),
    }
}

/// A URL as the tests write it.
fn short(url: &str) -> &str {
    url.strip_prefix(HOME).unwrap_or(url)
}
