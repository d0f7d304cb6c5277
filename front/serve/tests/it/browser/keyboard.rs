//! Without a mouse: every control is reached by Tab, shows that it has the focus, and works with Enter.

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::surveys::{Town, pages, surveyed};

#[test]
fn everything_is_reached_by_keyboard() {
    let web = Server::start(Town::default());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("keyboard", &house) else { return };
    skip_link(&mut walk, &name);
    help(&mut walk);
    jumps(&mut walk, &name);
    themes(&mut walk);
    for (page, path) in pages(&name, &web) {
        walk.go(&path);
        every_stop_shows(&mut walk, page);
    }
    by_tab_alone(&mut walk);
}

fn skip_link(walk: &mut Walk, name: &str) {
    walk.go(&format!("/sites/{name}/findings"));
    walk.browser.press(&["Tab"]);
    assert!(
        walk.browser.value("document.activeElement.className").as_str().unwrap().contains("skip"),
        "the first stop"
    );
    let top = walk.browser.value("document.activeElement.getBoundingClientRect().top >= 0");
    assert_eq!(top, json!(true), "it is seen when it has the focus");
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for("location.hash === '#main' && document.activeElement.id === 'main'");
    walk.browser.press(&["Tab"]);
    assert_eq!(walk.browser.value("document.activeElement.closest('main') !== null"), json!(true));
}

fn help(walk: &mut Walk) {
    walk.browser.value("document.activeElement.blur()");
    walk.browser.press(&["?"]);
    walk.browser.wait_for("document.querySelector('#help').open");
    assert!(walk.text("#help").contains("Map"), "{}", walk.text("#help"));
    // Nothing behind the dialog is reached.
    walk.browser.press(&["Tab", "Tab", "Tab"]);
    let inside = walk
        .browser
        .value("document.activeElement === document.body || document.activeElement.closest('#help') !== null");
    assert_eq!(inside, json!(true));
    walk.browser.press(&["Escape"]);
    walk.browser.wait_for("!document.querySelector('#help').open");
    // The same by its button.
    walk.browser.value("document.querySelector('[data-help]').focus()");
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for("document.querySelector('#help').open");
    walk.browser.press(&["Escape"]);
    walk.browser.wait_for("!document.querySelector('#help').open && document.activeElement.matches('[data-help]')");
    walk.browser.value("document.activeElement.blur()");
    // The slash leads to the search box, Escape out of it, and letters typed there are letters.
    walk.browser.press(&["/"]);
    walk.browser.wait_for("document.activeElement.id === 'top-q'");
    walk.browser.press(&["g", "?"]);
    assert_eq!(walk.browser.value("document.querySelector('#top-q').value"), json!("g?"));
    assert_eq!(walk.browser.value("document.querySelector('#help').open"), json!(false));
    walk.browser.press(&["Escape"]);
    walk.browser.wait_for("document.activeElement.id !== 'top-q'");
}

fn jumps(walk: &mut Walk, name: &str) {
    for (key, page) in [
        ("m", "map"),
        ("p", "findings"),
        ("c", "changes"),
        ("s", "search"),
        ("r", "rules"),
        ("j", "jobs"),
        ("e", "schedules"),
        ("n", "notices"),
        ("o", ""),
    ] {
        // The search box takes the focus where there is no question yet.
        walk.browser.press(&["Escape"]);
        walk.browser.press_through(&["g", key]);
        assert_eq!(walk.browser.value("location.pathname"), json!(format!("/sites/{name}/{page}")));
        walk.is_well(page);
    }
    walk.browser.press_through(&["g", "h"]);
    assert_eq!(walk.browser.value("location.pathname"), json!("/"));
}

/// The button turns the colors around, and that is kept.
fn themes(walk: &mut Walk) {
    let color = "getComputedStyle(document.body).backgroundColor";
    walk.go("/settings");
    let before = walk.browser.value(color);
    walk.browser.value("document.querySelector('[data-theme-toggle]').focus()");
    walk.browser.press(&["Enter"]);
    let after = walk.browser.value(color);
    assert_ne!(before, after);
    walk.go("/");
    assert_eq!(walk.browser.value(color), after, "it was forgotten on the way");
    walk.browser.value("document.querySelector('[data-theme-toggle]').focus()");
    walk.browser.press(&[" "]);
    assert_eq!(walk.browser.value(color), before);
}

/// Tab goes through the page: each stop is in the window, has a name, and is marked; nothing that can be used is left out.
pub(super) fn every_stop_shows(walk: &mut Walk, page: &str) {
    // From the beginning, wherever the page has put the focus.
    walk.browser.value("document.querySelector('a, input').focus(), document.activeElement.blur(), window.getSelection().removeAllRanges(), window.scrollTo(0, 0), window.stops = new Set()");
    let look = "(() => { const one = document.activeElement; if (!one || one === document.body) return 'end'; \
        if (stops.has(one)) return 'end'; stops.add(one); const box = one.getBoundingClientRect(); const style = getComputedStyle(one); \
        const marked = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none'; \
        const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0 && box.height > 0; \
        return marked && seen ? 'fine' : `${marked ? '' : 'not marked '}${seen ? '' : 'not seen '}${one.outerHTML.slice(0, 150)}`; })()";
    // So many are enough to have seen every kind of control; long lists repeat.
    for _ in 0..60 {
        walk.browser.press(&["Tab"]);
        match walk.browser.value(look).as_str().unwrap() {
            "fine" => {}
            "end" => break,
            wrong => panic!("{page}: {wrong}"),
        }
    }
    let stops = walk.browser.value("stops.size").as_u64().unwrap();
    assert!(stops >= 5, "{page}: {stops} stops");
}

/// From the home page to a page of the map and into a search, with Tab and Enter alone.
fn by_tab_alone(walk: &mut Walk) {
    walk.go("/");
    tab_to(walk, ".site-card h3 a");
    walk.browser.press_through(&["Enter"]);
    tab_to(walk, "nav.tabs a[data-go=m]");
    walk.browser.press_through(&["Enter"]);
    tab_to(walk, "[data-tree] summary");
    let open = walk.browser.value("document.activeElement.parentElement.open").as_bool().unwrap();
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for(&format!("document.activeElement.parentElement.open === {}", !open));
    tab_to(walk, "[data-tree] .why");
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for("document.querySelector('#why') && document.activeElement.tagName === 'H1'");
    walk.browser.press(&["/"]);
    walk.browser.press(&["g", "r", "o", "m", "a"]);
    walk.browser.press_through(&["Enter"]);
    tab_to(walk, "ol.results h2 a");
    walk.is_well("a search by keyboard");
}

fn tab_to(walk: &mut Walk, selector: &str) {
    let there = format!("document.activeElement.matches({})", json!(selector));
    for _ in 0..200 {
        walk.browser.press(&["Tab"]);
        if walk.browser.value(&there) == json!(true) {
            return;
        }
    }
    panic!("{selector} is not reached by Tab");
}
