//! Crawls: balance, resume, exit codes, what is written where.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use groma_testweb::sites::{Lattice, Slowed, Variants};
use groma_testweb::{Answer, Ask, Manner, Server};

use crate::{Desk, Done, assert_balance, is_on_server};

pub(crate) const FAST: [&str; 4] = ["--delay", "0", "--per-host", "16"];

#[test]
fn a_crawl_finds_every_page_and_every_dead_link() {
    if is_on_server() {
        return;
    }
    let site = Lattice { dead_every: 10, ..Lattice::new(200, 3) };
    let server = Server::start(site);
    let desk = Desk::new();
    let base = server.base();
    let done = desk.run(&[&["crawl", &base, "--store", "s.groma"], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("s.groma");
    assert_balance(&status);
    assert_eq!((&status["fetched"], &status["broken"]), (&200.into(), &20.into()));
    assert_eq!((&status["broken_parts"]["gone"], &status["queued"]), (&20.into(), &0.into()));
    assert_eq!((&status["running"], &status["fetches"]), (&false.into(), &220.into()));
    assert!(done.out.contains("s.groma") && done.out.contains("groma pages --state broken"), "{}", done.out);
    let again = desk.run(&[&["crawl", &base, "--store", "s.groma"], &FAST[..]].concat());
    assert_eq!(again.code, 0);
    assert!(again.err.contains("nothing left to do"), "{}", again.err);
    assert_eq!(server.count("/p/7.html"), 1);
    let bare = desk.run(&["crawl"]);
    assert!(bare.code == 0 && bare.err.contains("nothing left to do"), "{}", bare.err);
}

#[test]
fn another_start_page_is_added_to_a_survey_and_that_is_said() {
    let page = |_: &Ask| Answer::html("<title>x</title><p>Text.");
    let (one, other) = (Server::start(page), Server::start(page));
    let desk = Desk::new();
    let (a, b) = (format!("{}/", one.base()), format!("{}/", other.base()));
    let crawl = |start: &str| desk.run(&[&["crawl", start, "--store", "s.groma"], &FAST[..]].concat());
    assert!(!crawl(&a).err.contains("already holds"));
    let added = crawl(&b);
    assert_eq!(added.code, 0, "{}", added.err);
    assert!(added.err.contains(&format!("note: this survey already holds {a}; adding {b}\n")), "{}", added.err);
    assert_eq!(desk.status("s.groma")["fetched"], 2);
    for again in [&a, &b] {
        assert!(!crawl(again).err.contains("already holds"), "it is known by now");
    }
    let asked = (one.count("/"), other.count("/"));
    assert_eq!(desk.run(&["update", "--store", "s.groma"]).code, 0);
    assert_eq!((one.count("/"), other.count("/")), (asked.0 + 1, asked.1 + 1), "a bare command is about both");
}

#[test]
fn pages_that_were_cut_or_broke_off_are_counted() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<p>Start <a href=/long>l</a> <a href=/half>h</a> <a href=/linked>i</a>"),
        "/long" => Answer::html(format!("<p>{}", "word ".repeat(400))),
        "/linked" => Answer::html(format!("<p>{}{}", "<a href=/>x</a> ".repeat(9), "word ".repeat(400))),
        "/half" => Answer::html("<p>Only half of this comes.").with_manner(Manner::ResetMidBody),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let tight = ["--retries", "0", "-s", "limits.html_text=1000", "-s", "limits.html_links=5", "--store", "c.groma"];
    assert_eq!(desk.run(&[&["crawl", &server.base()], &tight[..], &FAST[..]].concat()).code, 0);
    let status = desk.status("c.groma");
    assert_eq!(status["cut_pages"], 3, "{status}");
    let explained = desk.run(&["explain", &format!("{}/half", server.base())]).out;
    assert!(explained.contains("only its beginning: the connection broke off"), "{explained}");
    let parts = serde_json::json!({ "broken": 1, "html_links": 1, "html_text": 2 });
    assert_eq!(status["cut_parts"], parts);
    let text = desk.run(&["status"]).out;
    let line = text.lines().find(|line| line.starts_with("cut pages")).unwrap();
    assert!(line.contains(" 3  (1 broken, 1 html_links, 2 html_text)"), "{line}");
    assert!(desk.run(&["status", "-f", "csv"]).out.contains("cut_pages,3\r\n"));
}

#[test]
fn limits_nothing_and_interruption_have_their_exit_codes() {
    let server = Server::start(Lattice::new(100, 3));
    let desk = Desk::new();
    let (base, limited) = (server.base(), ["--store", "l.groma", "-n", "10", "-f", "json"]);
    let done = desk.run(&[&["crawl", &base], &limited[..], &FAST[..]].concat());
    assert_eq!(done.code, 4, "{}", done.err);
    let last = done.json().pop().unwrap();
    assert_eq!((&last["summary"]["end"], &last["summary"]["fetched"]), (&"page-limit".into(), &10.into()));
    assert_eq!(desk.run(&[&["crawl", &base], &limited[..], &FAST[..]].concat()).code, 4);
    let more = desk.run(&[&["crawl", &base, "--store", "l.groma"], &FAST[..]].concat());
    assert_eq!(more.code, 0, "{}", more.err);
    assert_eq!(desk.status("l.groma")["fetched"], 100);

    let closed = Server::start(|_: &Ask| Answer::status(404));
    let done = desk.run(&[&["crawl", &closed.base(), "--store", "n.groma"], &FAST[..]].concat());
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.err.contains("nothing could be fetched") && done.err.contains("hint: "), "{}", done.err);
    assert_balance(&desk.status("n.groma"));
}

