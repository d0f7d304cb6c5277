//! The files of a table: a folder per part, in it one file after the other.
//!
//! Rows arrive in the order of the store and are dealt to their parts, so all parts are open at once. What waits is bounded:
//!
//! ```text
//! a part is written as a group        when it has GROUP bytes or ROWS rows
//! the fullest part is written         when all parts together have BUDGET bytes
//! a file is ended, the next begun     when it has FILE bytes
//! ```
//!
//! Memory: BUDGET for the rows, at worst twice that (buffers grow by doubling), and what the place needs for each open file; not a
//! function of the survey. Cost: linear; the fullest part is looked for once per group. Not guaranteed: groups of
//! like size. With many parts of like size a group has about BUDGET / parts bytes: more parts make smaller groups.

use crate::error::TableError;
use crate::place::Place;
use crate::tables::batch::{Batch, RowWriter};
use crate::tables::file::File;
use crate::tables::manifest::{FileFacts, TableFacts};
use crate::tables::schema::Table;

/// A group is written at this size, as it lies in memory.
const GROUP: usize = 16 << 20;
/// Or with this many rows.
const ROWS: usize = 1 << 20;
/// All rows that wait.
const BUDGET: usize = 64 << 20;
/// A file is ended at this size.
const FILE: u64 = 256 << 20;

/// The sizes at which things are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes, as they lie in memory, at which the rows of a part are written as a group.
    pub group: usize,
    /// Rows at which they are.
    pub rows: usize,
    /// Bytes of all parts of a table together at which those of the fullest are.
    pub budget: usize,
    /// Bytes at which a file is ended and the next begun.
    pub file: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { group: GROUP, rows: ROWS, budget: BUDGET, file: FILE }
    }
}

/// A part of a table.
struct Part {
    batch: Batch,
    file: Option<File>,
    files: u32,
}

/// A table that is being written.
pub(crate) struct TableWriter<'a> {
    place: &'a Place,
    table: &'static Table,
    sizes: Sizes,
    parts: Vec<Part>,
    waiting: usize,
    done: Vec<FileFacts>,
    rows: u64,
}

impl<'a> TableWriter<'a> {
    /// Begins one of so many parts.
    pub(crate) fn begin(place: &'a Place, table: &'static Table, parts: u32, sizes: Sizes) -> TableWriter<'a> {
        let part = |_| Part { batch: Batch::for_table(table), file: None, files: 0 };
        let parts = (0..parts).map(part).collect();
        TableWriter { place, table, sizes, parts, waiting: 0, done: Vec::new(), rows: 0 }
    }

    /// Puts a row into a part.
    pub(crate) fn row(
        &mut self,
        part: u32,
        fill: impl FnOnce(&mut RowWriter<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let index = part as usize;
        let missing = || TableError::Write(format!("there is no part {index}"));
        let batch = &mut self.parts.get_mut(index).ok_or_else(missing)?.batch;
        let before = batch.bytes();
        fill(&mut batch.row())?;
        let (bytes, rows) = (batch.bytes(), batch.rows());
        self.waiting += bytes - before;
        self.rows += 1;
        if bytes >= self.sizes.group || rows >= self.sizes.rows {
            return self.flush(index);
        }
        if self.waiting >= self.sizes.budget {
            let fullest = (0..self.parts.len()).max_by_key(|part| self.parts[*part].batch.bytes());
            return self.flush(fullest.unwrap_or(index));
        }
        Ok(())
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes what waits in a part as a group.
    fn flush(&mut self, index: usize) -> Result<(), TableError> {
        let name = self.name(index);
        let part = &mut self.parts[index];
        let mut file = match part.file.take() {
            Some(file) => file,
            None => {
                part.files += 1;
                File::begin(name.clone(), self.table, self.place.create(&name)?)?
            }
        };
        let batch = std::mem::replace(&mut part.batch, Batch::for_table(self.table));
        self.waiting -= batch.bytes();
        file.write(batch)?;
        if file.bytes() >= self.sizes.file {
            self.done.push(file.end()?);
        } else {
            part.file = Some(file);
        }
        Ok(())
    }

    /// The next file of a part.
    fn name(&self, index: usize) -> String {
        file_name(self.table.name, index, self.parts.len(), self.parts[index].files, "parquet")
    }

    /// Writes what waits and ends all files. A table without rows is one file without rows: its columns are known all the same.
    pub(crate) fn end(mut self) -> Result<TableFacts, TableError> {
        for index in 0..self.parts.len() {
            if self.parts[index].batch.rows() > 0 || (self.rows == 0 && index == 0) {
                self.flush(index)?;
            }
            if let Some(file) = self.parts[index].file.take() {
                self.done.push(file.end()?);
            }
        }
        self.done.sort_by(|a, b| a.name.cmp(&b.name));
        let bytes = self.done.iter().map(|file| file.bytes).sum();
        Ok(TableFacts { name: self.table.name.to_owned(), rows: self.rows, bytes, files: self.done })
    }
}

/// The name of a file: `links/part=07/links-0000.parquet`. Numbers of parts have as many digits as the greatest, so that names sort
/// as numbers do.
pub(crate) fn file_name(table: &str, part: usize, parts: usize, number: u32, ending: &str) -> String {
    let digits = parts.saturating_sub(1).to_string().len().max(2);
    format!("{table}/part={part:0digits$}/{table}-{number:04}.{ending}")
}
