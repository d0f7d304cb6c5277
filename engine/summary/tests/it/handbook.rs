//! The roles that docs/databases.md makes are roles that can read what they should, and nothing else.

use groma_summary::Address;
use mysql::prelude::Queryable;

use crate::base::{Base, DatabaseKind, Desk, values};

/// The block between fences that has this name.
fn block(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/databases.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(&format!("```sql {name}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn prepared(which: DatabaseKind) -> Option<Base> {
    let base = Base::new(which)?;
    base.run(&[
        "CREATE TABLE hotel (name VARCHAR(20), ort VARCHAR(20))",
        "CREATE TABLE guest (name VARCHAR(20))",
        "INSERT INTO hotel VALUES ('Sonne', 'Rostock')",
        "INSERT INTO guest VALUES ('Weber')",
    ]);
    base.document("it", "Table: hotel\nAttribute: name\nAttribute: ort\nTable: guest\nAttribute: name");
    Some(base)
}

/// What is read as the role of the document.
fn assert_reads_hotels_only(base: &Base, role: &str) {
    let mut options = base.options();
    let address = base.reader.replace(&format!("{}:s3cret@", base.name), &format!("{role}:change%20me@"));
    options.database = Address::parse(&address, None).unwrap();
    let object = Desk::open(options).unwrap().object("it");
    assert_eq!((values(&object, "hotel.name"), values(&object, "ort")), (vec!["Sonne".into()], vec!["Rostock".into()]));
    assert!(object.get("guest.name").is_none());
    assert_eq!(values(&object, "Partial"), ["guest: there is no such table that can be read"]);
}

#[test]
fn the_role_for_postgresql_reads_what_it_should() {
    let Some(base) = prepared(DatabaseKind::Postgres) else { return };
    let role = format!("{}_g", base.name);
    let mut admin = postgres::Client::connect(base.admin(), postgres::NoTls).unwrap();
    admin.batch_execute(&block("postgresql").replace("gatherer", &role)).unwrap();
    assert_reads_hotels_only(&base, &role);
    admin.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
}

#[test]
fn the_role_for_mysql_and_mariadb_reads_what_it_should() {
    let Some(base) = prepared(DatabaseKind::Mariadb) else { return };
    let role = format!("{}_g", base.name);
    let mut admin = mysql::Conn::new(mysql::Opts::from_url(base.admin()).unwrap()).unwrap();
    let statements = block("mysql").replace("gatherer", &role).replace("hotels.", &format!("{}.", base.name));
    for statement in statements.replace("localhost", "%").lines() {
        admin.query_drop(statement).unwrap();
    }
    assert_reads_hotels_only(&base, &role);
    admin.query_drop(format!("DROP USER '{role}'@'%'")).unwrap();
}
