//! What an update keeps, what it asks for, and what its log says.

use groma_model::url::ScopeKind;
use groma_model::{Depth, Reason, State};
use groma_store::{ChangeKind, Snapshot};

use crate::mock::{Survey, answer, html, links, missing, status, text};

#[test]
fn a_host_that_closes_for_a_while_keeps_what_is_known_of_its_pages() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/robots.txt", 1) => status(503),
        ("/", _) => {
            let headers = [("content-type", "text/html"), ("etag", "\"1\"")];
            answer(200, &headers, "<title>Home</title><p>words of the home page")
        }
        _ => missing(),
    });
    survey.crawl();
    let home = survey.address("/").id;
    let known = || {
        let mut store = survey.read();
        let facts = store.page(home).unwrap().unwrap().facts;
        (facts.title, facts.etag, facts.text_fp, facts.words, store.details(home).unwrap())
    };
    let before = known();
    survey.next_epoch();
    survey.update();
    assert_eq!(survey.count("/"), 1, "a closed host is asked for nothing");
    assert_eq!(known(), before);
}

#[test]
fn a_page_that_robots_newly_forbids_is_logged() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/robots.txt", 1) => text("User-agent: *\nDisallow: /p\n"),
        ("/", _) => html(&links(["/p"])),
        ("/p", _) => html("page"),
        _ => missing(),
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    assert_eq!(survey.reason("/p"), Reason::Robots);
    assert_eq!(survey.count("/p"), 1);
    assert!(survey.changes(2, ChangeKind::Unknown).contains("/p"));
    assert!(survey.changes(2, ChangeKind::Unreachable).is_empty());
}

#[test]
fn a_page_that_asks_for_a_login_or_for_patience_is_unknown_and_never_broken() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", _) => html(&links(["/401", "/403", "/429", "/503"])),
        (_, 0 | 2) => html(ask.path),
        (path, _) => status(path[1..].parse().unwrap_or(404)),
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    let shut = ["/401", "/403", "/429"].map(str::to_owned);
    assert_eq!(survey.changes(2, ChangeKind::Unknown).into_iter().collect::<Vec<_>>(), shut);
    assert_eq!(survey.changes(2, ChangeKind::Unreachable).into_iter().collect::<Vec<_>>(), ["/503"]);
    survey.next_epoch();
    survey.update();
    assert!(shut.iter().all(|path| survey.changes(3, ChangeKind::Back).contains(path)));
}

#[test]
fn a_page_that_fails_first_and_is_missing_then_is_logged_as_gone() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", _) => html(&links(["/p"])),
        ("/p", 0) => html("page"),
        ("/p", 1) => status(503),
        _ => missing(),
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    assert!(survey.changes(2, ChangeKind::Unreachable).contains("/p"));
    survey.next_epoch();
    survey.update();
    assert!(survey.changes(3, ChangeKind::Gone).contains("/p"));
    survey.update();
    assert!(survey.changes(4, ChangeKind::Gone).is_empty(), "what is gone is gone once");
}

#[test]
fn a_page_that_becomes_a_document_of_another_type_is_logged_as_changed() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", _) => html(&links(["/d"])),
        ("/d", 0) => html("words of a page"),
        ("/d", _) => answer(200, &[("content-type", "application/octet-stream"), ("content-length", "77")], ""),
        _ => missing(),
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    assert!(survey.changes(2, ChangeKind::Changed).contains("/d"));
    survey.update();
    assert!(survey.changes(3, ChangeKind::Changed).is_empty());
}

#[test]
fn a_date_that_the_page_itself_claims_is_not_given_back_to_the_server() {
    const DATES: [&str; 2] = ["Mon, 01 Jan 2024 00:00:00 GMT", "Sat, 01 Jun 2024 00:00:00 GMT"];
    const CLAIMED: &str = "Wed, 01 Jan 2025 00:00:00 GMT";
    let survey = Survey::for_web(|ask| {
        let date = DATES[ask.epoch as usize];
        let since = ask.request.validators.as_ref().and_then(|v| v.last_modified.as_deref());
        match (ask.path, since) {
            ("/", Some(since)) if since == date || since == CLAIMED => status(304),
            ("/", _) => {
                let body = format!("<meta http-equiv=last-modified content='{CLAIMED}'><p>text {}", ask.epoch);
                answer(200, &[("content-type", "text/html"), ("last-modified", date)], &body)
            }
            _ => missing(),
        }
    });
    survey.crawl();
    survey.update();
    assert!(survey.changes(2, ChangeKind::Changed).is_empty());
    survey.next_epoch();
    survey.update();
    assert!(survey.changes(3, ChangeKind::Changed).contains("/"));
}

#[test]
fn an_old_body_does_not_stay_beside_a_new_text() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&format!("body {}", ask.epoch)),
        _ => missing(),
    });
    survey.keep_bodies = true;
    survey.crawl();
    let home = survey.address("/").id;
    assert_eq!(survey.read().body(home).unwrap().as_deref(), Some(b"body 0".as_slice()));
    survey.next_epoch();
    survey.keep_bodies = false;
    survey.update();
    assert_ne!(survey.read().body(home).unwrap().as_deref(), Some(b"body 0".as_slice()));
}

#[test]
fn a_home_page_that_fails_once_does_not_set_the_whole_site_loose() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", 1) => status(503),
        ("/", _) => html(&links(["/1", "/2"])),
        ("/1", 0) => html(&links(["/2"])),
        ("/1", _) => html(&links(["/3"])),
        ("/2" | "/3", _) => html("leaf"),
        _ => missing(),
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    let distances = ["/", "/1", "/2", "/3"].map(|path| survey.distance(path));
    assert_eq!(distances, [Depth(0), Depth(1), Depth(1), Depth(2)]);
}

#[test]
fn a_link_without_nofollow_does_not_lead_out_of_a_scope_that_was_narrowed() {
    let mut survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", 0) => html("<a rel=nofollow href=http://b.test/x>x</a>"),
        ("/", _) => html(&links(["http://b.test/x"])),
        ("http://b.test/x", _) => html("elsewhere"),
        _ => missing(),
    });
    survey.scope = ScopeKind::Any;
    survey.crawl();
    assert_eq!(survey.reason("http://b.test/x"), Reason::NoFollow);
    survey.next_epoch();
    survey.scope = ScopeKind::Host;
    survey.update();
    assert_eq!(survey.count("http://b.test/x"), 0);
    assert_eq!(survey.reason("http://b.test/x").state(), State::Skipped);
}
