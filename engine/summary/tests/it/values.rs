//! What stands in the object: the values of the database, each once, in one order everywhere.

use crate::base::{DatabaseKind, everywhere, header, objects, values};

const CITYWORLD: &str = "Summarizer: http://www.cityworld.de/cgi-bin/Ora-DB.pl\nDescription: Hotelf\u{fc}hrer M-V\n\
    Keywords: Hotel, Zimmer, Unterkunft, Pension, Preis\nDatabase: Cityworld\nTable: hotel\nAttribute: name\nAttribute: ort\n\
    Table: region\nAttribute: region";

#[test]
fn the_papers_document_is_answered() {
    for base in everywhere() {
        base.run(&[
            "CREATE TABLE hotel (name VARCHAR(80), ort VARCHAR(80), preis INT)",
            "CREATE TABLE region (region VARCHAR(80))",
            "INSERT INTO hotel VALUES ('Strandhotel', 'Warnem\u{fc}nde', 90), ('Sonne', 'Rostock', 80), \
             ('Am Markt', 'Rostock', 70), (NULL, 'Wismar', 1), ('', '  ', 2)",
            "INSERT INTO region VALUES ('Mecklenburgische Ostseek\u{fc}ste'), ('R\u{fc}gen')",
        ]);
        base.document("cityworld", CITYWORLD);
        let desk = base.open();
        let object = desk.object("cityworld");
        assert_eq!(object.kind, b"DATABASE");
        assert_eq!(object.url, b"http://www.example.org/cityworld");
        assert_eq!(object.text("Title").as_deref(), Some("The cityworld"));
        assert_eq!(object.text("Description").as_deref(), Some("Hotelf\u{fc}hrer M-V"));
        assert_eq!(object.text("Keywords").as_deref(), Some("Hotel, Zimmer, Unterkunft, Pension, Preis"));
        assert_eq!(object.text("Type").as_deref(), Some("Database"));
        assert_eq!(values(&object, "name"), ["Am Markt", "Sonne", "Strandhotel"], "{:?}", base.which);
        assert_eq!(values(&object, "ort"), ["Rostock", "Warnem\u{fc}nde", "Wismar"]);
        assert_eq!(values(&object, "region"), ["Mecklenburgische Ostseek\u{fc}ste", "R\u{fc}gen"]);
        assert!(object.get("Partial").is_none() && object.get("preis").is_none());
        assert_eq!(object.text("MD5").unwrap().len(), 32);
        assert!(object.text("Update-Time").unwrap().parse::<u64>().unwrap() > 1_700_000_000);
        let answer = desk.get("/?id=cityworld");
        assert_eq!(header(&answer, "content-type"), Some("application/x-soif"));
        assert_eq!(objects(answer), [object]);
    }
}

#[test]
fn what_a_collation_takes_for_equal_are_two_values_and_octets_are_the_order() {
    for base in everywhere() {
        base.run(&[
            "CREATE TABLE t (a VARCHAR(80))",
            "INSERT INTO t VALUES ('Zurich'), ('Z\u{fc}rich'), ('zurich'), ('ZURICH'), ('Zurich'), ('a'), ('B'), ('a '), \
             ('\u{1f600}'), ('\u{ff5e}'), ('10'), ('9')",
        ]);
        let object = base.object("Table: t\nAttribute: a");
        let expected =
            ["10", "9", "B", "ZURICH", "Zurich", "Z\u{fc}rich", "a", "a ", "zurich", "\u{ff5e}", "\u{1f600}"];
        assert_eq!(values(&object, "a"), expected, "{:?}", base.which);
    }
}

