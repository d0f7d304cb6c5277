//! The embedded outside links take the exam, and lie beside a survey.

use groma_model::Reason;
use groma_store::outside::Outside;
use groma_store::{Folder, SideStore, StoreError};

use crate::exam::outside::{CASES, answer};
use crate::scratch;

#[test]
fn the_sqlite_outside_links_pass_the_exam() {
    for (name, case) in CASES {
        println!("{name}");
        let dir = scratch(&format!("outside {name}"));
        case(&mut Outside::open_file(&dir.join("outside.db")).unwrap()).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn outside_links_lie_beside_a_survey_and_outlast_it() {
    let dir = scratch("outside beside");
    let folder = Folder::new(dir.join("t.groma"));
    assert!(matches!(folder.outside(), Err(StoreError::Missing(_))), "no survey, no links");
    drop(folder.open().unwrap());
    assert!(folder.outside_if_any().unwrap().is_none(), "nothing is made by looking");
    folder.outside().unwrap().keep(&[answer("http://a.test/", Reason::Gone, 3)]).unwrap();
    drop(folder.open_anew(false).unwrap());
    let kept = folder.outside_if_any().unwrap().unwrap().answer("http://a.test/").unwrap();
    assert_eq!(kept.map(|answer| answer.at), Some(3), "they name URLs, not numbers: nobody need be asked again");
}

#[test]
fn an_answer_under_another_url_is_told() {
    let dir = scratch("outside damage");
    let path = dir.join("outside.db");
    let mut outside = Outside::open_file(&path).unwrap();
    outside.keep(&[answer("http://a.test/", Reason::Gone, 3)]).unwrap();
    assert_eq!(outside.complaints().unwrap(), Vec::<String>::new());
    let db = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing()).unwrap();
    db.execute("UPDATE outside SET url = 'http://b.test/'", []).unwrap();
    assert_eq!(outside.complaints().unwrap().len(), 1);
}
