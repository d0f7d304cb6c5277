//! Nothing lost: the process is really killed, the disk is really full. The long versions are benchmarks (`kill`, `disk`).

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use groma_testweb::sites::Lattice;
use groma_testweb::{Answer, Ask, Faults, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, assert_balance};

const PAGES: usize = 1500;
const IN_FLIGHT: u64 = 16;

/// Kills a crawl again and again, then lets it finish; every page is there, and little was asked for twice.
fn kill_and_go_on(faults: Option<Faults>) {
    let server = Server::start(Lattice::new(PAGES, 4));
    if let Some(faults) = faults {
        server.set_faults(faults);
    }
    let desk = Desk::new();
    let base = server.base();
    let arguments = [&["crawl", &base, "--store", "k.groma", "-q", "-s", "limits.retry_ms=20"], &FAST[..]].concat();
    let mut kills = 0;
    // Pauses that do not repeat: 7 is prime to 23.
    for n in 0..25u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_groma"))
            .args(&arguments)
            .current_dir(&desk.path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("groma starts");
        sleep(Duration::from_millis(15 + n * 7 % 23 * 3));
        child.kill().expect("a child can be killed");
        kills += u64::from(child.wait().expect("a child ends").code().is_none());
    }
    assert!(kills > 0, "the crawl was always done before it could be killed");
    let done = desk.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("k.groma");
    assert_balance(&status);
    assert_eq!(status["fetched"], PAGES as u64);
    assert_eq!(desk.run(&["verify", "--store", "k.groma"]).code, 0);
    if faults.is_none() {
        let again = server.total() - server.asked().len() as u64;
        assert!(again <= kills * (IN_FLIGHT + 2), "{again} requests made again after {kills} kills");
    }
}

#[test]
fn kill_dash_nine_loses_no_page() {
    kill_and_go_on(None);
}

#[test]
fn kill_dash_nine_on_a_bad_line_loses_no_page() {
    kill_and_go_on(Some(Faults { reset_percent: 5, unavailable_percent: 5, seed: 11, robots_too: false }));
}

/// Pages of each of the sites that lie side by side.
const SIDE: usize = 600;

/// Two sites on one host: a page links to its home, to the next pages and to some farther on; every fiftieth to the other site.
fn side_by_side(ask: &Ask) -> Answer {
    let parts: Vec<&str> = ask.path.trim_matches('/').split('/').collect();
    let (name, page) = match parts[..] {
        [name] => (name, Some(0)),
        [name, file] => (name, file.trim_end_matches(".html").parse().ok()),
        _ => ("", None),
    };
    let (Some(other), Some(page)) = ([("one", "two"), ("two", "one")].iter().find(|(of, _)| *of == name), page) else {
        return Answer::status(404);
    };
    let mut body = format!("<title>{name} {page}</title><p><a href='/{name}/'>home</a>");
    for step in (1..=8).chain([60, 61, 230]) {
        body.push_str(&format!(" <a href='/{name}/{}.html'>on</a>", (page + step) % SIDE));
    }
    if page % 50 == 7 {
        body.push_str(&format!(" <a href='/{}/{page}.html'>elsewhere</a>", other.1));
    }
    if page < SIDE { Answer::html(&body) } else { Answer::status(404) }
}

/// What a border search has to say, but for what it cost: the price, and the pages inside.
fn border(lines: &[Value]) -> (Value, Vec<String>) {
    let inside = lines.iter().filter(|line| line["verdict"] == "in");
    let mut addresses: Vec<String> = inside.map(|line| line["url"].as_str().unwrap_or_default().to_owned()).collect();
    addresses.sort();
    (lines[0]["epsilon"].clone(), addresses)
}

