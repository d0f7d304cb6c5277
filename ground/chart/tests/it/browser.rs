//! The HTML form in a real browser: it opens, is searched and walked by keys, complains about nothing and asks for
//! nothing; without scripts it is a list. Skipped where no Chromium is installed.
//!
//! Figures: `GROMA_MAP_PAGES=100000 cargo test -p groma-chart --release --test it browser -- --nocapture` prints the
//! size of the file, the milliseconds from navigation to the drawn tree and to the ready search, and those of a
//! search.

use groma_chart::{SiteMap, html};
use serde_json::json;

use crate::hostile::Hostile;
use crate::made_up::MadeUp;
use crate::page::drawn;
use crate::programs::file;
use groma_browser::Chromium;

const READY: &str = "document.documentElement.dataset.ready && document.documentElement.dataset.drawn";

/// The number of pages to measure with, or enough for a test.
fn pages() -> u32 {
    std::env::var("GROMA_MAP_PAGES").ok().and_then(|pages| pages.parse().ok()).unwrap_or(20_000)
}

#[test]
fn a_browser_draws_the_tree_and_searches_it_without_complaint() {
    let Some(mut browser) = Chromium::start("search") else { return };
    let site = MadeUp::site(pages());
    let page = drawn(&SiteMap::new(site.heading(), site.tree()), &mut site.labels());
    let path = file("search.html", page.as_bytes());
    // Times of the thread, not of the clock: a busy machine does not count.
    browser.ask("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
    browser.open(&path, "#search=zizkov+gallery");
    browser.wait_for(READY);
    browser.wait_for("document.documentElement.dataset.found");
    let number = |browser: &mut Chromium, name: &str| {
        let value = browser.value(&format!("Number(document.documentElement.dataset.{name})"));
        value.as_f64().unwrap()
    };
    let (drawn_at, ready_at) = (number(&mut browser, "drawn"), number(&mut browser, "ready"));
    let (search, found) = (number(&mut browser, "searchTime"), number(&mut browser, "found"));
    let metrics = browser.ask("Performance.getMetrics", &json!({}));
    let spent = metrics["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == "TaskDuration").unwrap();
    eprintln!(
        "{} pages, {:.1} MB: drawn after {drawn_at} ms, search ready after {ready_at} ms, a search {search} ms; \
         CPU of the page's thread for all of it {:.2} s",
        site.tree().len(),
        page.len() as f64 / 1e6,
        spent["value"].as_f64().unwrap()
    );
    assert!(site.tree().len() > 100_000 || spent["value"].as_f64() < Some(15.0), "{spent}");
    // "Žižkov" is found without its accents, and both words must be there.
    let expected = page.lines().filter(|line| line.contains("<a ")).filter(|line| {
        let words = line.split("</a>").next().unwrap().to_lowercase();
        words.contains("žižkov") && words.contains("gallery")
    });
    assert_eq!(found as usize, expected.count());
    assert!(found > 0.0 && browser.value("document.querySelectorAll('[role=option]').length").as_u64() > Some(5));
    assert_eq!(
        browser.value("[...document.querySelectorAll('[role=option] mark')].some((m) => m.textContent === 'Gallery')"),
        json!(true)
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_walk_open_and_search() {
    let Some(mut browser) = Chromium::start("keys") else { return };
    let site = MadeUp::site(2_000);
    let page = drawn(&SiteMap::new(site.heading(), site.tree()), &mut site.labels());
    browser.open(&file("keys.html", page.as_bytes()), "");
    browser.wait_for(READY);
    let current = "(() => { const t = document.querySelector('[role=tree]'); \
                   const r = document.getElementById(t.getAttribute('aria-activedescendant')); \
                   const of = (name) => r.getAttribute(name); \
                   return [of('aria-level'), of('aria-expanded'), r.querySelector('.title').textContent]; })()";
    browser.value("document.querySelector('[role=tree]').focus()");
    assert_eq!(browser.value(current), json!(["1", "true", "Museum of Roman Surveying"]));
    browser.press(&["ArrowDown"]);
    assert_eq!(browser.value(current)[0], json!("2"));
    let first = browser.value(current)[2].clone();
    assert_eq!(browser.value(current)[1], json!("false"));
    browser.press(&["ArrowRight"]);
    assert_eq!(browser.value(current)[1], json!("true"), "right opens");
    browser.press(&["ArrowRight"]);
    assert_eq!(browser.value(current)[0], json!("3"), "right goes in");
    browser.press(&["ArrowLeft"]);
    assert_eq!(browser.value(current)[2], first, "left goes out");
    browser.press(&["ArrowLeft"]);
    assert_eq!(browser.value(current)[1], json!("false"), "left closes");
    browser.press(&["End"]);
    assert_eq!(
        browser.value(current)[2],
        browser.value("[...document.querySelectorAll('[role=treeitem]')].pop().querySelector('.title').textContent")
    );
    browser.press(&["Home"]);
    assert_eq!(browser.value(current)[0], json!("1"));
    browser.press(&["/"]);
    assert_eq!(browser.value("document.activeElement.id"), json!("search"));
    browser.press(&["c", "a", "m", "p"]);
    browser.wait_for("document.querySelectorAll('[role=option]').length > 3");
    assert_eq!(browser.value("document.querySelector('#search').value"), json!("camp"));
    browser.press(&["ArrowDown", "ArrowDown"]);
    let chosen = browser.value("document.querySelector('[role=option][aria-selected=true] .title').textContent");
    browser.press(&["Enter"]);
    browser.wait_for(
        "document.querySelectorAll('[role=option]').length === 0 || document.querySelector('#results').hidden",
    );
    assert_eq!(browser.value(current)[2], chosen, "Enter shows the page in the tree");
    browser.press(&["/", "x", "Escape"]);
    assert_eq!(browser.value("document.querySelector('#search').value"), json!(""));
    browser.press(&["Escape"]);
    assert_eq!(browser.value("document.activeElement.getAttribute('role')"), json!("tree"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn areas_zoom_in_and_out() {
    let Some(mut browser) = Chromium::start("areas") else { return };
    let site = MadeUp::site(2_000);
    let page = drawn(&SiteMap::new(site.heading(), site.tree()), &mut site.labels());
    browser.open(&file("areas.html", page.as_bytes()), "#view=areas");
    browser.wait_for(READY);
    browser.wait_for("document.querySelectorAll('.tiles button').length > 5");
    // The details offer the other view, whichever is shown and however one came there.
    let offered = "[...document.querySelectorAll('#details [data-to]')].filter((b) => b.checkVisibility()).map((b) => b.dataset.to)";
    assert_eq!(browser.value(offered), json!(["tree"]));
    browser.value("document.querySelector('[data-view=tree]').click()");
    assert_eq!(browser.value(offered), json!(["areas"]));
    browser.value("document.querySelector('[data-view=areas]').click()");
    assert_eq!(browser.value(offered), json!(["tree"]));
    // The first level fills the field.
    let share = browser.value(
        "(() => { const f = document.querySelector('.field'); let sum = 0; \
         for (const b of document.querySelectorAll('.tiles button')) sum += b.offsetWidth * b.offsetHeight; \
         return sum / (f.clientWidth * f.clientHeight); })()",
    );
    assert!((0.95..1.05).contains(&share.as_f64().unwrap()), "{share}");
    // Whoever is at an area stays there when the field gets another size and is drawn anew, however far in.
    let held =
        "document.querySelector('.tiles').contains(document.activeElement) && document.activeElement.dataset.row";
    let drawn_again = "[...document.querySelectorAll('.tiles button')].every((b) => !b.marked)";
    let resize = |browser: &mut Chromium, width: u32| {
        browser.value("document.querySelectorAll('.tiles button').forEach((b) => { b.marked = true; })");
        browser.look(width, 1_000, false);
        browser.wait_for(drawn_again);
    };
    browser.value("document.querySelector('.tiles button').focus()");
    browser.press(&["ArrowRight"]);
    let at = browser.value(held);
    assert!(at.is_string(), "{at}");
    resize(&mut browser, 1_100);
    assert_eq!(browser.value(held), at);
    assert_eq!(browser.value("document.querySelectorAll('.tiles button[tabindex=\"0\"]').length"), json!(1));
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 2");
    resize(&mut browser, 1_200);
    browser.press(&["Escape"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 1");
    assert_eq!(browser.value(held), at, "Esc goes out to where one came from");
    // The way above the areas, by keys too: it leads out and keeps the focus.
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 2");
    browser.value("document.querySelector('.crumbs button').focus()");
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 1");
    assert_eq!(browser.value("document.activeElement.ariaCurrent"), json!("location"));
    // So does the way among the details.
    browser.value("document.querySelector('.tiles button').focus()");
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 2");
    browser.value("document.querySelector('#details .way button').focus()");
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelectorAll('.crumbs button').length === 1");
    assert!(browser.value(held).is_string());
    for (choice, value) in [(1, "broken"), (1, "depth"), (0, "bytes")] {
        browser.value(&format!(
            "(() => {{ const s = document.querySelectorAll('.choices select')[{choice}]; s.value = '{value}'; \
             s.dispatchEvent(new Event('change')); }})()"
        ));
        assert!(browser.value("document.querySelectorAll('.key li').length").as_u64() >= Some(4));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn hostile_titles_run_nothing() {
    let Some(mut browser) = Chromium::start("hostile") else { return };
    let hostile = Hostile::new();
    let path = file("hostile.html", drawn(&hostile.map(), &mut Hostile::new()).as_bytes());
    browser.open(&path, "#open");
    browser.wait_for(READY);
    let rows = browser.value("document.querySelectorAll('[role=treeitem]').length");
    assert_eq!(rows.as_u64(), Some(hostile.texts.len() as u64));
    assert_eq!(browser.value("document.scripts.length"), json!(1));
    assert_eq!(
        browser.value("[...document.links].every((a) => /^https?:/.test(a.href) && a.rel === 'noopener noreferrer')"),
        json!(true)
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_long_chain_and_a_folded_map_are_no_trouble() {
    let Some(mut browser) = Chromium::start("chain") else { return };
    let chain = MadeUp::chain(20_000);
    let page = drawn(&SiteMap::new(chain.heading(), chain.tree()), &mut chain.labels());
    browser.open(&file("chain.html", page.as_bytes()), "#open&search=roads");
    browser.wait_for(READY);
    browser.wait_for("document.querySelectorAll('[role=option]').length > 5");
    assert_eq!(browser.complaints(), Vec::<String>::new());

    let site = MadeUp::site(3_000);
    let map = SiteMap::new(site.heading(), site.tree());
    let mut out = Vec::new();
    let options = html::Options { rows: 12, ..html::Options::default() };
    html::render_with(&options, &map, &mut site.labels(), &mut out).unwrap();
    browser.open(&file("folded.html", &out), "#open");
    browser.wait_for(READY);
    browser.wait_for("document.querySelectorAll('[role=treeitem].more').length > 3");
    let root = browser.value("document.querySelector('[role=treeitem] .c-pages').textContent");
    assert_eq!(root, json!("3,000"), "what is folded is counted");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn without_scripts_it_is_a_list() {
    let Some(mut browser) = Chromium::start("plain") else { return };
    let site = MadeUp::site(1_000);
    let path = file("plain.html", drawn(&SiteMap::new(site.heading(), site.tree()), &mut site.labels()).as_bytes());
    browser.ask("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    browser.open(&path, "");
    // The protocol may look into the page even when the page may not run.
    browser.wait_for("document.querySelectorAll('noscript li').length === 1000");
    assert_eq!(browser.value("document.querySelectorAll('noscript li li li a[href]').length > 500"), json!(true));
    assert!(
        browser
            .value("document.querySelector('noscript').innerText")
            .as_str()
            .unwrap()
            .contains("Museum of Roman Surveying")
    );
    assert_eq!(browser.value("document.querySelector('[role=tree]')"), json!(null));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
