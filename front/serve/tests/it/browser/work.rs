//! Jobs, schedules, notices and the feed, with scripts.

use std::sync::atomic::Ordering;

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::House;
use crate::surveys::{Town, surveyed};

#[test]
fn jobs_and_schedules_do_what_their_buttons_say() {
    let town = Town::default();
    let web = Server::start(town.clone());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("work", &house) else { return };
    results(&mut walk, &name);
    buttons(&mut walk, &name, &town);
    schedules(&mut walk, &house, &name, &town);
    notices(&mut walk, &name);
}

/// The page of a job follows it until this stands in its badge.
fn until_state(walk: &mut Walk, state: &str) {
    walk.until("[data-live] .badge, .panel h2 .badge", state);
}

/// A job is asked for, and leaves a file and a log.
fn results(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/jobs"));
    assert_eq!(walk.count("main tbody tr"), 3, "crawl, check and index");
    walk.browser.choose("#kind", "map");
    walk.browser.value("document.querySelector('[name=\"map.format\"]').closest('details').open = true");
    walk.browser.choose("[name='map.format']", "json");
    walk.click("form:has(#kind) button.primary");
    assert!(walk.text("[role=status]").contains("is queued"));
    until_state(walk, "done");
    let path = walk.browser.value("location.pathname").as_str().unwrap().to_owned();
    walk.go(&path);
    let href = walk.hrefs("a[download]").remove(0);
    let (status, _, text) = walk.fetch(&href);
    assert!(status == 200 && serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{status} {text:.200}");
    assert!(walk.count(".log li") > 0, "the log is empty");
    // What cannot be asked for is said, with what was typed.
    walk.go(&format!("/sites/{name}/jobs"));
    walk.browser.choose("#kind", "map");
    walk.browser.value("document.querySelector('[name=\"map.depth\"]').closest('details').open = true");
    walk.browser.write_into("[name='map.depth']", "bmp");
    walk.browser.click_through("form:has(#kind) button.primary");
    assert!(!walk.text("[role=alert]").is_empty());
    assert_eq!(walk.browser.value("document.querySelector('[name=\"map.depth\"]').value"), json!("bmp"));
    let refused = walk.browser.troubles(&walk.base);
    assert!(refused.iter().all(|one| one.contains(" 4") || one.starts_with('4')), "{refused:?}");
    walk.go(&format!("/sites/{name}/jobs?state=failed"));
    assert!(walk.text("main").contains("No jobs are failed"));
}

/// Pause, resume, cancel, try again, each with its button, on a job that is at work.
fn buttons(walk: &mut Walk, name: &str, town: &Town) {
    // A crawl that outlasts whatever keeps this machine from looking at it.
    town.pace.store(2000, Ordering::Relaxed);
    walk.go(&format!("/sites/{name}/"));
    walk.click("form[action$='/jobs'] button.primary");
    walk.browser.wait_for("document.querySelector('[data-live] form[action$=\"/pause\"]')");
    walk.click("[data-live] h2 a");
    until_state(walk, "running");
    slow_hands(walk);
    until_state(walk, "paused");
    walk.browser.wait_for("document.querySelector('form[action$=\"/resume\"] button')");
    walk.click("form[action$='/resume'] button");
    until_state(walk, "running");
    walk.browser.write_into("#priority", "7");
    walk.click("form[action$='/priority'] button");
    assert!(walk.text("dl.facts").contains('7'));
    assert!(walk.browser.dialogs.is_empty());
    walk.click("form[action$='/cancel'] button");
    assert_eq!(walk.browser.dialogs.len(), 1, "it asks before it stops a job for good: {:?}", walk.browser.dialogs);
    until_state(walk, "cancelled");
    town.pace.store(0, Ordering::Relaxed);
    walk.browser.wait_for("document.querySelector('form[action$=\"/retry\"] button')");
    walk.click("form[action$='/retry'] button");
    until_state(walk, "done");
    walk.go("/jobs");
    assert!(walk.text("main table").contains(name));
}

/// Whoever has found a button keeps it while the part around it is drawn anew: in the focus, and under the mouse.
fn slow_hands(walk: &mut Walk) {
    let drawn = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/part')).length";
    let button = "form[action$='/pause'] button";
    walk.browser.value(&format!("document.querySelector({}).focus()", json!(button)));
    walk.browser.wait_for(&format!("{drawn} >= 3"));
    assert_eq!(walk.browser.value(&format!("document.activeElement.matches({})", json!(button))), json!(true));
    walk.browser.value(&format!("window.drawn = {drawn}"));
    walk.browser.click_slowly(button, &format!("{drawn} >= window.drawn + 1"));
    walk.is_well(button);
}

/// A schedule is added, run at once, turned off and on, and deleted.
fn schedules(walk: &mut Walk, house: &House, name: &str, town: &Town) {
    let path = format!("/sites/{name}/schedules");
    walk.go(&path);
    walk.browser.write_into("#period", "whenever you like");
    walk.browser.click_through("form:has(#period) button.primary");
    assert!(!walk.text("[role=alert]").is_empty());
    assert!(walk.browser.troubles(&walk.base).iter().all(|one| one.contains('4')));
    walk.browser.write_into("#period", "every 7 days");
    walk.browser.write_into("#zone", "Europe/Prague");
    walk.browser.write_into("#name", "weekly look");
    walk.click("form:has(#period) button.primary");
    assert!(walk.text("main tbody tr").contains("weekly look"));
    assert_eq!(walk.count("tbody .badge.good"), 1);
    walk.click("form[action$='/off'] button");
    assert_eq!(walk.count("tbody .badge.good"), 0);
    walk.click("form[action$='/on'] button");
    assert_eq!(walk.count("tbody .badge.good"), 1);
    // The first look makes known what there is; what comes after that is news.
    for edition in [0, 1] {
        town.edition.store(edition, Ordering::Relaxed);
        walk.click("form[action$='/run'] button");
        assert!(walk.text("[role=status]").contains("runs now"));
        let running = walk.hrefs("td[data-label=Last] a").remove(0);
        walk.go(&running);
        until_state(walk, "done");
        house.until_idle(name, None);
        walk.go(&path);
    }
    walk.browser.dialogs.clear();
    walk.click("form[action$='/delete'] button");
    assert_eq!(walk.browser.dialogs.len(), 1, "it asks first: {:?}", walk.browser.dialogs);
    assert!(walk.text("main").contains("No schedule yet"));
}

/// What was new after the scheduled update, as a page and as a feed.
fn notices(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/notices"));
    assert_eq!(walk.count("main article"), 1, "{}", walk.text("main"));
    let href = walk.hrefs("main a[href$='feed.atom']").remove(0);
    let (status, kind, text) = walk.fetch(&href);
    assert!(status == 200 && kind.contains("atom"), "{status} {kind}");
    let sound = walk.browser.value(&format!(
        "(() => {{ const feed = new DOMParser().parseFromString({}, 'application/xml'); \
         return feed.querySelector('parsererror') === null && feed.querySelectorAll('entry').length === 1; }})()",
        json!(text)
    ));
    assert_eq!(sound, json!(true), "{text}");
    walk.click("main article a.chip");
    assert!(walk.count("ol.causes > li") > 0);
}
