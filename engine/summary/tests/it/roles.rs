//! Roles that may more than read are refused, whatever gives them the right.

use groma_summary::{Address, SummaryError};
use mysql::prelude::Queryable;

use crate::base::{Base, DatabaseKind, Desk, values};

fn refused(base: &Base) -> String {
    match Desk::open(base.options()).map(|_| ()) {
        Err(SummaryError::Role(why)) => why.join("; "),
        other => panic!("{other:?}"),
    }
}

fn prepared(which: DatabaseKind) -> Option<Base> {
    let base = Base::new(which)?;
    base.run(&["CREATE TABLE hotel (name VARCHAR(20), ort VARCHAR(20))", "INSERT INTO hotel VALUES ('Sonne', 'x')"]);
    base.document("it", "Table: hotel\nAttribute: name");
    base.open();
    Some(base)
}

#[test]
fn roles_of_postgresql_that_may_write_are_refused() {
    let Some(base) = prepared(DatabaseKind::Postgres) else { return };
    let mut admin = postgres::Client::connect(base.admin(), postgres::NoTls).unwrap();
    let name = base.name.clone();
    let mut run =
        |sql: &str| admin.batch_execute(&sql.replace("ROLE_", &name)).unwrap_or_else(|e| panic!("{e:?}: {sql}"));
    run("CREATE SEQUENCE numbers; CREATE ROLE ROLE__w; CREATE VIEW seen AS SELECT name FROM hotel");
    let rights = [
        ("GRANT INSERT ON hotel TO ROLE_", "REVOKE INSERT ON hotel FROM ROLE_", "table public.hotel"),
        ("GRANT DELETE ON hotel TO PUBLIC", "REVOKE DELETE ON hotel FROM PUBLIC", "table public.hotel"),
        ("GRANT TRUNCATE ON hotel TO ROLE_", "REVOKE TRUNCATE ON hotel FROM ROLE_", "table"),
        ("GRANT UPDATE (ort) ON hotel TO ROLE_", "REVOKE UPDATE (ort) ON hotel FROM ROLE_", "table"),
        ("GRANT UPDATE ON seen TO ROLE_", "REVOKE UPDATE ON seen FROM ROLE_", "table public.seen"),
        (
            "ALTER TABLE hotel OWNER TO ROLE_",
            "ALTER TABLE hotel OWNER TO groma; GRANT SELECT ON hotel TO ROLE_",
            "table",
        ),
        ("GRANT USAGE ON SEQUENCE numbers TO ROLE_", "REVOKE USAGE ON SEQUENCE numbers FROM ROLE_", "sequence"),
        ("GRANT CREATE ON SCHEMA public TO ROLE_", "REVOKE CREATE ON SCHEMA public FROM ROLE_", "schema"),
        ("GRANT CREATE ON DATABASE ROLE_ TO ROLE_", "REVOKE CREATE ON DATABASE ROLE_ FROM ROLE_", "schemas"),
        ("GRANT INSERT ON hotel TO ROLE__w; GRANT ROLE__w TO ROLE_", "REVOKE ROLE__w FROM ROLE_", "table"),
        ("ALTER ROLE ROLE_ NOINHERIT; GRANT ROLE__w TO ROLE_", "REVOKE ROLE__w FROM ROLE_", "table"),
        ("GRANT pg_write_all_data TO ROLE_", "REVOKE pg_write_all_data FROM ROLE_", "pg_write_all_data"),
        ("GRANT pg_execute_server_program TO ROLE_", "REVOKE pg_execute_server_program FROM ROLE_", "program"),
        ("ALTER ROLE ROLE_ SUPERUSER", "ALTER ROLE ROLE_ NOSUPERUSER", "superuser"),
        ("ALTER ROLE ROLE_ CREATEROLE", "ALTER ROLE ROLE_ NOCREATEROLE", "roles"),
        // A default of the session is no boundary.
        (
            "GRANT INSERT ON hotel TO ROLE_; ALTER ROLE ROLE_ SET default_transaction_read_only = on",
            "REVOKE INSERT ON hotel FROM ROLE_",
            "table",
        ),
    ];
    for (give, take, says) in rights {
        run(give);
        let why = refused(&base);
        assert!(why.contains(says), "{give}: {why}");
        run(take);
        base.open();
    }
    // A right that is given while it runs is noticed at the next reading.
    let mut options = base.options();
    options.limits.fresh = std::time::Duration::ZERO;
    let desk = Desk::open(options.clone()).unwrap();
    assert_eq!(desk.get("/it").status, 200);
    run("GRANT INSERT ON hotel TO ROLE_");
    assert_eq!(desk.get("/it").status, 500);
    // Whoever knows what they do may.
    options.allow_writable_role = true;
    let desk = Desk::open(options).unwrap();
    assert_eq!(values(&desk.object("it"), "name"), ["Sonne"]);
    assert!(desk.told.lock().unwrap()[0].contains("allowed"));
    run("REVOKE ALL ON hotel FROM ROLE__w; DROP ROLE ROLE__w");
}

