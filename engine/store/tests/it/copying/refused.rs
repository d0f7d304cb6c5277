//! Copies that must not be made, and copies that cannot be.

use groma_store::{Folder, StoreError};

use super::filled::fill;
use super::{meddle, on_server, sorted};
use crate::postgres_survey::Place;
use crate::scratch;

fn nothing(from: &Folder, to: &Folder) -> StoreError {
    let error = from.copy_to(to, &mut |_, _| {}).unwrap_err();
    assert!(!error.hint().is_empty());
    error
}

#[test]
fn nothing_is_copied_over_something() {
    let dir = scratch("occupied");
    let (first, second) = (Folder::new(dir.join("first.groma")), Folder::new(dir.join("second.groma")));
    fill(&first, 20);
    drop(second.open().unwrap());
    assert!(matches!(nothing(&first, &second), StoreError::Occupied(_)));
    // Jobs alone are something too.
    let third = Folder::new(dir.join("third.groma"));
    third.queue().unwrap();
    assert!(matches!(nothing(&first, &third), StoreError::Occupied(_)));
    assert!(matches!(nothing(&first, &first), StoreError::Occupied(_)));
    if let Some(place) = Place::new("occupied") {
        let there = on_server(&dir.join("home"), &place, "");
        there.queue().unwrap();
        assert!(matches!(nothing(&first, &there), StoreError::Occupied(_)));
        assert!(!there.exists());
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_survey_that_is_written_to_is_not_copied() {
    let dir = scratch("written");
    let (first, second) = (Folder::new(dir.join("first.groma")), Folder::new(dir.join("second.groma")));
    fill(&first, 20);
    let held = first.open().unwrap();
    assert!(matches!(nothing(&first, &second), StoreError::Busy(_)));
    drop(held);
    let held = first.gathering().unwrap();
    assert!(matches!(nothing(&first, &second), StoreError::Busy(_)));
    drop(held);
    if let Some(place) = Place::new("written") {
        let there = on_server(&dir.join("home"), &place, "");
        first.copy_to(&there, &mut |_, _| {}).unwrap();
        let held = there.open().unwrap();
        assert!(matches!(nothing(&there, &second), StoreError::Busy(_)));
        drop(held);
        let held = there.gathering().unwrap().unwrap();
        assert!(matches!(nothing(&there, &second), StoreError::Busy(_)));
        drop(held);
        there.copy_to(&second, &mut |_, _| {}).unwrap();
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn there_has_to_be_a_survey() {
    let dir = scratch("missing");
    let (first, second) = (Folder::new(dir.join("first.groma")), Folder::new(dir.join("second.groma")));
    assert!(matches!(nothing(&first, &second), StoreError::Missing(_)));
    assert!(!first.path().exists() && !second.path().exists());
    if let Some(place) = Place::new("missing") {
        let there = on_server(&dir.join("home"), &place, "");
        assert!(matches!(nothing(&there, &second), StoreError::Missing(_)));
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// Rows that the other side cannot hold, or not find again.
#[test]
fn a_damaged_survey_is_not_copied_and_the_table_is_named() {
    let Some(place) = Place::new("damaged") else { return };
    let dir = scratch("damagedcopy");
    for (table, sql) in [
        ("address", "UPDATE address SET reason = 40000 WHERE id = 7"),
        ("address", "UPDATE address SET fp = (SELECT fp FROM address WHERE id = 1) WHERE id = 2"),
        ("address", "UPDATE address SET fp = x'00' WHERE id = 3"),
        ("page", "UPDATE page SET title = x'00ff' WHERE id = 8"),
        ("page", "UPDATE page SET noindex = 2 WHERE id = 8"),
        ("run", "UPDATE run SET kind = CAST(x'ff' AS TEXT)"),
    ] {
        let first = Folder::new(dir.join("first.groma"));
        fill(&first, 40);
        groma_sqlite_checksums::open(first.path().join("survey.db"), groma_sqlite_checksums::writing())
            .unwrap()
            .execute_batch(sql)
            .unwrap();
        let there = on_server(&dir.join("home"), &place, "");
        let error = nothing(&first, &there).to_string();
        assert!(error.contains(table), "{sql}: {error}");
        assert!(!there.exists(), "{sql}");
        std::fs::remove_dir_all(first.path()).unwrap();
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// A copy that is written wrongly is noticed: here somebody changes a row while it is on its way.
#[test]
fn a_copy_that_differs_is_given_up() {
    let dir = scratch("differs");
    let (first, second) = (Folder::new(dir.join("first.groma")), Folder::new(dir.join("second.groma")));
    fill(&first, 40);
    // A turn of a URL that is not there is one that a file cannot hold.
    if let Some(place) = Place::new("differs") {
        let there = on_server(&dir.join("home"), &place, "");
        first.copy_to(&there, &mut |_, _| {}).unwrap();
        meddle(&place, "INSERT INTO queue VALUES (9999, 1, 1, 1)");
        let error = nothing(&there, &second);
        assert!(matches!(&error, StoreError::Differs { table, .. } if table == "queue"), "{error}");
        assert_eq!(sorted(&dir), ["first.groma", "home"]);
    }
    std::fs::remove_dir_all(dir).unwrap();
}
