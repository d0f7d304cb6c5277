//! The border of a site, found while crawling: against the exact cut of the whole web, and across interruptions.

#[path = "../../../../../ground/strategy/src/overflow/oracle.rs"]
mod oracle;
mod town;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_crawl::{CrawlError, End, PageSeen, Unwatched, Watch, crawl, update};
use groma_model::url::{Pattern, Scope, ScopeKind};
use groma_model::{Reason, State};
use groma_store::{Snapshot, StoreError};
use groma_strategy::overflow::{Account, Overflow, Prices, Settings, Stop};
use groma_strategy::{Layers, Strategy};
use groma_testweb::{Ask, Server};

use crate::failing_store::FailingStore;
use crate::surveying::Survey;
use town::{Place, Site, Town};

const SIGMA: f64 = 1.0;
/// Above what a single link to another site carries (three tokens apart: 0.0111).
const PRICE: f64 = 0.012;

fn overflow() -> Overflow {
    Overflow::new(Settings { sigma: SIGMA, ..Settings::default() }, Prices::falling(&[0.03, PRICE]))
}

/// Three sites on one host.
fn three() -> Town {
    let site = |folder, pages| Site { folder, pages, hosts: &["127.0.0.1"] };
    Town { sites: vec![site("beta", 500), site("alpha", 800), site("gamma", 300)] }
}

/// A server with a town, and a survey from the home page of a site.
fn begun(town: &Town, site: usize) -> (Server, Survey) {
    let web = town.clone();
    let server = Server::start(move |ask: &Ask| web.answer(ask));
    let mut survey = Survey::for_site(&town.address(Place::Page(site, 0), server.port()));
    survey.scope = ScopeKind::Any;
    survey.names = town.sites.iter().flat_map(|site| site.hosts).map(|host| (*host).to_owned()).collect();
    (server, survey)
}

fn go_on(survey: &Survey, strategy: &mut dyn Strategy, watch: &mut dyn Watch) -> End {
    let (mut store, _lock) = survey.folder.open().unwrap();
    let interrupt = Arc::clone(&survey.interrupt);
    crawl(&mut store, survey.settings(), survey.fetcher(), strategy, watch, interrupt).unwrap().end
}

/// The URLs of what a search found.
fn addresses(survey: &Survey, found: &Overflow) -> BTreeSet<String> {
    let mut store = survey.read();
    let of = |page: &groma_model::PageId| store.address(*page).unwrap().unwrap().url;
    found.outcome().inside.iter().map(of).collect()
}

fn jaccard(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    one.intersection(other).count() as f64 / one.union(other).count().max(1) as f64
}

/// Requests that the server got, those for `robots.txt` aside.
fn fetches(server: &Server) -> u64 {
    server.asked().iter().filter(|(path, _)| *path != "/robots.txt").map(|(_, times)| times).sum()
}

#[test]
fn one_of_three_sites_on_a_host_is_found_and_hardly_more_is_fetched() {
    let town = three();
    let (server, survey) = begun(&town, 1);
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::Stopped);
    let exact = town.exact(Place::Page(1, 0), server.port(), SIGMA, PRICE);
    assert!((800..850).contains(&exact.len()), "{}", exact.len());
    let found = addresses(&survey, &strategy);
    assert!(jaccard(&found, &exact) >= 0.98, "{} {}", found.len(), exact.len());
    assert!(fetches(&server) as f64 <= 1.2 * exact.len() as f64, "{} for {}", fetches(&server), exact.len());
    assert_eq!(u64::from(strategy.account().fetches), fetches(&server));
    assert!(server.asked().values().all(|times| *times == 1));
    println!("{} found, {} exact, {} fetched", found.len(), exact.len(), fetches(&server));
    // What was found can be asked later, and what was not wanted is told as such.
    let mut store = survey.read();
    let kept = Account::parse(&store.value(Account::KEY).unwrap().unwrap()).unwrap();
    assert_eq!(kept, strategy.account());
    assert!(matches!(kept.stop, Stop::Settled | Stop::BelowThreshold));
    assert_eq!(kept.steps.len(), 2);
    assert_eq!(store.value("strategy").unwrap().as_deref(), Some("overflow"));
    let balance = store.balance().unwrap();
    assert!(balance.tally[&Reason::NotWanted] > 10);
    assert_eq!(balance.state(State::Queued), 0);
    // Distances are those of the links, not of the rounds.
    let depth = |n| {
        survey.addresses()[town.address(Place::Page(1, n), server.port()).split_once(&survey.origin()).unwrap().1].depth
    };
    assert_eq!([depth(0).0, depth(4).0, depth(401).0], [0, 1, 2]);
}

