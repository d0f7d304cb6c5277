//! Many at once: processes, threads, and callers inside an asynchronous program.

use std::process::{Command, Stdio};

use groma_store::jobs::{Ending, Filter, JobKind, JobState, NewJob, Queue};
use groma_store::{Server, SideStore, SurveyName};

use super::place::{Place, address};

/// Set for a process that works: whether it dies, and the survey.
const WORKS_ON: &str = "GROMA_TEST_WORKS_ON";

fn new(kind: JobKind) -> NewJob {
    NewJob { kind, args: String::new(), priority: 0, not_before: 0, schedule: None }
}

/// The part of the test below that runs in processes of its own: takes jobs until there are none, and says which it ended.
/// One that is told to die does so in the middle of its second job.
#[test]
fn a_process_that_works() {
    let Ok(told) = std::env::var(WORKS_ON) else { return };
    let (mortal, survey) = told.split_once(':').unwrap();
    let server = Server::parse(&address().unwrap()).unwrap();
    let mut queue = Queue::open_on(&server, &SurveyName::new(survey).unwrap()).unwrap();
    let owner = format!("p{}", std::process::id());
    let (mut idle, mut taken) = (0, 0);
    while idle < 100 {
        let Some((lease, row)) = queue.take(&owner, 1_000, &|_| false, 50).unwrap() else {
            idle += 1;
            std::thread::sleep(std::time::Duration::from_millis(10));
            continue;
        };
        (idle, taken) = (0, taken + 1);
        if mortal == "mortal" && taken == 2 {
            std::process::abort();
        }
        queue.log(row.id, &format!("worked on by {owner}"), 51).unwrap();
        if queue.end(&lease, Ending::Done, &owner, 52).unwrap() {
            println!("\nended {}", row.id.0);
        }
    }
}

#[test]
fn several_processes_end_each_job_once_though_one_dies() {
    let Some(place) = Place::new() else { return };
    let mut queue = Queue::open_on(&place.server, &place.survey).unwrap();
    let mut all = Vec::new();
    for _ in 0..20 {
        all.extend(queue.add(&[JobKind::Map, JobKind::Check, JobKind::Map].map(new), false, 1).unwrap());
    }
    let start = |mortal: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "postgres::crowd::a_process_that_works", "--nocapture", "--test-threads=1"])
            .env(WORKS_ON, format!("{mortal}:{}", place.survey))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let workers: Vec<_> = ["mortal", "", ""].into_iter().map(start).collect();
    let mut ended: Vec<u64> = Vec::new();
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ended.extend(text.lines().filter_map(|line| line.strip_prefix("ended ")?.trim().parse::<u64>().ok()));
    }
    // What the dead one held is free when its lease has run out, and not before.
    assert_eq!(queue.take("me", 10, &|_| false, 1_000).unwrap(), None);
    if let Some((lease, row)) = queue.take("me", 10, &|_| false, 2_000).unwrap() {
        assert_eq!(row.fence, 2, "taken up again");
        assert!(queue.end(&lease, Ending::Done, "", 2_001).unwrap());
        ended.push(row.id.0);
    }
    ended.sort_unstable();
    assert_eq!(ended, all.iter().map(|id| id.0).collect::<Vec<_>>(), "each once");
    let jobs = queue.jobs(&Filter::default(), None, 1_000).unwrap();
    assert!(jobs.iter().all(|row| row.state == JobState::Done));
    assert_eq!(queue.complaints(3_000).unwrap(), [""; 0]);
}

#[test]
fn tables_are_made_once_by_all_who_come_at_the_same_moment() {
    let Some(place) = Place::new() else { return };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut queue = Queue::open_on(&place.server, &place.survey).unwrap();
                queue.add(&[new(JobKind::Map)], false, 1).unwrap();
            });
        }
    });
    let mut queue = Queue::read_on(&place.server, &place.survey).unwrap().expect("it was begun");
    assert_eq!(queue.jobs(&Filter::default(), None, 99).unwrap().len(), 8);
}

#[test]
fn an_asynchronous_program_may_call() {
    let Some(place) = Place::new() else { return };
    for mut builder in [tokio::runtime::Builder::new_current_thread(), tokio::runtime::Builder::new_multi_thread()] {
        let runtime = builder.worker_threads(1).build().unwrap();
        runtime.block_on(async {
            let mut queue = Queue::open_on(&place.server, &place.survey).unwrap();
            assert!(queue.add(&[new(JobKind::Map)], false, 1).is_ok());
        });
    }
}
