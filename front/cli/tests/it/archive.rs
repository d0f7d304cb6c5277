//! Archives from outside: a crawl that keeps every exchange, killed and gone on with; a survey made from what it kept; what others get.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use groma_testweb::sites::Lattice;
use groma_testweb::{Answer, Ask, Manner, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, Done, is_on_server};

/// A site with a bit of everything: redirects, a missing page, robots.txt, a sitemap, the same page twice, an image, an odd type.
fn bazaar(ask: &Ask) -> Answer {
    let page = |title: &str, links: &str| {
        let words = format!("<p>{title} has words of its own, and {title} repeats them.</p>").repeat(30);
        Answer::html(format!("<title>{title}</title><h1>{title}</h1>{words}{links}"))
    };
    match ask.path.as_str() {
        "/" => {
            let links = ["/a", "/old", "/gone", "/same/1", "/same/2", "/closed/x", "/b?x=1&y=2", "/pic.png", "/far"];
            let links: String = links.iter().map(|to| format!("<a href='{to}'>{to}</a> ")).collect();
            page("home", &links)
        }
        "/a" => page("a", "<a href='/'>home</a><a href='http://elsewhere.test/'>out</a>").with_header("ETag", "\"a1\""),
        "/old" => Answer::redirect(301, "/a"),
        "/same/1" | "/same/2" => page("same", ""),
        "/b?x=1&y=2" => page("b", "<a href='/same/1'>s</a>"),
        "/far" => page("far", "<img src='/pic.png'>"),
        "/hidden" => page("hidden", ""),
        "/pic.png" => Answer::typed("image/png", vec![0x89; 3000]),
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /closed/\nCrawl-delay: 1\n"),
        "/sitemap.xml" => {
            let host = ask.header("host").unwrap_or_default();
            let text = format!("<urlset><url><loc>http://{host}/hidden</loc></url></urlset>");
            Answer::typed("application/xml", text)
        }
        _ => Answer::status(404),
    }
}

fn warcs(desk: &Desk, folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.path.join(folder)).expect("the folder of the archive");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.to_string_lossy().ends_with(".warc.gz"));
    found.sort();
    found
}

/// Everything a survey says of its pages, but for when they were fetched and whose number they have.
fn pages(desk: &Desk, store: &str) -> Vec<Value> {
    let mut pages = desk.json(&["pages", "-f", "json", "--store", store]);
    for page in &mut pages {
        let page = page.as_object_mut().expect("an object");
        ["since", "fetched_at"].iter().for_each(|key| drop(page.remove(*key)));
    }
    pages.sort_by_key(|page| page["url"].as_str().unwrap_or_default().to_owned());
    pages
}

fn sorted(done: &Done) -> Vec<String> {
    assert_eq!(done.code, 0, "{}", done.err);
    let mut lines: Vec<String> = done.out.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn same_surveys(desk: &Desk, one: &str, other: &str) {
    assert_eq!(pages(desk, one), pages(desk, other));
    for words in [
        &["links", "-f", "json"][..],
        &["rank", "-f", "csv"],
        &["map", "-f", "text", "--fields", "url,title,rank,type,size"],
    ] {
        let of = |store: &str| sorted(&desk.run(&[words, &["--store", store]].concat()));
        assert_eq!(of(one), of(other), "{words:?}");
    }
    let found = |store: &str| desk.json(&["search", "words", "-f", "json", "-n", "50", "--store", store]);
    let (mut one, mut other) = (found(one), found(other));
    for hit in one.iter_mut().chain(&mut other) {
        let hit = hit.as_object_mut().expect("an object");
        ["survey", "date", "fetched"].iter().for_each(|key| drop(hit.remove(*key)));
    }
    assert_eq!(one, other);
}

#[test]
fn an_archive_imported_is_the_survey_that_was_crawled() {
    let server = Server::start(bazaar);
    let desk = Desk::new();
    let base = server.base();
    let crawl = ["crawl", &base, "--store", "c.groma", "--warc", "w", "-q", "-s", "limits.crawl_delay_s=0"];
    assert_eq!(desk.run(&[&crawl, &FAST[..]].concat()).code, 0);
    let fetched = server.total();
    let files: Vec<String> = warcs(&desk, "w").iter().map(|path| path.display().to_string()).collect();
    let mut words = vec!["import", "warc", "--store", "i.groma", "-q"];
    words.extend(files.iter().map(String::as_str));
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.total(), fetched, "an import asks nobody");
    same_surveys(&desk, "c.groma", "i.groma");
    desk.run(&words).is_mistake("already holds a survey");

    // The same out of a WACZ, and out of one file.
    assert_eq!(desk.run(&["export", "wacz", "--store", "c.groma", "-o", "c.wacz", "--with-text"]).code, 0);
    assert_eq!(desk.run(&["import", "warc", "c.wacz", "--store", "z.groma", "-q"]).code, 0);
    same_surveys(&desk, "c.groma", "z.groma");
    assert_eq!(desk.run(&["export", "warc", "--store", "c.groma", "-o", "c.warc.gz"]).code, 0);
    assert_eq!(desk.run(&["import", "warc", "c.warc.gz", "--store", "f.groma", "-q"]).code, 0);
    same_surveys(&desk, "c.groma", "f.groma");
    let lists = ["pages.jsonl", "datapackage.json", "index.cdxj"];
    let wacz = fs::read(desk.path.join("c.wacz")).expect("the file");
    assert!(lists.iter().all(|name| wacz.windows(name.len()).any(|window| window == name.as_bytes())));

    // An update asks conditionally and keeps what it is told; the survey remembers where its archive lies.
    assert_eq!(desk.run(&["update", "--store", "c.groma", "-q"]).code, 0);
    assert!(warcs(&desk, "w").len() > files.len());
    let page = desk.json(&["page", &format!("{base}/a"), "--store", "c.groma", "-f", "json"]);
    assert_eq!(page.len(), 1);
}

