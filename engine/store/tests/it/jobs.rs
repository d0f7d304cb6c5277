//! The embedded queue takes the exam, serves several processes, and meets bad files.

use std::fs;
use std::process::{Command, Stdio};

use crate::exam;
use groma_store::jobs::{Ending, Filter, JobKind, JobState, NewJob, Queue};
use groma_store::{Folder, SideStore, StoreError};

use crate::scratch;

/// Set for a process that works: the folder, and the name of the worker.
const WORKS_IN: &str = "GROMA_TEST_WORKS_IN";

fn new(kind: JobKind) -> NewJob {
    NewJob { kind, args: String::new(), priority: 0, not_before: 0, schedule: None }
}

#[test]
fn the_sqlite_queue_passes_the_exam() {
    for (name, case) in exam::jobs::CASES {
        println!("{name}");
        let dir = scratch(&format!("queue {name}"));
        let path = dir.join("jobs.db");
        case(&|| Queue::open_file(&path).unwrap());
        fs::remove_dir_all(dir).unwrap();
    }
}

/// The part of the test below that runs in processes of its own: takes jobs until there are none, and says which it ended.
/// One that is told to die does so in the middle of its second job.
#[test]
fn a_process_that_works() {
    let Ok(told) = std::env::var(WORKS_IN) else { return };
    let (mortal, path) = told.split_once(':').unwrap();
    let folder = Folder::new(path);
    let owner = format!("p{}", std::process::id());
    let _lock = folder.worker(&owner).unwrap();
    let mut queue = folder.queue().unwrap();
    let (mut idle, mut taken) = (0, 0);
    while idle < 150 {
        // The lease is long: only the lock says who is dead.
        let found = queue.take(&owner, 10_000, &|owner| folder.is_worker_dead(owner), 50).unwrap();
        let Some((lease, row)) = found else {
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
fn several_processes_end_each_job_once_though_some_die() {
    let dir = scratch("processes");
    let folder = Folder::new(dir.join("x.groma"));
    let mut queue = folder.queue().unwrap();
    let kinds = [JobKind::Map, JobKind::Crawl, JobKind::Index, JobKind::Check];
    for round in 0..30 {
        queue.add(&kinds.map(new), round % 3 == 0, 1).unwrap();
    }
    let start = |mortal: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "jobs::a_process_that_works", "--nocapture", "--test-threads=1"])
            .env(WORKS_IN, format!("{mortal}:{}", folder.path().display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    // One is dead before the others begin: what it left is there to be taken up, however fast they are.
    let mut outputs = vec![start("mortal").wait_with_output().unwrap()];
    let workers: Vec<_> = ["", "mortal", "", "mortal"].into_iter().map(start).collect();
    outputs.extend(workers.into_iter().map(|worker| worker.wait_with_output().unwrap()));
    let mut ended: Vec<u64> = Vec::new();
    for output in outputs {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ended.extend(text.lines().filter_map(|line| line.strip_prefix("ended ")?.trim().parse::<u64>().ok()));
    }
    ended.sort_unstable();
    assert_eq!(ended, (1..=120).collect::<Vec<_>>(), "each once");
    let jobs = queue.jobs(&Filter::default(), None, 1_000).unwrap();
    assert!(jobs.iter().all(|row| row.state == JobState::Done));
    assert!(jobs.iter().any(|row| row.fence == 2), "some were taken up again");
    assert_eq!(queue.complaints(60).unwrap(), Vec::<String>::new());
    folder.sweep_workers();
    assert_eq!(fs::read_dir(folder.path().join("workers")).unwrap().count(), 0, "nothing is left of the dead");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn jobs_can_be_asked_for_before_there_is_a_survey_and_outlive_it() {
    let dir = scratch("before");
    let folder = Folder::new(dir.join("new.groma"));
    assert!(folder.queue_if_any().unwrap().is_none() && !folder.path().exists(), "nothing is made by looking");
    let id = folder.queue().unwrap().add(&[new(JobKind::Crawl)], false, 1).unwrap()[0];
    fs::create_dir_all(folder.results()).unwrap();
    let _worker = folder.worker("w").unwrap();
    drop(folder.open().unwrap());
    drop(folder.open_anew(false).unwrap());
    assert!(folder.exists());
    drop(folder.open().unwrap());
    assert_eq!(folder.queue().unwrap().job(id).unwrap().unwrap().id, id);
    let foreign = dir.join("letters");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "dear all").unwrap();
    assert!(matches!(Folder::new(foreign).queue(), Err(StoreError::NotASurvey(_))));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_queue_that_cannot_be_written_can_be_read() {
    let dir = scratch("reading");
    let path = dir.join("jobs.db");
    let id = Queue::open_file(&path).unwrap().add(&[new(JobKind::Map)], false, 1).unwrap()[0];
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(matches!(Queue::open_file(&path), Err(StoreError::ReadOnly(_))));
    let mut queue = Folder::new(&dir).queue().unwrap();
    assert_eq!(queue.job(id).unwrap().unwrap().state, JobState::Waiting);
    assert_eq!(queue.jobs(&Filter::default(), None, 5).unwrap().len(), 1);
    assert!(matches!(queue.pause(id, 1), Err(StoreError::ReadOnly(_))));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn foreign_files_and_other_formats_are_refused() {
    let dir = scratch("formats");
    let path = dir.join("jobs.db");
    drop(Queue::open_file(&path).unwrap());
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    bytes[60..64].copy_from_slice(&77u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Queue::open_file(&path), Err(StoreError::DamagedFile { .. })));
    fs::write(&path, &whole).unwrap();
    let db = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing()).unwrap();
    db.pragma_update(None, "user_version", 77).unwrap();
    drop(db);
    assert!(matches!(Queue::open_file(&path), Err(StoreError::Foreign { .. })));
    fs::write(&path, "no database at all, whatever its name says".repeat(100)).unwrap();
    assert!(Queue::open_file(&path).is_err());
    let survey = Folder::new(dir.join("s.groma"));
    drop(survey.open().unwrap());
    fs::copy(survey.path().join("survey.db"), &path).unwrap();
    let error = Queue::open_file(&path).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_damaged_row_is_complained_about() {
    let dir = scratch("damaged");
    let path = dir.join("jobs.db");
    let mut queue = Queue::open_file(&path).unwrap();
    queue.add(&[new(JobKind::Map)], false, 1).unwrap();
    queue.take("me", 10, &|_| false, 1).unwrap().unwrap();
    assert_eq!(queue.complaints(5).unwrap(), Vec::<String>::new());
    // A clock that was far ahead when the job was taken leaves a lease nobody outlives.
    let complaints = queue.complaints(-1_000_000).unwrap();
    assert!(complaints.len() == 1 && complaints[0].contains("lease"), "{complaints:?}");
    fs::remove_dir_all(dir).unwrap();
}
