//! Files that were changed from outside: noticed, restored where that can be done, and named where it cannot.

use std::fs;
use std::path::Path;

use groma_model::{BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, State, Target};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_details, pack_targets};
use groma_store::jobs::{JobKind, NewJob};
use groma_store::{FetchFacts, Folder, NewAddress, NewHost, Settled, Snapshot, Store, WriteBatch, verify};

use crate::scratch;

const PAGES: u32 = 1200;

fn address(id: u32) -> NewAddress {
    NewAddress {
        id: PageId(id),
        fp: Fp(u128::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
        host: HostId(1),
        url: format!("http://h.test/page-{id}"),
        reason: Reason::Waiting,
        depth: Depth(1),
        via: (id > 1).then_some(PageId(1)),
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: Some((1, 0)),
        run: 0,
    }
}

fn settled(id: u32) -> Settled {
    let targets = pack_targets(&[PageId(id % PAGES + 1)], [Mark::plain(LinkKind::Anchor)]);
    let link = Link {
        target: Target::Malformed(format!("page-{id}")),
        kind: LinkKind::Anchor,
        text: format!("to {id}"),
        rel: Rel::default(),
        block: BlockKind::Title,
    };
    let page = ParsedPage { title: format!("Page {id}").repeat(20), links: vec![link], ..ParsedPage::default() };
    let body = Some(groma_store::codec::compress(format!("<p>{id}").repeat(100).as_bytes()));
    let facts = FetchFacts { title: format!("Title of {id}"), status: 200, ..FetchFacts::default() };
    let content = Content::Put { targets, details: pack_details(&page), body };
    Settled { id: PageId(id), reason: Reason::Fetched, alias_of: None, facts, content, changed: true }
}

/// A survey of pages that link to each other in a ring.
fn survey(dir: &Path) -> Folder {
    let folder = Folder::new(dir.join("s.groma"));
    let (mut store, lock) = folder.open().unwrap();
    let batch = WriteBatch {
        run: 1,
        run_begins: Some("crawl".into()),
        hosts: vec![NewHost { id: HostId(1), origin: "http://h.test".into() }],
        addresses: (1..=PAGES).map(address).collect(),
        settled: (1..=PAGES).map(settled).collect(),
        run_ends: Some("finished".into()),
        ..WriteBatch::default()
    };
    store.commit(&batch).unwrap();
    drop((store, lock));
    folder
}

fn complaints(folder: &Folder) -> Vec<String> {
    match folder.read() {
        Ok(mut store) => verify::verify(&mut store).unwrap().complaints,
        Err(error) => vec![error.to_string()],
    }
}

/// Whatever readers of a survey see.
fn all(folder: &Folder) -> String {
    let mut store = folder.read().unwrap();
    let mut text = String::new();
    store.each_page(&mut |address, page| text += &format!("{address:?} {page:?}\n")).unwrap();
    store.each_content(&mut |id, packed| text += &format!("{id:?} {packed:?}\n")).unwrap();
    for id in 1..=PAGES {
        text += &format!("{:?}", store.body(PageId(id)).unwrap());
    }
    text
}

#[test]
fn a_flipped_bit_anywhere_is_noticed_and_put_right() {
    let dir = scratch("flips");
    let folder = survey(&dir);
    let path = folder.path().join("survey.db");
    let (whole, expected) = (fs::read(&path).unwrap(), all(&folder));
    assert_eq!(complaints(&folder), [""; 0]);
    let mut place = 9u64;
    for round in 0..40 {
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The header is a small target.
        let byte = if round < 8 { round * 9 } else { (place >> 20) as usize % whole.len() };
        let mut bytes = whole.clone();
        bytes[byte] ^= 1 << (place >> 61);
        fs::write(&path, &bytes).unwrap();
        assert!(!complaints(&folder).is_empty(), "byte {byte}");
        let repaired = folder.repair(5).unwrap();
        assert!(repaired.lost.is_empty() && repaired.restored.len() == 1, "byte {byte}: {repaired:?}");
        assert_eq!(complaints(&folder), [""; 0], "byte {byte}");
        assert!(all(&folder) == expected, "byte {byte}");
    }
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn what_pages_that_are_gone_held_is_named_and_queued_again() {
    let dir = scratch("gone");
    let folder = survey(&dir);
    let path = folder.path().join("survey.db");
    let whole = fs::read(&path).unwrap();
    let pages = whole.len() / 4096;
    let (mut queued, mut refused, mut few) = (0, 0, 0);
    for first in (0..pages).step_by(pages / 25) {
        let mut bytes = whole.clone();
        for page in [first, first + 3].into_iter().filter(|page| *page < pages) {
            bytes[page * 4096 + 50..page * 4096 + 3_000].fill(0xa5);
        }
        fs::write(&path, &bytes).unwrap();
        assert!(!complaints(&folder).is_empty(), "page {first}");
        match folder.repair(5) {
            // Where the tables begin stands on the first page.
            Err(error) => {
                assert!(first == 0 && error.is_damage(), "page {first}: {error}");
                refused += 1;
            }
            Ok(repaired) => {
                assert_eq!(complaints(&folder), [""; 0], "page {first}");
                assert!(folder.path().join("survey.db-damaged").exists());
                let mut store = folder.read().unwrap();
                assert_eq!(store.balance().unwrap().state(State::Queued), repaired.queued);
                assert_eq!(store.hosts().unwrap().len(), 1);
                queued += repaired.queued;
                // The first page of a table is the way to all of its rows.
                few += u32::from(repaired.queued < u64::from(PAGES) / 4);
            }
        }
    }
    assert!(queued > 0 && refused <= 1 && few > 15, "{queued} {refused} {few}");
    // Started over, nothing of it is left.
    fs::write(&path, &whole).unwrap();
    drop(folder.open_anew(false).unwrap());
    assert!(!folder.path().join("survey.db-damaged").exists());
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn files_beside_the_survey_are_repaired_too() {
    let dir = scratch("beside");
    let folder = survey(&dir);
    let mut queue = folder.queue().unwrap();
    for _ in 0..300 {
        let (kind, args) = (JobKind::Map, "x".repeat(200));
        queue.add(&[NewJob { kind, args, priority: 0, not_before: 0, schedule: None }], false, 1).unwrap();
    }
    drop(queue);
    drop(folder.gathers().unwrap());
    let path = folder.path().join("jobs.db");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 4096 / 2 * 4096;
    bytes[middle + 10..middle + 4_000].fill(3);
    fs::write(&path, bytes).unwrap();
    let said =
        folder.queue_if_any().and_then(|queue| queue.unwrap().complaints(5)).unwrap_or_else(|e| vec![e.to_string()]);
    assert!(said.iter().any(|line| line.contains("checksum")), "{said:?}");
    let repaired = folder.repair(5).unwrap();
    assert!(repaired.lost.iter().any(|line| line.contains("jobs.db")), "{repaired:?}");
    let mut queue = folder.queue().unwrap();
    assert_eq!(queue.complaints(5).unwrap(), [""; 0]);
    assert!(queue.jobs(&Default::default(), None, 1_000).unwrap().len() > 200);
    assert_eq!(folder.gathers().unwrap().complaints().unwrap(), [""; 0]);
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_file_from_before_there_were_checksums_gets_them() {
    let dir = scratch("older");
    let folder = survey(&dir);
    let expected = all(&folder);
    let path = folder.path().join("survey.db");
    let plain = dir.join("plain.db");
    // As it would have been made then.
    let db = rusqlite::Connection::open(&plain).unwrap();
    let tables: Vec<(String, String)> = {
        let from = groma_sqlite_checksums::open(&path, groma_sqlite_checksums::writing()).unwrap();
        let mut list = from.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").unwrap();
        let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    db.execute("ATTACH ?1 AS old", [path.to_string_lossy()]).unwrap();
    for (name, sql) in &tables {
        db.execute_batch(sql).unwrap();
        if sql.starts_with("CREATE TABLE") {
            db.execute_batch(&format!("INSERT INTO main.\"{name}\" SELECT * FROM old.\"{name}\"")).unwrap();
        }
    }
    db.execute_batch(
        "PRAGMA application_id = 0x47524f4d; PRAGMA user_version = 2; DETACH old; PRAGMA journal_mode = WAL",
    )
    .unwrap();
    drop(db);
    fs::rename(&plain, &path).unwrap();
    assert!(all(&folder) == expected, "it is read as it is");
    assert!(complaints(&folder)[0].contains("no checksums"), "{:?}", complaints(&folder));
    let repaired = folder.repair(5).unwrap();
    assert!(repaired.lost.is_empty(), "{repaired:?}");
    assert_eq!(complaints(&folder), [""; 0]);
    assert!(all(&folder) == expected);
    fs::remove_dir_all(dir).unwrap();
}
