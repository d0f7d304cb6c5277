//! The embedded focused crawls take the exam, and lie beside a survey.

use crate::exam;
use groma_model::PageId;
use groma_store::focuses::{Focuses, NewFocus, StepRow};
use groma_store::{Folder, SideStore, StoreError};

use crate::scratch;

fn asked() -> NewFocus {
    NewFocus { key: "k".into(), topic: "t".into(), strategy: "bfs".into(), asked: "{}".into(), at: 1 }
}

#[test]
fn the_sqlite_focuses_pass_the_exam() {
    for (name, case) in exam::focuses::CASES {
        println!("{name}");
        let dir = scratch(&format!("focuses {name}"));
        case(&mut Focuses::open_file(&dir.join("focus.db")).unwrap()).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn focused_crawls_lie_beside_a_survey_and_go_with_it() {
    let dir = scratch("focuses beside");
    let folder = Folder::new(dir.join("t.groma"));
    assert!(matches!(folder.focuses(), Err(StoreError::Missing(_))), "no survey, no focused crawl");
    drop(folder.open().unwrap());
    assert!(folder.focuses_if_any().unwrap().is_none(), "nothing is made by looking");
    folder.focuses().unwrap().begin(&asked()).unwrap();
    assert_eq!(folder.focuses_if_any().unwrap().unwrap().focuses().unwrap().len(), 1);
    drop(folder.open_anew(false).unwrap());
    assert!(folder.focuses_if_any().unwrap().is_none(), "its pages are gone");
}

#[test]
fn another_file_is_refused_and_damage_is_told() {
    let dir = scratch("focuses foreign");
    let path = dir.join("focus.db");
    std::fs::write(&path, "this is no database at all, only a text that is longer than a header").unwrap();
    let error = Focuses::open_file(&path).err().unwrap().to_string();
    assert!(error.contains("no file of focused crawls"), "{error}");
    std::fs::remove_file(&path).unwrap();
    let mut focuses = Focuses::open_file(&path).unwrap();
    let id = focuses.begin(&asked()).unwrap().id;
    let step = StepRow {
        order: 0,
        page: PageId(1),
        address: "http://a.test/".into(),
        score: 0.5,
        relevant: true,
        // One relevant page says it is the seventh.
        found: 7,
        said: "{}".into(),
    };
    assert!(focuses.add_steps(id, &[step], 2).unwrap());
    assert_eq!(focuses.complaints().unwrap().len(), 1);
}
