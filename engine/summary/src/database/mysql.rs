//! MySQL and MariaDB: the catalogue, the rights, and values as the server sends them.
//!
//! A reading is one read only transaction with a consistent snapshot (where the tables' engine has them: InnoDB). There is no sign
//! of a state: the time of the last update in `information_schema` is lost at a restart, counted in seconds and
//! not kept for all engines, and the position in the binary log needs more than reading. So whether anything changed is found out by
//! reading, at most every [`Limits::fresh`](crate::Limits).
//!
//! The default collations take `Zurich` and `ZÜRICH` for equal, and with them DISTINCT would lose one: values are compared as octets
//! of UTF-8. Not guaranteed: the order of values that agree in their first 1,024 octets (`max_sort_length`).

use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use mysql::{Conn, Opts, OptsBuilder, Row, Value};

use crate::catalogue::{Column, Kind, Relation, qualified, quoted};
use crate::error::SummaryError;
use crate::reader::{ColumnLimit, Reader, Take, left, unquotable};

/// Longest silence of the server, beyond the time it has for a question.
const SILENCE: Duration = Duration::from_secs(600);

/// What decides how values look as texts.
const SESSION: [&str; 4] = [
    "SET NAMES utf8mb4",
    "SET SESSION sql_mode = ''",
    "SET SESSION time_zone = '+00:00'",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
];

const RELATIONS: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_SCHEMA = DATABASE() FROM information_schema.TABLES \
    WHERE TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY 1, 2 LIMIT 100000";

const COLUMNS: &str = "SELECT COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND FIND_IN_SET('select', PRIVILEGES) > 0 ORDER BY ORDINAL_POSITION";

/// A connection to MySQL or MariaDB.
pub(super) struct Server {
    conn: Conn,
    is_mariadb: bool,
    until: Instant,
}

impl Server {
    pub(super) fn connect(opts: &Opts) -> Result<Server, SummaryError> {
        let opts = OptsBuilder::from_opts(opts.clone()).read_timeout(Some(SILENCE)).write_timeout(Some(SILENCE));
        let mut conn = Conn::new(opts).map_err(|error| SummaryError::Connect(told(&error)))?;
        for setting in SESSION {
            conn.query_drop(setting).map_err(|error| fault(&error))?;
        }
        let version = conn.query_first::<Row, _>("SELECT VERSION()").map_err(|error| fault(&error))?;
        let is_mariadb = version.is_some_and(|row| text(&row, 0).contains("MariaDB"));
        Ok(Server { conn, is_mariadb, until: Instant::now() + Duration::from_secs(60) })
    }

    /// The time that is left is the server's time too.
    fn limit(&mut self) -> Result<(), SummaryError> {
        let left = left(self.until)?;
        let setting = if self.is_mariadb {
            format!("SET SESSION max_statement_time = {:.3}", left.as_secs_f64())
        } else {
            format!("SET SESSION max_execution_time = {}", left.as_millis())
        };
        self.conn.query_drop(setting).map_err(|error| fault(&error))
    }
}

impl Reader for Server {
    fn excess(&mut self) -> Result<Vec<String>, SummaryError> {
        self.limit()?;
        let rows: Vec<Row> = self.conn.query("SHOW GRANTS").map_err(|error| fault(&error))?;
        let mut found: Vec<String> = rows.iter().filter_map(|row| beyond_reading(&text(row, 0))).collect();
        found.dedup();
        found.truncate(5);
        Ok(found)
    }

    fn begin(&mut self, until: Instant) -> Result<(), SummaryError> {
        self.until = until;
        let begin = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
        self.conn.query_drop(begin).map_err(|error| fault(&error))
    }

