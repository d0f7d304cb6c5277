//! What the kinds of jobs leave behind.

use std::fs;

use groma_store::jobs::{JobId, JobKind, JobState};
use groma_testweb::Server;
use groma_testweb::sites::Lattice;
use serde_json::Value;

use crate::{Place, ask, crawl_of};

fn surveyed(site: Lattice) -> (Server, Place) {
    let server = Server::start(site);
    let place = Place::new();
    ask(&place.folder, &crawl_of(&server.base(), "0"));
    place.workshop(1).run_until_idle().unwrap();
    (server, place)
}

#[test]
fn results_are_files_in_the_form_that_was_asked_for() {
    let (_server, place) = surveyed(Lattice { dead_every: 10, ..Lattice::new(40, 4) });
    let cases = [
        (JobKind::Rank, "", "csv", "url,rank"),
        (JobKind::Rank, "json", "jsonl", "{\"url\":\"http"),
        (JobKind::Rank, "text", "txt", "http://127.0.0.1"),
        (JobKind::Map, "", "html", "<!"),
        (JobKind::Map, "xml", "xml", "<?xml"),
        (JobKind::Map, "svg", "svg", "<svg"),
        (JobKind::Map, "pdf", "pdf", "%PDF"),
        (JobKind::Map, "json", "json", "{"),
        (JobKind::Map, "sitemap", "xml", "<urlset"),
        (JobKind::Map, "gexf", "gexf", "<gexf"),
        (JobKind::Map, "graphml", "graphml", "<graphml"),
        (JobKind::Map, "text", "txt", "Page 0"),
        (JobKind::Check, "", "jsonl", "{"),
        (JobKind::Check, "csv", "csv", ","),
        (JobKind::Check, "junit", "xml", "<testsuite"),
        (JobKind::Check, "markdown", "md", "#"),
        (JobKind::Check, "text", "txt", "gone"),
    ];
    let ids = leave_files(&place, &cases);
    let check = place.job(ids[12]);
    assert!(check.outcome.contains("findings, 4 errors"), "{}", check.outcome);
    assert_eq!(place.job(ids[0]).outcome, "40 pages ranked");
    assert!(place.job(ids[3]).outcome.starts_with("map of 40 pages to depth "), "{}", place.job(ids[3]).outcome);
}

/// Queues jobs of these kinds with these formats, and finds files with these endings that hold these texts.
fn leave_files(place: &Place, cases: &[(JobKind, &str, &str, &str)]) -> Vec<JobId> {
    let mut ids = Vec::new();
    for (kind, format, ..) in cases {
        let format = if format.is_empty() { String::new() } else { format!(" --format {format}") };
        ids.push(ask(&place.folder, &format!("{}{format}", kind.name()))[0]);
    }
    place.workshop(2).run_until_idle().unwrap();
    for (id, (kind, format, ending, holds)) in ids.iter().zip(cases) {
        let row = place.job(*id);
        assert_eq!(row.state, JobState::Done, "{row:?}");
        let progress = progress_of(place, *id);
        let result = progress["result"].as_str().unwrap();
        assert_eq!(result, format!("results/{}.{ending}", id.0), "{kind:?} {format}");
        assert_eq!(progress["phase"], "done");
        assert!(row.memo.contains(result));
        let text = String::from_utf8_lossy(&fs::read(place.folder.path().join(result)).unwrap()).into_owned();
        assert!(text.contains(holds), "{kind:?} {format}: {}", text.chars().take(300).collect::<String>());
    }
    ids
}

fn progress_of(place: &Place, id: JobId) -> Value {
    serde_json::from_str(&place.job(id).progress).unwrap()
}

#[test]
fn clusters_reports_and_exports_are_files_too() {
    let (_server, place) = surveyed(Lattice { dead_every: 10, ..Lattice::new(40, 4) });
    let cases = [
        (JobKind::Cluster, "", "jsonl", "{\"kind\":\"clusters\""),
        (JobKind::Cluster, "csv", "csv", "url,cluster"),
        (JobKind::Cluster, "tsv", "tsv", "/p/3.html\t"),
        (JobKind::Cluster, "text", "txt", "40 pages in "),
        (JobKind::Report, "", "html", "<!"),
        (JobKind::Export, "", "jsonl", "{\"url\":\"http"),
        (JobKind::Export, "csv", "csv", "url,canonical,state"),
        (JobKind::Export, "links", "links.csv", "from,to"),
        (JobKind::Export, "markdown", "md", "Page 0"),
        (JobKind::Export, "structured", "structured.jsonl", ""),
        (JobKind::Export, "surt", "surt", "http://"),
        (JobKind::Export, "surt-prefixes", "surt", "http://"),
        (JobKind::Export, "soif", "soif", "@FILE"),
        (JobKind::Export, "sqlite", "sqlite", "SQLite format 3"),
    ];
    let ids = leave_files(&place, &cases);
    assert!(place.job(ids[4]).outcome.contains("4 errors"), "{}", place.job(ids[4]).outcome);
    assert!(place.job(ids[5]).outcome.starts_with("written: 40 URLs, "), "{}", place.job(ids[5]).outcome);
    assert!(place.job(ids[6]).outcome.starts_with("written: 44 URLs"), "{}", place.job(ids[6]).outcome);
    let wrong = ask(&place.folder, "export --format links --with-text")[0];
    place.workshop(1).run_until_idle().unwrap();
    assert_eq!(place.job(wrong).state, JobState::Failed, "texts stand in no table of links");
}

