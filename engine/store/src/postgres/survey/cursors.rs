//! Whole tables, some rows at a time, side by side, in order of their numbers, in flat memory.
//!
//! ```text
//! DECLARE name CURSOR FOR SELECT id, ... WHERE id > after ORDER BY id;  FETCH n FROM name, again and again
//! n       so many that a fetch brings about CHUNK bytes: between 16 and 2048 rows
//! ```
//!
//! All cursors of a walk are in one transaction, so they see the same moment. If the connection is lost, the writer's own walk goes on in
//! a new one behind the last row that came: nobody else writes, so that is the same survey. A reader's walk breaks off.
//!
//! Memory: one fetch for each table. Cost: a round trip a fetch.

use std::time::{Duration, Instant};
use std::vec::IntoIter;

use tokio_postgres::Row;

use super::reading::Reading;
use super::rows::number;
use crate::StoreError;
use crate::postgres::driver::{Fault, Live};

/// Bytes a fetch should bring.
const CHUNK: usize = 1 << 20;
/// For how long the writer's walk is taken up again.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many rows a fetch may bring: statements are prepared, so there are only some of them.
const SIZES: [usize; 4] = [16, 128, 512, 2048];

/// A table to be walked.
pub(super) struct Table {
    /// The name of its cursor: no other has it, so that a prepared FETCH keeps its columns.
    pub(super) name: &'static str,
    /// What is read of it. The number comes first; `AFTER` stands for the number behind which it begins.
    pub(super) sql: &'static str,
}

/// Tables being walked side by side.
pub(super) struct Cursors<'a> {
    reading: &'a mut Reading,
    /// Another moment is as good as this one.
    resumes: bool,
    tables: Vec<Cursor>,
}

struct Cursor {
    table: &'static Table,
    declared: bool,
    ended: bool,
    /// The number of the last row that was fetched.
    after: i64,
    rows: IntoIter<Row>,
    size: usize,
}

impl<'a> Cursors<'a> {
    /// Begins a walk. `resumes`: if the connection is lost, another moment is as good.
    pub(super) fn over(reading: &'a mut Reading, resumes: bool, tables: &[&'static Table]) -> Cursors<'a> {
        let begin = |table: &&'static Table| Cursor {
            table,
            declared: false,
            ended: false,
            after: -1,
            rows: Vec::new().into_iter(),
            size: 1,
        };
        Cursors { reading, resumes, tables: tables.iter().map(begin).collect() }
    }

    /// The next row of a table.
    pub(super) fn next(&mut self, table: usize) -> Result<Option<Row>, StoreError> {
        let Some(cursor) = self.tables.get_mut(table) else { return Ok(None) };
        if let Some(row) = cursor.rows.next() {
            return Ok(Some(row));
        }
        if cursor.ended {
            return Ok(None);
        }
        let rows = self.fetch(table)?;
        let cursor = &mut self.tables[table];
        cursor.ended = rows.len() < SIZES[cursor.size];
        if let Some(last) = rows.last() {
            cursor.after = i64::from(number(last, 0)?);
        }
        let bytes: usize = rows.iter().map(Row::raw_size_bytes).sum();
        cursor.size = match bytes {
            ..=CHUNK if bytes * 4 <= CHUNK => (cursor.size + 1).min(SIZES.len() - 1),
            ..=CHUNK => cursor.size,
            _ => cursor.size.saturating_sub(1),
        };
        cursor.rows = rows.into_iter();
        Ok(cursor.rows.next())
    }

    fn fetch(&mut self, table: usize) -> Result<Vec<Row>, StoreError> {
        let until = Instant::now() + PATIENCE;
        loop {
            if self.reading.begin()? {
                self.tables.iter_mut().for_each(|cursor| cursor.declared = false);
            }
            let fresh = self.tables.iter().all(|cursor| cursor.after < 0);
            let cursor = &mut self.tables[table];
            match self.reading.attempt(|live| cursor.fetch(live)) {
                Ok(rows) => return Ok(rows),
                Err(Fault::Lost(_)) if (self.resumes || fresh) && Instant::now() < until => {}
                Err(fault) => return Err(self.reading.error(fault)),
            }
        }
    }

    /// Ends the walk: the moment stays.
    pub(super) fn close(self) -> Result<(), StoreError> {
        let close: String =
            self.tables.iter().filter(|c| c.declared).map(|c| format!("CLOSE {}; ", c.table.name)).collect();
        if close.is_empty() {
            return Ok(());
        }
        // If the connection was lost meanwhile, there is nothing to be closed.
        match self.reading.attempt(|live| live.batch(&close)) {
            Err(Fault::Lost(_)) if self.resumes => Ok(()),
            Err(fault) => Err(self.reading.error(fault)),
            Ok(()) => Ok(()),
        }
    }
}

impl Cursor {
    fn fetch(&mut self, live: &mut Live) -> Result<Vec<Row>, Fault> {
        let name = self.table.name;
        if !self.declared {
            let select = self.table.sql.replace("AFTER", &self.after.to_string());
            live.batch(&format!("DECLARE {name} NO SCROLL CURSOR FOR {select}"))?;
            self.declared = true;
        }
        let statement = live.statement(&format!("FETCH FORWARD {} FROM {name}", SIZES[self.size]), &[])?;
        Live::call(live.client().query(&statement, &[]))
    }
}

/// A table walked beside another.
pub(super) struct Beside {
    table: usize,
    row: Option<(u32, Row)>,
    begun: bool,
}

impl Beside {
    /// The table of this place among those being walked.
    pub(super) fn new(table: usize) -> Beside {
        Beside { table, row: None, begun: false }
    }

    /// The row with this number, if there is one; numbers only grow.
    pub(super) fn at(&mut self, cursors: &mut Cursors<'_>, id: u32) -> Result<Option<&Row>, StoreError> {
        while !self.begun || self.row.as_ref().is_some_and(|(of, _)| *of < id) {
            self.begun = true;
            self.row = match cursors.next(self.table)? {
                Some(row) => Some((number(&row, 0)?, row)),
                None => None,
            };
        }
        Ok(self.row.as_ref().filter(|(of, _)| *of == id).map(|(_, row)| row))
    }
}