#[test]
fn a_site_on_two_hosts_is_one_site() {
    let hosts: &[&str] = &["one.test", "two.test"];
    let mut town = three();
    town.sites[1].hosts = hosts;
    town.sites[0].hosts = &["two.test"];
    let (server, survey) = begun(&town, 1);
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::Stopped);
    let exact = town.exact(Place::Page(1, 0), server.port(), SIGMA, PRICE);
    let found = addresses(&survey, &strategy);
    println!("{} found, {} exact, {} fetched", found.len(), exact.len(), fetches(&server));
    let on = |host: &str| found.iter().filter(|address| address.contains(host)).count();
    assert!(on("one.test") > 390 && on("two.test") > 390, "{} {}", on("one.test"), on("two.test"));
    assert!(jaccard(&found, &exact) >= 0.98, "{} {}", found.len(), exact.len());
    assert!(fetches(&server) as f64 <= 1.2 * exact.len() as f64, "{} for {}", fetches(&server), exact.len());
}

/// Interrupts after so many pages.
struct After(u32, Arc<std::sync::atomic::AtomicBool>);

impl Watch for After {
    fn page(&mut self, _page: &PageSeen<'_>) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

/// The account and the URLs that an undisturbed search finds.
fn undisturbed(town: &Town) -> (String, BTreeSet<String>) {
    let (server, survey) = begun(town, 1);
    let mut strategy = overflow();
    go_on(&survey, &mut strategy, &mut Unwatched);
    (strategy.account().to_string(), without_port(addresses(&survey, &strategy), &server))
}

fn without_port(addresses: BTreeSet<String>, server: &Server) -> BTreeSet<String> {
    addresses.into_iter().map(|address| address.replace(&format!(":{}", server.port()), ":0")).collect()
}

#[test]
fn a_search_that_is_interrupted_again_and_again_finds_the_same_and_asks_nothing_twice() {
    let town = three();
    let (account, whole) = undisturbed(&town);
    let (server, survey) = begun(&town, 1);
    let mut times = 0;
    let strategy = loop {
        survey.interrupt.store(false, Ordering::Relaxed);
        let mut strategy = overflow();
        let end = go_on(&survey, &mut strategy, &mut After(130, Arc::clone(&survey.interrupt)));
        times += 1;
        if end == End::Stopped {
            break strategy;
        }
        assert_eq!(end, End::Interrupted);
        assert_eq!(strategy.account().stop, Stop::Unfinished);
    };
    assert!(times > 5);
    assert_eq!(strategy.account().to_string(), account);
    assert_eq!(without_port(addresses(&survey, &strategy), &server), whole);
    assert!(server.asked().values().all(|times| *times == 1));
    // Once more: all is known, nothing is asked.
    let before = server.total();
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::Stopped);
    assert_eq!((server.total(), strategy.account().to_string()), (before, account));
}

#[test]
fn a_search_that_is_killed_at_any_commit_finds_the_same() {
    static COMMITS: AtomicU32 = AtomicU32::new(0);
    static KILL_AT: AtomicU32 = AtomicU32::new(0);
    let town = three();
    let (account, whole) = undisturbed(&town);
    let (server, survey) = begun(&town, 1);
    let mut kills = 0;
    let strategy = loop {
        // The first commits one by one, then ever later ones.
        COMMITS.store(0, Ordering::SeqCst);
        KILL_AT.store(1 + kills * kills / 3, Ordering::SeqCst);
        let (store, _lock) = survey.folder.open().unwrap();
        let wrap =
            FailingStore::after(|_| COMMITS.fetch_add(1, Ordering::SeqCst) + 1 >= KILL_AT.load(Ordering::SeqCst));
        let mut store = wrap(store);
        let mut strategy = overflow();
        let interrupt = Arc::clone(&survey.interrupt);
        let end = crawl(&mut store, survey.settings(), survey.fetcher(), &mut strategy, &mut Unwatched, interrupt);
        match end {
            Ok(summary) => {
                assert_eq!(summary.end, End::Stopped);
                break strategy;
            }
            Err(CrawlError::Store(StoreError::DiskFull)) => kills += 1,
            Err(other) => panic!("{other}"),
        }
    };
    assert!(kills > 8, "{kills}");
    assert_eq!(strategy.account().to_string(), account);
    assert_eq!(without_port(addresses(&survey, &strategy), &server), whole);
}

#[test]
fn what_is_excluded_is_never_fetched() {
    let town = three();
    let (server, survey) = begun(&town, 1);
    let mut settings = survey.settings();
    let exclude = vec![Pattern::parse("/alpha/f3/*").unwrap()];
    settings.scope = Scope::new(ScopeKind::Any, &[], Vec::new(), exclude);
    let (mut store, _lock) = survey.folder.open().unwrap();
    let mut strategy = overflow();
    let interrupt = Arc::clone(&survey.interrupt);
    let end = crawl(&mut store, settings, survey.fetcher(), &mut strategy, &mut Unwatched, interrupt).unwrap().end;
    assert_eq!(end, End::Stopped);
    assert!(server.asked().keys().all(|path| !path.starts_with("/alpha/f3/")));
    assert!(strategy.outcome().inside.len() > 600);
}

#[test]
fn a_survey_made_by_another_strategy_is_built_upon() {
    let town = three();
    let (server, mut survey) = begun(&town, 1);
    survey.scope = ScopeKind::Host;
    assert_eq!(go_on(&survey, &mut Layers::new(None), &mut Unwatched), End::Finished);
    let before = server.total();
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::Stopped);
    assert_eq!(server.total(), before, "all pages are known");
    let exact = town.exact(Place::Page(1, 0), server.port(), SIGMA, PRICE);
    assert!(jaccard(&addresses(&survey, &strategy), &exact) >= 0.98);
}

