//! An unchanged database costs one request, and mostly no reading.

use std::time::Duration;

use groma_summary::{Asked, Limits};

use crate::base::{Base, DatabaseKind, Desk, everywhere, header, octets, values};

fn unfresh(base: &Base) -> Desk {
    let mut options = base.options();
    options.limits = Limits { fresh: Duration::ZERO, wait: Duration::from_secs(60), ..Limits::default() };
    Desk::open(options).unwrap()
}

fn prepared(base: &Base) {
    base.run(&["CREATE TABLE t (a VARCHAR(20))", "CREATE TABLE u (a VARCHAR(20))", "INSERT INTO t VALUES ('x')"]);
    base.document("it", "Table: t\nAttribute: a");
}

#[test]
fn the_tag_stays_while_the_content_does() {
    for base in everywhere() {
        prepared(&base);
        let desk = unfresh(&base);
        let ask = |known: Option<&str>| {
            desk.ask(&Asked { method: "GET", path: "/it", if_none_match: known, ..Asked::default() })
        };
        let first = ask(None);
        let etag = header(&first, "etag").unwrap().to_owned();
        let body = octets(first);
        assert_eq!(ask(Some(&etag)).status, 304);
        assert_eq!(ask(Some("\"other\"")).status, 200);
        // Changes that are none for the document: the same tag, and octet for octet the same object.
        base.run(&["INSERT INTO t VALUES ('x')", "INSERT INTO u VALUES ('y')"]);
        assert_eq!(ask(Some(&etag)).status, 304, "{:?}", base.which);
        std::thread::sleep(Duration::from_millis(1100));
        assert_eq!(octets(ask(None)), body);
        base.run(&["INSERT INTO t VALUES ('z')"]);
        let changed = ask(Some(&etag));
        assert_eq!(changed.status, 200, "{:?}", base.which);
        assert_ne!(header(&changed, "etag"), Some(etag.as_str()));
        assert_eq!(values(&crate::base::objects(changed)[0], "a"), ["x", "z"]);
        // Back to what it was: the tag as well.
        base.run(&["DELETE FROM t WHERE a = 'z'"]);
        assert_eq!(ask(Some(&etag)).status, 304);
        // The document is part of the answer.
        base.document("it", "Keywords: new\nTable: t\nAttribute: a");
        assert_eq!(ask(Some(&etag)).status, 200);
    }
}

#[test]
fn fresh_answers_ask_nobody() {
    for base in everywhere() {
        prepared(&base);
        let desk = base.open();
        assert_eq!(values(&desk.object("it"), "a"), ["x"]);
        base.run(&["INSERT INTO t VALUES ('y')"]);
        assert_eq!(values(&desk.object("it"), "a"), ["x"], "that is what fresh means");
        assert_eq!(desk.readings(), 1);
    }
}

#[test]
fn an_equal_snapshot_spares_the_reading() {
    let Some(base) = Base::new(DatabaseKind::Postgres) else { return };
    prepared(&base);
    base.run(&["CREATE VIEW v AS SELECT a || now()::text AS a FROM t"]);
    base.document("view", "Table: v\nAttribute: a");
    let desk = unfresh(&base);
    // Other tests share the server: some of these moments are quiet, and then nothing is read.
    let (mut spared, mut rounds) = (0, 0);
    while spared < 3 && rounds < 400 {
        let before = desk.readings();
        desk.object("it");
        spared += usize::from(rounds > 0 && desk.readings() == before);
        rounds += 1;
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(spared >= 3, "{rounds} rounds");
    // Every change is seen at once, also by a transaction that was open all the time.
    let mut writer = postgres::Client::connect(base.admin(), postgres::NoTls).unwrap();
    for n in 0..50 {
        let mut open = writer.transaction().unwrap();
        open.execute("INSERT INTO t VALUES ($1)", &[&format!("n{n:02}")]).unwrap();
        assert_eq!(values(&desk.object("it"), "a").len(), 1 + n);
        open.commit().unwrap();
        assert_eq!(values(&desk.object("it"), "a").len(), 2 + n);
    }
    // What hangs on more than rows is read every time.
    let before = desk.readings();
    desk.object("view");
    desk.object("view");
    assert_eq!(desk.readings(), before + 2);
}

#[test]
fn a_file_that_rests_is_not_read_again() {
    let base = Base::new(DatabaseKind::Sqlite).unwrap();
    prepared(&base);
    std::thread::sleep(Duration::from_millis(3100));
    let desk = unfresh(&base);
    for _ in 0..5 {
        assert_eq!(values(&desk.object("it"), "a"), ["x"]);
    }
    assert_eq!(desk.readings(), 1);
    for n in 0..20 {
        base.run(&[&format!("UPDATE t SET a = 'v{n:02}'")]);
        assert_eq!(values(&desk.object("it"), "a"), [format!("v{n:02}")]);
    }
    // The file is replaced by another.
    std::thread::sleep(Duration::from_millis(3100));
    desk.object("it");
    let new = base.folder.join("new.db");
    rusqlite::Connection::open(&new)
        .unwrap()
        .execute_batch("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('new')")
        .unwrap();
    std::fs::rename(&new, base.folder.join("data.db")).unwrap();
    assert_eq!(values(&desk.object("it"), "a"), ["new"]);
}

#[test]
fn all_attributes_come_from_one_state() {
    // Through ODBC it is not known how a file of SQLite is written, and each attribute is read for itself.
    for base in everywhere().into_iter().filter(|base| !base.by_odbc || base.which != DatabaseKind::Sqlite) {
        let engine = if base.which == DatabaseKind::Mariadb { " ENGINE=InnoDB" } else { "" };
        base.run(&[&format!("CREATE TABLE t (a INT, b INT){engine}"), "INSERT INTO t VALUES (0, 0)"]);
        if base.which == DatabaseKind::Sqlite {
            base.run(&["PRAGMA journal_mode = WAL"]);
        }
        base.document("it", "Table: t\nAttribute: a\nAttribute: b");
        let desk = unfresh(&base);
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for n in 1.. {
                    if stop.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                    base.run(&[&format!("UPDATE t SET a = {n}, b = {n}")]);
                }
            });
            let seen: Vec<_> = (0..20).map(|_| desk.object("it")).collect();
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            for object in seen {
                assert_eq!(object.get("a"), object.get("b"), "{:?}", base.which);
            }
        });
    }
}
