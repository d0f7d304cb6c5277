//! Updates and what they change.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_testweb::sites::Changing;
use groma_testweb::{Answer, Ask, Server};

use crate::{Desk, assert_balance};

#[test]
fn an_update_tells_what_changed_and_nothing_else() {
    let epoch = Arc::new(AtomicU64::new(0));
    let site = Changing::new(40, Arc::clone(&epoch));
    let server = Server::start(site.clone());
    let desk = Desk::new();
    let base = server.base();
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0", "--store", "c.groma", "-H", "X-Secret: value"]).code, 0);
    let first = desk.run(&["diff"]);
    assert!(first.out.starts_with("first crawl: 37 pages added"), "{}", first.out);
    assert_eq!(desk.json(&["diff", "-f", "json"]).len(), 37);
    epoch.store(1, Ordering::Relaxed);
    let done = desk.run(&["update", "--store", "c.groma"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("not kept (headers)"), "{}", done.err);
    assert_balance(&desk.status("c.groma"));
    let rows = desk.json(&["diff", "-f", "json"]);
    let of = |kind: &str| -> BTreeSet<String> {
        let of_kind = rows.iter().filter(|row| row["change"] == kind);
        of_kind.map(|row| row["url"].as_str().unwrap().replacen(&base, "", 1)).collect()
    };
    let set = |paths: Vec<String>| paths.into_iter().collect::<BTreeSet<_>>();
    assert_eq!(of("gone"), set(site.removed()));
    assert_eq!(of("moved"), set(site.moved()));
    assert_eq!(of("added"), set(site.added()));
    assert_eq!(of("changed"), set([site.changed(), vec!["/".to_owned()]].concat()));
    assert!(
        rows.iter().filter(|row| row["change"] == "moved").all(|row| row["to"].as_str().unwrap().contains("/moved/"))
    );
    let text = desk.run(&["diff"]).out;
    assert!(text.contains("4 added, 4 gone, 0 unreachable, 5 changed, 4 moved"), "{text}");
    assert_eq!(desk.json(&["diff", "-f", "json", "--run", "1"]).len(), 37);
    desk.run(&["diff", "--run", "9"]).is_mistake("there is no run 9");
    assert_eq!(desk.run(&["verify"]).code, 0);
}

#[test]
fn a_page_that_reappears_elsewhere_with_its_text_has_moved() {
    let epoch = Arc::new(AtomicU64::new(0));
    let now = Arc::clone(&epoch);
    let server = Server::start(move |ask: &Ask| {
        let late = now.load(Ordering::Relaxed) > 0;
        let text = "<title>Text</title><p>The very same words stand here and there.";
        match ask.path.as_str() {
            "/" if late => Answer::html("<title>Home</title><p>Start. <a href='/there'>t</a>"),
            "/" => Answer::html("<title>Home</title><p>Start. <a href='/here'>h</a>"),
            "/here" if !late => Answer::html(text),
            "/there" if late => Answer::html(text),
            _ => Answer::status(404),
        }
    });
    let desk = Desk::new();
    assert_eq!(desk.run(&["crawl", &server.base(), "--delay", "0"]).code, 0);
    epoch.store(1, Ordering::Relaxed);
    assert_eq!(desk.run(&["update"]).code, 0);
    let rows = desk.json(&["diff", "-f", "json"]);
    let moved = rows.iter().find(|row| row["url"] == format!("{}/here", server.base())).unwrap();
    assert_eq!(
        (&moved["change"], &moved["to"]),
        (&"moved".into(), &format!("{}/there", server.base()).into()),
        "{rows:?}"
    );
    assert!(rows.iter().all(|row| row["change"] != "added" && row["change"] != "gone"), "{rows:?}");
}

#[test]
fn a_page_that_asks_for_a_login_is_unknown_and_not_broken() {
    let epoch = Arc::new(AtomicU64::new(0));
    let now = Arc::clone(&epoch);
    let server = Server::start(move |ask: &Ask| match (ask.path.as_str(), now.load(Ordering::Relaxed)) {
        ("/robots.txt", _) => Answer::status(404),
        ("/", _) => Answer::html("<p><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a> <a href=/d>d</a>"),
        (path, 0) => Answer::html(format!("<title>{path}</title><p>Open.")),
        ("/a", _) => Answer::status(401),
        ("/b", _) => Answer::status(403),
        ("/c", _) => Answer::status(429),
        _ => Answer::status(500),
    });
    let desk = Desk::new();
    assert_eq!(desk.run(&["crawl", &server.base(), "--delay", "0", "--retries", "0"]).code, 0);
    epoch.store(1, Ordering::Relaxed);
    assert_eq!(desk.run(&["update", "--retries", "0"]).code, 0);
    let rows = desk.json(&["diff", "-f", "json"]);
    let told: Vec<(&str, &str)> =
        rows.iter().map(|row| (row["change"].as_str().unwrap(), row["reason"].as_str().unwrap())).collect();
    let expected = [
        ("unreachable", "server-error"),
        ("unknown", "unauthorized"),
        ("unknown", "forbidden"),
        ("unknown", "asked-to-wait"),
    ];
    assert_eq!(told, expected, "{rows:?}");
    let text = desk.run(&["diff"]).out;
    assert!(text.contains("1 unreachable") && text.contains("3 unknown"), "{text}");
    assert!(text.contains("/b  (forbidden)"), "{text}");
    assert!(desk.run(&["diff", "-f", "csv"]).out.starts_with("change,url,percent,to,at,run,reason\r\n"));
}

#[test]
fn runs_can_be_compared_whole_if_the_survey_was_kept() {
    let epoch = Arc::new(AtomicU64::new(0));
    let site = Changing::new(40, Arc::clone(&epoch));
    let server = Server::start(site.clone());
    let desk = Desk::new();
    assert_eq!(desk.run(&["crawl", &server.base(), "--delay", "0", "--store", "c.groma"]).code, 0);
    epoch.store(1, Ordering::Relaxed);
    assert_eq!(desk.run(&["update", "--keep"]).code, 0);
    let whole = desk.json(&["diff", "1", "2", "-f", "json"]);
    let of = |change: &str| whole.iter().filter(|row| row["change"] == change).count();
    assert_eq!((of("page-gone"), of("page-moved")), (site.removed().len(), site.moved().len()), "{whole:?}");
    assert!(of("finding-new") > 0, "links to removed pages: {whole:?}");
    epoch.store(2, Ordering::Relaxed);
    assert_eq!(desk.run(&["update"]).code, 0);
    let pages_only = desk.run(&["diff", "2", "3", "-f", "json"]);
    assert!(pages_only.err.contains("--keep") && !pages_only.out.is_empty(), "{} {}", pages_only.out, pages_only.err);
    let far = desk.run(&["diff", "1", "3", "-f", "json"]);
    assert!(far.err.is_empty() && far.out.contains("page-gone"), "{}", far.err);
    assert_eq!(desk.run(&["crawl", &server.base(), "--delay", "0", "--fresh", "--store", "c.groma"]).code, 0);
    assert!(!desk.path.join("c.groma/runs").exists(), "copies go with the survey");
}