#[test]
fn what_a_job_came_to_is_told_in_figures() {
    let (_server, place) = surveyed(Lattice { dead_every: 10, ..Lattice::new(40, 4) });
    let figures = |what: &str| {
        let id = ask(&place.folder, what)[0];
        place.workshop(1).run_until_idle().unwrap();
        progress_of(&place, id)["outcome"].clone()
    };
    assert_eq!(figures("rank"), serde_json::json!({ "pages": 40 }));
    assert_eq!(figures("map")["pages"], 40);
    assert_eq!(figures("check")["errors"], 4);
    let report = figures("report");
    assert_eq!((&report["pages"], &report["errors"]), (&40.into(), &4.into()), "{report}");
    assert_eq!(figures("export --state broken")["pages"], 4);
    assert_eq!(figures("index")["written"], 40);
    assert_eq!(figures("cluster")["pages"], 40);
    assert_eq!(figures("bound")["in"], 40);
    let update = figures("update");
    assert_eq!((&update["end"], &update["pages"]), (&"finished".into(), &40.into()), "{update}");
}

#[test]
fn old_results_go() {
    let (_server, place) = surveyed(Lattice::new(5, 2));
    let ids: Vec<_> = (0..25).map(|_| ask(&place.folder, "rank")[0]).collect();
    place.workshop(1).run_until_idle().unwrap();
    let mut left: Vec<String> = fs::read_dir(place.folder.results())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != "sums")
        .collect();
    left.sort();
    let mut expected: Vec<String> = ids[5..].iter().map(|id| format!("{}.csv", id.0)).collect();
    expected.sort();
    assert_eq!(left, expected);
}

#[test]
fn starting_over_keeps_the_jobs_and_happens_once() {
    let (server, place) = surveyed(Lattice::new(20, 4));
    let before = server.count("/p/3.html");
    let id = ask(&place.folder, "crawl --fresh")[0];
    place.workshop(1).run_until_idle().unwrap();
    let row = place.job(id);
    assert_eq!((row.state, place.indexed()), (JobState::Done, 20), "{row:?}");
    assert_eq!(server.count("/p/3.html"), before + 1, "as the survey was begun, from nothing");
    assert!(row.memo.contains("\"begun\":true"), "{}", row.memo);
    // Taken up again after a death, it goes on instead of starting over once more.
    let id = ask(&place.folder, "crawl --fresh")[0];
    let mut queue = place.folder.queue().unwrap();
    let (lease, _) = queue.take("dead", 10, &|_| false, groma_settings::clock::now()).unwrap().unwrap();
    assert!(queue.remember(&lease, &row.memo).unwrap());
    place.workshop(1).run_until_idle().unwrap();
    assert_eq!((place.job(id).state, server.count("/p/3.html")), (JobState::Done, before + 1));
}

#[test]
fn what_could_not_be_told_is_tried_again_and_at_last_fails() {
    let (_server, place) = surveyed(Lattice::new(5, 2));
    let config = place.dir.join("bad.toml");
    fs::write(&config, "this is = = no configuration").unwrap();
    let id = ask(&place.folder, "notify")[0];
    let mut queue = place.folder.queue().unwrap();
    for minutes in [1, 5, 30, 120, 360] {
        let mut workshop = place.workshop(1);
        workshop.config = Some(config.clone());
        workshop.run_until_idle().unwrap();
        let row = place.job(id);
        let wait = row.not_before - groma_settings::clock::now();
        assert_eq!(row.state, JobState::Waiting, "{row:?}");
        assert!((minutes * 60 - 5..=minutes * 60).contains(&wait), "{wait} s instead of {minutes} min");
        assert!(row.outcome.contains("once more in"), "{}", row.outcome);
        // Somebody is impatient.
        assert!(queue.pause(id, 1).unwrap() && queue.resume(id, 1).unwrap());
    }
    let mut workshop = place.workshop(1);
    workshop.config = Some(config);
    workshop.run_until_idle().unwrap();
    assert_eq!(place.job(id).state, JobState::Failed);
}

#[test]
fn the_usual_package_leaves_pages_that_can_be_found() {
    let (_server, place) = surveyed(Lattice::new(15, 3));
    let ids = ask(&place.folder, "crawl,check,index");
    place.workshop(2).run_until_idle().unwrap();
    let states: Vec<JobState> = ids.iter().map(|id| place.job(*id).state).collect();
    assert_eq!(states, [JobState::Done; 3], "{:?}", place.job(ids[2]));
    let index = groma_search::Index::open(place.folder.path()).unwrap().unwrap();
    assert_eq!(index.extent().unwrap().0, 15);
    assert!(place.job(ids[2]).outcome.contains("15"), "{}", place.job(ids[2]).outcome);
}
