//! What is different through ODBC. What is not is tested with the other databases: `everywhere()` has each of them a second time.

use std::sync::Once;
use std::time::{Duration, Instant};

use groma_summary::odbc::{read_odbc_by, serve_odbc};
use groma_summary::{Address, Database, Limits, SummaryError};

use crate::base::{Base, DatabaseKind, Desk, values};

/// The other side: this program again, with this test alone.
#[test]
#[ignore = "holds the driver for the other tests"]
fn holds_a_driver() {
    serve_odbc(std::io::stdin(), std::io::stdout()).unwrap();
}

fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let arguments = ["odbc::holds_a_driver", "--exact", "--ignored", "--nocapture"];
        read_odbc_by(std::env::current_exe().unwrap(), arguments.map(Into::into).to_vec());
    });
}

/// A database and the driver that leads to it; none where one of them is missing.
pub(crate) fn base(which: DatabaseKind) -> Option<Base> {
    prepare();
    let driver = match which {
        DatabaseKind::Sqlite => "SQLite3",
        DatabaseKind::Postgres => "PostgreSQL Unicode",
        DatabaseKind::Mariadb => "MariaDB Unicode",
    };
    if !std::fs::read_to_string("/etc/odbcinst.ini").is_ok_and(|known| known.contains(&format!("[{driver}]"))) {
        eprintln!("skipped for {which:?} through ODBC: there is no driver {driver}");
        return None;
    }
    let mut base = Base::new(which)?;
    let settings = match base.reader.split_once("://") {
        // What they have in common: postgres://NAME:s3cret@HOST:PORT/NAME.
        Some((_, rest)) => {
            let (host, port) = rest.rsplit_once('@')?.1.split_once('/')?.0.rsplit_once(':')?;
            let name = &base.name;
            format!("Server={host};Port={port};Database={name};UID={name};PWD=s3cret;UseDeclareFetch=1")
        }
        None => format!("Database={};StepAPI=1;Timeout=5000", base.folder.join("data.db").display()),
    };
    let settings = if which == DatabaseKind::Postgres { settings.replace("Server=", "Servername=") } else { settings };
    base.reader = format!("odbc:Driver={{{driver}}};{settings}");
    base.by_odbc = true;
    Some(base)
}

fn bases() -> Vec<Base> {
    [DatabaseKind::Sqlite, DatabaseKind::Postgres, DatabaseKind::Mariadb].into_iter().filter_map(base).collect()
}

#[test]
fn what_a_role_may_do_is_not_known_and_has_to_be_allowed() {
    for base in bases() {
        base.run(&["CREATE TABLE t (a VARCHAR(20))", "INSERT INTO t VALUES ('x')"]);
        base.document("it", "Table: t\nAttribute: a");
        let mut options = base.options();
        options.allow_writable_role = false;
        match Desk::open(options.clone()).map(|_| ()) {
            Err(SummaryError::Role(why)) => assert!(why[0].contains("ODBC"), "{why:?}"),
            other => panic!("{other:?}"),
        }
        options.allow_writable_role = true;
        let desk = Desk::open(options).unwrap();
        assert!(desk.told.lock().unwrap()[0].contains("that was allowed: what it may do cannot be asked through ODBC"));
        assert_eq!(values(&desk.object("it"), "a"), ["x"]);
    }
}

