//! What differs between databases that ODBC leads to: how distinct texts are asked for, and how all attributes come from one state.
//!
//! A DISTINCT of the database goes by the collation of the column, which may take `Zurich` and `ZÜRICH` for equal, and standard SQL has no word for
//! "equal octet by octet". Where it is known how to say it, it is said; elsewhere texts come row by row and are made distinct here,
//! which costs a row on the way for each row of the table and needs no DISTINCT on long texts (Oracle, DB2 and SQL Server refuse
//! that for LOBs). Numbers and dates are DISTINCT in the database everywhere.
//!
//! Tried against SQLite, PostgreSQL and MariaDB. For Oracle, Firebird, DB2, SQL Server and all others there is nothing but standard SQL here,
//! besides Oracle's own word for a transaction that only reads.

use std::time::Duration;

use crate::catalogue::{Column, Kind, Relation, quoted};

/// A database by the name that its driver gives (`SQL_DBMS_NAME`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
    Oracle,
    Standard,
}

/// A question, and which column of its answer is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) column: u16,
}

impl Dialect {
    pub(super) fn of_dbms(name: &str) -> Dialect {
        let name = name.to_ascii_lowercase();
        if name.contains("sqlite") {
            Dialect::Sqlite
        } else if name.contains("postgres") {
            Dialect::Postgres
        } else if name.contains("mysql") || name.contains("mariadb") {
            Dialect::Mysql
        } else if name.contains("oracle") {
            Dialect::Oracle
        } else {
            Dialect::Standard
        }
    }

    /// What makes the transaction that is about to begin read one state without keeping others from writing; none: each
    /// attribute is read for itself.
    pub(super) fn one_state(self) -> Option<&'static str> {
        match self {
            Dialect::Postgres => Some("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            Dialect::Mysql => Some("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            Dialect::Oracle => Some("SET TRANSACTION READ ONLY"),
            Dialect::Sqlite | Dialect::Standard => None,
        }
    }

    /// What tells the server how long a question may take, each tried until one is understood; none: only the driver can be told.
    /// A server that is not told goes on with a question that nobody waits for any more: the process of the driver is ended, and
    /// MariaDB notices that when it has a row to send.
    pub(super) fn time_limit(self, left: Duration) -> Vec<String> {
        let millis = left.as_millis().max(1);
        match self {
            Dialect::Postgres => vec![format!("SET statement_timeout = {millis}")],
            Dialect::Mysql => vec![
                format!("SET SESSION max_statement_time = {:.3}", left.as_secs_f64().max(0.001)),
                format!("SET SESSION max_execution_time = {millis}"),
            ],
            Dialect::Sqlite | Dialect::Oracle | Dialect::Standard => Vec::new(),
        }
    }

    /// Whether its driver has no wide functions and takes UTF-8. The others are asked in UTF-16.
    pub(super) fn takes_octets(self) -> bool {
        self == Dialect::Sqlite
    }

    /// Whether a role could be kept from reading a table.
    pub(super) fn has_roles(self) -> bool {
        self != Dialect::Sqlite
    }

    /// The question for the values of a column. None: a name cannot be quoted.
    pub(super) fn question(self, relation: &Relation, column: &Column, quote: Option<char>) -> Option<Question> {
        let name = identifier(&column.name, quote)?;
        let table = identifier(&relation.name, quote)?;
        let table = match relation.schema.as_deref().filter(|schema| !schema.is_empty()) {
            Some(schema) => format!("{}.{table}", identifier(schema, quote)?),
            None => table,
        };
        let from = format!("FROM {table} WHERE {name} IS NOT NULL");
        let question = |text: String| Some(Question { text, column: 1 });
        match (self, column.kind) {
            (Dialect::Sqlite, _) => {
                question(format!("SELECT DISTINCT {name} COLLATE BINARY {from} AND typeof({name}) <> 'blob'"))
            }
            (Dialect::Postgres, _) => question(format!("SELECT DISTINCT CAST({name} AS text) COLLATE \"C\" {from}")),
            (Dialect::Mysql, Kind::Text | Kind::Other) => {
                Some(Question { text: format!("SELECT DISTINCT CAST({name} AS BINARY), {name} {from}"), column: 2 })
            }
            (_, Kind::Plain) => question(format!("SELECT DISTINCT {name} {from}")),
            (_, Kind::Text | Kind::Other | Kind::Binary) => question(format!("SELECT {name} {from}")),
        }
    }
}

/// A name of the catalogue between the quotes of the driver; where it has none, the name itself if it needs none.
fn identifier(name: &str, quote: Option<char>) -> Option<String> {
    match quote.filter(|quote| !quote.is_whitespace()) {
        // Access and Excel close what they open with a bracket with another one.
        Some('[') => (!name.is_empty() && !name.contains(['[', ']', '\0'])).then(|| format!("[{name}]")),
        Some(quote) => quoted(name, quote),
        None => {
            let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_plain.then(|| name.to_owned())
        }
    }
}

