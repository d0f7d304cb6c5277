//! Hosts: how many are asked at once, what those that misbehave are worth, and what is asked of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use groma_crawl::End;
use groma_model::url::ScopeKind;
use groma_model::{PageId, Reason};
use groma_strategy::{Layers, Plan, Strategy, Visit};

use crate::mock::{CONCURRENCY, InMemory, Survey, answer, html, links, missing, text};

#[test]
fn many_new_hosts_are_not_asked_for_robots_all_at_once() {
    let mut survey = Survey::for_web(|ask| match (ask.path, ask.request.url.path()) {
        ("/", _) => html(&links((0..60).map(|n| format!("http://h{n}.test/")))),
        (_, "/") => html("another host"),
        _ => missing(),
    });
    survey.scope = ScopeKind::Any;
    survey.web.latency = Duration::from_millis(20);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 61);
    assert!(survey.web.peak() <= 2 * CONCURRENCY, "{} at once", survey.web.peak());
}

/// Layers, with a note of each finished round and of what had been asked by then.
struct Noting {
    layers: Layers,
    web: InMemory,
    finished: Arc<Mutex<Vec<(u32, usize)>>>,
}

impl Strategy for Noting {
    fn name(&self) -> &'static str {
        self.layers.name()
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        self.layers.begin(seeds, plan);
    }

    fn visit(&mut self, visit: &Visit<'_>, plan: &mut Plan) {
        self.layers.visit(visit, plan);
    }

    fn round(&mut self, finished: u32, plan: &mut Plan) {
        self.finished.lock().unwrap().push((finished, self.web.asked().len()));
        self.layers.round(finished, plan);
    }
}

#[test]
fn a_round_is_not_finished_while_pages_wait_behind_forbidden_ones() {
    let forbidden = (0..300).map(|n| format!("/no/{n}"));
    let home = links(forbidden.chain((0..50).map(|n| format!("/yes/{n}"))));
    let survey = Survey::for_web(move |ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nDisallow: /no\n"),
        "/" => html(&home),
        path => html(path),
    });
    let finished = Arc::default();
    survey.crawl_with(Noting { layers: Layers::new(None), web: survey.web.clone(), finished: Arc::clone(&finished) });
    assert_eq!(*finished.lock().unwrap(), [(0, 2), (1, 52)]);
}

#[test]
fn a_fetch_that_panics_costs_its_page_and_not_the_crawl() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["/boom", "/next"])),
        "/boom" => panic!("a fault in the fetcher"),
        "/next" => html("next"),
        _ => missing(),
    });
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/boom"), Reason::BadAnswer);
    assert_eq!(survey.reason("/next"), Reason::Fetched);
}

#[test]
fn a_panic_while_robots_is_asked_for_closes_the_host_and_ends_nothing_else() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["http://b.test/", "/next"])),
        "/next" => html("next"),
        "http://b.test/robots.txt" => panic!("a fault in the fetcher"),
        _ => missing(),
    });
    survey.scope = ScopeKind::Any;
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/next"), Reason::Fetched);
    assert_eq!(survey.count("http://b.test/"), 0);
}

#[test]
fn a_panic_while_sitemaps_are_read_does_not_hold_up_the_crawl() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html("home"),
        "/sitemap.xml" => panic!("a fault in the fetcher"),
        _ => missing(),
    });
    survey.sitemaps = true;
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/"), Reason::Fetched);
}

#[test]
fn an_asset_is_asked_for_like_a_page() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html("<img src=/i.png>"),
        "/i.png" => answer(200, &[("content-type", "image/png")], "x"),
        _ => missing(),
    });
    survey.assets = true;
    survey.crawl();
    assert_eq!(survey.reason("/i.png"), Reason::Fetched);
}

#[test]
fn an_address_that_is_an_image_first_and_an_anchor_then_is_read_as_a_page() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html("<img src=/gallery><a href=/gallery>gallery</a>"),
        "/gallery" => html(&links(["/inner"])),
        "/inner" => html("inner"),
        _ => missing(),
    });
    survey.assets = true;
    survey.crawl();
    assert_eq!(survey.reason("/inner"), Reason::Fetched);
}
