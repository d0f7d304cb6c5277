//! Pause, cancel, going home, and two workshops at one queue.

use std::time::Duration;

use groma_store::Snapshot;
use groma_store::jobs::{JobKind, JobState};
use groma_testweb::sites::{Lattice, Slowed};
use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::{Place, Running, ask, ask_anyway, ask_at, crawl_of};

fn progress(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_crawl_pauses_in_the_middle_and_goes_on() {
    let site = Lattice::new(150, 5);
    let server = Server::start(site);
    let place = Place::new();
    let id = ask(&place.folder, &crawl_of(&server.base(), "0.03"))[0];
    let running = Running::start(place.workshop(2));
    // Between two pages there is a moment without any server that is being asked.
    let row = place.until(id, |row| {
        let seen = || progress(&row.progress);
        !row.progress.is_empty() && seen()["fetched"].as_u64() > Some(5) && seen()["servers"][0].is_object()
    });
    let seen = progress(&row.progress);
    for key in
        ["phase", "queued", "discovered", "fetches", "bytes", "rate", "layer", "under_way", "eta_s", "servers", "pages"]
    {
        assert!(seen.get(key).is_some(), "{key} in {seen}");
    }
    assert_eq!(seen["phase"], "crawling");
    assert!(seen["servers"][0]["name"].as_str().is_some() && seen["pages"][0]["url"].as_str().is_some(), "{seen}");
    assert!(seen["pages"].as_array().unwrap().len() <= 20);
    let mut queue = place.folder.queue().unwrap();
    assert!(queue.pause(id, 1).unwrap());
    let paused = place.until_state(id, JobState::Paused);
    assert_eq!(progress(&paused.progress)["phase"], "stopped");
    let halfway = place.indexed();
    assert!(halfway < 150, "{halfway}");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(place.indexed(), halfway, "nobody works on it");
    assert!(queue.resume(id, 1).unwrap());
    let done = place.until_state(id, JobState::Done);
    running.stop();
    assert_eq!(place.indexed(), 150);
    assert!(done.outcome.starts_with("finished in") && done.outcome.contains("150 pages"), "{}", done.outcome);
    assert!((0..150).all(|page| server.count(&site.path(page)) <= 2));
    assert!(queue.curve_of(id).unwrap().len() >= 3);
    assert_eq!(progress(&done.progress)["phase"], "done");
}

#[test]
fn a_cancelled_crawl_takes_its_package_along_and_a_retry_brings_it_back() {
    let server = Server::start(Lattice::new(120, 5));
    let place = Place::new();
    let ids = ask(&place.folder, &crawl_of(&server.base(), "0.03").replacen("crawl", "crawl,check", 1));
    let running = Running::start(place.workshop(2));
    place.until(ids[0], |row| !row.progress.is_empty());
    let mut queue = place.folder.queue().unwrap();
    assert!(queue.cancel(ids[0], 1).unwrap());
    place.until_state(ids[0], JobState::Cancelled);
    assert_eq!(place.job(ids[1]).state, JobState::Cancelled);
    assert!(place.indexed() < 120);
    assert!(queue.retry(ids[0], 1).unwrap());
    place.until_state(ids[1], JobState::Done);
    assert_eq!(place.indexed(), 120);
    running.stop();
}

#[test]
fn a_workshop_that_closes_gives_its_jobs_back_and_the_next_goes_on() {
    let server = Server::start(Lattice::new(80, 5));
    let place = Place::new();
    let id = ask(&place.folder, &crawl_of(&server.base(), "0.03"))[0];
    let first = Running::start(place.workshop(1));
    place.until(id, |row| !row.progress.is_empty());
    first.stop();
    let row = place.job(id);
    assert_eq!((row.state, row.ended_at), (JobState::Waiting, 0), "{row:?}");
    place.workshop(1).run_until_idle().unwrap();
    assert_eq!((place.job(id).state, place.job(id).fence, place.indexed()), (JobState::Done, 2, 80));
}

#[test]
fn two_workshops_share_one_queue_and_each_job_is_done_once() {
    let server = Server::start(Lattice::new(30, 5));
    let place = Place::new();
    let mut ids = ask_at(&place.folder, &crawl_of(&server.base(), "0"), 9);
    place.workshop(1).run_until_idle().unwrap();
    for kind in [JobKind::Rank, JobKind::Check, JobKind::Map, JobKind::Update].repeat(5) {
        ids.extend(ask(&place.folder, kind.name()));
    }
    let (one, other) = (Running::start(place.workshop(2)), Running::start(place.workshop(2)));
    for id in &ids {
        let row = place.until(*id, |row| row.state.is_over());
        assert_eq!((row.state, row.fence), (JobState::Done, 1), "{row:?}");
    }
    one.stop();
    other.stop();
    let runs = place.folder.read().unwrap().runs().unwrap();
    assert_eq!(runs.len(), 6, "a crawl and five updates, each a run of its own");
    let mut queue = place.folder.queue().unwrap();
    assert_eq!(queue.complaints(1).unwrap(), Vec::<String>::new());
}

#[test]
fn a_survey_somebody_else_writes_to_is_tried_again_later() {
    let server = Server::start(Lattice::new(5, 2));
    let place = Place::new();
    let held = place.folder.open().unwrap();
    let id = ask(&place.folder, &crawl_of(&server.base(), "0"))[0];
    place.workshop(1).run_until_idle().unwrap();
    let row = place.job(id);
    let soon = row.not_before - groma_settings::clock::now();
    assert_eq!(row.state, JobState::Waiting);
    assert!((20..=30).contains(&soon) && row.outcome.contains("somebody else"), "{row:?}");
    assert!(place.log(id).contains("somebody else is writing"));
    drop(held);
}

#[test]
fn exclusions_of_an_order_stay_with_the_survey() {
    let server = Server::start(Lattice::new(60, 5));
    let place = Place::new();
    let id = ask(&place.folder, &format!("{} --also-exclude '/p/2*'", crawl_of(&server.base(), "0")))[0];
    place.workshop(1).run_until_idle().unwrap();
    assert_eq!(place.job(id).state, JobState::Done);
    let first = place.indexed();
    assert!(first < 60);
    ask(&place.folder, "crawl --also-exclude '/p/1*'");
    place.workshop(1).run_until_idle().unwrap();
    let saved = place.folder.read().unwrap().value("settings").unwrap().unwrap();
    assert!(saved.contains("/p/1*") && saved.contains("/p/2*"), "{saved}");
    assert_eq!((server.count("/p/2.html"), server.count("/p/21.html")), (0, 0));
}

#[test]
fn what_cannot_be_done_fails_with_a_sentence() {
    let gone = Server::start(|_: &Ask| Answer::status(404));
    let place = Place::new();
    let ids = ask(&place.folder, &crawl_of(&gone.base(), "0").replacen("crawl", "crawl,check,index", 1));
    let bad = ask_anyway(&place.folder, JobKind::Crawl, r#"{"version":2,"settings":{"dept":"3"}}"#);
    let form = ask_anyway(&place.folder, JobKind::Map, r#"{"version":2,"format":"oil on canvas"}"#);
    let garbled = ask_anyway(&place.folder, JobKind::Rank, "{");
    place.workshop(1).run_until_idle().unwrap();
    for (id, says) in [
        (ids[0], "nothing could be fetched"),
        (bad, "no setting `dept`"),
        (form, "oil on canvas"),
        (garbled, "cannot be read"),
    ] {
        let row = place.job(id);
        assert_eq!(row.state, JobState::Failed, "{row:?}");
        assert!(row.outcome.contains(says), "{}", row.outcome);
        assert!(place.log(id).lines().count() >= 3, "taken, what, and what to do: {}", place.log(id));
    }
    assert_eq!(place.job(ids[1]).state, JobState::Cancelled);
}

#[test]
fn a_job_that_is_silent_keeps_its_lease() {
    // No page is settled for longer than the lease: the first answer takes that long.
    let slow = Slowed { web: Lattice::new(2, 1), delay: Duration::from_secs(12) };
    let server = Server::start(slow);
    let place = Place::new();
    let id = ask(&place.folder, &format!("{} --depth 0 --no-sitemaps", crawl_of(&server.base(), "0")))[0];
    let (one, other) = (Running::start(place.workshop(1)), Running::start(place.workshop(1)));
    let row = place.until(id, |row| row.state.is_over());
    assert_eq!((row.state, row.fence), (JobState::Done, 1), "{row:?}");
    one.stop();
    other.stop();
}
