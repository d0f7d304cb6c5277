//! One job at a time: panics, leases that are lost, wishes that are heard.

use std::path::Path;

use groma_store::jobs::{JobId, JobKind, JobState};

use super::*;
use crate::jobs::lease::LEASE;
use crate::outcome::Outcome;
use crate::task::Package;

fn folder(name: &str) -> Folder {
    let path = std::env::temp_dir().join(format!("groma-worker-{}-{name}.groma", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    Folder::new(path)
}

fn taken(folder: &Folder) -> (Lease, JobRow) {
    Package::usual(&[JobKind::Map]).queue(folder, 0).unwrap();
    folder.queue().unwrap().take("me", LEASE, &|_| false, now()).unwrap().unwrap()
}

fn row(folder: &Folder, id: JobId) -> JobRow {
    folder.queue().unwrap().job(id).unwrap().unwrap()
}

fn clear(folder: &Folder) {
    let path: &Path = folder.path();
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_panic_inside_a_job_is_its_failure_and_no_others() {
    let folder = folder("panic");
    let (lease, job) = taken(&folder);
    do_job(&folder, &lease, job, Arc::default(), |_, bench| {
        bench.log("so far, so good");
        panic!("the {} is on fire", "map");
    });
    let row = row(&folder, lease.job);
    assert_eq!((row.state, row.outcome.as_str()), (JobState::Failed, "it broke off inside: the map is on fire"));
    let log: Vec<String> =
        folder.queue().unwrap().log_of(lease.job, 0, 10).unwrap().into_iter().map(|line| line.text).collect();
    assert_eq!(log[1..], ["so far, so good", "it broke off inside: the map is on fire"]);
    clear(&folder);
}

#[test]
fn a_wish_sets_the_flag_and_decides_the_end() {
    for (cancel, after) in [(false, JobState::Paused), (true, JobState::Cancelled)] {
        let folder = folder(after.name());
        let (lease, job) = taken(&folder);
        let mut queue = folder.queue().unwrap();
        assert!(if cancel { queue.cancel(lease.job, 1) } else { queue.pause(lease.job, 1) }.unwrap());
        let since = Instant::now();
        do_job(&folder, &lease, job, Arc::default(), |_, bench| {
            while !bench.is_stopped() && since.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(Worked::Stopped)
        });
        assert!(since.elapsed() < Duration::from_secs(15), "it hears of it soon");
        assert_eq!(row(&folder, lease.job).state, after);
        clear(&folder);
    }
}

#[test]
fn who_lost_the_job_stops_and_says_nothing() {
    let folder = folder("lost");
    let (lease, job) = taken(&folder);
    let other = folder.queue().unwrap().take("you", LEASE, &|owner| owner == "me", now()).unwrap().unwrap().0;
    do_job(&folder, &lease, job, Arc::default(), |_, bench| {
        bench.memo.run = Some(7);
        bench.remember()?;
        assert!(bench.is_stopped(), "known at once to whoever wants to rely on it");
        Ok(Worked::Done(Outcome::Notified { says: "too late".into() }))
    });
    let after = row(&folder, lease.job);
    assert_eq!((after.state, after.owner.as_str(), after.memo.as_str()), (JobState::Running, "you", ""));
    assert!(folder.queue().unwrap().end(&other, Ending::Done, "in time", now()).unwrap());
    clear(&folder);
}

#[test]
fn ended_jobs_are_forgotten_after_a_quarter_of_a_year() {
    let folder = folder("old");
    let (lease, _) = taken(&folder);
    let mut queue = folder.queue().unwrap();
    assert!(queue.end(&lease, Ending::Done, "", now() - KEPT - 5).unwrap());
    let (recent, _) = taken(&folder);
    assert!(queue.end(&recent, Ending::Done, "", now() - KEPT + 60).unwrap());
    tidy(&folder);
    assert!(queue.job(lease.job).unwrap().is_none() && queue.job(recent.job).unwrap().is_some());
    clear(&folder);
}