#[test]
fn an_interrupted_crawl_goes_on_without_asking_twice() {
    // Slow enough for two other commands to be run, on a busy machine too, before all is fetched.
    let server = Server::start(Slowed { web: Lattice::new(300, 3), delay: Duration::from_millis(100) });
    let desk = Desk::new();
    let base = server.base();
    let args = [&["crawl", &base, "--store", "i.groma", "-f", "json", "-c", "8"], &FAST[..]].concat();
    let mut child = desk.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..20 {
        lines.next().unwrap().unwrap();
    }
    let busy = desk.run(&args);
    busy.is_mistake("another groma is writing");
    assert_eq!(desk.status("i.groma")["running"], true);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let rest = lines.count();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("finishing what is in flight"));
    let status = desk.status("i.groma");
    assert_balance(&status);
    assert!(rest > 0 && status["queued"].as_u64().unwrap() > 0, "{status}");
    let done = desk.run(&args);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("i.groma")["fetched"], 300);
    let twice = server.asked().into_iter().filter(|(path, n)| *n > 1 && path.starts_with("/p/")).count();
    assert_eq!(twice, 0);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<title>x</title><p>Text. <a href='/never'>n</a>"),
        "/never" => Answer::html("").with_manner(Manner::StallForever),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let mut child = desk.command(&["crawl", &server.base(), "--store", "t.groma", "--delay", "0"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while server.count("/never") == 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the page is never asked for");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    for _ in 0..2 {
        std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        std::thread::sleep(Duration::from_millis(400));
    }
    let done = Done::from_output(&child.wait_with_output().unwrap());
    assert_eq!(done.code, 130, "{}", done.err);
    assert!(done.err.contains("again to stop now"), "{}", done.err);
    assert!(begun.elapsed() < Duration::from_secs(12));
    let status = desk.status("t.groma");
    assert_balance(&status);
    assert_eq!((&status["fetched"], &status["queued"]), (&1.into(), &1.into()));
}

#[test]
fn a_reader_that_goes_away_ends_the_crawl_quietly() {
    let server = Server::start(Slowed { web: Lattice::new(400, 3), delay: Duration::from_millis(5) });
    let desk = Desk::new();
    let base = server.base();
    let args = [&["crawl", &base, "--store", "b.groma", "-f", "json"], &FAST[..]].concat();
    let mut child = desk.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let done = Done::from_output(&child.wait_with_output().unwrap());
    assert_eq!((done.code, done.err.as_str()), (130, ""));
    assert_balance(&desk.status("b.groma"));
}

#[test]
fn a_learned_rule_is_told_with_its_figures() {
    let server = Server::start(Variants::new(150, 3));
    let desk = Desk::new();
    let done = desk.run(&[&["crawl", &server.base(), "--store", "v.groma"], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("v.groma");
    assert_balance(&status);
    let rules = status["learned_rules"].as_array().unwrap();
    assert!(rules.iter().any(|r| r["parameter"] == "src" && r["standing"] == "applied"), "{rules:?}");
    assert!(done.out.contains("learned: parameter `src` of 127.0.0.1"), "{}", done.out);
    let added = format!("first crawl: {} pages added", status["fetched"]);
    assert!(desk.run(&["diff"]).out.starts_with(&added), "{added}");
    let rules = desk.run(&["rules"]);
    assert!(rules.out.contains("variants folded") && rules.out.contains("utm_*"), "{}", rules.out);
    assert_eq!(desk.json(&["rules", "-f", "json"])[0]["learned"], status["learned_rules"]);
}

#[test]
fn a_list_of_addresses_and_a_fresh_start() {
    let server = Server::start(Lattice::new(20, 3));
    let desk = Desk::new();
    desk.write("list.txt", &format!("# start pages\n\n{0}/p/4.html\n{0}/p/4.html\n{0}/p/5.html\n", server.base()));
    let args = ["crawl", "-i", "list.txt", "--scope", "page", "--store", "x.groma", "--delay", "0"];
    assert_eq!(desk.run(&args).code, 0);
    let status = desk.status("x.groma");
    assert_eq!((&status["fetched"], &status["reasons"]["out-of-scope"].is_u64()), (&2.into(), &true));
    server.reset_counts();
    assert_eq!(desk.run(&[&args[..], &["--fresh"]].concat()).code, 0);
    assert_eq!(server.count("/p/4.html"), 1);
    // `.invalid` never exists (RFC 2606).
    let mistyped = ["crawl", "http://groma.invalid/", "--fresh", "--store", "x.groma"];
    desk.run(&mistyped).is_mistake("http://groma.invalid/: there is no host of this name");
    assert_eq!(desk.status("x.groma")["fetched"], 2, "nothing was removed");
}

#[test]
fn an_address_alone_is_a_crawl_and_a_login_in_it_is_used_but_not_kept() {
    if is_on_server() {
        return;
    }
    let server = Server::start(|ask: &Ask| match ask.header("authorization") {
        Some("Basic bWU6c2VjcmV0") => Answer::html("<title>In</title><p>Welcome."),
        _ => Answer::status(401),
    });
    let desk = Desk::new();
    let address = server.base().replace("http://", "http://me:secret@");
    let done = desk.run(&[&address, "--delay", "0"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains("secret") && !done.err.contains("secret"));
    let store = desk.path.join(format!("127.0.0.1-{}.groma/survey.db", server.port()));
    let bytes = std::fs::read(store).unwrap();
    assert!(!bytes.windows(6).any(|window| window == b"secret"));
    let typed = desk.run(&["127.0.0.1:1", "--store", "z.groma", "--retries", "0"]);
    assert!(typed.err.contains("http assumed"), "{}", typed.err);
    assert_eq!(typed.code, 3, "{}", typed.err);
}
