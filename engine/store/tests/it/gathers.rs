//! The embedded gatherings take the exam, and lie beside a survey.

use crate::exam;
use groma_store::gathers::Gathers;
use groma_store::gathers::NewGather;
use groma_store::{Folder, SideStore, StoreError};

use crate::scratch;

fn asked() -> NewGather {
    NewGather { key: "k".into(), address: "http://a.test/".into(), asked: "{}".into(), at: 1 }
}

#[test]
fn the_sqlite_gatherings_pass_the_exam() {
    for (name, case) in exam::gathers::CASES {
        println!("{name}");
        let dir = scratch(&format!("gathers {name}"));
        case(&mut Gathers::open_file(&dir.join("gather.db")).unwrap()).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn gatherings_lie_beside_a_survey_and_outlive_its_pages() {
    let dir = scratch("gathers beside");
    let folder = Folder::new(dir.join("t.groma"));
    assert!(matches!(folder.gathers(), Err(StoreError::Missing(_))), "no survey, no gathering");
    drop(folder.open().unwrap());
    assert!(folder.gathers_if_any().unwrap().is_none(), "nothing is made by looking");
    folder.gathers().unwrap().begin(&asked()).unwrap();
    drop(folder.open_anew(false).unwrap());
    drop(folder.open().unwrap());
    assert_eq!(folder.gathers_if_any().unwrap().unwrap().gathers().unwrap().len(), 1, "they name URLs, not numbers");
}

#[test]
fn another_file_is_refused() {
    let dir = scratch("gathers foreign");
    let path = dir.join("gather.db");
    std::fs::write(&path, "this is no database at all, only a text that is longer than a header").unwrap();
    let error = Gathers::open_file(&path).err().unwrap().to_string();
    assert!(error.contains("no file of gatherings"), "{error}");
}
