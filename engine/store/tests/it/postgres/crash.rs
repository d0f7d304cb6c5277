//! The server is ended at once and comes back, again and again, while everybody works.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use groma_store::gathers::{Gathers, Harvest, NewGather, RecordRow};
use groma_store::jobs::{Ending, Filter, JobKind, JobState, NewJob, Queue};
use groma_store::{Server, SideStore, StoreError, SurveyName};

use super::place::Cluster;

/// How often it is ended.
const CRASHES: u32 = 8;

/// How many jobs and harvests must have been done since the server came back before it is ended again: however slow the machine is,
/// every crash meets people at work.
const BETWEEN_CRASHES: (u32, u32) = (2, 1);

/// What was done so far. Patience is for a machine that stands still, not for a slow one.
#[derive(Default)]
struct Done {
    jobs: AtomicU32,
    harvests: AtomicU32,
}

impl Done {
    fn await_work(&self, over: &AtomicBool) {
        let (jobs, harvests) = (self.jobs.load(Ordering::Relaxed), self.harvests.load(Ordering::Relaxed));
        let begun = Instant::now();
        while self.jobs.load(Ordering::Relaxed) < jobs + BETWEEN_CRASHES.0
            || self.harvests.load(Ordering::Relaxed) < harvests + BETWEEN_CRASHES.1
        {
            if begun.elapsed() > Duration::from_secs(300) {
                over.store(true, Ordering::Relaxed);
                panic!("nobody works any more");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn gather(mut gathers: Gathers, over: &AtomicBool, done: &Done) -> u32 {
    let asked = NewGather { key: "k".into(), address: String::new(), asked: String::new(), at: 1 };
    let id = gathers.begin(&asked).unwrap().id;
    let mut added = 0;
    while !over.load(Ordering::Relaxed) {
        let said = RecordRow { place: 0, values: added.to_string(), link: String::new(), question: String::new() };
        let harvest = Harvest { records: vec![said], requests: added, at: 2, ..Harvest::default() };
        assert!(gathers.add(id, &harvest).unwrap());
        added += 1;
        done.harvests.store(added, Ordering::Relaxed);
    }
    gathers.end(id, "done", "", 3).unwrap();
    let values: Vec<String> = gathers.records(id, 0, usize::MAX).unwrap().into_iter().map(|row| row.values).collect();
    assert_eq!(values, (0..added).map(|n| n.to_string()).collect::<Vec<_>>(), "each once and in its order");
    added
}

fn work(mut queue: Queue, owner: &str, over: &AtomicBool, done: &Done) -> u32 {
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
        done.jobs.fetch_add(1, Ordering::Relaxed);
    }
    ended
}

#[test]
fn nothing_is_lost_or_done_twice_however_often_the_server_dies() {
    let Some(cluster) = Cluster::start() else { return };
    let server = Server::parse(&cluster.address).unwrap();
    let survey = SurveyName::new("crash").unwrap();
    let (over, done) = (AtomicBool::new(false), Done::default());
    let (mut ended, mut added) = (0, 0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = ["a", "b"]
            .map(|owner| {
                // A server that is away at the beginning is given up soon: all are open before anything breaks.
                let (queue, over, done) = (Queue::open_on(&server, &survey).unwrap(), &over, &done);
                scope.spawn(move || work(queue, owner, over, done))
            })
            .into();
        let gathers = Gathers::open_on(&server, &survey).unwrap();
        let gatherer = scope.spawn(|| gather(gathers, &over, &done));
        for crash in 0..CRASHES {
            done.await_work(&over);
            std::thread::sleep(Duration::from_micros(u64::from(crash * 5 % 8) * 3_100));
            cluster.crash();
            std::thread::sleep(Duration::from_millis(u64::from(crash % 3) * 150));
            cluster.again();
        }
        done.await_work(&over);
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
    assert!(
        ended >= BETWEEN_CRASHES.0 * CRASHES && added >= BETWEEN_CRASHES.1 * CRASHES,
        "{ended} jobs, {added} harvests"
    );
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
    assert!((1..30).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    assert!(!error.hint().is_empty() && !error.to_string().contains("groma:groma"), "{error}");
    cluster.again();
    assert_eq!(queue.schedules().unwrap(), [], "and found again when it is back");
}
