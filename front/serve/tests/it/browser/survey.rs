//! From a URL typed into a box to the last page about it, with scripts.

use std::sync::atomic::Ordering;

use groma_testweb::Server;
use serde_json::json;

use super::Walk;
use crate::House;
use crate::surveys::{Town, house_for};

#[test]
fn a_survey_is_begun_watched_and_looked_at() {
    let town = Town::default();
    // Slow enough to be watched.
    town.pace.store(700, Ordering::Relaxed);
    let web = Server::start(town.clone());
    let house = house_for(&web);
    let Some(mut walk) = Walk::begin("survey", &house) else { return };
    begin(&mut walk, &web, &town);
    let jobs = house.until_idle(&name(&mut walk), None);
    assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
    overview(&mut walk);
    map(&mut walk);
    findings(&mut walk);
    changes(&mut walk, &town, &house);
    page(&mut walk, &web);
    rules(&mut walk, &web);
    search(&mut walk);
}

/// The name of the site of the page.
fn name(walk: &mut Walk) -> String {
    walk.browser.value("location.pathname.split('/')[2]").as_str().unwrap().to_owned()
}

/// Opens another tab of the site.
fn tab(walk: &mut Walk, key: &str) {
    walk.click(&format!("nav.tabs a[data-go='{key}']"));
    assert_eq!(walk.count(&format!("nav.tabs a[data-go='{key}'][aria-current=page]")), 1);
}

fn begin(walk: &mut Walk, web: &Server, town: &Town) {
    walk.go("/");
    assert!(walk.text("main").contains("No site has been surveyed yet"));
    // What cannot be surveyed is said, and what was typed stays.
    walk.browser.write_into("#url", "ftp://nowhere.example/");
    walk.browser.click_through("form[action='/sites'] button");
    assert!(!walk.text("[role=alert]").is_empty());
    assert_eq!(walk.browser.value("document.querySelector('#url').value"), json!("ftp://nowhere.example/"));
    let refused = walk.browser.troubles(&walk.base);
    assert!(refused.iter().all(|one| one.contains("422")), "{refused:?}");

    walk.browser.write_into("#url", &web.base());
    walk.browser.press_through(&["Enter"]);
    walk.is_well("the survey begins");
    assert!(walk.text("[role=status]").contains("The crawl is queued"), "{}", walk.text("main"));
    // It is watched: pages stream in, the curve is drawn, the numbers grow.
    walk.browser.wait_for("document.querySelectorAll('.stream li').length > 3");
    walk.browser.wait_for("document.querySelector('[data-live] svg.chart')");
    let stats = walk.text("[data-live] .stats");
    walk.browser.wait_for(&format!("document.querySelector('[data-live] .stats')?.innerText !== {}", json!(stats)));
    // How many queued URLs a pattern would drop is shown while it is typed; a pattern that is none is told so.
    walk.browser.write_into("#pattern", "*/fields/9*");
    walk.browser.wait_for("/queued URL/.test(document.querySelector('#preview').innerText)");
    walk.browser.write_into("#pattern", "re:(");
    walk.browser.wait_for("document.querySelector('#preview [role=alert]')");
    walk.is_well("the live page");
    // It ends by itself, and the page becomes the overview.
    town.pace.store(0, Ordering::Relaxed);
    walk.browser.wait_for("document.querySelector('#next') && !document.querySelector('[data-live]')");
    walk.is_well("the end of the survey");
}

fn overview(walk: &mut Walk) {
    let path = format!("/sites/{}/", name(walk));
    walk.go(&path);
    for head in ["#balance", "#wrong", "#branches", "#layers", "#types", "#top", "#runs", "#next"] {
        assert!(!walk.text(head).is_empty());
    }
    walk.go("/");
    assert_eq!(walk.count(".site-card"), 1);
    walk.click(".site-card h3 a");
}

