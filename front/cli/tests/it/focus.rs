//! Pages and their parts, and crawls that go where a topic leads, from outside: on a small library of made-up papers.

use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, Done};

/// Papers; every fourth is about bees, the others about rocks.
const PAPERS: usize = 80;

fn is_about_bees(n: usize) -> bool {
    n.is_multiple_of(4)
}

fn title(n: usize) -> String {
    if is_about_bees(n) {
        format!("Honey bees and their dance, part {n}")
    } else {
        format!("Granite and other rocks, part {n}")
    }
}

fn paper(n: usize) -> String {
    let topic = if is_about_bees(n) {
        "We watch honey bees in their hive. The dance of the bees tells where food is, and bees follow it."
    } else {
        "We look at granite under a lens. The rock is old, and what it is made of tells how it was made."
    };
    let words = if is_about_bees(n) { "bees; dance; hive" } else { "granite; rocks; minerals" };
    let next = (n + 1) % PAPERS;
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title></head><body><nav><a href=/>Home</a> <a href=/list>All papers</a></nav>\
         <main><h1>{title}</h1><p>Anna Novak, John Smith</p><p>University of Brno, Czech Republic</p>\
         <h2>Abstract</h2><p>{topic} This is paper number {n} of a long row of papers.</p>\
         <h2>Keywords</h2><p>{words}</p></main>\
         <p><a href=/paper/{next}>Next article</a></p></body></html>",
        title = title(n),
    )
}

fn library(ask: &Ask) -> Answer {
    match ask.path.as_str() {
        "/" => {
            Answer::html("<title>Library</title><nav><a href=/list>All papers</a></nav><p>Welcome to the library.</p>")
        }
        "/list" => {
            let items: String = (0..PAPERS).map(|n| format!("<li><a href=/paper/{n}>{}</a></li>", title(n))).collect();
            Answer::html(format!("<title>All papers</title><h1>All papers</h1><ul>{items}</ul>"))
        }
        path => match path.strip_prefix("/paper/").and_then(|n| n.parse().ok()).filter(|n| *n < PAPERS) {
            Some(n) => Answer::html(paper(n)),
            None => Answer::status(404),
        },
    }
}

fn fine(done: Done) -> Done {
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    done
}

fn focus<'a>(seed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["focus", "honey bees", "--seed", seed, "--store", "l.groma", "-q"];
    args.extend(FAST);
    args.extend(more);
    args
}

fn relevant(lines: &[Value]) -> usize {
    lines.iter().filter(|line| line["relevant"] == true).count()
}

