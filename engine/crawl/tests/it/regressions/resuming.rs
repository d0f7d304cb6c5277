//! What an interruption, a kill or new start pages must not lose.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use groma_crawl::{CrawlError, End};
use groma_model::{Depth, Reason};
use groma_store::StoreError;

use super::shop;
use crate::failing_store::FailingStore;
use crate::mock::{Survey, answer, html, links, missing, redirect};

#[test]
fn an_interruption_while_sitemaps_are_read_does_not_lose_them() {
    const SITEMAP: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                           <url><loc>http://a.test/hidden</loc></url></urlset>";
    let interrupt = Arc::new(AtomicBool::new(false));
    let (flag, first) = (Arc::clone(&interrupt), AtomicBool::new(true));
    let mut survey = Survey::for_web(move |ask| match ask.path {
        "/" => html("home"),
        "/sitemap.xml" => {
            if first.swap(false, Ordering::SeqCst) {
                flag.store(true, Ordering::SeqCst);
                // Long enough for the crawl to see that it is interrupted.
                sleep(Duration::from_millis(300));
            }
            answer(200, &[("content-type", "application/xml")], SITEMAP)
        }
        "/hidden" => html("hidden"),
        _ => missing(),
    });
    survey.sitemaps = true;
    survey.interrupt = Arc::clone(&interrupt);
    assert_eq!(survey.crawl(), End::Interrupted);
    interrupt.store(false, Ordering::SeqCst);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/hidden"), Reason::Fetched);
}

#[test]
fn a_start_page_that_moves_twice_is_followed_across_an_interruption() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/" => redirect("http://b.test/"),
        "http://b.test/" => redirect("http://c.test/"),
        "http://c.test/" => html(&links(["/next"])),
        "http://c.test/next" => html("next"),
        _ => missing(),
    });
    assert_eq!(survey.crawl_interrupted_after(1), End::Interrupted);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("http://c.test/next"), Reason::Fetched);
}

#[test]
fn a_kill_between_a_refuted_rule_and_its_unfolding_loses_no_page() {
    let survey = shop::survey(|ask| match (ask.path, ask.number("id"), ask.number("sid")) {
        ("/", ..) => shop::home(),
        ("/more", ..) => html(&shop::variants(1000..1040, &[1, 2, 3])),
        (_, Some(id), Some(sid)) if id >= 1000 => html(&format!("product {id} in colour{sid}")),
        (_, Some(id), Some(_)) => shop::product(id),
        _ => missing(),
    });
    let refuted =
        FailingStore::after(|batch| batch.evidence.learned.iter().any(|row| row.standing == 2 && row.folded > 0));
    let killed = survey.crawl_on(refuted);
    assert!(matches!(killed, Err(CrawlError::Store(StoreError::DiskFull))), "{killed:?}");
    assert_eq!(survey.crawl(), End::Finished);
    let indexed = survey.with_reason(Reason::Fetched);
    for (id, sid) in (1000..1040).flat_map(|id| [(id, 1), (id, 2), (id, 3)]) {
        assert!(indexed.contains(&shop::address(id, sid)), "{id} {sid}");
    }
    assert_eq!(shop::lost(&survey, shop::FAMILIAR), Vec::<u32>::new());
}

#[test]
fn a_known_page_can_become_a_start_page() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["/1"])),
        "/1" => html(&links(["/2"])),
        "/2" => html(&links(["/3"])),
        "/3" => html("end"),
        _ => missing(),
    });
    survey.depth = Some(1);
    survey.crawl();
    assert_eq!(survey.reason("/2"), Reason::DepthLimit);
    survey.seeds = vec!["http://a.test/2"];
    survey.crawl();
    assert_eq!(survey.reason("/2"), Reason::Fetched);
    assert_eq!(survey.distance("/2"), Depth(0));
    assert_eq!(survey.reason("/3"), Reason::Fetched);
}

#[test]
fn an_interrupted_update_of_an_interrupted_crawl_goes_on_and_does_not_start_over() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => missing(),
        "/" => html(&links((0..40).map(|page| format!("/{page}")))),
        path => html(path),
    });
    assert_eq!(survey.crawl_interrupted_after(20), End::Interrupted);
    let finished = (0..3).any(|_| survey.update_interrupted_after(20) == End::Finished);
    assert!(finished, "each time it gets twenty pages farther");
    assert_eq!(survey.count("/"), 2);
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 41);
}

#[test]
fn distances_are_counted_anew_when_the_update_that_moved_links_was_interrupted() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/", 0) => html(&links(["/1"])),
        ("/", _) => html(&links(["/1", "/3"])),
        ("/1", _) => html(&links(["/2"])),
        ("/2", _) => html(&links(["/3"])),
        ("/3", _) => html("leaf"),
        _ => missing(),
    });
    survey.crawl();
    assert_eq!(survey.distance("/3"), Depth(3));
    survey.next_epoch();
    assert_eq!(survey.update_interrupted_after(1), End::Interrupted);
    assert_eq!(survey.update(), End::Finished);
    assert_eq!(survey.distance("/3"), Depth(1));
}
