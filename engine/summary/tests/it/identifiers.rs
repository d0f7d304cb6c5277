//! Names in documents that try to become SQL, and names in databases that look like it.

use crate::base::{Base, DatabaseKind, everywhere, values};

const ODD: [&str; 10] = [
    "a\"; DROP TABLE hotel; --",
    "b`; DROP TABLE hotel; --",
    "c'; DROP TABLE hotel; --",
    "select",
    "two words",
    "Stra\u{df}e",
    "dot.ted",
    "back\\slash",
    "(SELECT 1)",
    "%s $1 ? :x",
];

#[test]
fn odd_names_are_names() {
    for base in everywhere() {
        let create = |table: &str| {
            let columns: Vec<String> = ODD.iter().map(|name| format!("{} VARCHAR(20)", base.quoted(name))).collect();
            format!("CREATE TABLE {} ({})", base.quoted(table), columns.join(", "))
        };
        let names: Vec<&str> = ODD.to_vec();
        base.run(&["CREATE TABLE hotel (name VARCHAR(20))", "INSERT INTO hotel VALUES ('Sonne')"]);
        for (nth, table) in names.iter().enumerate() {
            let row: Vec<String> = (0..ODD.len()).map(|column| format!("'t{nth}c{column}'")).collect();
            let insert = format!("INSERT INTO {} VALUES ({})", base.quoted(table), row.join(", "));
            base.run(&[&create(table), &insert]);
        }
        let lines = |name: &str| {
            ODD.iter().fold(format!("Table: {name}\n"), |all, column| all + &format!("Attribute: {column}\n"))
        };
        let document: String = names.iter().map(|name| lines(name)).collect();
        let object = base.object(&format!("Table: hotel\nAttribute: name\n{document}"));
        assert!(object.get("Partial").is_none(), "{:?} {:?}", base.which, object.text("Partial"));
        let all: Vec<&[u8]> =
            object.attributes.iter().filter(|(name, _)| name.contains(&b'.')).map(|(_, value)| &value[..]).collect();
        assert_eq!(all.len(), ODD.len() * ODD.len());
        assert_eq!(values(&object, "name"), ["Sonne"], "no other table has such an attribute");
        for (nth, value) in all.iter().enumerate() {
            assert_eq!(*value, format!("t{}c{}", nth / ODD.len(), nth % ODD.len()).as_bytes(), "{:?}", base.which);
        }
    }
}

#[test]
fn sql_in_a_document_is_a_name_that_is_not_there() {
    for base in everywhere() {
        base.run(&[
            "CREATE TABLE hotel (name VARCHAR(20), secret VARCHAR(20))",
            "INSERT INTO hotel VALUES ('Sonne', 'x')",
        ]);
        let attacks = [
            "hotel; DROP TABLE hotel; --",
            "hotel\"; DROP TABLE hotel; --",
            "hotel`; DROP TABLE hotel; --",
            "hotel WHERE 1=1",
            "\"hotel\"",
            "`hotel`",
            "(SELECT secret AS name FROM hotel) x",
            "hotel UNION SELECT secret FROM hotel",
            "hotel\u{0}",
            "hotel /*",
            "\u{ff02}; DROP TABLE hotel",
            "sqlite_master",
            "sqlite_schema",
            "main.sqlite_schema",
            "pg_catalog.pg_authid",
            "pg_shadow",
            "information_schema.tables",
            "mysql.user",
            "mysql.global_priv",
            "performance_schema.accounts",
            "pragma_table_info",
            "generate_series",
        ];
        let mut document = "Table: hotel\nAttribute: name\n".to_owned();
        for attack in attacks {
            document += &format!(
                "Attribute: {attack}\nAttribute: name, secret\nAttribute: name) FROM hotel; DROP TABLE hotel; --\n"
            );
        }
        for attack in attacks {
            document +=
                &format!("Table: {attack}\nAttribute: name\nAttribute: user\nAttribute: sql\nAttribute: rolname\n");
        }
        let object = base.object(&document);
        assert_eq!(values(&object, "hotel.name"), ["Sonne"]);
        let read = object.attributes.iter().filter(|(name, _)| name.contains(&b'.')).count();
        assert_eq!(read, 1, "{:?}: {:?}", base.which, object.attributes);
        assert!(values(&object, "Partial").len() > attacks.len());
        assert!(!String::from_utf8_lossy(object.get("Partial").unwrap()).contains('\u{0}'));
        // And the table is still what it was.
        assert_eq!(values(&base.object("Table: hotel\nAttribute: secret"), "secret"), ["x"]);
    }
}

#[test]
fn case_is_forgiven_where_one_name_is_meant() {
    for base in everywhere() {
        base.run(&["CREATE TABLE hotel (name VARCHAR(20))", "INSERT INTO hotel VALUES ('Sonne')"]);
        assert_eq!(values(&base.object("Table: HOTEL\nAttribute: Name"), "Name"), ["Sonne"], "{:?}", base.which);
    }
}

#[test]
fn schemas_of_postgresql_are_looked_through_as_the_role_does() {
    let Some(base) = Base::new(DatabaseKind::Postgres) else { return };
    let name = &base.name;
    base.run(&[
        "CREATE SCHEMA shop",
        "CREATE TABLE public.t (a text); INSERT INTO public.t VALUES ('public')",
        "CREATE TABLE shop.t (a text); INSERT INTO shop.t VALUES ('shop')",
        "CREATE TABLE shop.closed (a text); INSERT INTO shop.closed VALUES ('closed')",
        "CREATE TABLE public.half (a text, b text); INSERT INTO public.half VALUES ('a', 'b')",
        "CREATE SCHEMA hidden; CREATE TABLE hidden.t (a text)",
        &format!("GRANT USAGE ON SCHEMA shop TO {name}; GRANT SELECT ON shop.t TO {name}"),
    ]);
    let mut admin = postgres::Client::connect(base.admin(), postgres::NoTls).unwrap();
    admin.batch_execute(&format!("REVOKE SELECT ON half FROM {name}; GRANT SELECT (a) ON half TO {name}")).unwrap();
    // Operators and functions that somebody put into the way of the role.
    admin
        .batch_execute(
            "CREATE FUNCTION public.left(text, integer) RETURNS text LANGUAGE sql AS 'SELECT ''taken over'''",
        )
        .unwrap();
    admin.batch_execute(&format!("ALTER ROLE {name} SET search_path = public, pg_catalog")).unwrap();
    let object = base.object(
        "Table: t\nAttribute: a\nTable: shop.t\nAttribute: a\nTable: shop.closed\nAttribute: a\nTable: hidden.t\nAttribute: a\n\
         Table: half\nAttribute: a\nAttribute: b",
    );
    assert_eq!(values(&object, "t.a"), ["public"]);
    assert_eq!(values(&object, "shop.t.a"), ["shop"]);
    assert_eq!(values(&object, "half.a"), ["a"]);
    assert_eq!(values(&object, "Partial").len(), 3, "{:?}", object.text("Partial"));
}
