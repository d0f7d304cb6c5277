//! What can still be read of a damaged file is copied to a new one, table by table, around the places that cannot.
//!
//! A row is found by its number as long as the pages on the way to it are whole. Where reading fails, the next number that can be read is
//! looked for by ever longer leaps and then by halving: `O(log n)` questions for a gap. Tables without numbers are read from both
//! ends. Indexes are made anew.

use std::path::Path;

use groma_sqlite_checksums::{open, writing};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};

use crate::StoreError;

/// What became of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Salvaged {
    pub(crate) table: String,
    /// Rows that could be read and are in the new file.
    pub(crate) rows: u64,
    /// Numbers between which nothing could be read, both excluded.
    pub(crate) gaps: Vec<(i64, i64)>,
}

/// Copies what can be read of the file at `from` into the tables of the one at `to`, which are there and empty, but for those left out.
pub(crate) fn salvage(from: &Path, to: &Path, but: &[&str]) -> Result<Vec<Salvaged>, StoreError> {
    let old = open(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut new = open(to, writing())?;
    let tables: Vec<(String, bool)> = {
        let sql = "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'";
        let mut list = new.prepare(sql)?;
        let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<Result<_, _>>()?
    };
    let mut all = Vec::new();
    let tx = new.transaction()?;
    for (table, keyed) in tables.into_iter().filter(|(table, _)| !but.contains(&table.as_str())) {
        let mut copier = Copier::new(&old, &tx, table)?;
        if keyed {
            copier.copy_both_ends()?
        } else {
            copier.copy_by_numbers()?
        }
        all.push(copier.done);
    }
    keep_numbers(&old, &tx);
    tx.commit()?;
    new.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    new.close().map_err(|(_, error)| error)?;
    Ok(all)
}

/// Numbers that were given out are not given out again.
fn keep_numbers(old: &Connection, new: &Connection) {
    let read = || -> rusqlite::Result<Vec<(String, i64)>> {
        let mut all = old.prepare("SELECT name, seq FROM sqlite_sequence")?;
        all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    for (table, last) in read().unwrap_or_default() {
        let sql = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1";
        if new.execute(sql, (&table, last)).is_ok_and(|changed| changed == 0) {
            let _ = new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (&table, last));
        }
    }
}

struct Copier<'a> {
    old: &'a Connection,
    new: &'a Connection,
    columns: Vec<String>,
    insert: String,
    done: Salvaged,
}

impl<'a> Copier<'a> {
    fn new(old: &'a Connection, new: &'a Connection, table: String) -> rusqlite::Result<Copier<'a>> {
        let empty = new.prepare(&format!("SELECT * FROM \"{table}\" LIMIT 0"))?;
        let columns: Vec<String> = empty.column_names().map(|name| format!("\"{name}\"")).collect();
        let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
        let insert =
            format!("INSERT OR IGNORE INTO \"{table}\" ({}) VALUES ({})", columns.join(", "), places.join(", "));
        Ok(Copier { old, new, columns, insert, done: Salvaged { table, ..Salvaged::default() } })
    }

    /// Copies a row. What cannot be inserted is counted with what cannot be read.
    fn put(&mut self, row: &Row<'_>, first: usize) -> rusqlite::Result<()> {
        let values = (first..first + self.columns.len()).map(|at| row.get::<_, Value>(at));
        let values = values.collect::<rusqlite::Result<Vec<Value>>>()?;
        let rows = self.new.prepare_cached(&self.insert)?.execute(params_from_iter(values))?;
        self.done.rows += rows as u64;
        Ok(())
    }

    fn copy_by_numbers(&mut self) -> Result<(), StoreError> {
        let (table, columns) = (self.done.table.clone(), self.columns.join(", "));
        let all = format!("SELECT rowid, {columns} FROM \"{table}\" NOT INDEXED WHERE rowid > ?1 ORDER BY rowid");
        let mut after = -1i64;
        loop {
            let ended = self.run(&all, &mut after);
            if ended.is_ok() {
                return Ok(());
            }
            let Some(next) = self.leap(&table, after) else {
                self.done.gaps.push((after, i64::MAX));
                return Ok(());
            };
            self.done.gaps.push((after, next + 1));
            after = next;
        }
    }

    /// Copies until the end, or until a row cannot be read.
    fn run(&mut self, sql: &str, after: &mut i64) -> rusqlite::Result<()> {
        let old = self.old;
        let mut rows = old.prepare_cached(sql)?;
        let mut rows = rows.query([*after])?;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            self.put(row, 1)?;
            *after = number;
        }
        Ok(())
    }

    /// The least number after this one behind which a row can be read, with all its columns, or the table ends.
    fn leap(&self, table: &str, after: i64) -> Option<i64> {
        let columns = self.columns.join(", ");
        let sql =
            format!("SELECT rowid, {columns} FROM \"{table}\" NOT INDEXED WHERE rowid > ?1 ORDER BY rowid LIMIT 1");
        let reads = |behind: i64| -> bool {
            let first = || -> rusqlite::Result<()> {
                let mut find = self.old.prepare_cached(&sql)?;
                let mut rows = find.query([behind])?;
                if let Some(row) = rows.next()? {
                    for at in 0..=self.columns.len() {
                        row.get::<_, Value>(at)?;
                    }
                }
                Ok(())
            };
            first().is_ok()
        };
        let mut step = 1i64;
        while !reads(after.checked_add(step)?) {
            step = step.checked_mul(2).filter(|step| *step < 1 << 40)?;
        }
        let (mut bad, mut good) = (step / 2, step);
        while bad + 1 < good {
            let middle = bad + (good - bad) / 2;
            if reads(after + middle) { good = middle } else { bad = middle }
        }
        Some(after + good)
    }

    fn copy_both_ends(&mut self) -> Result<(), StoreError> {
        let (table, columns) = (self.done.table.clone(), self.columns.join(", "));
        let key: Vec<String> = {
            let sql = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
            let mut list = self.new.prepare(sql)?;
            let rows = list.query_map([&table], |row| Ok(format!("\"{}\"", row.get::<_, String>(0)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        let forwards = format!("SELECT {columns} FROM \"{table}\" NOT INDEXED");
        if self.whole(&forwards).is_err() {
            let backwards: Vec<String> = key.iter().map(|name| format!("{name} DESC")).collect();
            let _ = self.whole(&format!("{forwards} ORDER BY {}", backwards.join(", ")));
            self.done.gaps.push((0, 0));
        }
        Ok(())
    }

    fn whole(&mut self, sql: &str) -> rusqlite::Result<()> {
        let old = self.old;
        let mut rows = old.prepare(sql)?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            self.put(row, 0)?;
        }
        Ok(())
    }
}