#[test]
fn an_archive_says_how_every_page_was_come_by() {
    let server = Server::start(Lattice::new(60, 3));
    let desk = Desk::new();
    let base = server.base();
    let words = ["crawl", &base, "--store", "c.groma", "--warc", "w", "-q", "--no-sitemaps"];
    let done = desk.run(&[&words, &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let place = desk.path.join("w");
    assert!(done.out.contains(&format!("\narchive: {}\n", place.display())), "{}", done.out);
    let mut told = BTreeMap::new();
    for path in warcs(&desk, "w") {
        let mut text = Vec::new();
        let file = fs::File::open(path).expect("the file");
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text).expect("whole members");
        let text = String::from_utf8_lossy(&text).into_owned();
        for record in text.split("WARC/1.1\r\n").filter(|record| record.contains("WARC-Type: metadata\r\n")) {
            let of = |name: &str| record.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            told.insert(of("WARC-Target-URI: ").expect("a URL"), (of("via: "), of("hopsFromSeed: ")));
        }
    }
    let pages = pages(&desk, "c.groma");
    assert_eq!(pages.len(), 60);
    let word = |value: &Value| value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|n| n.to_string()));
    for page in pages {
        let url = word(&page["url"]).expect("a URL");
        assert_eq!(told.get(&url), Some(&(word(&page["via"]), word(&page["depth"]))), "{url}");
    }
}

#[test]
fn what_is_not_in_an_archive_is_not_broken_and_what_no_link_reaches_can_be_had() {
    let server = Server::start(bazaar);
    let desk = Desk::new();
    let base = server.base();
    let few = ["crawl", &base, "--store", "c.groma", "--warc", "w", "-q", "-n", "1", "--no-sitemaps"];
    assert_eq!(desk.run(&[&few, &FAST[..]].concat()).code, 4);
    let other = format!("{base}/hidden");
    let one = ["crawl", &other, "--store", "o.groma", "--warc", "w", "-q", "-d", "0"];
    assert_eq!(desk.run(&[&one, &FAST[..]].concat()).code, 0);
    let files: Vec<String> = warcs(&desk, "w").iter().map(|path| path.display().to_string()).collect();
    let mut words = vec!["import", "warc", "--store", "i.groma", "--start", &base];
    words.extend(files.iter().map(String::as_str));
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("--all"), "{}", done.err);
    let status = desk.status("i.groma");
    assert_eq!((&status["fetched"], &status["broken"]), (&1.into(), &0.into()), "{status}");
    assert!(status["reasons"]["not-archived"].as_u64() > Some(3), "{status}");
    words.extend(["--all", "--fresh", "-q"]);
    assert_eq!(desk.run(&words).code, 0);
    assert_eq!(desk.status("i.groma")["fetched"], 2);
    // Whoever wants to see more asks the web, politely.
    let saved = desk.run(&["config", "-f", "json"]);
    assert_eq!(saved.code, 0);
}

#[test]
fn a_killed_crawl_has_every_page_in_its_archive() {
    if is_on_server() {
        return;
    }
    let server = Server::start(Lattice::new(400, 4));
    let desk = Desk::new();
    let base = server.base();
    let words = ["crawl", &base, "--store", "k.groma", "--warc", "w", "-q", "-s", "limits.warc_bytes=60kB"];
    let arguments = [&words, &FAST[..]].concat();
    let mut kills = 0;
    for n in 0..5u64 {
        let mut child =
            desk.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("groma starts");
        sleep(Duration::from_millis(40 + n * 25));
        child.kill().expect("a child can be killed");
        kills += u64::from(child.wait().expect("a child ends").code().is_none());
    }
    assert!(kills > 0, "the crawl was always done before it could be killed");
    let done = desk.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    let left: Vec<_> = fs::read_dir(desk.path.join("w")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".open")), "{left:?}");
    let files: Vec<String> = warcs(&desk, "w").iter().map(|path| path.display().to_string()).collect();
    assert!(files.len() > 1);
    let mut words = vec!["import", "warc", "--store", "i.groma"];
    words.extend(files.iter().map(String::as_str));
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.err.contains("warning:"), "every file is whole: {}", done.err);
    let indexed = |store: &str| desk.status(store)["fetched"].clone();
    assert_eq!((indexed("k.groma"), indexed("i.groma")), (400.into(), 400.into()));
    let (one, other) = (pages(&desk, "k.groma"), pages(&desk, "i.groma"));
    let prints = |pages: &[Value]| pages.iter().map(|p| (p["url"].clone(), p["body_fp"].clone())).collect::<Vec<_>>();
    assert_eq!(prints(&one), prints(&other));
}

