//! Databases in a browser: gathered by keys, watched, looked at, described anew while typing; and the same by plain forms, on a
//! telephone, and by Tab alone.

use std::sync::atomic::Ordering;

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use super::keyboard::every_stop_shows;
use crate::inns::{INNS, Inns, database_pages, with_database};
use crate::surveys::surveyed;

#[test]
fn a_database_is_gathered_watched_and_described() {
    let inns = Inns::default();
    let web = Server::start(inns.clone());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("databases", &house) else { return };
    walk.go(&format!("/sites/{name}/"));
    walk.click("nav.tabs a[data-go='d']");
    assert_eq!(walk.count("#forms form"), 2, "a form and a document: {}", walk.text("#forms"));
    // What cannot be gathered is said, and what was typed stays.
    walk.browser.write_into("#g-budget", "25");
    walk.browser.click_through("#begin button.primary");
    assert!(walk.text("[role=alert]").contains("no database"), "{}", walk.text("main"));
    assert_eq!(walk.browser.value("document.querySelector('#g-budget').value"), json!("25"));
    let refused = walk.browser.troubles(&walk.base);
    assert!(refused.iter().all(|one| one.contains("422")), "{refused:?}");
    // It is begun by keys, and the page follows it and shows by itself what it found.
    inns.pace.store(200, Ordering::Relaxed);
    walk.browser.write_into("#g-budget", "500");
    walk.browser.write_into("#g-address", &format!("{}/search", web.base()));
    walk.browser.press_through(&["Enter"]);
    walk.is_well("asked for");
    walk.until("[data-live]", "requests");
    inns.pace.store(0, Ordering::Relaxed);
    walk.browser.wait_for("document.querySelector('#gatherings') && !document.querySelector('[data-live]')");
    walk.is_well("the end");
    assert!(walk.text("#gatherings").contains("certified complete"), "{}", walk.text("main"));
    walk.click("#gatherings th a");
    assert!(walk.text(".lead").contains(&format!("Certified complete: {INNS} records")), "{}", walk.text("main"));
    assert!(walk.count("svg.harvest path.h0") == 1 && walk.count("table.records tbody tr") == 25);
    for href in walk.hrefs("[aria-labelledby=files-head] a.chip") {
        let (status, _, text) = walk.fetch(&href);
        assert!(status == 200 && !text.is_empty(), "{href}");
    }
    walk.click("#records .pager a[rel=next]");
    assert!(walk.text("#records .pager").starts_with("Back"), "{}", walk.text("#records .pager"));
    describe(&mut walk);
}

/// The description is fixed, and beside it stands at once what it gives.
fn describe(walk: &mut Walk) {
    walk.click("a[href$='/describe']");
    assert!(walk.text("#tried").contains("5 records"), "{}", walk.text("main"));
    walk.browser.write_into("#d-lines", "DB.Result.house: html.body.table.tr[1:*].td[0].txt");
    walk.until("#tried h3", "house");
    walk.is_well("a rule was typed");
    walk.browser.write_into("#d-lines", "DB.Result.house: html.body.table.tr[");
    walk.until("#tried [role=alert]", "DB.Result.house");
    assert!(walk.text("#tried pre").contains('^'), "{}", walk.text("#tried"));
    walk.is_well("a mistake was typed");
}

#[test]
fn without_scripts_and_on_a_telephone_databases_are_the_same() {
    let (house, web, name, id) = with_database(&Inns::default());
    let Some(mut walk) = Walk::begin("databases-plain", &house) else { return };
    walk.browser.look(360, 900, false);
    let pages: Vec<_> = database_pages(&name, id, &web).into_iter().filter(|page| page.0 != "hel-fault").collect();
    // With scripts nothing of it runs.
    for (page, path) in &pages {
        walk.go(path);
        walk.browser.value("document.querySelectorAll('details').forEach((one) => (one.open = true))");
        assert_eq!(walk.too_wide(), None, "{page}");
        let harm = "[typeof window.harmed, document.querySelectorAll('.harm').length]";
        assert_eq!(walk.browser.value(harm), json!(["undefined", 0]), "{page}");
    }
    assert!(walk.browser.dialogs.is_empty(), "{:?}", walk.browser.dialogs);
    walk.browser.look(1280, 1400, false);
    for (page, path) in &pages {
        walk.go(path);
        every_stop_shows(&mut walk, page);
    }
    walk.browser.look(360, 900, false);
    walk.browser.scripts(false);
    for (_, path) in &pages {
        walk.go(path);
    }
    // A plan by a button of the list.
    walk.go(&format!("/sites/{name}/databases"));
    walk.click("#forms button[name=plan]");
    assert!(walk.text("[role=status]").contains("The plan is queued"), "{}", walk.text("main"));
    house.until_idle(&name, None);
    // The description by its button.
    walk.go(&format!("/sites/{name}/databases/{id}/describe"));
    walk.browser.write_into("#d-lines", "DB.Result.house: html.body.table.tr[1:*].td[0].txt");
    walk.click("[aria-labelledby=lines-head] .buttons button");
    assert!(walk.text("#tried").contains("house"), "{}", walk.text("#tried"));
    // A rule.
    walk.go("/hel");
    walk.browser.write_into("#h-rule", "html.body.p.txt");
    walk.browser.write_into("#h-html", "<p>Inn");
    walk.click("main button.primary");
    assert_eq!(walk.text(".nested").trim(), "Inn");
    // Forgotten.
    walk.go(&format!("/sites/{name}/databases/{id}"));
    walk.browser.click("#forget summary");
    walk.click("#forget button");
    assert!(walk.text("[role=status]").contains("is forgotten"));
}
