//! Who may do what: users and tokens are made on the settings page, and a reader sees no button that changes something.

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::surveys::{Town, pages, surveyed};

#[test]
fn users_come_in_and_readers_change_nothing() {
    let web = Server::start(Town::default());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("people", &house) else { return };
    add(&mut walk, "ann", "correct horse battery", "admin");
    // From now on everybody logs in; a wrong password is told so.
    walk.is_turned_away("/settings");
    log_in(&mut walk, "ann", "wrong horse battery");
    assert!(!walk.text("[role=alert]").is_empty());
    walk.browser.events.clear();
    log_in(&mut walk, "ann", "correct horse battery");
    assert_eq!(walk.browser.value("location.pathname"), json!("/settings"), "it leads on to what was asked for");
    walk.is_well("logged in");
    token(&mut walk);
    add(&mut walk, "bob", "purple monkey dishwasher", "reader");
    walk.go(&format!("/sites/{name}/"));
    assert!(walk.count("main form[method=post]") > 0, "an admin has buttons");
    walk.click("form[action='/logout'] button");
    assert_eq!(walk.browser.value("location.pathname"), json!("/login"));
    log_in(&mut walk, "bob", "purple monkey dishwasher");
    for (page, path) in pages(&name, &web) {
        walk.go(&path);
        assert_eq!(
            walk.count("main form[method=post], main button[formmethod=post]"),
            0,
            "a reader could change something at {page}"
        );
    }
    walk.click("form[action='/logout'] button");
    for path in ["/", "/settings", "/search?q=groma"] {
        walk.is_turned_away(path);
    }
}

fn add(walk: &mut Walk, name: &str, password: &str, role: &str) {
    walk.go("/settings");
    let form = "form[action='/settings/users']";
    if walk.count(&format!("details[open] > {form}")) == 0 {
        walk.browser.click(&format!("details:has(> {form}) > summary"));
    }
    walk.browser.write_into("#u-name", name);
    walk.browser.write_into("#u-pass", password);
    walk.browser.write_into("#u-again", password);
    walk.browser.choose("#u-role", role);
    walk.click(&format!("{form} button"));
}

fn log_in(walk: &mut Walk, name: &str, password: &str) {
    walk.browser.write_into("#name", name);
    walk.browser.write_into("#password", password);
    walk.browser.press_through(&["Enter"]);
}

/// A token is shown once, works, and is refused when it is revoked.
fn token(walk: &mut Walk) {
    walk.browser.click("details:has(> form[action='/settings/tokens']) > summary");
    walk.browser.write_into("#t-name", "dashboard");
    walk.click("form[action='/settings/tokens'] button");
    let secret = walk.text("#secret").trim().to_owned();
    assert!(secret.len() > 20, "{secret}");
    let use_it = format!(
        "fetch('/api/v1/sites', {{ credentials: 'omit', headers: {{ authorization: 'Bearer ' + {} }} }}).then((answer) => answer.status)",
        json!(secret)
    );
    assert_eq!(walk.browser.promised(&use_it), json!(200));
    walk.go("/settings");
    words_stay_whole(walk);
    assert!(
        !walk.browser.value("document.documentElement.outerHTML").as_str().unwrap().contains(&secret),
        "shown again"
    );
    assert!(walk.text("main").contains("dashboard"));
    walk.click("form[action='/settings/tokens/remove'] button");
    assert!(walk.browser.dialogs.iter().any(|one| one.contains("dashboard")), "{:?}", walk.browser.dialogs);
    assert_eq!(walk.browser.promised(&use_it), json!(401));
    walk.browser.events.clear();
}

/// In a narrow table, words and numbers are not broken; the check would notice if they were.
fn words_stay_whole(walk: &mut Walk) {
    let mut noticed = false;
    for width in [700, 820, 940, 1060, 1200] {
        walk.browser.look(width, 900, false);
        assert_eq!(walk.ugly(), None, "{width}");
        walk.browser.value(
            "void document.styleSheets[0].insertRule('td, th { overflow-wrap: anywhere; width: 1ch }', document.styleSheets[0].cssRules.length)",
        );
        noticed |= walk.ugly().is_some_and(|what| what.contains("is broken in"));
        walk.browser.value("void document.styleSheets[0].deleteRule(document.styleSheets[0].cssRules.length - 1)");
    }
    assert!(noticed, "nothing was broken that should have been");
    walk.browser.look(1280, 900, false);
}