/// How values of this type (`DATA_TYPE` of SQLColumns) become texts.
pub(super) fn kind_of(code: i16, type_name: &str) -> Kind {
    match code {
        // Binary of three lengths; the BLOB of DB2.
        -4..=-2 | -98 => Kind::Binary,
        _ if type_name.to_ascii_uppercase().contains("BLOB") => Kind::Binary,
        // CHAR, VARCHAR and the same with wide letters.
        1 | 12 | -8 | -9 => Kind::Text,
        // Numbers, dates and times, bits, intervals, GUID.
        2..=11 | 91..=95 | 101..=113 | -7..=-5 | -11 => Kind::Plain,
        // Long texts, and what a driver has of its own.
        _ => Kind::Other,
    }
}

/// Tables and views of users, by what SQLTables calls them.
pub(super) fn is_readable(table_type: &str, schema: &str) -> bool {
    const SYSTEM: [&str; 18] = [
        "information_schema",
        "pg_catalog",
        "pg_toast",
        "mysql",
        "performance_schema",
        "sys",
        "system",
        "outln",
        "dbsnmp",
        "xdb",
        "ctxsys",
        "mdsys",
        "sysibm",
        "syscat",
        "sysstat",
        "sysproc",
        "systools",
        "sysadm",
    ];
    let table_type = table_type.to_ascii_uppercase();
    let is_kind = ["TABLE", "VIEW", "SYNONYM", "ALIAS", "NICKNAME"].iter().any(|word| table_type.contains(word));
    is_kind && !table_type.contains("SYSTEM") && !SYSTEM.contains(&schema.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(dbms: &str, kind: Kind, quote: Option<char>) -> Option<String> {
        let relation = Relation { schema: Some("shop".into()), name: "ho\"tel".into(), ..Relation::default() };
        let question = Dialect::of_dbms(dbms).question(&relation, &Column { name: "select".into(), kind }, quote);
        question.map(|question| question.text)
    }

    #[test]
    fn names_stand_between_the_quotes_of_the_driver() {
        let text = asked("Microsoft SQL Server", Kind::Plain, Some('"')).unwrap();
        assert_eq!(text, r#"SELECT DISTINCT "select" FROM "shop"."ho""tel" WHERE "select" IS NOT NULL"#);
        let text = asked("MariaDB", Kind::Text, Some('`')).unwrap();
        assert_eq!(
            text,
            "SELECT DISTINCT CAST(`select` AS BINARY), `select` FROM `shop`.`ho\"tel` WHERE `select` IS NOT NULL"
        );
        assert_eq!(asked("Whatever", Kind::Text, None), None, "a quote in a name, and no quotes to put it in");
        assert_eq!(asked("Whatever", Kind::Text, Some(' ')), None);
        assert_eq!(identifier("hotel_1", None).as_deref(), Some("hotel_1"));
        for odd in ["a b", "a;", "1a", "", "\u{e4}", "a--"] {
            assert_eq!(identifier(odd, None), None, "{odd}");
        }
        assert_eq!(identifier("a]; DROP TABLE b", Some('[')), None);
        assert_eq!(identifier("a b", Some('[')).as_deref(), Some("[a b]"));
    }

    #[test]
    fn texts_are_distinct_in_the_database_only_where_it_compares_octets() {
        for dbms in ["Oracle", "DB2/LINUXX8664", "Microsoft SQL Server", "Firebird 4.0", "Informix"] {
            for kind in [Kind::Text, Kind::Other] {
                assert!(!asked(dbms, kind, Some('"')).unwrap().contains("DISTINCT"), "{dbms}");
            }
            assert!(asked(dbms, Kind::Plain, Some('"')).unwrap().contains("DISTINCT"), "{dbms}");
        }
        for dbms in ["SQLite", "PostgreSQL", "MySQL", "MariaDB"] {
            assert!(asked(dbms, Kind::Text, Some('"')).unwrap().contains("DISTINCT"), "{dbms}");
        }
    }

    #[test]
    fn types_are_told_by_their_codes() {
        for (code, name, kind) in [
            (12, "VARCHAR2", Kind::Text),
            (-9, "nvarchar", Kind::Text),
            (4, "INTEGER", Kind::Plain),
            (3, "NUMBER", Kind::Plain),
            (93, "TIMESTAMP", Kind::Plain),
            (-1, "CLOB", Kind::Other),
            (-99, "CLOB", Kind::Other),
            (-152, "xml", Kind::Other),
            (-4, "BLOB", Kind::Binary),
            (-98, "BLOB", Kind::Binary),
            (0, "blob", Kind::Binary),
        ] {
            assert_eq!(kind_of(code, name), kind, "{name}");
        }
        assert!(
            is_readable("TABLE", "")
                && is_readable("BASE TABLE", "city")
                && is_readable("MATVIEW", "public") == is_readable("VIEW", "public")
        );
        assert!(!is_readable("SYSTEM TABLE", "x") && !is_readable("TABLE", "SYS") && !is_readable("INDEX", ""));
    }
}
