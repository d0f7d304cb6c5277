//! The server is ended at once and comes back, again and again, while everybody works.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use groma_store::gathers::{Gathers, Harvest, NewGather, RecordRow};
use groma_store::jobs::{Ending, Filter, JobKind, JobState, NewJob, Queue};
use groma_store::{Server, SideStore, StoreError, SurveyName};

use super::place::Cluster;

/// How often it is ended.
const CRASHES: u32 = 8;

fn gather(server: &Server, survey: &SurveyName, over: &AtomicBool) -> u32 {
    let mut gathers = Gathers::open_on(server, survey).unwrap();
    let asked = NewGather { key: "k".into(), address: String::new(), asked: String::new(), at: 1 };
    let id = gathers.begin(&asked).unwrap().id;
    let mut added = 0;
    while !over.load(Ordering::Relaxed) {
        let said = RecordRow { place: 0, values: added.to_string(), link: String::new(), question: String::new() };
        let harvest = Harvest { records: vec![said], requests: added, at: 2, ..Harvest::default() };
        assert!(gathers.add(id, &harvest).unwrap());
        added += 1;
    }
    gathers.end(id, "done", "", 3).unwrap();
    let values: Vec<String> = gathers.records(id, 0, usize::MAX).unwrap().into_iter().map(|row| row.values).collect();
    assert_eq!(values, (0..added).map(|n| n.to_string()).collect::<Vec<_>>(), "each once and in its order");
    added
}

fn work(server: &Server, survey: &SurveyName, owner: &str, over: &AtomicBool) -> u32 {
    let mut queue = Queue::open_on(server, survey).unwrap();
    let new = NewJob { kind: JobKind::Map, args: "{}".into(), priority: 0, not_before: 0, schedule: None };
    let mut ended = 0;
    while !over.load(Ordering::Relaxed) {
        queue.add(std::slice::from_ref(&new), false, 1).unwrap();
        // Somebody else may have been quicker: then the one they added is for somebody.
        let Some((lease, row)) = queue.take(owner, 1_000, &|_| false, 2).unwrap() else { continue };
        assert_eq!((row.owner.as_str(), row.fence), (owner, 1));
        queue.beat(&lease, Some("{}"), 1_000, 3).unwrap();
        assert!(queue.end(&lease, Ending::Done, owner, 4).unwrap(), "nobody took it away");
        ended += 1;
    }
    ended
}

#[test]
fn nothing_is_lost_or_done_twice_however_often_the_server_dies() {
    let Some(cluster) = Cluster::start() else { return };
    let server = Server::parse(&cluster.address).unwrap();
    let survey = SurveyName::new("crash").unwrap();
    // The rooms are there before anything breaks.
    Queue::open_on(&server, &survey).unwrap();
    let over = AtomicBool::new(false);
    let (mut ended, mut added) = (0, 0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = ["a", "b"]
            .map(|owner| {
                let (server, survey, over) = (&server, &survey, &over);
                scope.spawn(move || work(server, survey, owner, over))
            })
            .into();
        let gatherer = scope.spawn(|| gather(&server, &survey, &over));
        for crash in 0..CRASHES {
            std::thread::sleep(Duration::from_micros(150_000 + u64::from(crash * 5 % 8) * 3_100));
            cluster.crash();
            std::thread::sleep(Duration::from_millis(u64::from(crash % 3) * 150));
            cluster.again();
        }
        std::thread::sleep(Duration::from_millis(1_500));
        over.store(true, Ordering::Relaxed);
        ended = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        added = gatherer.join().unwrap();
    });
    let mut queue = Queue::open_on(&server, &survey).unwrap();
    let done = Filter { states: vec![JobState::Done], ..Filter::default() };
    let jobs = queue.jobs(&done, None, usize::MAX).unwrap();
    assert_eq!(jobs.len() as u32, ended, "what was said to be ended is ended");
    let open = Filter { states: vec![JobState::Running], ..Filter::default() };
    assert_eq!(queue.jobs(&open, None, 9).unwrap(), [], "nobody left anything");
    assert_eq!(queue.complaints(5).unwrap(), [""; 0]);
    assert!(ended > 2 * CRASHES && added > CRASHES, "{ended} jobs, {added} harvests");
}

#[test]
fn a_server_that_stays_away_is_given_up_in_time() {
    let Some(cluster) = Cluster::start() else { return };
    let server = Server::parse(&cluster.address).unwrap().with_patience(Duration::from_secs(2));
    let survey = SurveyName::new("away").unwrap();
    let mut queue = Queue::open_on(&server, &survey).unwrap();
    cluster.crash();
    let begun = Instant::now();
    let error = queue.schedules().unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
    assert!((1..10).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    assert!(!error.hint().is_empty() && !error.to_string().contains("groma:groma"), "{error}");
    cluster.again();
    assert_eq!(queue.schedules().unwrap(), [], "and found again when it is back");
}