#[test]
fn what_cannot_be_archived_or_imported_is_told() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/slow" => Answer::html("x").with_manner(Manner::ResetMidBody),
        _ => Answer::html("<title>t</title><p>Words.<a href='/slow'>s</a>"),
    });
    let desk = Desk::new();
    let base = server.base();
    desk.write("file", "mine");
    let into_file = ["crawl", &base, "--store", "a.groma", "--warc", "file"];
    desk.run(&[&into_file, &FAST[..]].concat()).is_mistake("file");
    let level = ["crawl", &base, "--store", "a.groma", "--warc", "w", "-s", "warc_level=12"];
    desk.run(&[&level, &FAST[..]].concat()).is_mistake("warc_level");
    desk.run(&["import", "warc", "file", "--store", "b.groma"]).is_mistake("no page to start at");
    desk.run(&["import", "warc", "absent.warc", "--store", "b.groma"]).is_mistake("absent.warc");
    let fifo = std::process::Command::new("mkfifo").arg(desk.path.join("pipe.warc")).status();
    if fifo.is_ok_and(|done| done.success()) {
        desk.run(&["import", "warc", "pipe.warc", "--store", "b.groma"]).is_mistake("not a plain file");
    }
    let plain = ["crawl", &base, "--store", "c.groma", "-q", "-s", "limits.retry_ms=1"];
    assert_eq!(desk.run(&[&plain, &FAST[..]].concat()).code, 0);
    desk.run(&["export", "warc", "--store", "c.groma", "-o", "c.warc.gz"]).is_mistake("keeps no pages");
    desk.run(&["export", "wacz", "--store", "c.groma", "-o", "c.wacz"]).is_mistake("keeps no pages");
    assert!(!desk.path.join("c.wacz").exists() && !desk.path.join("c.wacz.part").exists());
    let kept = ["crawl", &base, "--store", "d.groma", "-q", "--bodies", "keep", "-s", "limits.retry_ms=1"];
    assert_eq!(desk.run(&[&kept, &FAST[..]].concat()).code, 0);
    assert_eq!(desk.run(&["export", "warc", "--store", "d.groma", "-o", "d.warc.gz"]).code, 0);
    desk.run(&["export", "warc", "--store", "d.groma", "-o", "ftp://host/d.warc.gz"]).is_mistake("no place");
    desk.run(&["export", "warc", "--store", "d.groma", "-o", "absent/d.warc.gz"]).is_mistake("absent");
    if !cfg!(feature = "cloud") {
        let away = desk.run(&["export", "warc", "--store", "d.groma", "-o", "s3://bucket/d.warc.gz"]);
        away.is_mistake("built without them");
        assert!(away.err.contains("--features cloud"), "{}", away.err);
    }
    assert_eq!(desk.run(&["import", "warc", "d.warc.gz", "--store", "e.groma", "-q"]).code, 0);
    assert_eq!(desk.status("e.groma")["fetched"], desk.status("d.groma")["fetched"]);
}

#[test]
fn a_page_is_archived_and_found_again_by_the_url_it_was_fetched_by() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<p>Home. <a href='/p?b=1&a=2'>p</a>"),
        "/p?b=1&a=2" => Answer::html("<title>The page</title><p>Words that only the page has."),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let base = server.base();
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0", "--warc", "w", "--store", "c.groma"]).code, 0);
    assert_eq!(desk.run(&["export", "wacz", "--store", "c.groma", "-o", "c.wacz"]).code, 0);
    let warc = desk.run(&["export", "warc", "--store", "c.groma", "-o", "c.warc.gz"]);
    assert_eq!(warc.code, 0);
    assert_eq!(desk.run(&["import", "warc", "c.wacz", "--store", "z.groma", "-q"]).code, 0);
    let page =
        |store: &str| desk.json(&["explain", &format!("{base}/p?a=2&b=1"), "-f", "json", "--store", store]).remove(0);
    for store in ["c.groma", "z.groma"] {
        let page = page(store);
        assert_eq!((&page["state"], &page["last_fetch"]["title"]), (&"fetched".into(), &"The page".into()), "{store}");
        assert_eq!(page["fetched_as"], format!("{base}/p?b=1&a=2"), "{store}");
    }
    let copy = desk.run(&["page", &format!("{base}/p?a=2&b=1"), "--store", "c.groma"]);
    assert!(copy.out.contains("Words that only the page has"), "{}", copy.out);
}
