//! A report to hand to somebody: what is in it, where it goes, and what it leaves alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use groma_testweb::{Answer, Ask, Manner, Server};

use crate::{Desk, exists, is_on_server};

const FILES: [&str; 15] = [
    ".groma-report",
    "findings.csv",
    "findings.jsonl",
    "index.html",
    "links-external.csv",
    "map.html",
    "map.pdf",
    "map.svg",
    "map.xml",
    "pages.csv",
    "ranks.csv",
    "site-map-fo.xsl",
    "site-map-xhtml.xsl",
    "site-map.xsd",
    "sitemap.xml",
];

fn surveyed() -> Desk {
    let desk = Desk::new();
    let done = desk.run(&["demo", "-q", "--keep"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn read(desk: &Desk, name: &str) -> String {
    fs::read_to_string(desk.path.join(name)).expect("a file of the report")
}

#[test]
fn one_file_says_it_all() {
    if is_on_server() {
        return;
    }
    let desk = surveyed();
    let done = desk.run(&["report", "-o", "site.html"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", "report: site.html\n"));
    assert_eq!(names(&desk.path), set(&["demo.groma", "site.html"]), "nothing else is left");
    let page = read(&desk, "site.html");
    for words in [
        "Report on <bdi>Museum of Measuring</bdi>",
        "Muzeum měření",
        "/tools/astrolabe.html",
        "The astrolabe",
        "the server says there is no such page (404)",
        "/visit.html",
        "named by a sitemap",
        "40 URLs were discovered",
        "The list of orphans is not conclusive: 1 page could not be read",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("id=files"));
    // Told to write nowhere in particular, it writes here; told `-`, to stdout.
    assert_eq!(desk.run(&["report"]).err, "report: demo-report.html\n");
    assert!(exists(&desk.path, "demo-report.html"));
    let printed = desk.run(&["report", "-o", "-", "--list", "0"]);
    assert!(printed.code == 0 && printed.err.is_empty() && printed.out.ends_with("</html>\n"), "{}", printed.err);
}

#[test]
fn a_folder_has_everything_and_is_written_again_without_touching_anything_else() {
    if is_on_server() {
        return;
    }
    let desk = surveyed();
    assert_eq!(desk.run(&["report", "-o", "out"]).code, 0);
    let out = desk.path.join("out");
    assert_eq!(names(&out), set(&FILES));
    assert_eq!(names(&desk.path), set(&["demo.groma", "out"]));
    let index = read(&desk, "out/index.html");
    for name in FILES.iter().filter(|name| !["index.html", ".groma-report"].contains(name)) {
        assert!(index.contains(&format!("<a href=\"{name}\">{name}</a></td><td>")), "{name}");
        assert!(fs::metadata(out.join(name)).unwrap().len() > 20, "{name}");
    }
    // The tables are those of the commands.
    for (name, command) in [
        ("pages.csv", vec!["pages", "-f", "csv"]),
        ("ranks.csv", vec!["rank", "-f", "csv"]),
        ("links-external.csv", vec!["links", "--external", "-f", "csv"]),
        ("findings.jsonl", vec!["check", "-f", "json", "--fail-on", "none"]),
        ("findings.csv", vec!["check", "-f", "csv", "--fail-on", "none"]),
        ("sitemap.xml", vec!["map", "-f", "sitemap"]),
        ("site-map.xsd", vec!["map", "--schema", "xsd"]),
    ] {
        assert_eq!(read(&desk, &format!("out/{name}")), desk.run(&command).out, "{name}");
    }
    fs::write(out.join("mine.txt"), "mine").unwrap();
    fs::write(out.join("index.html"), "old").unwrap();
    assert_eq!(desk.run(&["report", "-o", "out"]).code, 0);
    let mut with_mine = set(&FILES);
    with_mine.insert("mine.txt".into());
    assert_eq!(names(&out), with_mine);
    assert_eq!(read(&desk, "out/mine.txt"), "mine");
    assert!(read(&desk, "out/index.html").contains("Museum of Measuring"));
    // An empty folder may be filled.
    fs::create_dir(desk.path.join("empty")).unwrap();
    assert_eq!(desk.run(&["report", "-o", "empty"]).code, 0);
    assert_eq!(names(&desk.path.join("empty")), set(&FILES));
}

#[test]
fn places_that_are_taken_or_wrong_are_refused_before_anything_is_written() {
    if is_on_server() {
        return;
    }
    let desk = surveyed();
    fs::create_dir(desk.path.join("full")).unwrap();
    desk.write("full/mine.txt", "mine");
    desk.write("notes", "mine");
    fs::create_dir(desk.path.join("folder.html")).unwrap();
    let before = names(&desk.path);
    desk.run(&["report", "-o", "full"]).is_mistake("full holds other files");
    desk.run(&["report", "-o", "demo.groma"]).is_mistake("demo.groma holds other files");
    desk.run(&["report", "-o", "notes"]).is_mistake("notes is a file");
    desk.run(&["report", "-o", "folder.html"]).is_mistake("folder.html is a folder");
    desk.run(&["report", "-o", "no/such/place"]).is_mistake("no/such/place");
    desk.run(&["report", "-o", "no/such/place.html"]).is_mistake("no/such/place.html");
    desk.run(&["report", "--store", "nothing.groma"]).is_mistake("nothing.groma");
    desk.run(&["report", "--root", "/no-such-page"]).is_mistake("is not in the survey");
    assert_eq!(names(&desk.path), before);
    assert_eq!(names(&desk.path.join("full")), set(&["mine.txt"]));
    assert_eq!(read(&desk, "notes"), "mine");
}

#[test]
fn what_is_in_the_way_is_told_and_nothing_half_written_stays() {
    let desk = surveyed();
    assert_eq!(desk.run(&["report", "-o", "out"]).code, 0);
    let out = desk.path.join("out");
    fs::remove_file(out.join("map.svg")).unwrap();
    fs::create_dir(out.join("map.svg")).unwrap();
    desk.run(&["report", "-o", "out"]).is_mistake("cannot be written");
    assert_eq!(names(&out), set(&FILES), "no part of the new one lies beside the old");
}

#[test]
fn a_report_can_be_written_while_the_crawl_runs() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<title>Begun</title><p>Text. <a href='/never'>n</a>"),
        "/never" => Answer::html("").with_manner(Manner::StallForever),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let mut crawl = desk.command(&["crawl", &server.base(), "--store", "r.groma", "--delay", "0"]);
    let mut crawl = crawl.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    // Until the first layer is in the store there is nothing to report on, and that is what it says.
    let done = loop {
        let done = desk.run(&["report", "--store", "r.groma", "-o", "r.html"]);
        if done.code == 0 || begun.elapsed() > Duration::from_secs(20) {
            break done;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let running = desk.status("r.groma")["running"].clone();
    crawl.kill().unwrap();
    crawl.wait().unwrap();
    assert_eq!((done.code, &running), (0, &true.into()), "{}", done.err);
    let says = "pages still wait to be fetched: this is the survey up to depth 0";
    assert_eq!(done.err, format!("note: {says}\nreport: r.html\n"));
    let page = read(&desk, "r.html");
    assert!(page.contains(says) && page.contains("1 queued") && page.contains("Report on <bdi>Begun</bdi>"));
    assert!(page.contains("the crawl has not come to its end"));
}
