//! Where scripts are off: links and forms do the same.

use groma_testweb::Server;

use super::Walk;
use crate::House;
use crate::surveys::{Town, bounded, focus_pages, focused, pages, surveyed};

#[test]
fn without_scripts_links_and_forms_do_the_same() {
    let web = Server::start(Town::default());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("plain", &house) else { return };
    bounded(&house, &name, &format!("{}/news/30", web.base()));
    focused(&house, &name, "survey of the town");
    walk.browser.scripts(false);
    for (_, path) in pages(&name, &web).into_iter().chain(focus_pages(&name, &web)) {
        walk.go(&path);
    }
    map(&mut walk, &name);
    findings(&mut walk, &name);
    search(&mut walk, &name);
    bounds_store(&mut walk, &house, &name);
    focus(&mut walk, &house, &name);
    work(&mut walk, &name);
}

fn map(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/map"));
    assert_eq!(walk.count("[data-theme-toggle]:not([hidden])"), 0, "a button that can do nothing");
    let whole = walk.count("[data-treemap] a");
    walk.click("[data-treemap] a[data-zoom] text");
    assert!(walk.count(".crumbs") == 1 && walk.count("[data-treemap] a") < whole);
    walk.click(".crumbs a");
    assert_eq!(walk.count("[data-treemap] a"), whole);
    walk.browser.choose("#map-color", "rank");
    walk.click(".map-choose button");
    assert_eq!(walk.count("[data-legend=rank]:not([hidden])"), 1);
    // Branches fold by themselves: that needs no script.
    let open = walk.count("[data-tree] details[open]");
    walk.browser.click("[data-tree] li li details[open] > summary");
    assert_eq!(walk.count("[data-tree] details[open]"), open - 1);
    walk.click("[data-tree] .why");
    assert_eq!(walk.count("#why"), 1);
    walk.browser.write_into("#map-find", "border");
    walk.browser.press_through(&["Enter"]);
    walk.click("[aria-labelledby=found-head] li a");
    assert!(walk.text("main").contains("Border stones"));
}

fn findings(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/findings"));
    let all = walk.count("ol.causes > li");
    walk.browser.write_into("#p-q", "nowhere");
    walk.browser.press_through(&["Enter"]);
    let fewer = walk.count("ol.causes > li");
    assert!(fewer > 0 && fewer < all, "{fewer} of {all}");
    walk.browser.click("ol.causes summary");
    assert_eq!(walk.count("ol.causes details[open]"), 1);
    walk.click("ol.causes details[open] a");
    assert!(!walk.text("#state-head").is_empty());
}

fn search(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/"));
    walk.browser.write_into("#top-q", "survey");
    walk.browser.press_through(&["Enter"]);
    assert!(walk.text("main [role=status]").starts_with("1–10 of"));
    walk.click(".pager a[rel=next]");
    assert!(walk.text("main [role=status]").starts_with("11–20 of"));
    walk.click(".facets a");
    assert!(walk.count("ol.results li") > 0 && walk.count(".facets a[aria-current]") == 1, "{}", walk.text("body"));
}

/// The slider has a button, and what is decided counts when its job is over.
fn bounds_store(walk: &mut Walk, house: &House, name: &str) {
    walk.go(&format!("/sites/{name}/bounds"));
    let taken = walk.text("#step-says");
    assert!(taken.contains("this one was taken"), "{taken}");
    walk.browser.value("document.querySelector('#step').value = 0");
    walk.click("[data-slide] button");
    assert_ne!(walk.text("#step-says"), taken);
    assert!(walk.text("#list").contains("What would belong to it"));
    walk.click("a.button[href$='#family']");
    assert_eq!(walk.text("#step-says"), taken);
    walk.click("#log button");
    assert!(walk.text("[role=status]").contains("Undone"), "{}", walk.text("main"));
    house.until_idle(name, None);
    walk.go(&format!("/sites/{name}/bounds"));
    assert!(walk.text("#log").contains("no longer"), "{}", walk.text("#log"));
}

/// A topic is followed, compared and forgotten by plain forms and links.
fn focus(walk: &mut Walk, house: &House, name: &str) {
    walk.go(&format!("/sites/{name}/focus"));
    assert_eq!(walk.count("svg.harvest g"), 2, "those of one topic are compared");
    walk.browser.click("input[name=c2]");
    walk.click("#crawls button");
    assert_eq!(walk.count("svg.harvest g"), 1);
    walk.browser.write_into("#f-topic", "border stones");
    walk.browser.click("#f-any");
    walk.browser.write_into("#f-pages", "12");
    walk.click("#begin button.primary");
    assert!(walk.text("[role=status]").contains("is queued"), "{}", walk.text("main"));
    house.until_idle(name, None);
    walk.go(&format!("/sites/{name}/focus"));
    walk.click("table.crawls a");
    assert!(walk.text("h1").contains("border stones"), "{}", walk.text("main"));
    walk.click("a.chip[href*='list=all']");
    assert_eq!(walk.count("table.found tbody tr"), 12);
    walk.click("table.found a[aria-label^=Why]");
    assert!(walk.text("#why-head").contains("Why it was fetched"));
    walk.click(".crumbs li:nth-child(2) a");
    walk.browser.click("#forget summary");
    walk.click("#forget button");
    assert!(walk.text("[role=status]").contains("is forgotten"));
    assert_eq!(walk.count("table.crawls tbody tr"), 2);
}

/// Jobs and exclusions are asked for by plain forms.
fn work(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/jobs"));
    walk.browser.choose("#kind", "index");
    walk.click("form:has(#kind) button.primary");
    assert!(walk.text("[role=status]").contains("is queued"));
    assert!(walk.text("h1").contains("index"));
}