#[test]
fn a_source_that_may_be_elsewhere_is_refused_before_anything_is_sent() {
    let Some(base) = base(DatabaseKind::Sqlite) else { return };
    for far in ["odbc:DSN=city", "odbc:Driver={SQLite3};Server=192.0.2.1;PWD=s3cret"] {
        let mut options = base.options();
        options.database = Address::parse(far, None).unwrap();
        let began = Instant::now();
        assert!(matches!(Desk::open(options), Err(SummaryError::Unseen)), "{far}");
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn a_driver_that_is_not_there_is_said_without_the_password() {
    prepare();
    let address = Address::parse("odbc:Driver={No such driver};UID=reader", Some("s3cret")).unwrap();
    let error = Database::new(address).judge_role().unwrap_err();
    let told = format!("{error} {error:?} {}", error.hint());
    assert!(matches!(error, SummaryError::Connect(_)), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn long_values_are_cut_between_letters_whatever_they_take_on_the_way() {
    for base in bases() {
        // Letters of one octet, of two, and of two units of UTF-16; the longest is much longer than what is read.
        let long =
            ["a".repeat(40), "\u{e4}".repeat(40), "\u{1f600}".repeat(40), "b\u{1f600}".repeat(30_000), "c".repeat(30)];
        let kind = if base.which == DatabaseKind::Mariadb { "LONGTEXT" } else { "TEXT" };
        base.run(&[&format!("CREATE TABLE t (a {kind})")]);
        long.iter().for_each(|value| base.run(&[&format!("INSERT INTO t VALUES ('{value}')")]));
        base.document("it", "Table: t\nAttribute: a");
        let mut options = base.options();
        options.limits = Limits { letters: 31, ..options.limits };
        let object = Desk::open(options).unwrap().object("it");
        let mut expected: Vec<String> = long.iter().map(|value| value.chars().take(31).collect()).collect();
        expected.sort();
        assert_eq!(values(&object, "a"), expected, "{:?}", base.which);
        assert_eq!(values(&object, "Partial"), ["t.a: values longer than 31 characters are cut"]);
    }
}

/// Processes that have this file open.
#[cfg(target_os = "linux")]
fn readers_of(file: &std::path::Path) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let open_files = processes.filter_map(|process| std::fs::read_dir(process.path().join("fd")).ok());
    let mut links = open_files.map(|files| files.filter_map(|fd| std::fs::read_link(fd.ok()?.path()).ok()));
    links.by_ref().filter_map(|mut links| links.find(|to| to == file)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_never_comes_back_is_ended_with_its_process() {
    let Some(base) = base(DatabaseKind::Sqlite) else { return };
    // Not one row, and no end: the driver has no occasion to look at anything.
    base.run(&["CREATE VIEW silent AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"]);
    base.document("it", "Table: silent\nAttribute: i");
    let mut options = base.options();
    options.limits = Limits { time: Duration::from_secs(1), ..options.limits };
    let desk = Desk::open(options).unwrap();
    let began = Instant::now();
    assert_eq!(desk.get("/it").status, 500);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(desk.told.lock().unwrap().join("\n").contains("longer than 1 seconds"));
    assert_eq!(readers_of(&base.folder.join("data.db")), 0, "a process still has the file open");
}

#[test]
fn what_a_view_would_change_is_refused_by_the_transaction() {
    let Some(base) = base(DatabaseKind::Postgres) else { return };
    base.run(&[
        "CREATE TABLE t (a text); INSERT INTO t VALUES ('x')",
        "CREATE FUNCTION public.leave() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO public.t VALUES (''y'') RETURNING a'",
        "CREATE VIEW v AS SELECT public.leave() AS a",
    ]);
    base.document("it", "Table: v\nAttribute: a");
    let desk = base.open();
    assert_eq!(desk.get("/it").status, 500);
    assert!(desk.told.lock().unwrap().join("\n").contains("read-only transaction"), "{:?}", desk.told.lock().unwrap());
    assert_eq!(values(&base.object("Table: t\nAttribute: a"), "a"), ["x"]);
}

#[test]
fn schemas_are_looked_through_and_a_name_that_is_there_once_needs_none() {
    let Some(base) = base(DatabaseKind::Postgres) else { return };
    let name = &base.name;
    base.run(&[
        "CREATE SCHEMA shop; CREATE SCHEMA other",
        "CREATE TABLE public.t (a text); INSERT INTO public.t VALUES ('public')",
        "CREATE TABLE shop.t (a text); INSERT INTO shop.t VALUES ('shop')",
        "CREATE TABLE shop.once (a text); INSERT INTO shop.once VALUES ('once')",
        "CREATE TABLE shop.twice (a text); CREATE TABLE other.twice (a text)",
        &format!("GRANT USAGE ON SCHEMA shop TO {name}; GRANT SELECT ON ALL TABLES IN SCHEMA shop TO {name}"),
    ]);
    let object = base.object(
        "Table: t\nAttribute: a\nTable: shop.t\nAttribute: a\nTable: once\nAttribute: a\nTable: twice\nAttribute: a\n\
         Table: pg_catalog.pg_class\nAttribute: relname\nTable: pg_user\nAttribute: usename",
    );
    assert_eq!(values(&object, "t.a"), ["public"]);
    assert_eq!(values(&object, "shop.t.a"), ["shop"]);
    assert_eq!(values(&object, "once.a"), ["once"]);
    assert_eq!(values(&object, "Partial").len(), 3, "{:?}", object.text("Partial"));
}