fn map(walk: &mut Walk) {
    tab(walk, "m");
    // A branch is opened and closed by keyboard.
    walk.browser.value("window.branch = document.querySelector('[data-tree] li li details[open]'); branch.querySelector('summary').focus()");
    walk.browser.press(&["Enter"]);
    walk.browser.wait_for("!branch.open && !branch.querySelector('li').checkVisibility()");
    walk.browser.press(&[" "]);
    walk.browser.wait_for("branch.open && branch.querySelector('li').checkVisibility()");
    // Colors change at once, and the URL remembers them.
    for scheme in ["type", "age", "rank", "state"] {
        let before = colors(walk);
        walk.browser.choose("#map-color", scheme);
        walk.browser.wait_for(&format!("new URL(location.href).searchParams.get('color') === '{scheme}'"));
        assert_ne!(colors(walk), before, "{scheme}");
        assert_eq!(walk.count("[data-legend]:not([hidden])"), 1);
        assert_eq!(walk.count(&format!("[data-legend={scheme}]:not([hidden])")), 1);
    }
    // What is pointed at in the tree is marked in the treemap.
    walk.browser.value("document.querySelector('[data-tree] li[data-node] li[data-node] a').focus()");
    walk.browser
        .wait_for("document.querySelector('[data-treemap] .near') && document.querySelector('[data-tree] .near')");
    // Closer, and back again.
    walk.browser.value("window.same = true");
    walk.browser.click("[data-treemap] a[data-zoom] text");
    walk.browser.wait_for("document.querySelector('.crumbs') && new URL(location.href).searchParams.get('root')");
    assert_eq!(walk.browser.value("window.same"), json!(true), "the page was loaded anew");
    assert_eq!(walk.browser.value("document.activeElement.tagName"), json!("H1"), "the focus is at the new head");
    let closer = walk.count("[data-treemap] a");
    walk.browser.value("history.back()");
    walk.browser.wait_for("!document.querySelector('.crumbs')");
    assert!(walk.count("[data-treemap] a") > closer);
    walk.is_well("closer and back");
    // A map that starts elsewhere.
    walk.browser.click("[data-tree] .tree-acts a[data-zoom]:not(.why)");
    walk.browser.wait_for("new URL(location.href).searchParams.get('root')");
    walk.browser.click("a[href*='grow=1']");
    walk.browser.wait_for(
        "[...document.querySelectorAll('.note')].some((one) => one.innerText.includes('This map starts at'))",
    );
    walk.click(".note a");
    // Why is it there?
    walk.browser.click("[data-tree] li li .why");
    walk.browser.wait_for("document.querySelector('#why')");
    walk.is_well("why");
    walk.browser.write_into("#map-find", "border");
    walk.browser.press_through(&["Enter"]);
    assert!(walk.text("[aria-labelledby=found-head]").contains("Border stones"));
    walk.is_well("found on the map");
    files(walk);
}

fn colors(walk: &mut Walk) -> serde_json::Value {
    walk.browser.value("[...document.querySelectorAll('[data-colors]')].map((one) => one.getAttribute('class')).join()")
}

/// Every file the map is offered as can be read by what reads such files.
fn files(walk: &mut Walk) {
    let hrefs = walk.hrefs("[aria-labelledby=files-head] a.chip");
    assert!(hrefs.len() >= 8, "{hrefs:?}");
    for href in hrefs {
        let (status, kind, text) = walk.fetch(&href);
        assert_eq!(status, 200, "{href}");
        assert!(!text.is_empty(), "{href}");
        let read = if kind.contains("json") {
            serde_json::from_str::<serde_json::Value>(&text).is_ok()
        } else if kind.contains("pdf") {
            text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF")
        } else if kind.contains("xml") {
            let sound = format!(
                "new DOMParser().parseFromString({}, 'application/xml').querySelector('parsererror') === null",
                json!(text)
            );
            walk.browser.value(&sound) == json!(true)
        } else if kind.contains("html") {
            text.starts_with("<!doctype html>") || text.starts_with("<!DOCTYPE html>")
        } else {
            text.lines().count() > 20
        };
        assert!(read, "{href} ({kind}) cannot be read: {text:.300}");
    }
    // A drawing that was taken apart here is refused its own styles, as it should be on a page of ours.
    walk.browser.events.clear();
}

