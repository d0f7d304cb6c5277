//! The embedded bounds take the exam, outlive the death of who writes, and meet bad files.

use std::fs;
use std::process::{Command, Stdio};

use crate::exam;
use groma_model::PageId;
use groma_store::bounds::{
    BoundsStore, Clusters, DecisionKind, Directions, LinksUsed, Manner, Member, NewDecision, Side, SiteRow, Watermark,
};
use groma_store::{Folder, SideStore, StoreError};

use crate::scratch;

/// Set for a process that writes until it is killed: the file.
const WRITES_TO: &str = "GROMA_TEST_BOUNDS_AT";

fn decision(subject: &str) -> NewDecision {
    NewDecision {
        site: "http://a/".into(),
        kind: DecisionKind::Accept,
        subject: subject.into(),
        undoes: None,
        at: 1,
        who: String::new(),
    }
}

fn manner() -> Manner {
    Manner {
        inflation: 2.0,
        selection: 400,
        largest: 0,
        sigma: 1.0,
        links: LinksUsed::Pages,
        directions: Directions::Both,
    }
}

/// Of many pages: one that is written in parts would show.
fn clusters(round: u32) -> Clusters {
    Clusters {
        manner: manner(),
        mark: Watermark { survey: 1, change: 1, graph: 1 },
        at: round.into(),
        rounds: round,
        converged: true,
        count: round + 1,
        of: (0..30_000).map(|page| (PageId(page), page.wrapping_mul(2_654_435_761) % (round + 1))).collect(),
        overlaps: Vec::new(),
    }
}

fn site(round: u32) -> SiteRow {
    let member = |page| Member { page: PageId(page), side: Side::In, step: page.wrapping_mul(round), confidence: 1.0 };
    SiteRow {
        start: "http://a/".into(),
        at: round.into(),
        settings: "{}".into(),
        header: format!("{{\"round\":{round}}}"),
        mark: Watermark { survey: 1, change: 1, graph: 1 },
        members: (0..20_000).map(member).collect(),
    }
}

#[test]
fn the_sqlite_bounds_pass_the_exam() {
    for (name, case) in exam::bounds::CASES {
        println!("{name}");
        let dir = scratch(&format!("bounds {name}"));
        let path = dir.join("bounds.db");
        case(&|| BoundsStore::open_file(&path).unwrap());
        fs::remove_dir_all(dir).unwrap();
    }
}

/// The part of the test below that runs in a process of its own.
#[test]
fn a_process_that_writes_bounds() {
    let Ok(path) = std::env::var(WRITES_TO) else { return };
    let mut bounds_store = BoundsStore::open_file(path.as_ref()).unwrap();
    for round in 1.. {
        bounds_store.decide(&[decision(&round.to_string())]).unwrap().unwrap();
        bounds_store.keep_clusters(&clusters(round)).unwrap();
        bounds_store.keep_site(&site(round)).unwrap();
        println!("\nround {round}");
    }
}

