//! Where a topic leads, with scripts: begun, watched while it goes, looked at page by page, gone on with.

use std::sync::atomic::Ordering;

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::surveys::{Town, surveyed};

#[test]
fn a_topic_is_followed_watched_and_looked_at() {
    let town = Town::default();
    let web = Server::start(town.clone());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("focus", &house) else { return };
    walk.go(&format!("/sites/{name}/"));
    walk.click("nav.tabs a[data-go='f']");
    // What cannot be followed is said, and what was typed stays.
    walk.browser.write_into("#f-pages", "25");
    walk.browser.click_through("#begin button.primary");
    assert!(walk.text("[role=alert]").contains("no topic"), "{}", walk.text("main"));
    assert_eq!(walk.browser.value("document.querySelector('#f-pages').value"), json!("25"));
    let refused = walk.browser.troubles(&walk.base);
    assert!(refused.iter().all(|one| one.contains("422")), "{refused:?}");
    // It is begun by keys, and the page follows it and shows what it found by itself.
    town.pace.store(150, Ordering::Relaxed);
    walk.browser.click("#f-any");
    walk.browser.write_into("#f-topic", "survey of the town");
    walk.browser.press_through(&["Enter"]);
    walk.is_well("asked for");
    walk.until("[data-live]", "fetched");
    town.pace.store(0, Ordering::Relaxed);
    walk.browser.wait_for("document.querySelector('svg.harvest') && !document.querySelector('[data-live]')");
    walk.is_well("the end");
    one(&mut walk);
    parts(&mut walk);
}

/// One crawl: its pages, its files, and more of it while the page stays open.
fn one(walk: &mut Walk) {
    walk.click("table.crawls a");
    assert!(walk.count("svg.harvest path.h0") == 1 && walk.count("table.found tbody tr") > 3, "{}", walk.text("main"));
    for href in walk.hrefs("[aria-labelledby=files-head] a.chip") {
        let (status, _, text) = walk.fetch(&href);
        assert!(status == 200 && !text.is_empty(), "{href}");
    }
    let before = walk.text("dl.stats");
    walk.browser.write_into("#m-pages", "40");
    walk.browser.press_through(&["Enter"]);
    walk.browser.wait_for("!document.querySelector('[data-live]')");
    walk.is_well("gone on");
    assert_ne!(walk.text("dl.stats"), before);
    walk.click("a.chip[href*='list=all']");
    walk.click("#pages .pager a[rel=next]");
    assert!(walk.text("#pages .pager").starts_with("Back"), "{}", walk.text("#pages .pager"));
}

/// Why a page, and what it is made of, on the page itself.
fn parts(walk: &mut Walk) {
    walk.click("table.found a[aria-label^=Why]");
    assert!(walk.count("ol.way li") > 1, "{}", walk.text("main"));
    walk.click("#verdict-head ~ p a");
    assert!(!walk.text("#makeup-head").is_empty());
    walk.browser.click("#parts details summary");
    walk.browser.wait_for("document.querySelector('#parts details[open] iframe')");
    assert_eq!(walk.browser.value("document.querySelector('#parts iframe').getAttribute('sandbox')"), json!(""));
    walk.browser.wait_for("performance.getEntriesByType('resource').some((one) => one.name.includes('parts=1'))");
    let copy = walk.hrefs("#parts details a[target=_blank]").remove(0);
    let (status, kind, text) = walk.fetch(&copy);
    assert!(status == 200 && kind.starts_with("text/html") && text.contains("data-part="), "{status} {kind} {text}");
}
