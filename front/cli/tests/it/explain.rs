//! Every URL can be explained, known or not.

use groma_testweb::{Answer, Ask, Server};

use crate::Desk;

fn site() -> Server {
    Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /secret/\n"),
        "/" => {
            Answer::html("<title>Home</title><p>Start. <a href='/a?utm_source=x'>to a</a> <a href='/secret/b'>b</a>")
        }
        "/a?utm_source=x" => {
            Answer::html("<title>A</title><p>Page a. <a href='/old'>old</a> <a href='http://[bad'>bad</a>")
        }
        "/old" => Answer::redirect(302, "/older"),
        "/older" => Answer::redirect(301, "/end"),
        "/end" => Answer::html("<title>End</title><p>The end. <a href='/'>home</a><img src='/x.png' alt='x'>"),
        _ => Answer::status(404),
    })
}

#[test]
fn robots_is_explained_for_the_url_as_it_was_linked_and_by_the_name_we_go_by() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::text(
            "User-agent: *\nDisallow: /?s=\nDisallow: /*?sort=\n\nUser-agent: mybot\nDisallow: /ok\nDisallow: /list\n",
        ),
        "/" => Answer::html(
            "<a href='/?s=foo&cat=1'>a</a> <a href='/list?page=2&sort=a'>b</a> <a href='/ok?z=1&a=2'>c</a>",
        ),
        path => Answer::html(format!("<p>Page {path}")),
    });
    let desk = Desk::new();
    let base = server.base();
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0"]).code, 0);
    let explain = |url: &str| desk.json(&["explain", &format!("{base}{url}"), "-f", "json"]).remove(0);
    let search = explain("/?s=foo&cat=1");
    assert_eq!((&search["reason"], &search["robots"]["allowed"]), (&"robots".into(), &false.into()));
    assert!(search["robots"]["says"].as_str().unwrap().contains("Disallow: /?s= (line 2)"), "{search}");
    assert_eq!(explain("/?cat=1&s=foo")["robots"]["allowed"], false, "it was linked by another URL");
    let list = explain("/list?sort=a&page=2");
    assert_eq!((&list["state"], &list["robots"]["allowed"]), (&"fetched".into(), &true.into()));
    assert!(
        list["robots"]["says"].as_str().unwrap().contains("as typed it is disallowed: Disallow: /*?sort="),
        "{list}"
    );
    let fine = explain("/ok?a=2&z=1");
    assert_eq!(fine["fetched_as"], format!("{base}/ok?z=1&a=2"));
    assert_eq!((server.count("/ok?z=1&a=2"), server.count("/ok?a=2&z=1")), (1, 0));
    // Not known: what would become of it, linked as it was typed.
    assert!(explain("/new?sort=1&a=1")["says"].as_str().unwrap().contains("skipped (robots)"));
    assert!(explain("/new?a=1&sort=1")["says"].as_str().unwrap().contains("would be fetched"));
    let text = desk.run(&["explain", &format!("{base}/ok?a=2&z=1")]).out;
    assert!(text.contains("fetched as"), "{text}");

    let other = Desk::new();
    let agent = ["-A", "MyBot/1.0 (+http://my.example/)"];
    assert_eq!(other.run(&[&["crawl", &base, "--delay", "0"][..], &agent].concat()).code, 0);
    let explain = |url: &str| other.json(&["explain", &format!("{base}{url}"), "-f", "json"]).remove(0);
    assert_eq!(
        (&explain("/ok?a=2&z=1")["reason"], &explain("/?s=foo&cat=1")["reason"]),
        (&"robots".into(), &"fetched".into())
    );
    assert!(explain("/ok?a=2&z=1")["robots"]["says"].as_str().unwrap().contains("Disallow: /ok (line 6)"));
}

#[test]
fn a_private_address_that_nobody_named_would_not_be_fetched() {
    let server = site();
    let desk = Desk::new();
    let base = server.base();
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0", "--scope", "any", "--store", "any.groma"]).code, 0);
    for (url, private) in [("http://127.0.0.1:22/", true), ("http://localhost/x", true), ("http://example.org/", false)]
    {
        let told = desk.json(&["explain", url, "-f", "json", "--store", "any.groma"]).remove(0)["says"].to_string();
        assert_eq!(told.contains("private-address"), private, "{told}");
    }
}