#[test]
fn whoever_is_killed_while_writing_leaves_whole_rows_and_all_that_was_said_to_be_kept() {
    use std::io::{BufRead, BufReader};
    let dir = scratch("bounds killed");
    let path = dir.join("bounds.db");
    let mut kept = 0u32;
    for rounds in [1, 2, 4] {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "bounds::a_process_that_writes_bounds", "--nocapture", "--test-threads=1"])
            .env(WRITES_TO, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut said = lines.map_while(Result::ok).filter(|line| line.starts_with("round ")).take(rounds);
        let done = said.by_ref().count() as u32;
        assert_eq!(done as usize, rounds);
        writer.kill().unwrap();
        writer.wait().unwrap();
        kept += done;
        let mut bounds_store = BoundsStore::open_file(&path).unwrap();
        assert_eq!(bounds_store.complaints().unwrap(), Vec::<String>::new());
        assert!(bounds_store.decisions(None).unwrap().len() as u32 >= kept, "what was said to be kept is kept");
        kept = bounds_store.decisions(None).unwrap().len() as u32;
        let found = bounds_store.clusters(&manner(), 1).unwrap().unwrap();
        assert_eq!(found, clusters(found.rounds), "all pages of one round");
        let found = bounds_store.last_site().unwrap().unwrap();
        assert_eq!(found, site(found.at as u32));
    }
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn bounds_lie_beside_a_survey_and_outlive_its_beginning_anew() {
    let dir = scratch("bounds beside");
    let folder = Folder::new(dir.join("x.groma"));
    assert!(matches!(folder.bounds_store(), Err(StoreError::Missing(_))), "no survey, no bounds");
    let (store, lock) = folder.open().unwrap();
    assert!(folder.bounds_store_if_any().unwrap().is_none(), "nothing is made by looking");
    // Somebody crawls all the while.
    folder.bounds_store().unwrap().decide(&[decision("http://b/*")]).unwrap().unwrap();
    drop((store, lock));
    drop(folder.open_anew(false).unwrap());
    drop(folder.open().unwrap());
    let rows = folder.bounds_store_if_any().unwrap().unwrap().decisions(None).unwrap();
    assert_eq!(rows.len(), 1, "what people decided is not forgotten");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn bounds_that_cannot_be_written_can_be_read() {
    let dir = scratch("bounds reading");
    let folder = Folder::new(dir.join("x.groma"));
    drop(folder.open().unwrap());
    folder.bounds_store().unwrap().decide(&[decision("http://b/*")]).unwrap();
    let mut permissions = fs::metadata(folder.path().join("bounds.db")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path().join("bounds.db"), permissions).unwrap();
    assert!(matches!(BoundsStore::open_file(&folder.path().join("bounds.db")), Err(StoreError::ReadOnly(_))));
    let mut bounds_store = folder.bounds_store().unwrap();
    assert_eq!(bounds_store.decisions(None).unwrap().len(), 1);
    assert!(matches!(bounds_store.decide(&[decision("x")]), Err(StoreError::ReadOnly(_))));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn foreign_damaged_and_newer_files_are_told_with_a_hint() {
    let dir = scratch("bounds formats");
    let path = dir.join("bounds.db");
    let refused = |what: &str| {
        for error in [BoundsStore::open_file(&path).err().unwrap(), BoundsStore::read_file(&path).err().unwrap()] {
            assert!(matches!(error, StoreError::Foreign { .. }) && error.to_string().contains(what), "{error}");
            assert!(error.to_string().contains("bounds.db") && error.hint().contains("move it away"), "{error}");
        }
    };
    drop(BoundsStore::open_file(&path).unwrap());
    let db = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing()).unwrap();
    db.pragma_update(None, "user_version", 77).unwrap();
    drop(db);
    refused("format 77");
    fs::write(&path, "no database at all, whatever its name says".repeat(100)).unwrap();
    refused("no file of bounds");
    fs::remove_file(&path).unwrap();
    let survey = Folder::new(dir.join("s.groma"));
    drop(survey.open().unwrap());
    fs::copy(survey.path().join("survey.db"), &path).unwrap();
    refused("no file of bounds");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn damaged_pages_are_told_and_complained_about() {
    let dir = scratch("bounds damaged");
    let path = dir.join("bounds.db");
    let mut bounds_store = BoundsStore::open_file(&path).unwrap();
    bounds_store.keep_site(&site(3)).unwrap();
    bounds_store.keep_clusters(&clusters(3)).unwrap();
    drop(bounds_store);
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let last = bytes.len() - 100;
    bytes[last..last + 9].fill(0x55);
    fs::write(&path, bytes).unwrap();
    let complaints = BoundsStore::open_file(&path).and_then(|mut bounds_store| bounds_store.complaints());
    assert!(complaints.is_err() || complaints.is_ok_and(|lines| lines[0].contains("checksum")), "changed from outside");
    fs::write(&path, whole).unwrap();
    // Whatever may have spoilt it before it was written.
    let db = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing()).unwrap();
    db.execute_batch("UPDATE site SET packed = x'00'; UPDATE clustering SET packed = x'00', overlaps = x'00'").unwrap();
    drop(db);
    let mut bounds_store = BoundsStore::open_file(&path).unwrap();
    for error in [bounds_store.last_site().err().unwrap(), bounds_store.clusters(&manner(), 1).err().unwrap()] {
        assert!(error.to_string().contains("damaged") && error.hint().contains("move it away"), "{error}");
    }
    assert_eq!(bounds_store.complaints().unwrap().len(), 2);
    assert_eq!(bounds_store.sites().unwrap().len(), 1, "the rest can be read");
    bounds_store.keep_site(&site(4)).unwrap();
    assert_eq!(bounds_store.last_site().unwrap().unwrap(), site(4), "and is fixed by finding it again");
    fs::remove_dir_all(dir).unwrap();
}
