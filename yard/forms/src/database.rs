//! The database behind the form: rows in SQLite, in memory or in a file, and questions to it.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::question::Condition;
use crate::table::{Cell, Kind, Table};

/// What stands between the members of a set, and around them.
pub(crate) const BAR: char = '|';

/// Rows that can be asked for.
pub(crate) struct Database {
    connection: Mutex<Connection>,
    table: String,
}

impl Database {
    /// Puts a table into a database. `ranks` is the place of each row in every answer.
    pub(crate) fn build(table: &Table, ranks: &[usize], file: Option<&Path>) -> rusqlite::Result<Database> {
        let mut connection = open(file)?;
        let name = quoted(&table.name);
        let declared = |kind| if kind == Kind::Number { "REAL" } else { "TEXT" };
        let columns: String =
            table.columns.iter().map(|c| format!(", {} {}", quoted(&c.name), declared(c.kind))).collect();
        connection.execute_batch(&format!(
            "DROP TABLE IF EXISTS {name}; CREATE TABLE {name} (_id INTEGER PRIMARY KEY, _rank INTEGER{columns});"
        ))?;
        let transaction = connection.transaction()?;
        {
            let marks = ", ?".repeat(table.columns.len());
            let mut insert = transaction.prepare(&format!("INSERT INTO {name} VALUES (?, ?{marks})"))?;
            for (id, row) in table.rows.iter().enumerate() {
                let rank = ranks.get(id).copied().unwrap_or(id);
                let head = [id, rank].map(|number| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)));
                insert.execute(params_from_iter(head.into_iter().chain(row.iter().map(value))))?;
            }
        }
        transaction.commit()?;
        Ok(Database { connection: Mutex::new(connection), table: name })
    }

    /// How many rows satisfy a condition, and the numbers of `count` of them from the place `from` on.
    pub(crate) fn find(
        &self,
        condition: &Condition,
        from: usize,
        count: usize,
    ) -> rusqlite::Result<(usize, Vec<usize>)> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let (table, sql) = (&self.table, condition.sql());
        let values = || params_from_iter(condition.values());
        let mut counting = connection.prepare_cached(&format!("SELECT COUNT(*) FROM {table} WHERE {sql}"))?;
        let total: i64 = counting.query_row(values(), |row| row.get(0))?;
        let mut asking = connection.prepare_cached(&format!(
            "SELECT _id FROM {table} WHERE {sql} ORDER BY _rank LIMIT {count} OFFSET {from}"
        ))?;
        let ids = asking.query_map(values(), |row| row.get::<_, i64>(0))?;
        let ids = ids.map(|id| id.map(|id| usize::try_from(id).unwrap_or_default())).collect::<Result<_, _>>()?;
        Ok((usize::try_from(total).unwrap_or_default(), ids))
    }
}

/// A database in a file or in memory.
pub(crate) fn open(file: Option<&Path>) -> rusqlite::Result<Connection> {
    match file {
        Some(file) => Connection::open(file),
        None => Connection::open_in_memory(),
    }
}

/// A name in SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Text(text) => Value::Text(text.clone()),
        Cell::Number(number) => Value::Real(*number),
        Cell::Set(all) => Value::Text(all.iter().fold(BAR.to_string(), |text, one| text + one + &BAR.to_string())),
    }
}