#[test]
fn a_page_is_told_in_its_parts() {
    let desk = Desk::new();
    desk.write("page.html", &paper(4));
    let page = desk.json(&["page", "page.html", "--base", "http://a.test/paper/4", "-f", "json"]).remove(0);
    assert_eq!((&page["from"], &page["type"]), (&"file".into(), &"article".into()), "{page}");
    let of = |kind: &str| {
        let blocks = page["blocks"].as_array().unwrap().iter();
        blocks.filter(|block| block["kind"] == kind).map(|b| b["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("title"), [title(4)]);
    assert_eq!(of("authors"), ["Anna Novak", "John Smith"]);
    assert_eq!(of("keywords"), ["bees", "dance", "hive"]);
    assert!(of("abstract")[0].starts_with("We watch honey bees"), "{page}");
    assert!(page["main"].as_str().unwrap().contains("tells where food is"), "{page}");
    let links = page["links"].as_array().unwrap();
    let next = links.iter().find(|link| link["text"] == "Next article").unwrap();
    assert_eq!((&next["url"], &next["block"]), (&"http://a.test/paper/5".into(), &"sequence".into()));
    let text = fine(desk.run(&["page", "page.html"])).out;
    assert!(text.contains("article") && text.contains("Anna Novak"), "{text}");
    assert!(fine(desk.run(&["page", "page.html", "-f", "csv"])).out.starts_with("what,kind,confidence,text,url"));
}

#[test]
fn a_page_is_fetched_or_looked_up() {
    let server = Server::start(library);
    let desk = Desk::new();
    let url = format!("{}/paper/4", server.base());
    let fetched = desk.json(&["page", &url, "-f", "json"]).remove(0);
    assert_eq!((&fetched["from"], &fetched["status"]), (&"fetched".into(), &200.into()));
    desk.run(&["page", &format!("{}/nowhere", server.base())]).is_mistake("nothing could be fetched");
    desk.run(&["page", "no-such-file.html"]).is_mistake("no-such-file.html");
    let mut crawl = vec!["crawl", &url, "--store", "l.groma", "-q", "--set", "parts=keep", "-n", "5"];
    crawl.extend(FAST);
    assert_eq!(desk.run(&crawl).code, 4);
    let stored = desk.json(&["page", &url, "--store", "l.groma", "-f", "json"]).remove(0);
    assert_eq!(stored["from"], "stored");
    assert_eq!(
        (&stored["blocks"], &stored["main"], &stored["type"]),
        (&fetched["blocks"], &fetched["main"], &fetched["type"])
    );
    assert_eq!(stored["links"], fetched["links"]);
}

#[test]
fn every_strategy_finds_papers_and_says_how_it_ended() {
    let server = Server::start(library);
    for strategy in ["arms", "best-first", "hopfield-block", "hopfield", "bfs"] {
        let desk = Desk::new();
        let seed = format!("{}/list", server.base());
        let mut lines = desk.json(&focus(&seed, &["--strategy", strategy, "-n", "30", "-f", "json"]));
        let last = lines.pop().unwrap()["focus"].clone();
        assert_eq!(last["fetched"].as_u64().unwrap() as usize, lines.len(), "{strategy}: {last}");
        assert_eq!(last["relevant"].as_u64().unwrap() as usize, relevant(&lines), "{strategy}");
        assert_eq!(last["strategy"], strategy);
        assert!(["budget", "frontier-exhausted", "weight-too-low"].contains(&last["end"].as_str().unwrap()), "{last}");
        for line in &lines {
            let n = line["url"].as_str().unwrap().rsplit('/').next().unwrap().parse::<usize>().ok();
            let bees = n.is_some_and(is_about_bees);
            assert_eq!(line["relevant"], bees, "{strategy}: {line}");
        }
        if strategy != "bfs" {
            assert!(relevant(&lines) >= 18, "{strategy} found {} of the 20 papers about bees", relevant(&lines));
        }
    }
}

#[test]
fn it_goes_on_further_and_the_pages_can_be_taken_along() {
    let server = Server::start(library);
    let desk = Desk::new();
    let seed = format!("{}/list", server.base());
    let first = desk.json(&focus(&seed, &["-n", "8", "-f", "json"]));
    let asked = server.total();
    let more = desk.json(&focus(&seed, &["-n", "20", "-f", "json"]));
    assert_eq!(&more[..8], &first[..8], "the same pages in the same order");
    assert!(server.total() - asked <= 14, "what is known is not fetched again");
    let list = desk.json(&["focus", "list", "--store", "l.groma", "-f", "json"]);
    assert_eq!((list.len(), &list[0]["fetched"]), (1, &20.into()));
    // Another topic in the same survey.
    let mut other = vec!["focus", "granite", "--store", "l.groma", "-q", "-n", "12", "-f", "json"];
    other.extend(FAST);
    assert!(relevant(&desk.json(&other)) >= 8);
    assert_eq!(desk.json(&["focus", "list", "-f", "json"]).len(), 2);
    let rows = fine(desk.run(&["focus", "export", "--focus", "1"])).out;
    assert_eq!(rows.lines().count(), relevant(&more) + 1);
    let objects = desk.json(&["focus", "export", "--focus", "1", "-f", "json"]);
    assert!(objects.iter().all(|object| object["relevant"] == true));
    fine(desk.run(&["focus", "export", "--focus", "1", "-f", "warc", "-o", "bees.warc.gz"]));
    let file = std::fs::File::open(desk.path.join("bees.warc.gz")).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("WARC-Type: resource").count(), relevant(&more));
    let address = objects[0]["url"].as_str().unwrap();
    let told = desk.json(&["focus", "explain", address, "--focus", "1", "-f", "json"]).remove(0);
    assert_eq!((&told["topic"], &told["relevant"]), (&"honey bees".into(), &true.into()));
    assert_eq!(told["way"][0], seed.as_str());
    assert!(told["blocks"].as_array().unwrap().iter().any(|block| block["kind"] == "abstract"), "{told}");
    fine(desk.run(&["verify"]));
    fine(desk.run(&["focus", "forget", "1"]));
    desk.run(&["focus", "forget", "1"]).is_mistake("no focused crawl 1");
    // The survey itself is still what it was: a crawl takes what the topics left.
    let mut crawl = vec!["crawl", "--store", "l.groma", "-q"];
    crawl.extend(FAST);
    fine(desk.run(&crawl));
    assert_eq!(desk.status("l.groma")["fetched"], PAPERS + 2);
}

#[test]
fn killed_at_any_moment_it_comes_to_the_same_end() {
    let slow = |ask: &Ask| {
        let mut answer = library(ask);
        answer.manner = groma_testweb::Manner::Delay(Duration::from_millis(4));
        answer
    };
    let server = Server::start(slow);
    let desk = Desk::new();
    let seed = format!("{}/", server.base());
    let whole = desk.json(&focus(&seed, &["-n", "60", "-f", "json"]));
    let other = Desk::new();
    let mut kills = 0;
    for wait in [40, 90, 150, 220, 300] {
        let args = focus(&seed, &["-n", "60", "-f", "json"]);
        let mut child = other.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        kills += u32::from(child.wait().unwrap().code().is_none());
    }
    assert!(kills > 0, "the crawl was always done before it could be killed");
    let after = other.json(&focus(&seed, &["-n", "60", "-f", "json"]));
    assert_eq!(after, whole);
    fine(other.run(&["verify"]));
}

#[test]
fn mistakes_are_told() {
    let desk = Desk::new();
    desk.run(&["focus"]).is_mistake("no topic");
    desk.run(&["focus", "bees", "--seed", "http://127.0.0.1:9/", "--strategy", "magic"]).is_mistake("magic");
    desk.run(&["focus", "bees", "--seed", "http://127.0.0.1:9/", "-n", "0"]).is_mistake("pages");
    desk.run(&["focus", "bees", "--seed", "http://127.0.0.1:9/", "--threshold", "7"]).is_mistake("threshold");
    desk.run(&["focus", "--text", "nothing.txt", "--seed", "http://127.0.0.1:9/"]).is_mistake("nothing.txt");
    desk.run(&["focus", "--like", "http://127.0.0.1:9/x", "--seed", "http://127.0.0.1:9/"]).is_mistake("127.0.0.1:9");
    desk.run(&["focus", "export"]).is_mistake("");
    let nothing =
        desk.run(&["focus", "bees", "--seed", "http://127.0.0.1:9/", "--set", "retries=0", "--store", "n.groma"]);
    assert_eq!(nothing.code, 3, "{} {}", nothing.out, nothing.err);
}
