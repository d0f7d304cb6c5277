//! Everything has an end: values, octets, letters, attributes, time, readings.

use std::time::{Duration, Instant};

use groma_summary::Limits;

use crate::base::{Base, DatabaseKind, Desk, everywhere, values};

fn with(base: &Base, limits: Limits) -> Desk {
    let mut options = base.options();
    options.limits = limits;
    Desk::open(options).unwrap()
}

fn limits() -> Limits {
    Limits { wait: Duration::from_secs(60), ..Limits::default() }
}

#[test]
fn what_is_cut_is_said() {
    for base in everywhere() {
        base.run(&["CREATE TABLE t (a VARCHAR(100), n INT)"]);
        for n in 0..20 {
            base.run(&[&format!("INSERT INTO t VALUES ('value {n:02}', {n})")]);
        }
        base.document("it", "Table: t\nAttribute: a\nAttribute: n");
        let first = |n: usize| (0..n).map(|n| format!("value {n:02}")).collect::<Vec<_>>();

        let object = with(&base, Limits { values: 5, ..limits() }).object("it");
        assert_eq!(values(&object, "a"), first(5), "{:?}", base.which);
        assert_eq!(values(&object, "Partial"), ["t.a: only the first 5 values", "t.n: only the first 5 values"]);

        let object = with(&base, Limits { values: 20, ..limits() }).object("it");
        assert_eq!(values(&object, "a"), first(20));
        assert!(object.get("Partial").is_none());

        let object = with(&base, Limits { octets: 26, ..limits() }).object("it");
        assert_eq!(object.get("a").unwrap(), b"value 00\nvalue 01\nvalue 02");
        assert!(values(&object, "Partial")[0].contains("26 octets"));

        let object = with(&base, Limits { object: 30, ..limits() }).object("it");
        assert_eq!(object.get("a").unwrap(), b"value 00\nvalue 01\nvalue 02");
        assert_eq!(object.get("n").unwrap(), b"0\n1");

        let object = with(&base, Limits { letters: 6, ..limits() }).object("it");
        assert_eq!(values(&object, "a"), ["value "]);
        assert_eq!(values(&object, "Partial"), ["t.a: values longer than 6 characters are cut"]);

        let object = with(&base, Limits { attributes: 1, ..limits() }).object("it");
        assert!(object.get("n").is_none() && values(&object, "Partial")[0].contains("attributes"));
    }
}

#[test]
fn a_question_without_end_ends() {
    for base in everywhere() {
        let slow = match base.which {
            DatabaseKind::Sqlite => {
                "CREATE VIEW slow AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            }
            DatabaseKind::Postgres => {
                "CREATE VIEW slow AS SELECT a.i FROM generate_series(1, 100000000) a (i), generate_series(1, 100000) b (i)"
            }
            DatabaseKind::Mariadb => {
                "CREATE VIEW slow AS SELECT a.seq AS i FROM seq_1_to_10000000 a, seq_1_to_10000000 b WHERE a.seq + b.seq <> 0"
            }
        };
        base.run(&[slow]);
        base.document("it", "Table: slow\nAttribute: i");
        let desk = with(&base, Limits { time: Duration::from_secs(1), ..limits() });
        let began = Instant::now();
        assert_eq!(desk.get("/it").status, 500);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", base.which);
        let told = desk.told.lock().unwrap().join("\n");
        assert!(told.contains("longer than 1 seconds"), "{:?}: {told}", base.which);
        let until = Instant::now() + Duration::from_secs(20);
        while base.questions_under_way() > 0 {
            assert!(Instant::now() < until, "{:?} goes on (by ODBC: {})", base.which, base.by_odbc);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn whoever_comes_meanwhile_is_told_to_come_again_and_nothing_is_read_twice() {
    let base = Base::new(DatabaseKind::Sqlite).unwrap();
    base.run(&[
        "CREATE VIEW slow AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500000) SELECT i % 7 AS i FROM n",
    ]);
    base.document("it", "Table: slow\nAttribute: i");
    let desk = with(&base, Limits { wait: Duration::ZERO, ..limits() });
    let answer = desk.get("/it");
    assert_eq!(answer.status, 503);
    assert!(answer.headers.iter().any(|(name, _)| *name == "retry-after"));
    let until = Instant::now() + Duration::from_secs(60);
    while desk.get("/it").status == 503 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(desk.get("/it").status, 200);
    assert_eq!(desk.readings(), 1, "the reading went on though nobody waited");

    let desk = with(&base, limits());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| desk.get("/it").status)).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap() == 200));
    });
    assert_eq!(desk.readings(), 1);
}

#[test]
fn a_database_that_fails_is_left_alone_for_a_while() {
    let base = Base::new(DatabaseKind::Sqlite).unwrap();
    base.run(&["CREATE TABLE t (a TEXT)"]);
    base.document("it", "Table: u\nAttribute: a");
    let desk = with(&base, limits());
    for _ in 0..50 {
        assert_eq!(desk.get("/it").status, 500);
    }
    assert_eq!(desk.told.lock().unwrap().len(), 1);
}
