//! Workers that are killed in the middle.

use std::process::{Command, Stdio};
use std::time::Duration;

use groma_store::jobs::JobState;
use groma_store::{Folder, verify};
use groma_testweb::Server;
use groma_testweb::sites::Lattice;

use crate::{Place, ask, ask_at, crawl_of, workshop};

/// Set for a process that works: the folder.
const WORKS_IN: &str = "GROMA_TEST_WORKS_IN";

/// The part of the test below that runs in a process of its own, until it is killed.
#[test]
fn a_process_that_works() {
    let Ok(path) = std::env::var(WORKS_IN) else { return };
    workshop(&Folder::new(path), 2).run().unwrap();
}

#[test]
fn killed_ten_times_a_crawl_ends_once_with_every_page() {
    let site = Lattice::new(300, 6);
    let server = Server::start(site);
    let place = Place::new();
    let ids = ask(&place.folder, &crawl_of(&server.base(), "0.015").replacen("crawl", "crawl,check,rank", 1));
    for round in 0..10u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "dying::a_process_that_works", "--test-threads=1"])
            .env(WORKS_IN, place.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        place.until(ids[0], |row| row.fence > round);
        std::thread::sleep(Duration::from_millis(60 + round * 37));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let row = place.job(ids[0]);
    assert_eq!((row.state, row.fence), (JobState::Running, 10), "nobody said that it is over");
    place.workshop(2).run_until_idle().unwrap();
    for id in &ids {
        let row = place.job(*id);
        assert_eq!(row.state, JobState::Done, "{row:?}");
    }
    assert_eq!(place.job(ids[0]).fence, 11, "it was taken once by each");
    assert_eq!(place.indexed(), 300);
    let asked: u64 = (0..300).map(|page| server.count(&site.path(page))).sum();
    assert!(asked <= 300 + 10 * 16, "{asked} fetches of 300 pages: what was in flight may be fetched again");
    let mut store = place.folder.read().unwrap();
    let report = verify::verify(&mut store).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.complaints);
    let mut queue = place.folder.queue().unwrap();
    assert_eq!(queue.complaints(groma_settings::clock::now()).unwrap(), Vec::<String>::new());
}

#[test]
fn an_update_whose_run_had_ended_is_not_run_again() {
    let server = Server::start(Lattice::new(12, 3));
    let place = Place::new();
    let crawl = ask(&place.folder, &crawl_of(&server.base(), "0"));
    place.workshop(1).run_until_idle().unwrap();
    place.until_state(crawl[0], JobState::Done);
    let update = ask(&place.folder, "update")[0];
    // A worker takes it, brings the run to its end, and dies before it can say so.
    let dead = ask_at(&place.folder, "update", 9)[0];
    place.workshop(1).run_until_idle().unwrap();
    let before = place.job(dead);
    assert_eq!((before.state, place.job(update).state), (JobState::Done, JobState::Done));
    assert!(before.memo.contains("\"run\":2") && place.job(update).memo.contains("\"run\":3"), "{}", before.memo);
    let asked = server.count("/");
    let again = ask(&place.folder, "update")[0];
    let mut queue = place.folder.queue().unwrap();
    let (lease, _) = queue.take("dead", 10, &|_| false, groma_settings::clock::now()).unwrap().unwrap();
    assert!(queue.remember(&lease, "{\"run\":3}").unwrap());
    place.workshop(1).run_until_idle().unwrap();
    let row = place.job(again);
    assert_eq!((row.state, row.fence, row.outcome.as_str()), (JobState::Done, 2, "finished"));
    assert_eq!(server.count("/"), asked, "nobody asked the site again");
    assert!(place.log(again).contains("run 3 had come to its end"));
}
