//! Where a site ends, with scripts: found, looked at smaller and larger, decided about, taken back.

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::surveys::{Town, surveyed};

#[test]
fn bounds_are_found_looked_at_and_decided_about() {
    let web = Server::start(Town::default());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("bounds", &house) else { return };
    walk.go(&format!("/sites/{name}/"));
    walk.click("nav.tabs a[data-go='b']");
    walk.browser.click_through(".empty form button");
    // The page follows the search, and shows what it found by itself.
    walk.browser.wait_for("document.querySelector('#found-head') && !document.querySelector('[data-live]')");
    walk.is_well("found");
    slider(&mut walk);
    clusters(&mut walk);
    decisions(&mut walk);
}

/// The slider is moved by keys; list and curve follow, the focus stays, nothing is loaded anew.
fn slider(walk: &mut Walk) {
    assert_eq!(walk.count("[data-slide-button]:not([hidden])"), 0, "a button that is not needed");
    let (taken, list) = (walk.text("#step-says"), walk.text("#list"));
    walk.browser.value("window.same = true; document.querySelector('#step').focus()");
    walk.browser.press(&["Home"]);
    walk.until("#step-says", "Step 1 of");
    walk.until("#list-head", "What would belong to it");
    assert_eq!(walk.browser.value("document.activeElement.id"), json!("step"));
    assert_eq!(walk.browser.value("window.same"), json!(true), "the page was loaded anew");
    assert_eq!(walk.browser.value("new URL(location.href).searchParams.get('step')"), json!("0"));
    assert_eq!(walk.count(".use-step button"), 1);
    walk.is_well("another member");
    walk.click("a.button[href$='#family']");
    assert_eq!((walk.text("#step-says"), walk.text("#list")), (taken, list));
}

/// Circles lead to their rows, by keys too.
fn clusters(walk: &mut Walk) {
    let circles = walk.count("svg.clusters a");
    assert!(circles > 1 && circles == walk.count("tr[id^=cluster-]"), "{circles}");
    walk.browser.value("document.querySelector('svg.clusters a').focus()");
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for("document.querySelector('#cluster-1:target')");
}

fn decisions(walk: &mut Walk) {
    let before = walk.text(".lead");
    // The last of the clusters is the least of the site. It is put out, taken in again, and both are taken back.
    let last = format!("#cluster-{}", walk.count("tr[id^=cluster-]"));
    if walk.count(&format!("{last} button[value=reject]")) > 0 {
        decide(walk, &format!("{last} button[value=reject]"), 1);
        assert_ne!(walk.text(".lead"), before);
        assert!(walk.text("#log").contains("does not"), "{}", walk.text("#log"));
        undo(walk, 2);
        assert_eq!(walk.text(".lead"), before);
        decide(walk, &format!("{last} button[value=reject]"), 3);
    }
    let out = walk.text(".lead");
    let rows = walk.count("#log tbody tr") as usize;
    decide(walk, &format!("{last} button[value=accept]"), rows + 1);
    assert_ne!(walk.text(".lead"), out);
    assert!(walk.text("#log").contains("belongs to it"));
    undo(walk, rows + 2);
    assert_eq!(walk.text(".lead"), out);
}

/// Decides by a button; the log has so many rows then.
fn decide(walk: &mut Walk, button: &str, rows: usize) {
    walk.browser.click_through(button);
    settled(walk, rows);
    walk.is_well("decided");
}

/// Takes the last decision back.
fn undo(walk: &mut Walk, rows: usize) {
    walk.browser.click_through("#log .cause-head button");
    settled(walk, rows);
    walk.is_well("taken back");
}

fn settled(walk: &mut Walk, rows: usize) {
    walk.browser.wait_for(&format!(
        "document.querySelectorAll('#log tbody tr').length === {rows} && !document.querySelector('[data-live]')"
    ));
}
