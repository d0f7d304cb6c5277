//! A survey that is being begun when somebody is killed, or looks: it is there as a whole or not at all.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use groma_store::{Folder, Snapshot, Store, StoreError, WriteBatch};

use crate::scratch;

/// Set for a process that begins surveys: the folder they are begun in.
const BEGINS_IN: &str = "GROMA_TEST_BEGINS_IN";

/// The part of the test below that runs in a process of its own, until it is killed: one survey after the other.
#[test]
fn a_process_that_begins_surveys() {
    let Ok(path) = std::env::var(BEGINS_IN) else { return };
    for number in 0.. {
        Folder::new(format!("{path}/{number}.groma")).open().unwrap();
    }
}

#[test]
fn whoever_is_killed_while_beginning_leaves_a_survey_or_none() {
    let dir = scratch("begin");
    let folders = |of: &Path| -> Vec<Folder> {
        fs::read_dir(of).unwrap().map(|entry| Folder::new(entry.unwrap().path())).collect()
    };
    let (mut none, mut whole) = (0, 0);
    for round in 0..40u64 {
        let place = dir.join(round.to_string());
        fs::create_dir(&place).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "beginning::a_process_that_begins_surveys", "--test-threads=1"])
            .env(BEGINS_IN, &place)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while folders(&place).len() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Pauses that do not repeat: 7 is prime to 40. Others look at them meanwhile.
        std::thread::sleep(Duration::from_micros(round * 7 % 40 * 250));
        for folder in folders(&place) {
            is_there(&folder);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for folder in folders(&place) {
            *if is_there(&folder) { &mut whole } else { &mut none } += 1;
            let (mut store, _lock) = folder.open().unwrap();
            store.commit(&WriteBatch { values: vec![("a".into(), "b".into())], ..WriteBatch::default() }).unwrap();
            assert_eq!(folder.read().unwrap().value("a").unwrap().as_deref(), Some("b"));
        }
    }
    assert!(none > 0 && whole > 0, "{none} times nothing, {whole} times a survey");
    fs::remove_dir_all(dir).unwrap();
}

/// Is there a survey? Whatever else is said about one is wrong.
fn is_there(folder: &Folder) -> bool {
    match folder.read() {
        Ok(mut store) => {
            assert_eq!(store.value("nothing").unwrap(), None);
            true
        }
        Err(StoreError::Missing(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn what_kills_left_is_no_survey_and_does_not_become_one() {
    let dir = scratch("left");
    let folder = Folder::new(dir.join("l.groma"));
    let (mut store, lock) = folder.open().unwrap();
    store.commit(&WriteBatch { values: vec![("a".into(), "of old".into())], ..WriteBatch::default() }).unwrap();
    let log = fs::read(folder.path().join("survey.db-wal")).unwrap();
    assert!(log.len() > 4096, "the commit is in the log");
    drop((store, lock));
    drop(folder.open_anew(false).unwrap());
    fs::remove_file(folder.path().join("survey.db")).unwrap();
    // Killed while it was being removed; and one before that while it was being begun.
    fs::write(folder.path().join("survey.db-wal"), log).unwrap();
    fs::write(folder.path().join("begun.db"), vec![7; 5000]).unwrap();
    fs::write(folder.path().join("begun.db-journal"), vec![7; 512]).unwrap();
    assert!(matches!(folder.read(), Err(StoreError::Missing(_))));
    drop(folder.open().unwrap());
    assert_eq!(folder.read().unwrap().value("a").unwrap(), None, "the log of another survey is not read");
    let names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("begun"))
        .collect();
    assert_eq!(names, Vec::<String>::new());
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn starting_over_refuses_first_and_goes_on_after_a_kill() {
    let dir = scratch("anew");
    let folder = Folder::new(dir.join("a.groma"));
    let value = |folder: &Folder| folder.read().unwrap().value("a").unwrap();
    let (mut store, lock) = folder.open().unwrap();
    store.commit(&WriteBatch { values: vec![("a".into(), "b".into())], ..WriteBatch::default() }).unwrap();
    assert!(matches!(folder.open_anew(false), Err(StoreError::Busy(_))), "somebody writes");
    drop((store, lock));
    assert_eq!(value(&folder).as_deref(), Some("b"));
    // Something of somebody else's under the name of what would go too.
    fs::write(folder.path().join("focus.db"), "mine").unwrap();
    assert!(matches!(folder.open_anew(false), Err(StoreError::NotASurvey(_))));
    assert_eq!(value(&folder).as_deref(), Some("b"));
    fs::remove_file(folder.path().join("focus.db")).unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let (mut store, lock) = folder.open_anew(false).unwrap();
    assert!(matches!(folder.open(), Err(StoreError::Busy(_))), "the lock is held all the way");
    assert_eq!(store.value("a").unwrap(), None);
    drop((store, lock));
    // Killed when the old one was gone and the new one had no name yet.
    fs::rename(folder.path().join("survey.db"), folder.path().join("begun.db")).unwrap();
    assert!(!folder.exists());
    drop(folder.open().unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
    // A SQLite file of another program's is left as it is, to the last byte.
    let foreign = dir.join("f.groma");
    fs::create_dir(&foreign).unwrap();
    let theirs = rusqlite::Connection::open(foreign.join("survey.db")).unwrap();
    theirs.execute_batch("CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('b')").unwrap();
    drop(theirs);
    let bytes = fs::read(foreign.join("survey.db")).unwrap();
    assert!(matches!(Folder::new(&foreign).open(), Err(StoreError::NotASurvey(_))));
    assert!(matches!(Folder::new(&foreign).open_anew(true), Err(StoreError::NotASurvey(_))));
    assert_eq!(fs::read(foreign.join("survey.db")).unwrap(), bytes);
    fs::remove_dir_all(dir).unwrap();
}