fn findings(walk: &mut Walk) {
    tab(walk, "p");
    let all = walk.count("ol.causes > li");
    assert!(all > 3, "{all} causes");
    walk.browser.click("ol.causes li details summary");
    walk.browser.wait_for("document.querySelector('ol.causes details[open] ul').innerText.length > 0");
    walk.browser.write_into("#p-q", "nowhere");
    walk.browser.press_through(&["Enter"]);
    walk.is_well("findings with a text");
    let fewer = walk.count("ol.causes > li");
    assert!(fewer > 0 && fewer < all, "{fewer} of {all}");
    assert!(walk.text("ol.causes").contains("nowhere"));
    walk.click(".filter .buttons a");
    assert_eq!(walk.count("ol.causes > li"), all);
    let kind = walk.browser.value("document.querySelectorAll('#p-kind option')[1].value").as_str().unwrap().to_owned();
    walk.browser.choose("#p-kind", &kind);
    walk.click(".filter button");
    let kinds = walk
        .browser
        .value("[...new Set([...document.querySelectorAll('.cause-head .badge')].map((one) => one.innerText))]");
    assert_eq!(kinds, json!([kind]));
    walk.click(".page-head .buttons a");
    assert!(walk.text("main table").contains(&kind));
    for href in walk.hrefs("[aria-labelledby=files-head] a.chip") {
        let (status, _, text) = walk.fetch(&href);
        assert!(status == 200 && text.contains(&kind), "{href}: {status} {text:.200}");
    }
    walk.is_well("findings");
}

fn changes(walk: &mut Walk, town: &Town, house: &House) {
    tab(walk, "c");
    assert!(walk.text("main").contains("This is the first crawl"));
    town.edition.store(1, Ordering::Relaxed);
    tab(walk, "o");
    walk.browser.click_through("form[action$='/jobs'] button.primary");
    // The page may show the survey as it was until the job is taken up.
    house.until_idle(&name(walk), None);
    walk.browser.wait_for("document.querySelector('#next') && !document.querySelector('[data-live]')");
    walk.is_well("the update");
    tab(walk, "c");
    let said = walk.text("main");
    for page in ["/news/3", "/tools/level", "/fields/13"] {
        assert!(said.contains(page), "{page} is missing: {said}");
    }
    assert!(!said.contains("/news/4"), "{said}");
    walk.click("ul.chips a.chip:not([aria-current])");
    walk.browser.click("details.more summary");
    walk.browser.wait_for("document.querySelectorAll('details.more[open] tbody tr').length === 2");
    let (status, _, csv) = {
        let href = walk.hrefs("a[href*='changes.csv']").remove(0);
        walk.fetch(&href)
    };
    assert!(status == 200 && csv.lines().count() > 1, "{csv}");
    // What is new is a dead link and a page that went away.
    tab(walk, "p");
    walk.browser.click("input[name=new]");
    walk.click(".filter button");
    let new = walk.text("ol.causes");
    assert!(new.contains("also-nowhere") && !new.contains("/loop"), "{new}");
    walk.is_well("changes");
}

fn page(walk: &mut Walk, web: &Server) {
    tab(walk, "m");
    walk.click("[data-tree] > li .tree-name a");
    assert!(walk.text("main .address").contains(&web.base()));
    for head in [
        "#state-head",
        "#fetch-head",
        "#place-head",
        "#found-head",
        "#in-head",
        "#out-head",
        "#history-head",
        "#copy-head",
    ] {
        assert!(!walk.text(head).is_empty(), "{head}");
    }
    let asked = web.total();
    walk.browser.click("#copy-head ~ details summary");
    walk.browser.wait_for("document.querySelector('#copy-head ~ details[open] iframe')");
    let frame = walk.browser.value("document.querySelector('iframe.copy').getAttribute('sandbox')");
    assert_eq!(frame, json!(""), "the frame may do something");
    walk.browser.wait_for("performance.getEntriesByType('resource').some((one) => one.name.includes('/copy?'))");
    let copy = walk.hrefs("#copy-head ~ details a[target=_blank]").remove(0);
    let (status, kind, text) = walk.fetch(&copy);
    assert!(
        status == 200 && kind.starts_with("text/html") && text.contains("The town of the groma"),
        "{status} {kind}"
    );
    walk.browser.go(&format!("{}{copy}", walk.base));
    assert!(walk.text("h1").contains("The town of the groma"));
    assert_eq!(walk.browser.value("window.origin"), json!("null"), "the copy has an origin of its own");
    assert_eq!(web.total(), asked, "the copy loaded something");
    // Its pictures were refused, and that is all: the frame itself was not.
    let refused = walk.browser.troubles(&walk.base);
    let of_pictures = |one: &String| one.contains("img-src") || one.contains("/img/") || one.contains("Image");
    assert!(refused.iter().all(of_pictures), "{refused:#?}");
    let back = format!(
        "/sites/{}/page?url={}",
        name(walk),
        groma_url::form_urlencoded::escape(&format!("{}/tools/twin-a", web.base()))
    );
    walk.go(&back);
    assert!(walk.text("main").contains("twin-b"), "its double is named: {}", walk.text("main"));
    walk.click("#in a.address");
}