#[test]
fn a_border_search_on_line_that_is_killed_again_and_again_ends_with_the_same_site() {
    let server = Server::start(side_by_side);
    let desk = Desk::new();
    let start = format!("{}/one/", server.base());
    let search = |store: &'static str| {
        [&["bounds", &start, "--online", "--store", store, "-q", "-f", "json"], &FAST[..]].concat()
    };
    let whole = border(&desk.json(&search("whole.groma")));
    assert!(whole.1.len() >= SIDE - 10 && whole.1.iter().all(|address| address.contains("/one/")), "{}", whole.1.len());
    let asked = server.total();
    let mut kills = 0;
    // Killed after some requests, of a number that does not repeat: 7 is prime to 23. Sums up to less than a whole search.
    for n in 0..23u64 {
        let until = server.total() + 5 + n * 7 % 23;
        let mut command = desk.command(&search("killed.groma"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("groma starts");
        while server.total() < until && child.try_wait().expect("a child can be asked").is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().expect("a child can be killed");
        kills += u64::from(child.wait().expect("a child ends").code().is_none());
    }
    assert!(kills > 10, "the search was done before it could be killed: {kills} kills");
    let lines = desk.json(&search("killed.groma"));
    assert_eq!(border(&lines), whole);
    assert_eq!(desk.run(&["verify", "--store", "killed.groma"]).code, 0);
    let again = server.total().saturating_sub(2 * asked);
    assert!(again <= kills * (IN_FLIGHT + 2), "{again} requests made again after {kills} kills, {asked} without");
}

/// A small disk, where the system lets us have one.
struct SmallDisk<'a>(&'a std::path::Path);

impl SmallDisk<'_> {
    fn mount(&self, options: &str) -> bool {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(self.0).output();
        mounted.is_ok_and(|out| out.status.success())
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}

#[test]
fn a_full_disk_stops_the_crawl_and_space_lets_it_go_on() {
    let desk = Desk::new();
    let place = desk.path.join("disk");
    std::fs::create_dir(&place).unwrap();
    let disk = SmallDisk(&place);
    if !disk.mount("size=1m") {
        eprintln!("no disk can be mounted here: not tested");
        std::mem::forget(disk);
        return;
    }
    let server = Server::start(Lattice::new(PAGES, 4));
    let base = server.base();
    let arguments = [&["crawl", &base, "--store", "disk/d.groma"], &FAST[..]].concat();
    let done = desk.run(&arguments);
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(done.err.contains("the disk is full") && done.err.contains("hint:"), "{}", done.err);
    assert!(disk.mount("remount,size=200m"));
    let done = desk.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("disk/d.groma")["fetched"], PAGES as u64);
    drop(disk);
    // What is exported to a full disk is not there at all, and nothing goes on.
    let disk = SmallDisk(&place);
    assert!(disk.mount("size=64k"));
    assert_eq!(desk.run(&[&["crawl", &base, "--store", "e.groma"], &FAST[..]].concat()).code, 0);
    let done = desk.run(&["export", "sqlite", "--store", "e.groma", "-o", "disk/e.db"]);
    assert!(done.code == 2 && done.err.contains("hint: make room, or write elsewhere"), "{}", done.err);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}

#[test]
fn a_full_disk_below_the_archive_stops_the_crawl_and_no_page_is_without_its_record() {
    let desk = Desk::new();
    let place = desk.path.join("disk");
    std::fs::create_dir(&place).unwrap();
    let disk = SmallDisk(&place);
    if !disk.mount("size=200k") {
        eprintln!("no disk can be mounted here: not tested");
        std::mem::forget(disk);
        return;
    }
    let server = Server::start(Lattice::new(PAGES, 4));
    let base = server.base();
    let arguments = [&["crawl", &base, "--store", "d.groma", "--warc", "disk/warc"], &FAST[..]].concat();
    let done = desk.run(&arguments);
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(done.err.contains("the disk is full") && done.err.contains("disk/warc"), "{}", done.err);
    let before = desk.status("d.groma")["fetched"].as_u64().unwrap();
    assert!(0 < before && before < PAGES as u64, "{before}");
    assert!(disk.mount("remount,size=200m"));
    let done = desk.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("d.groma")["fetched"], PAGES as u64);
    let files = std::fs::read_dir(place.join("warc")).unwrap().flatten().map(|entry| entry.path());
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    assert!(files.iter().all(|name| !name.ends_with(".open")), "{files:?}");
    let warcs = files.iter().filter(|name| name.ends_with(".warc.gz")).map(String::as_str);
    let import: Vec<&str> = ["import", "warc", "--store", "i.groma"].into_iter().chain(warcs).collect();
    let done = desk.run(&import);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("i.groma")["fetched"], PAGES as u64);
}
