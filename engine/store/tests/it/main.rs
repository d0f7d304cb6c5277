//! The embedded store takes the exam, and meets bad files.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod accounts;
mod beginning;
mod bounds;
mod copying;
mod damage;
mod exam;
mod focuses;
mod gathers;
mod jobs;
mod outside;
mod postgres;
mod postgres_survey;

use std::fs;
use std::path::PathBuf;

use groma_store::{Folder, SqliteStore, StoreError, WriteBatch};

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("groma-store-{}-{}", std::process::id(), name.replace(' ', "-")));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn sqlite_passes_the_exam() {
    for (name, case) in exam::survey::CASES {
        println!("{name}");
        let dir = scratch(name);
        let path = dir.join("survey.db");
        case(&mut || Box::new(SqliteStore::open(&path).unwrap()));
        fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn a_second_writer_is_refused_and_a_reader_is_not() {
    let dir = scratch("lock");
    let folder = Folder::new(dir.join("x.groma"));
    assert!(matches!(folder.read(), Err(StoreError::Missing(_))));
    let (mut store, lock) = folder.open().unwrap();
    use groma_store::Store;
    store.commit(&WriteBatch { values: vec![("a".into(), "b".into())], ..WriteBatch::default() }).unwrap();
    assert!(matches!(folder.open(), Err(StoreError::Busy(_))));
    use groma_store::Snapshot;
    let mut reader = folder.read().unwrap();
    assert_eq!(reader.value("a").unwrap().as_deref(), Some("b"));
    store.commit(&WriteBatch { values: vec![("a".into(), "c".into())], ..WriteBatch::default() }).unwrap();
    assert_eq!(reader.value("a").unwrap().as_deref(), Some("b"), "a reader sees one moment");
    drop((store, lock));
    folder.open().unwrap();
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn foreign_files_are_refused_with_a_hint() {
    let dir = scratch("foreign");
    fs::write(dir.join("letter.txt"), "dear all").unwrap();
    assert!(matches!(Folder::new(&dir).open(), Err(StoreError::NotASurvey(_))));
    let broken = dir.join("b.groma");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("survey.db"), "this is no database at all, whatever its name says".repeat(100)).unwrap();
    let error = Folder::new(&broken).open().err().unwrap();
    assert!(matches!(error, StoreError::NotASurvey(_) | StoreError::Damaged(_)), "{error}");
    assert!(!error.hint().is_empty());
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_store_of_another_version_is_refused() {
    let dir = scratch("version");
    let folder = Folder::new(dir.join("v.groma"));
    drop(folder.open().unwrap());
    let path = folder.path().join("survey.db");
    let db = groma_sqlite_checksums::open(path, groma_sqlite_checksums::writing()).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    assert!(matches!(folder.open(), Err(StoreError::Version { found: 99, .. })));
    assert!(matches!(folder.read(), Err(StoreError::Version { found: 99, .. })));
    drop(folder.open_anew(false).unwrap());
    folder.open().unwrap();
    fs::remove_dir_all(dir).unwrap();
}
