//! Updates: what changed is fetched, what did not is not, and the log says what happened.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_model::{Depth, Reason, State};
use groma_store::{ChangeKind, Snapshot};
use groma_testweb::sites::Changing;
use groma_testweb::{Answer, Ask, Manner, Server};

use crate::surveying::Survey;

fn changes(survey: &Survey, run: u32, kind: ChangeKind) -> BTreeSet<String> {
    let mut store = survey.read();
    let log = store.changes(0, 100_000).unwrap();
    let pages = log.iter().filter(|c| c.run == run && c.kind == kind).map(|c| c.page);
    let origin = survey.base.origin().ascii_serialization();
    pages.map(|id| store.address(id).unwrap().unwrap().url.replace(&origin, "")).collect()
}

fn set(paths: Vec<String>) -> BTreeSet<String> {
    paths.into_iter().collect()
}

#[test]
fn an_update_downloads_what_changed_and_says_what_happened() {
    let epoch = Arc::new(AtomicU64::new(0));
    let site = Changing::new(100, Arc::clone(&epoch));
    let server = Server::start(site.clone());
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    let before = survey.count(State::Fetched);
    let bytes = survey.balance().bytes;
    survey.update();
    assert_eq!(survey.balance().bytes, bytes, "nothing changed, nothing is downloaded");
    assert_eq!(survey.count(State::Fetched), before);

    epoch.store(1, Ordering::SeqCst);
    survey.update();
    let mut changed = set(site.changed());
    changed.insert("/".into());
    assert_eq!(changes(&survey, 3, ChangeKind::Changed), changed);
    assert_eq!(changes(&survey, 3, ChangeKind::Gone), set(site.removed()));
    assert_eq!(changes(&survey, 3, ChangeKind::Moved), set(site.moved()));
    let added = changes(&survey, 3, ChangeKind::Added);
    assert!(site.added().iter().all(|path| added.contains(path)));
    assert_eq!(survey.reason(&site.removed()[0]), Reason::NotFound);

    epoch.store(2, Ordering::SeqCst);
    survey.update();
    assert_eq!(changes(&survey, 4, ChangeKind::Changed), set(site.changed()));
    assert!(changes(&survey, 4, ChangeKind::Gone).is_empty(), "what is gone is gone once");
}

#[test]
fn distances_follow_the_links_as_they_are_now() {
    let epoch = Arc::new(AtomicU64::new(0));
    let when = Arc::clone(&epoch);
    let server = Server::start(move |ask: &Ask| match (ask.path.as_str(), when.load(Ordering::SeqCst)) {
        ("/", 0) => Answer::html("<a href=/a>a</a>"),
        ("/", _) => Answer::html("<a href=/b>b</a><a href=/r>r</a>"),
        ("/a", _) => Answer::html("<a href=/b>b</a>"),
        ("/b", _) => Answer::html("<a href=/c>c</a>"),
        ("/c", _) => Answer::html("<p>c"),
        ("/r", _) => Answer::redirect(302, "/c"),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    let depth = |path: &str| survey.addresses()[path].depth;
    assert_eq!([depth("/a"), depth("/b"), depth("/c")], [Depth(1), Depth(2), Depth(3)]);
    epoch.store(1, Ordering::SeqCst);
    survey.update();
    assert_eq!([depth("/a"), depth("/b"), depth("/c"), depth("/r")], [Depth::LOOSE, Depth(1), Depth(1), Depth(1)]);
}

#[test]
fn half_an_answer_does_not_replace_a_whole_page() {
    let epoch = Arc::new(AtomicU64::new(0));
    let when = Arc::clone(&epoch);
    let server = Server::start(move |ask: &Ask| match (ask.path.as_str(), when.load(Ordering::SeqCst)) {
        ("/", 0) => Answer::html("the whole page <a href=/a>a</a>"),
        ("/", _) => Answer::html("the whole page, and more of it".repeat(50)).with_manner(Manner::ResetMidBody),
        ("/a", _) => Answer::html("a"),
        _ => Answer::status(404),
    });
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 1;
    survey.crawl();
    let id = survey.addresses()["/"].id;
    let before = survey.read().targets(id).unwrap();
    epoch.store(1, Ordering::SeqCst);
    survey.update();
    assert_eq!(survey.reason("/"), Reason::Reset);
    assert_eq!(survey.read().targets(id).unwrap(), before);
}

#[test]
fn a_server_that_is_down_unsays_nothing() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<a href=/old>o</a><a href=/gone>g</a><a href=/closed>c</a>"),
        "/old" => Answer::redirect(301, "/new"),
        "/new" => Answer::html("new"),
        "/closed" => Answer::status(403),
        _ => Answer::status(404),
    });
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 0;
    survey.crawl();
    let before = survey.balance();
    drop(server);
    survey.update();
    assert_eq!(survey.reason("/"), Reason::Refused);
    assert_eq!(survey.reason("/old"), Reason::Redirected);
    assert_eq!(survey.reason("/gone"), Reason::NotFound);
    assert_eq!(survey.reason("/closed"), Reason::Forbidden);
    assert_eq!(survey.balance().discovered(), before.discovered());
}

#[test]
fn a_page_that_cannot_be_had_keeps_its_text() {
    let epoch = Arc::new(AtomicU64::new(0));
    let server = Server::start(Changing::new(10, Arc::clone(&epoch)));
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 0;
    survey.crawl();
    let id = survey.addresses()["/page/5.html"].id;
    server.set_faults(groma_testweb::Faults { reset_percent: 0, unavailable_percent: 100, seed: 1, robots_too: false });
    survey.update();
    assert_eq!(survey.reason("/page/5.html"), Reason::ServerError);
    assert!(survey.read().details(id).unwrap().is_some());
    assert!(changes(&survey, 2, ChangeKind::Unreachable).contains("/page/5.html"));
    server.set_faults(groma_testweb::Faults { reset_percent: 0, unavailable_percent: 0, seed: 1, robots_too: false });
    survey.update();
    assert!(changes(&survey, 3, ChangeKind::Back).contains("/page/5.html"));
    assert_eq!(survey.reason("/page/5.html"), Reason::Fetched);
}
