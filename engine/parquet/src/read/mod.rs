//! What was computed elsewhere comes back: ranks, levels, labels by the numbers of pages; and our own links, to check an export.
//!
//! Files are of anybody: Spark, DuckDB, pandas, or somebody who means harm. They are read a few thousand rows at a time, packed with
//! zstd, snappy, gzip, lz4 or not at all; what cannot be true is refused before it costs memory (`guard.rs`), and the number of
//! rows is bounded by the caller, because a file of a kilobyte may claim billions.

mod column;
mod files;
mod guard;
mod header;

use std::fs::File;

use groma_model::PageId;
use parquet::file::reader::{FileReader, SerializedFileReader};

use self::column::{Cell, NumberColumn, caught, is_numbers};
use self::files::Files;
use crate::error::TableError;
use crate::place::Aim;

/// Rows read at once.
const STEP: usize = 8192;

/// Reads the ranks of pages: columns `id` and `rank`, or `id` and `value`. `most` is the most rows there may be: that of the
/// survey's URLs. Rows without a rank are passed over; a rank that is negative or no number is an error.
pub fn read_ranks(
    from: &Aim,
    most: u64,
) -> Result<impl Iterator<Item = Result<(PageId, f64), TableError>> + use<>, TableError> {
    let pairs = Pairs::new(Files::list(from)?, &["id"], &["rank", "value"], most);
    Ok(Values { pairs, ranks: true })
}

/// Reads any values of pages by the names of the columns; see [`read_ranks`].
pub fn read_values(
    from: &Aim,
    id: &str,
    value: &str,
    most: u64,
) -> Result<impl Iterator<Item = Result<(PageId, f64), TableError>> + use<>, TableError> {
    let pairs = Pairs::new(Files::list(from)?, &[id], &[value], most);
    Ok(Values { pairs, ranks: false })
}

/// Reads the links of a whole export back: source and target.
pub fn read_links(
    from: &Aim,
) -> Result<impl Iterator<Item = Result<(PageId, PageId), TableError>> + use<>, TableError> {
    let (files, rows) = Files::of_table(from, "links")?;
    Ok(Links { pairs: Pairs::new(files, &["source"], &["target"], rows) })
}

/// Reads links that somebody else wrote, by the same columns; at most so many.
pub fn read_some_links(
    from: &Aim,
    most: u64,
) -> Result<impl Iterator<Item = Result<(PageId, PageId), TableError>> + use<>, TableError> {
    Ok(Links { pairs: Pairs::new(Files::list(from)?, &["source"], &["target"], most) })
}

struct Values {
    pairs: Pairs,
    ranks: bool,
}

impl Iterator for Values {
    type Item = Result<(PageId, f64), TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (id, value) = match self.pairs.next()? {
                Ok(pair) => pair,
                Err(error) => return Some(Err(error)),
            };
            let value = match value {
                Cell::Empty => continue,
                Cell::Whole(value) => value as f64,
                Cell::Real(value) => value,
            };
            let id = match self.pairs.number(id) {
                Ok(id) => id,
                Err(error) => return Some(Err(error)),
            };
            if self.ranks && !(value.is_finite() && value >= 0.0) {
                return Some(Err(self.pairs.fail(format!("{value} is no rank (page {})", id.0))));
            }
            return Some(Ok((id, value)));
        }
    }
}

struct Links {
    pairs: Pairs,
}

impl Iterator for Links {
    type Item = Result<(PageId, PageId), TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let pair = self.pairs.next()?;
        Some(pair.and_then(|(source, target)| Ok((self.pairs.number(source)?, self.pairs.number(target)?))))
    }
}

/// Two columns of many files, row by row. After an error there is nothing more.
struct Pairs {
    files: Files,
    names: [Vec<String>; 2],
    most: u64,
    seen: u64,
    open: Option<Open>,
    /// The file that is being read.
    shown: String,
    ahead: [Vec<Cell>; 2],
    at: usize,
    over: bool,
}

impl Pairs {
    fn new(files: Files, first: &[&str], second: &[&str], most: u64) -> Pairs {
        let names = [first, second].map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let ahead = [Vec::new(), Vec::new()];
        Pairs { files, names, most, seen: 0, open: None, shown: String::new(), ahead, at: 0, over: false }
    }

    fn next(&mut self) -> Option<Result<(Cell, Cell), TableError>> {
        while self.at >= self.ahead[0].len() {
            if self.over {
                return None;
            }
            match self.fill() {
                Ok(true) => {}
                Ok(false) => {
                    self.over = true;
                    return None;
                }
                Err(error) => {
                    self.stop();
                    return Some(Err(error));
                }
            }
        }
        let pair = (self.ahead[0][self.at], self.ahead[1][self.at]);
        self.at += 1;
        Some(Ok(pair))
    }