#[test]
fn an_update_asks_again_and_then_looks_for_the_border_anew() {
    let town = three();
    let (server, survey) = begun(&town, 1);
    let mut first = overflow();
    go_on(&survey, &mut first, &mut Unwatched);
    let asked = fetches(&server);
    let mut second = overflow();
    let (mut store, lock) = survey.folder.open().unwrap();
    let interrupt = Arc::clone(&survey.interrupt);
    let end = update(&mut store, survey.settings(), survey.fetcher(), &mut second, &mut Unwatched, interrupt);
    drop((store, lock));
    assert_eq!(end.unwrap().end, End::Stopped);
    assert_eq!(fetches(&server), 2 * asked);
    assert_eq!(second.outcome(), first.outcome());
    survey.read();
}

#[test]
fn a_page_limit_ends_it_and_a_greater_one_goes_on() {
    let town = three();
    let (account, whole) = undisturbed(&town);
    let (server, mut survey) = begun(&town, 1);
    survey.pages = Some(200);
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::PageLimit);
    assert_eq!(strategy.account().stop, Stop::Unfinished);
    survey.pages = None;
    let mut strategy = overflow();
    assert_eq!(go_on(&survey, &mut strategy, &mut Unwatched), End::Stopped);
    assert_eq!(strategy.account().to_string(), account);
    assert_eq!(without_port(addresses(&survey, &strategy), &server), whole);
}

#[test]
fn names_that_turn_out_to_be_others_are_no_pages_of_the_site() {
    // A shop in which a parameter means nothing: once that is learned, variants are other names.
    let mut survey = crate::mock::Survey::for_web(|ask| match (ask.path, ask.number("id")) {
        ("/", _) => {
            let variant = |id: u32| (0..3).map(move |sid| format!("/p?id={id}&sid={sid}"));
            crate::mock::html(&crate::mock::links((0..60).flat_map(variant)))
        }
        (_, Some(id)) => crate::mock::html(&format!("product{id} in words{id} <a href=/>home</a>")),
        _ => crate::mock::missing(),
    });
    survey.limits.learn_equal = 8;
    survey.scope = ScopeKind::Any;
    let price = Prices::one(1e-4);
    let settings = Settings { sigma: 1.66, ..Settings::default() };
    assert_eq!(survey.crawl_with(Overflow::new(settings, price.clone())), End::Stopped);
    let folded = survey.with_reason(Reason::Folded).len();
    assert!(folded > 60, "{folded}");
    let mut store = survey.read();
    let account = Account::parse(&store.value(Account::KEY).unwrap().unwrap()).unwrap();
    assert_eq!(u64::from(account.steps[0].size), store.balance().unwrap().state(State::Fetched));
    drop(store);
    let before = survey.web.asked().len();
    assert_eq!(survey.crawl_with(Overflow::new(settings, price)), End::Stopped);
    assert_eq!(survey.web.asked().len(), before);
}
