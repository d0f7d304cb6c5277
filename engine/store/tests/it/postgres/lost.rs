//! The answer to a COMMIT is lost: what was to be done is done once, and whoever asked is told so.

use std::sync::atomic::Ordering;

use groma_store::bounds::{BoundsStore, DecisionKind, NewDecision};
use groma_store::gathers::{Gathers, Harvest, NewGather, RecordRow};
use groma_store::jobs::{Ending, Filter, JobKind, JobState, NewJob, Queue};
use groma_store::{Server, SideStore};

use super::cutter::{Cut, Cutter};
use super::place::{Place, address};

/// A place on a server that is reached through a wire that can be cut.
fn wired() -> Option<(Place, Cutter)> {
    let address = address()?;
    let (front, rest) = address.rsplit_once(':').unwrap();
    let (port, database) = rest.split_once('/').unwrap();
    let cutter = Cutter::before(port.parse().unwrap());
    let server = Server::parse(&format!("{front}:{}/{database}", cutter.port)).unwrap();
    Some((Place::on(server), cutter))
}

const CUTS: [Cut; 4] = [Cut::Never, Cut::Before, Cut::After, Cut::Late];

#[test]
fn a_harvest_is_kept_once() {
    let Some((place, cutter)) = wired() else { return };
    let mut gathers = Gathers::open_on(&place.server, &place.survey).unwrap();
    let asked = NewGather { key: "k".into(), address: "http://a.test/".into(), asked: String::new(), at: 1 };
    let id = gathers.begin(&asked).unwrap().id;
    let record = |n: u32| RecordRow { place: 0, values: n.to_string(), link: String::new(), question: String::new() };
    for round in 0..12 {
        cutter.arm(CUTS[round as usize % 4]);
        let harvest = Harvest { records: vec![record(round)], requests: round, at: 2, ..Harvest::default() };
        assert!(gathers.add(id, &harvest).unwrap(), "round {round}");
    }
    assert_eq!(cutter.cuts.load(Ordering::SeqCst), 9);
    assert!(gathers.end(id, "done", "", 9).unwrap());
    let values: Vec<String> = gathers.records(id, 0, 99).unwrap().into_iter().map(|row| row.values).collect();
    assert_eq!(values, (0..12).map(|n| n.to_string()).collect::<Vec<_>>(), "each once and in its order");
}

#[test]
fn a_job_is_added_taken_and_ended_once() {
    let Some((place, cutter)) = wired() else { return };
    let mut queue = Queue::open_on(&place.server, &place.survey).unwrap();
    let new = NewJob { kind: JobKind::Map, args: "{}".into(), priority: 0, not_before: 0, schedule: None };
    for round in 0..8 {
        cutter.arm(CUTS[round % 4]);
        assert_eq!(queue.add(std::slice::from_ref(&new), false, 1).unwrap().len(), 1);
        cutter.arm(CUTS[round % 4]);
        let (lease, row) = queue.take("me", 100, &|_| false, 2).unwrap().expect("there is one");
        assert_eq!((row.fence, row.owner.as_str()), (1, "me"), "taken once");
        cutter.arm(CUTS[round % 4]);
        assert!(queue.end(&lease, Ending::Done, "done", 3).unwrap(), "the lease holds to the end");
        assert!(!queue.end(&lease, Ending::Done, "done", 3).unwrap(), "and not longer");
        assert_eq!(queue.log_of(row.id, 0, 9).unwrap().len(), 1);
    }
    assert_eq!(cutter.cuts.load(Ordering::SeqCst), 18);
    let jobs = queue.jobs(&Filter::default(), None, 100).unwrap();
    assert!(jobs.len() == 8 && jobs.iter().all(|row| row.state == JobState::Done), "{jobs:?}");
    assert_eq!(queue.complaints(5).unwrap(), [""; 0]);
}

#[test]
fn a_decision_is_written_down_once() {
    let Some((place, cutter)) = wired() else { return };
    let mut bounds_store = BoundsStore::open_on(&place.server, &place.survey).unwrap();
    let new = |kind, undoes| NewDecision {
        site: "http://a/".into(),
        kind,
        subject: "http://a/x".into(),
        undoes,
        at: 1,
        who: "me".into(),
    };
    for round in 0..4 {
        cutter.arm(CUTS[round % 4]);
        let ids = bounds_store.decide(&[new(DecisionKind::Accept, None)]).unwrap().expect("is decided");
        cutter.arm(CUTS[round % 4]);
        assert!(bounds_store.decide(&[new(DecisionKind::Undo, Some(ids[0]))]).unwrap().is_some(), "taken back once");
        assert!(bounds_store.decide(&[new(DecisionKind::Undo, Some(ids[0]))]).unwrap().is_none());
    }
    assert_eq!(bounds_store.decisions(None).unwrap().len(), 8);
    assert_eq!(bounds_store.complaints().unwrap(), [""; 0]);
}