    fn sign(&mut self) -> Result<Option<String>, SummaryError> {
        Ok(None)
    }

    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError> {
        self.limit()?;
        let rows: Vec<Row> = self.conn.query(RELATIONS).map_err(|error| fault(&error))?;
        let relation = |row: &Row| Relation {
            schema: Some(text(row, 0)),
            name: text(row, 1),
            place: (text(row, 2) == "1").then_some(1),
            rows_only: false,
            of_role: true,
        };
        Ok(rows.iter().map(relation).collect())
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError> {
        self.limit()?;
        let which = (relation.schema.as_deref().unwrap_or_default(), relation.name.as_str());
        let rows: Vec<Row> = self.conn.exec(COLUMNS, which).map_err(|error| fault(&error))?;
        Ok(rows.iter().map(|row| Column { name: text(row, 0), kind: kind_of(&text(row, 1)) }).collect())
    }

    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: ColumnLimit,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError> {
        self.limit()?;
        let question = question(relation, column, wanted).ok_or_else(unquotable)?;
        let rows = self.conn.query_iter(question).map_err(|error| fault(&error))?;
        for row in rows {
            let row = row.map_err(|error| fault(&error))?;
            if let Some(Value::Bytes(octets)) = row.as_ref(0)
                && take(octets)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

fn question(relation: &Relation, column: &Column, wanted: ColumnLimit) -> Option<String> {
    let (table, name) = (qualified(relation, '`')?, quoted(&column.name, '`')?);
    let ColumnLimit { rows, letters, .. } = wanted;
    let inner = match column.kind {
        Kind::Plain => {
            return Some(format!(
                "SELECT CAST(v AS CHAR) FROM (SELECT DISTINCT {name} AS v FROM {table} WHERE {name} IS NOT NULL) AS d \
                 ORDER BY CAST(CAST(v AS CHAR) AS BINARY) LIMIT {rows}"
            ));
        }
        Kind::Text => format!("CONVERT({name} USING utf8mb4)"),
        Kind::Other | Kind::Binary => format!("CAST({name} AS CHAR CHARACTER SET utf8mb4)"),
    };
    Some(format!(
        "SELECT LEFT(CONVERT(v USING utf8mb4), {letters}) \
         FROM (SELECT DISTINCT CAST({inner} AS BINARY) AS v FROM {table} WHERE {name} IS NOT NULL) AS d \
         ORDER BY v LIMIT {rows}"
    ))
}

fn kind_of(name: &str) -> Kind {
    match name.to_ascii_lowercase().as_str() {
        "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" | "date" | "datetime" | "timestamp"
        | "time" => Kind::Plain,
        "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "enum" | "set" | "json" => Kind::Text,
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" | "bit" | "vector" => Kind::Binary,
        "geometry" | "point" | "linestring" | "polygon" | "multipoint" | "multilinestring" | "multipolygon"
        | "geometrycollection" | "geomcollection" => Kind::Binary,
        _ => Kind::Other,
    }
}

/// What a line of SHOW GRANTS allows beyond reading. Only rights that are known to be reading pass: a role, a proxy, a right
/// that is invented tomorrow does not. The line itself is not repeated: MariaDB puts a digest of the password into it.
fn beyond_reading(line: &str) -> Option<String> {
    const READING: [&str; 4] = ["USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES"];
    // MySQL 8 lists what was taken away again from a wider right.
    if line.starts_with("REVOKE ") {
        return None;
    }
    let Some(rest) = line.strip_prefix("GRANT ") else { return Some("a right that is not understood".into()) };
    let Some((rights, rest)) = split_on(rest) else { return Some("it can take other roles".into()) };
    if outside_quotes(rest, " WITH GRANT OPTION") {
        return Some("it can give its rights to others (GRANT OPTION)".into());
    }
    let beyond = rights.iter().find(|right| !READING.contains(&right.as_str()));
    beyond.map(|right| format!("it has the right {right}"))
}

/// The rights before ` ON `, without their lists of columns, and what follows.
fn split_on(line: &str) -> Option<(Vec<String>, &str)> {
    let (mut rights, mut right) = (Vec::new(), String::new());
    let (mut depth, mut quote) = (0_u32, None::<char>);
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (Some(open), _) => quote = (letter != open).then_some(open),
            (None, '`' | '"' | '\'') => {
                quote = Some(letter);
                // A name among the rights is a role; one in a list of columns is nothing to us.
                if depth == 0 {
                    right.push('?');
                }
            }
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => rights.push(std::mem::take(&mut right).trim().to_owned()),
            (None, ' ') if depth == 0 && line[at..].starts_with(" ON ") => {
                rights.push(right.trim().to_owned());
                return Some((rights, &line[at + 4..]));
            }
            (None, _) if depth == 0 => right.push(letter),
            _ => {}
        }
    }
    None
}

fn outside_quotes(line: &str, words: &str) -> bool {
    let mut quote = None::<char>;
    line.char_indices().any(|(at, letter)| {
        match quote {
            Some(open) => quote = (letter != open).then_some(open),
            None if matches!(letter, '`' | '"' | '\'') => quote = Some(letter),
            None => return line[at..].starts_with(words),
        }
        false
    })
}

fn text(row: &Row, at: usize) -> String {
    match row.as_ref(at) {
        Some(Value::Bytes(octets)) => String::from_utf8_lossy(octets).into_owned(),
        Some(Value::Int(number)) => number.to_string(),
        Some(Value::UInt(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn told(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(error) => error.message.clone(),
        other => other.to_string(),
    }
}

fn fault(error: &mysql::Error) -> SummaryError {
    match error {
        // Interrupted; MariaDB's and MySQL's limits of time.
        mysql::Error::MySqlError(error) if matches!(error.code, 1317 | 1969 | 3024) => SummaryError::Time(0),
        other => SummaryError::Database(told(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_reading_rights_pass() {
        for line in [
            "GRANT USAGE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD '*0123'",
            "GRANT SELECT ON `city`.* TO `r`@`%`",
            "GRANT SELECT, SHOW VIEW ON `city`.`hotel` TO 'r'@'localhost'",
            "GRANT SELECT (`name`, `insert`) ON `city`.`a ON b` TO `r`@`%`",
            "GRANT SELECT ON `x WITH GRANT OPTION`.* TO `r`@`%`",
            "REVOKE SELECT ON `mysql`.* FROM `r`@`%`",
        ] {
            assert_eq!(beyond_reading(line), None, "{line}");
        }
        for line in [
            "GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost`",
            "GRANT SELECT, INSERT ON `city`.* TO `r`@`%`",
            "GRANT SELECT, UPDATE (`a`) ON `city`.`t` TO `r`@`%`",
            "GRANT SELECT (`a`), INSERT (`b`) ON `city`.`t` TO `r`@`%`",
            "GRANT FILE ON *.* TO `r`@`%`",
            "GRANT EXECUTE ON PROCEDURE `x`.`y` TO `r`@`%`",
            "GRANT `writer`@`%` TO `r`@`%`",
            "GRANT `SELECT`@` ON ` TO `r`@`%`",
            "GRANT PROXY ON ''@'%' TO 'r'@'%'",
            "GRANT SELECT ON `city`.* TO `r`@`%` WITH GRANT OPTION",
            "SET DEFAULT ROLE `x` FOR `r`@`%`",
            "",
        ] {
            assert!(beyond_reading(line).is_some(), "{line}");
        }
        let hash = "GRANT FILE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD '*0123'";
        assert!(!beyond_reading(hash).unwrap_or_default().contains("0123"));
    }
}