#[test]
fn numbers_and_dates_are_texts_and_line_ends_are_blanks() {
    for base in everywhere() {
        let newline =
            if base.which == DatabaseKind::Mariadb { "CONCAT('a', CHAR(10), 'b', CHAR(92), 'N')" } else { "'a\nb\\N'" };
        base.run(&[
            "CREATE TABLE t (n INT, d DATE, m TIMESTAMP NULL, f NUMERIC(8, 2), s VARCHAR(80))",
            &format!(
                "INSERT INTO t VALUES (7, '2024-02-29', '2024-02-29 12:30:00', 1.5, {newline}), (10, NULL, NULL, 1.50, 'x'), \
                 (-3, '1999-12-31', NULL, 20, 'x')"
            ),
        ]);
        let object = base.object("Table: t\nAttribute: n\nAttribute: d\nAttribute: m\nAttribute: f\nAttribute: s");
        assert_eq!(values(&object, "n"), ["-3", "10", "7"], "{:?}", base.which);
        assert_eq!(values(&object, "d"), ["1999-12-31", "2024-02-29"]);
        assert_eq!(values(&object, "m"), ["2024-02-29 12:30:00"]);
        let numbers = if base.which == DatabaseKind::Sqlite { ["1.5", "20"] } else { ["1.50", "20.00"] };
        assert_eq!(values(&object, "f"), numbers);
        assert_eq!(values(&object, "s"), ["a b\\N", "x"]);
    }
}

#[test]
fn binary_columns_are_refused_and_said_so() {
    for base in everywhere() {
        let kind = if base.which == DatabaseKind::Postgres { "BYTEA" } else { "BLOB" };
        base.run(&[&format!("CREATE TABLE t (a VARCHAR(9), b {kind})"), "INSERT INTO t VALUES ('x', 'y')"]);
        let object = base.object("Table: t\nAttribute: a\nAttribute: b");
        assert_eq!(values(&object, "a"), ["x"]);
        assert!(object.get("b").is_none());
        assert_eq!(values(&object, "Partial"), ["t.b: its values are no texts"]);
    }
}

#[test]
fn values_of_every_type_that_sqlite_mixes_come_once() {
    let base = crate::base::Base::new(DatabaseKind::Sqlite).unwrap();
    base.run(&[
        "CREATE TABLE t (a, b TEXT COLLATE NOCASE, c INTEGER)",
        "INSERT INTO t VALUES (1, 'x', 'one'), ('1', 'X', 1), (1.0, x'00', 1.5), (x'31', 'x', NULL), (2.5, NULL, 1)",
    ]);
    let object = base.object("Table: t\nAttribute: a\nAttribute: b\nAttribute: c");
    assert_eq!(values(&object, "a"), ["1", "2.5"]);
    assert_eq!(values(&object, "b"), ["X", "x"]);
    assert_eq!(values(&object, "c"), ["1", "1.5", "one"]);
}

#[test]
fn types_of_postgresql_come_as_texts() {
    let Some(base) = crate::base::Base::new(DatabaseKind::Postgres) else { return };
    base.run(&[
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE DOMAIN plz AS text CHECK (length(VALUE) = 5)",
        "CREATE TABLE t (a json, b mood, c plz, d numeric, e text[], f char(5), g interval, h timestamptz, i float8, j boolean)",
        "INSERT INTO t VALUES ('{\"x\": 1}', 'ok', '18055', 1.0, '{a,\"b c\"}', 'ab', '1 day 2 hours', '2024-01-01 00:00+02', 0.1, true), \
         ('{\"x\": 1}', 'sad', '18055', 1.00, NULL, 'ab', NULL, '2023-12-31 22:00+00', 0.1, NULL)",
    ]);
    let lines: String = "abcdefghij".chars().map(|name| format!("\nAttribute: {name}")).collect();
    let object = base.object(&format!("Table: t{lines}"));
    assert_eq!(values(&object, "a"), ["{\"x\": 1}"]);
    assert_eq!(values(&object, "b"), ["ok", "sad"]);
    assert_eq!(values(&object, "c"), ["18055"]);
    assert_eq!(values(&object, "d"), ["1.0", "1.00"]);
    assert_eq!(values(&object, "e"), ["{a,\"b c\"}"]);
    assert_eq!(values(&object, "f"), ["ab"]);
    assert_eq!(values(&object, "g"), ["P1DT2H"]);
    assert_eq!(values(&object, "h"), ["2023-12-31 22:00:00+00"]);
    assert_eq!(values(&object, "i"), ["0.1"]);
    assert_eq!(values(&object, "j"), ["true"]);
}