fn rules(walk: &mut Walk, web: &Server) {
    tab(walk, "r");
    walk.browser.write_into("#try-url", &format!("{}/tools/?utm_source=mail#top", web.base()));
    walk.browser.press_through(&["Enter"]);
    assert!(walk.text("ol.steps").contains("utm_source"), "{}", walk.text("main"));
    assert!(walk.text(".note.good").contains("/tools/"));
    walk.browser.write_into("#try-url", "no URL at all");
    walk.click("form.ask:has(#try-url) button");
    assert!(!walk.text("[role=alert]").is_empty());
}

fn search(walk: &mut Walk) {
    tab(walk, "s");
    // Suggestions while typing.
    walk.browser.write_into("#q", "bord");
    walk.browser.wait_for(
        "[...document.querySelectorAll('#q-list option')].some((one) => one.value.toLowerCase().includes('border'))",
    );
    walk.browser.write_into("#q", "survey");
    walk.browser.press_through(&["Enter"]);
    walk.is_well("found");
    let shown = walk.text("main [role=status]");
    assert!(shown.starts_with("1–10 of"), "{shown}");
    assert!(walk.count("ol.results mark") > 5);
    let first = walk.text("ol.results li .address");
    walk.click(".pager a[rel=next]");
    assert!(walk.text("main [role=status]").starts_with("11–20 of"));
    assert_ne!(walk.text("ol.results li .address"), first);
    walk.click(".pager a[rel=prev]");
    // A facet narrows, and is taken back.
    let groups = walk.count(".facets h2");
    assert!(groups >= 1, "{groups} facets");
    let narrower = walk.browser.value("[...document.querySelectorAll('.facets a')].find((one) => decodeURIComponent(one.href).includes('fields'))?.getAttribute('href')");
    let narrower = narrower.as_str().expect("no facet of the fields").to_owned();
    walk.click(&format!(".facets a[href={}]", json!(narrower)));
    assert!(walk.text("ol.results").contains("/fields/") && !walk.text("ol.results").contains("/news/"));
    walk.click(".facets a[aria-current]");
    assert_eq!(walk.text("main [role=status]"), shown);
    // A slip of the pen.
    walk.browser.write_into("#q", "instrumant");
    walk.browser.press_through(&["Enter"]);
    assert!(walk.text("main").contains("Did you mean"), "{}", walk.text("main"));
    walk.click("main p a:has(strong)");
    assert!(walk.count("ol.results li") > 0);
    // No question is too strange.
    for q in ["\"", "AND OR NOT", "site:", "in:/nothing/", "-", "🗺️", "測量", "(((", "*", "date:2026-99"] {
        let path = format!(
            "{}?{}",
            walk.browser.value("location.pathname").as_str().unwrap(),
            groma_url::form_urlencoded::Serializer::new(String::new()).append_pair("q", q).finish()
        );
        walk.go(&path);
    }
    let here = walk.browser.value("location.pathname").as_str().unwrap().to_owned();
    walk.go(&format!("{here}?q=%E6%B8%AC%E9%87%8F"));
    assert!(walk.text("ol.results").contains("/people/ja"), "{}", walk.text("main"));
    walk.go("/search?q=groma&embed=1");
    assert!(walk.count("ol.results li") > 0);
    walk.is_well("search");
}
