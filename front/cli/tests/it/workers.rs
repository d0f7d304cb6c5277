//! Several processes crawl one survey on a server: the same survey as by one alone, nobody asked twice or too soon, whoever is killed.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use groma_testweb::Neighbours;
use serde_json::Value;

use super::{Desk, is_on_server};

const SITES: u8 = 12;
const PAGES: usize = 60;
/// Moments are told in whole milliseconds.
const TICK: Duration = Duration::from_millis(2);

fn crawl_args<'a>(seeds: &'a [String], store: &'a str, delay: &'a str) -> Vec<&'a str> {
    let mut args: Vec<&str> =
        vec!["crawl", "--store", store, "--scope", "any", "--delay", delay, "--per-host", "1", "-q"];
    args.extend(["--no-sitemaps", "-f", "json"]);
    args.extend(seeds.iter().map(String::as_str));
    args
}

/// A worker on all surveys of the desk, ended with the test.
struct Worker(Child);

impl Worker {
    fn start(desk: &Desk) -> Worker {
        let mut command = desk.command(&["worker"]);
        Worker(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a survey says of every URL: where it stands, how far away it is, and where it leads.
fn told(desk: &Desk, store: &str) -> BTreeSet<String> {
    let keys = ["url", "state", "reason", "depth", "status", "title"];
    let page = |row: Value| keys.map(|key| row[key].to_string()).join(" ");
    let mut told: BTreeSet<String> =
        desk.json(&["pages", "-f", "json", "--store", store]).into_iter().map(page).collect();
    let link = |row: Value| format!("{} -> {}", row["from"], row["to"]);
    told.extend(desk.json(&["links", "-f", "json", "--store", store]).into_iter().map(link));
    told
}

/// Who is at work on a survey; nobody as long as there is none.
fn members(desk: &Desk, store: &str) -> usize {
    let told = desk.run(&["status", "-f", "json", "--store", store]);
    let told: Value = serde_json::from_str(&told.out).unwrap_or_default();
    told["workers"].as_array().map_or(0, Vec::len)
}

#[test]
fn several_workers_make_the_same_survey_as_one_alone() {
    if !is_on_server() {
        return;
    }
    let desk = Desk::new();
    let alone = Neighbours::start(SITES, PAGES);
    let seeds = alone.seeds();
    let done = desk.run(&crawl_args(&seeds, "alone.groma", "0"));
    assert_eq!(done.code, 0, "{}", done.err);
    let fetches = alone.fetches();
    let port = seeds[0].rsplit(':').next().map(str::to_owned);
    drop(alone);

    let together = Neighbours::start(SITES, PAGES);
    let seeds = together.seeds();
    let workers = [Worker::start(&desk), Worker::start(&desk)];
    let delay = Duration::from_millis(60);
    let mut args = crawl_args(&seeds, "workers.groma", "0.06");
    args.extend(["--warc", "archive"]);
    let mut lead = desk.command(&args);
    let mut lead = lead.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (since, mut most) = (Instant::now(), 0);
    while lead.try_wait().unwrap().is_none() && since.elapsed() < Duration::from_secs(120) {
        most = most.max(members(&desk, "workers.groma"));
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(lead.wait().unwrap().code(), Some(0));
    assert_eq!(most, 3, "all were seen at work");
    drop(workers);
    // Ports differ between the two.
    let plain = |told: BTreeSet<String>, port: &str| -> BTreeSet<String> {
        told.into_iter().map(|line| line.replace(port, "PORT")).collect()
    };
    let one = plain(told(&desk, "alone.groma"), port.as_deref().unwrap().trim_end_matches('/'));
    let here = seeds[0].rsplit(':').next().unwrap().trim_end_matches('/');
    let many = plain(told(&desk, "workers.groma"), here);
    let odd: Vec<&String> = one.symmetric_difference(&many).take(6).collect();
    assert!(odd.is_empty(), "{odd:#?}");

    // Whoever fetched something wrote a part of the archive (workers were killed over theirs); the parts together are the survey.
    assert_eq!(desk.run(&["export", "warc", "--store", "workers.groma", "-o", "all.warc.gz"]).code, 0);
    let args = ["import", "warc", "all.warc.gz", "--store", "again.groma", "--scope", "any", "-q"];
    let done = desk.run(&args);
    assert_eq!(done.code, 0, "{}", done.err);
    let again = plain(told(&desk, "again.groma"), here);
    let odd: Vec<&String> = many.symmetric_difference(&again).take(6).collect();
    assert!(odd.is_empty() && many.len() > 100, "{odd:#?}");
    assert_eq!((together.fetches(), together.twice()), (fetches, 0));
    assert_eq!(together.hurried(delay - TICK), []);
    assert_eq!(desk.run(&["verify", "--store", "workers.groma"]).code, 0);
}

#[test]
fn workers_that_are_killed_lose_nothing() {
    if !is_on_server() {
        return;
    }
    let desk = Desk::new();
    let sites = Neighbours::start(SITES, PAGES);
    let seeds = sites.seeds();
    let mut args = vec!["jobs", "add", "crawl", "--alone", "--store", "killed.groma"];
    args.extend(["-s", "scope=any", "-s", "delay=0.1", "-s", "per_host=1", "-s", "sitemaps=false"]);
    args.extend(seeds.iter().map(String::as_str));
    assert_eq!(desk.run(&args).code, 0);
    let mut workers: Vec<Worker> = (0..3).map(|_| Worker::start(&desk)).collect();
    let since = Instant::now();
    let mut kills = 0;
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let jobs = desk.json(&["jobs", "-f", "json", "--store", "killed.groma"]);
        assert_ne!(jobs[0]["state"], "failed", "{jobs:?}");
        if jobs[0]["state"] == "done" {
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(180), "{jobs:?}");
        // Whoever leads is among them sooner or later.
        if kills < 3 && sites.fetches() > (kills + 1) * 150 {
            workers[kills] = Worker::start(&desk);
            kills += 1;
        }
    }
    assert_eq!(kills, 3);
    let status = desk.status("killed.groma");
    super::assert_balance(&status);
    assert_eq!(status["queued"], 0);
    // At most what was under way is asked for again: one fetch a site and kill.
    assert!(sites.twice() <= kills * usize::from(SITES), "{}", sites.twice());
    assert_eq!(sites.hurried(Duration::from_millis(100) - TICK), []);
    assert_eq!(desk.run(&["verify", "--store", "killed.groma"]).code, 0);
}
