//! Whoever copies may be killed, or cut off, at any moment: there is no survey then, and the same copy can be made again.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use groma_store::{Folder, StoreError, survey_exists};

use super::filled::fill;
use super::{meddle, on_server, verified};
use crate::postgres_survey::Place;
use crate::scratch;

/// What the one who is killed is told: from where to where.
const ASKED: &str = "GROMA_TEST_COPY";

#[test]
fn a_server_that_cuts_the_connection_has_no_survey() {
    let Some(place) = Place::new("cutoff") else { return };
    let dir = scratch("cutoff");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 300);
    let name = format!("groma-cut-{}", std::process::id());
    let there = on_server(&dir.join("home"), &place, &format!("?application_name={name}&patience=2"));
    for at in ["survey", "address", "change", "answer", "robots"] {
        let cut = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'");
        let mut cuts = 0;
        let error = first.copy_to(&there, &mut |table, _| {
            if table == at {
                meddle(&place, &cut);
                cuts += 1;
            }
        });
        assert!(matches!(error, Err(StoreError::Unreachable { .. })), "{at}: {error:?}");
        assert_eq!(cuts, 1);
        assert!(!survey_exists(&place.server, &place.survey).unwrap(), "{at}");
    }
    first.copy_to(&there, &mut |_, _| {}).unwrap();
    verified(&there);
    std::fs::remove_dir_all(dir).unwrap();
}

/// The one who is killed: does nothing unless it was started for that.
#[test]
fn one_who_copies() {
    let Ok(asked) = std::env::var(ASKED) else { return };
    let (from, to) = asked.split_once('|').unwrap();
    let mut tables = 0;
    Folder::new(from)
        .copy_to(&Folder::new(to), &mut |_, _| {
            tables += 1;
            println!("\ntable {tables}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        })
        .unwrap();
}

/// Starts somebody who copies and kills them after so many tables.
fn kill_after(from: &Folder, to: &Folder, tables: u32) {
    let asked = format!("{}|{}", from.path().display(), to.path().display());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "copying::killed::one_who_copies", "--nocapture"])
        .env(ASKED, asked)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let seen = said.filter(|line| line.starts_with("table ")).take(tables as usize).count();
    // SIGKILL, where there is such a thing.
    child.kill().unwrap();
    assert_eq!(seen, tables as usize, "it was at work");
    assert!(!child.wait().unwrap().success());
}

#[test]
fn a_kill_leaves_no_survey_in_a_folder() {
    let dir = scratch("killedhere");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 300);
    let second = Folder::new(dir.join("second.groma"));
    for tables in [1, 6, 9, 20, 30] {
        kill_after(&first, &second, tables);
        assert!(!second.exists() && !second.path().exists(), "after {tables}");
    }
    let left: PathBuf = dir.join("second.groma.copying");
    assert!(left.join("survey.db").is_file(), "it was in the middle");
    first.copy_to(&second, &mut |_, _| {}).unwrap();
    verified(&second);
    assert!(!left.exists());
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_kill_leaves_no_survey_on_a_server() {
    let Some(place) = Place::new("killed") else { return };
    let dir = scratch("killedthere");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 300);
    let there = on_server(&dir.join("home"), &place, "");
    for tables in [1, 6, 9, 20, 30] {
        kill_after(&first, &there, tables);
        assert!(!survey_exists(&place.server, &place.survey).unwrap(), "after {tables}");
    }
    first.copy_to(&there, &mut |_, _| {}).unwrap();
    verified(&there);
    std::fs::remove_dir_all(dir).unwrap();
}
