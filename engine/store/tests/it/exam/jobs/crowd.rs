//! Cases in which many workers use a queue at once.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{NOBODY_IS_DEAD, Open, new, timing::weekly, well};
use groma_store::jobs::{Ending, Filter, JobKind, JobState};

const THREADS: usize = 8;

pub(super) fn one_fire(open: &Open<'_>) {
    let mut queue = open();
    let id = queue.put_schedule(&weekly(0)).expect("is kept");
    for moment in 0..20 {
        let fired = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    let mut queue = open();
                    let jobs = [new(JobKind::Map), new(JobKind::Check)];
                    let ours = queue.fire(id, moment, moment + 1, &jobs, moment).expect("answers");
                    fired.fetch_add(u32::from(ours.is_some()), Ordering::Relaxed);
                });
            }
        });
        assert_eq!(fired.load(Ordering::Relaxed), 1, "moment {moment}");
        let open_jobs = Filter { states: vec![JobState::Waiting], ..Filter::default() };
        for job in queue.jobs(&open_jobs, None, 100).expect("reads") {
            queue.cancel(job.id, 1).expect("answers");
        }
    }
    assert_eq!(queue.jobs(&Filter::default(), None, 1_000).expect("reads").len(), 40);
    well(&mut queue);
}

pub(super) fn each_once(open: &Open<'_>) {
    let mut queue = open();
    let kinds = [JobKind::Map, JobKind::Check, JobKind::Crawl, JobKind::Index, JobKind::Update];
    for round in 0..30 {
        let jobs: Vec<_> = kinds.iter().map(|kind| new(*kind)).collect();
        queue.add(&jobs, round % 2 == 0, 1).expect("adds");
    }
    let ends: Mutex<HashMap<u64, u32>> = Mutex::default();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let ends = &ends;
            scope.spawn(move || {
                let (mut queue, owner) = (open(), format!("thread {thread}"));
                let mut idle = 0;
                while idle < 200 {
                    let Some((lease, row)) = queue.take(&owner, 1_000, NOBODY_IS_DEAD, 5).expect("looks") else {
                        idle += 1;
                        std::thread::sleep(std::time::Duration::from_millis(2));
                        continue;
                    };
                    idle = 0;
                    assert_eq!(row.owner, owner);
                    queue.beat(&lease, Some("{}"), 1_000, 5).expect("beats");
                    if queue.end(&lease, Ending::Done, &owner, 6).expect("ends") {
                        *ends.lock().expect("nobody broke off").entry(row.id.0).or_default() += 1;
                    }
                }
            });
        }
    });
    let ends = ends.into_inner().expect("nobody broke off");
    assert_eq!(ends.len(), 150);
    assert!(ends.values().all(|times| *times == 1), "{ends:?}");
    let all = queue.jobs(&Filter::default(), None, 1_000).expect("reads");
    assert!(all.iter().all(|row| row.state == JobState::Done && row.fence == 1));
    well(&mut queue);
}