    /// Reads the next rows; nothing if there are no more.
    fn fill(&mut self) -> Result<bool, TableError> {
        loop {
            if let Some(open) = &mut self.open {
                let wrong = |says| TableError::file(&self.shown, says);
                if open.fill(&mut self.ahead).map_err(wrong)? {
                    self.at = 0;
                    return Ok(true);
                }
                self.open = None;
            }
            let Some((shown, file)) = self.files.next()? else { return Ok(false) };
            let open = Open::new(file, &self.names).map_err(|says| TableError::file(&shown, says))?;
            self.seen = self.seen.saturating_add(open.rows);
            if self.seen > self.most {
                return Err(TableError::file(&shown, format!("more rows than there can be ({})", self.most)));
            }
            (self.shown, self.open) = (shown, Some(open));
        }
    }

    /// The number of a page.
    fn number(&mut self, cell: Cell) -> Result<PageId, TableError> {
        let number = match cell {
            Cell::Whole(number) => u32::try_from(number).ok(),
            _ => None,
        };
        number.map(PageId).ok_or_else(|| self.fail(format!("{cell:?} is no number of a page")))
    }

    fn fail(&mut self, says: String) -> TableError {
        self.stop();
        TableError::file(&self.shown, says)
    }

    fn stop(&mut self) {
        self.over = true;
        self.open = None;
        self.ahead.iter_mut().for_each(Vec::clear);
    }
}

/// A file that is being read.
struct Open {
    reader: SerializedFileReader<File>,
    file: File,
    length: u64,
    columns: [usize; 2],
    rows: u64,
    group: usize,
    /// The columns of the group, and the rows that are left in it.
    here: Option<([NumberColumn; 2], u64)>,
}

impl Open {
    fn new(mut file: File, names: &[Vec<String>; 2]) -> Result<Open, String> {
        let length = guard::check_ends(&mut file)?;
        let same = file.try_clone().map_err(|error| error.to_string())?;
        let reader = caught(|| SerializedFileReader::new(same))?;
        let metadata = reader.metadata();
        let schema = metadata.file_metadata().schema_descr();
        let find = |names: &Vec<String>| {
            let named = |name: &String| schema.columns().iter().position(|column| column.path().string() == *name);
            let index =
                names.iter().find_map(named).ok_or_else(|| format!("it has no column {}", names.join(" or ")))?;
            if is_numbers(&schema.column(index)) {
                Ok(index)
            } else {
                Err(format!("{} holds no numbers", names.join(" or ")))
            }
        };
        let columns = [find(&names[0])?, find(&names[1])?];
        let mut rows = 0u64;
        for group in metadata.row_groups() {
            let here = u64::try_from(group.num_rows()).map_err(|_| "a group claims fewer than no rows")?;
            rows = rows.checked_add(here).ok_or("it claims more rows than there can be")?;
            // A group of others may have fewer columns than the file says.
            if columns.iter().any(|column| *column >= group.num_columns()) {
                return Err("a group has not all columns".to_owned());
            }
        }
        Ok(Open { reader, file, length, columns, rows, group: 0, here: None })
    }

    /// Reads the next rows; nothing if there are no more.
    fn fill(&mut self, ahead: &mut [Vec<Cell>; 2]) -> Result<bool, String> {
        loop {
            if let Some((columns, left)) = &mut self.here
                && *left > 0
            {
                let most = STEP.min(usize::try_from(*left).unwrap_or(STEP));
                for (column, cells) in columns.iter_mut().zip(ahead.iter_mut()) {
                    column.read(most, cells)?;
                    // The library stops at the end of a page now and then; both columns must have come as far.
                    while cells.len() < most {
                        let mut more = Vec::new();
                        column.read(most - cells.len(), &mut more)?;
                        cells.append(&mut more);
                    }
                }
                *left -= most as u64;
                return Ok(true);
            }
            if self.group >= self.reader.num_row_groups() {
                return Ok(false);
            }
            self.here = Some(self.begin(self.group)?);
            self.group += 1;
        }
    }

    fn begin(&mut self, group: usize) -> Result<([NumberColumn; 2], u64), String> {
        let metadata = self.reader.metadata().row_group(group);
        for column in self.columns {
            guard::check_pages(&mut self.file, self.length, metadata, metadata.column(column))?;
        }
        let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let reader = &self.reader;
        let column = |index: usize| {
            let column = caught(|| reader.get_row_group(group)?.get_column_reader(index))?;
            Ok::<_, String>(NumberColumn::new(column, metadata.column(index).column_descr()))
        };
        Ok(([column(self.columns[0])?, column(self.columns[1])?], rows))
    }
}