#[test]
fn roles_of_mariadb_that_may_write_are_refused() {
    let Some(base) = prepared(DatabaseKind::Mariadb) else { return };
    let mut admin = mysql::Conn::new(mysql::Opts::from_url(base.admin()).unwrap()).unwrap();
    let name = base.name.clone();
    let mut run =
        |sql: &str| admin.query_drop(sql.replace("BASE_", &name).replace("ROLE_", &format!("{name}@'%'"))).unwrap();
    run("CREATE ROLE BASE__w");
    run("GRANT INSERT ON BASE_.* TO BASE__w");
    run("CREATE PROCEDURE p() SELECT 1");
    let rights = [
        ("GRANT INSERT ON BASE_.* TO ROLE_", "REVOKE INSERT ON BASE_.* FROM ROLE_"),
        ("GRANT UPDATE ON BASE_.hotel TO ROLE_", "REVOKE UPDATE ON BASE_.hotel FROM ROLE_"),
        ("GRANT UPDATE (ort) ON BASE_.hotel TO ROLE_", "REVOKE UPDATE (ort) ON BASE_.hotel FROM ROLE_"),
        ("GRANT FILE ON *.* TO ROLE_", "REVOKE FILE ON *.* FROM ROLE_"),
        ("GRANT CREATE TEMPORARY TABLES ON BASE_.* TO ROLE_", "REVOKE CREATE TEMPORARY TABLES ON BASE_.* FROM ROLE_"),
        ("GRANT EXECUTE ON PROCEDURE BASE_.p TO ROLE_", "REVOKE EXECUTE ON PROCEDURE BASE_.p FROM ROLE_"),
        ("GRANT BASE__w TO ROLE_", "REVOKE BASE__w FROM ROLE_"),
        ("GRANT SELECT ON BASE_.hotel TO ROLE_ WITH GRANT OPTION", "REVOKE GRANT OPTION ON BASE_.hotel FROM ROLE_"),
        ("GRANT ALL ON *.* TO ROLE_", "REVOKE ALL ON *.* FROM ROLE_"),
    ];
    for (give, take) in rights {
        run(give);
        let why = refused(&base);
        assert!(!why.contains('*') || !why.contains("PASSWORD"), "{why}");
        run(take);
        base.open();
    }
    run("DROP ROLE BASE__w");
    let Some(mut root) = Base::new(DatabaseKind::Mariadb) else { return };
    root.reader = base.admin().to_owned();
    assert!(refused(&root).contains("GRANT OPTION"));
}

#[test]
fn a_role_that_can_read_more_than_is_named_is_mentioned() {
    for base in crate::base::everywhere() {
        base.run(&["CREATE TABLE hotel (name VARCHAR(20))", "CREATE TABLE guest (name VARCHAR(20))"]);
        base.document("it", "Table: hotel\nAttribute: name");
        let told = base.open().told.lock().unwrap().join("\n");
        assert_eq!(told.contains("can also read guest and 0 other"), base.which != DatabaseKind::Sqlite, "{told}");
    }
}

#[test]
fn passwords_are_not_told() {
    for base in crate::base::everywhere().into_iter().filter(|base| base.which != DatabaseKind::Sqlite) {
        let mut options = base.options();
        options.database = Address::parse(&base.reader.replace("s3cret", "wr0ng"), None).unwrap();
        let error = Desk::open(options.clone()).map(|_| ()).unwrap_err();
        let told = format!("{error} {error:?} {} {} {options:?}", error.hint(), error.outward());
        assert!(matches!(error, SummaryError::Connect(_)), "{told}");
        assert!(!told.contains("wr0ng") && !told.contains("s3cret"), "{told}");
        let desk = base.open();
        assert!(!format!("{:?}", desk.summarizer).contains("s3cret"));
    }
}

#[test]
fn another_machine_is_refused_before_anything_is_sent() {
    let base = Base::new(DatabaseKind::Sqlite).unwrap();
    let mut options = base.options();
    // An address that nobody has: a connection would take its time.
    options.database = Address::parse("postgres://r:p@192.0.2.1/x", None).unwrap();
    let began = std::time::Instant::now();
    assert!(matches!(Desk::open(options), Err(SummaryError::Far)));
    assert!(began.elapsed() < std::time::Duration::from_secs(15));
}
