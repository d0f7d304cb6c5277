//! Rows that wait in memory, column by column, until they are a group of a file.
//!
//! Texts lie one behind the other in one buffer, so that a row costs no allocation; words of ours are kept by reference.

use bytes::Bytes;
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

use crate::error::TableError;
use crate::tables::schema::{Kind, Table};

/// Texts handed to the library at once: each is a handle of 32 bytes on the buffer while it is written.
const AT_ONCE: usize = 8192;

/// The values of a column.
#[derive(Debug)]
enum Cells {
    Long(Vec<i64>),
    Small(Vec<i32>),
    Flag(Vec<bool>),
    Real(Vec<f64>),
    Word(Vec<&'static str>),
    /// All texts, and where each ends.
    Text(Vec<u8>, Vec<usize>),
}

#[derive(Debug)]
struct Buffer {
    cells: Cells,
    /// Of a column that may be empty: 1 where it is not.
    levels: Option<Vec<i16>>,
}

/// Rows of a table.
#[derive(Debug)]
pub(crate) struct Batch {
    columns: Vec<Buffer>,
    rows: usize,
    bytes: usize,
}

impl Batch {
    pub(crate) fn for_table(table: &Table) -> Batch {
        let buffer = |column: &crate::tables::schema::Column| {
            let cells = match column.kind {
                Kind::Number | Kind::Long | Kind::Moment => Cells::Long(Vec::new()),
                Kind::Small => Cells::Small(Vec::new()),
                Kind::Flag => Cells::Flag(Vec::new()),
                Kind::Real => Cells::Real(Vec::new()),
                Kind::Word => Cells::Word(Vec::new()),
                Kind::Text | Kind::Own => Cells::Text(Vec::new(), Vec::new()),
            };
            Buffer { cells, levels: column.optional.then(Vec::new) }
        };
        Batch { columns: table.columns.iter().map(buffer).collect(), rows: 0, bytes: 0 }
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// What it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Begins a row; its values are given in the order of the columns.
    pub(crate) fn row(&mut self) -> RowWriter<'_> {
        RowWriter { batch: self, at: 0, sound: true }
    }

    /// Writes a column to a group.
    pub(crate) fn write(&mut self, index: usize, mut to: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let wrong = || ParquetError::General(format!("column {index} has another type"));
        let buffer = self.columns.get_mut(index).ok_or_else(wrong)?;
        let levels = buffer.levels.as_deref();
        match (&mut buffer.cells, to.untyped()) {
            (Cells::Long(values), ColumnWriter::Int64ColumnWriter(to)) => plain(to, values, levels)?,
            (Cells::Small(values), ColumnWriter::Int32ColumnWriter(to)) => plain(to, values, levels)?,
            (Cells::Flag(values), ColumnWriter::BoolColumnWriter(to)) => plain(to, values, levels)?,
            (Cells::Real(values), ColumnWriter::DoubleColumnWriter(to)) => plain(to, values, levels)?,
            (Cells::Word(words), ColumnWriter::ByteArrayColumnWriter(to)) => {
                texts(to, words.len(), levels, |n| Bytes::from_static(words[n].as_bytes()))?;
            }
            (Cells::Text(all, ends), ColumnWriter::ByteArrayColumnWriter(to)) => {
                let all = Bytes::from(std::mem::take(all));
                let begin = |n: usize| n.checked_sub(1).map_or(0, |before| ends[before]);
                texts(to, ends.len(), levels, |n| all.slice(begin(n)..ends[n]))?;
            }
            _ => return Err(wrong()),
        }
        to.close()
    }
}

/// Values that are what the library wants. It takes them in steps of its own.
fn plain<T: DataType>(
    to: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    to.write_batch(values, levels, None).map(drop)
}

/// Texts, a step at a time: `levels` says for each row whether the next text is its.
fn texts(
    to: &mut ColumnWriterImpl<'_, ByteArrayType>,
    count: usize,
    levels: Option<&[i16]>,
    text: impl Fn(usize) -> Bytes,
) -> Result<(), ParquetError> {
    let mut handles: Vec<ByteArray> = Vec::with_capacity(AT_ONCE.min(count));
    let (rows, mut taken) = (levels.map_or(count, <[i16]>::len), 0);
    for from in (0..rows).step_by(AT_ONCE) {
        let levels = levels.map(|levels| &levels[from..rows.min(from + AT_ONCE)]);
        let here = levels.map_or(AT_ONCE.min(rows - from), |levels| levels.iter().filter(|level| **level > 0).count());
        handles.clear();
        handles.extend((taken..taken + here).map(|n| ByteArray::from(text(n))));
        taken += here;
        to.write_batch(&handles, levels, None)?;
    }
    Ok(())
}

/// Fills a row, column after column.
#[must_use]
pub(crate) struct RowWriter<'a> {
    batch: &'a mut Batch,
    at: usize,
    sound: bool,
}

impl RowWriter<'_> {
    /// A whole number, of 64 or 32 bits as the column has it; a number too great for it is held at the greatest.
    pub(crate) fn number(&mut self, value: impl Into<Option<i64>>) -> &mut Self {
        self.put(value.into(), |cells, value| match cells {
            Cells::Long(values) => pushed(values, value),
            Cells::Small(values) => {
                let held = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
                pushed(values, held)
            }
            _ => None,
        })
    }

    /// A moment, in seconds since 1970.
    pub(crate) fn moment(&mut self, seconds: impl Into<Option<i64>>) -> &mut Self {
        self.number(seconds.into().map(|seconds| seconds.saturating_mul(1_000_000)))
    }

    pub(crate) fn flag(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        self.put(value.into(), |cells, value| match cells {
            Cells::Flag(values) => pushed(values, value),
            _ => None,
        })
    }

    pub(crate) fn real(&mut self, value: impl Into<Option<f64>>) -> &mut Self {
        self.put(value.into(), |cells, value| match cells {
            Cells::Real(values) => pushed(values, value),
            _ => None,
        })
    }

    /// One of our words.
    pub(crate) fn word(&mut self, value: impl Into<Option<&'static str>>) -> &mut Self {
        self.put(value.into(), |cells, value| match cells {
            Cells::Word(values) => pushed(values, value),
            _ => None,
        })
    }

    pub(crate) fn text<'t>(&mut self, value: impl Into<Option<&'t str>>) -> &mut Self {
        self.put(value.into(), |cells, value| match cells {
            Cells::Text(all, ends) => {
                all.extend_from_slice(value.as_bytes());
                ends.push(all.len());
                Some(value.len() + size_of::<usize>())
            }
            _ => None,
        })
    }

    /// A text that is nothing if it is empty.
    pub(crate) fn known(&mut self, value: &str) -> &mut Self {
        self.text(Some(value).filter(|text| !text.is_empty()))
    }

    fn put<T>(&mut self, value: Option<T>, into: impl FnOnce(&mut Cells, T) -> Option<usize>) -> &mut Self {
        let Some(buffer) = self.batch.columns.get_mut(self.at) else {
            self.sound = false;
            return self;
        };
        self.at += 1;
        if let Some(levels) = &mut buffer.levels {
            levels.push(i16::from(value.is_some()));
            self.batch.bytes += size_of::<i16>();
        }
        match value {
            Some(value) => match into(&mut buffer.cells, value) {
                Some(bytes) => self.batch.bytes += bytes,
                None => self.sound = false,
            },
            None => self.sound &= buffer.levels.is_some(),
        }
        self
    }

    /// Ends the row. An error is a mistake of ours: a column was left out or has another type.
    pub(crate) fn end(&mut self) -> Result<(), TableError> {
        if !self.sound || self.at != self.batch.columns.len() {
            return Err(TableError::Write(format!("a row does not fit its table (column {})", self.at)));
        }
        self.batch.rows += 1;
        Ok(())
    }
}

fn pushed<T>(values: &mut Vec<T>, value: T) -> Option<usize> {
    values.push(value);
    Some(size_of::<T>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::schema::{always, maybe};

    const TABLE: Table = Table {
        name: "t",
        columns: &[always("id", Kind::Number), maybe("title", Kind::Text), always("n", Kind::Small)],
    };

    #[test]
    fn a_row_that_does_not_fit_is_refused() {
        let mut batch = Batch::for_table(&TABLE);
        assert!(batch.row().number(1).text("a").number(3).end().is_ok());
        assert_eq!(batch.rows(), 1);
        assert!(batch.bytes() > 8);
        // Too few, too many, another type, nothing where something must be.
        assert!(batch.row().number(1).end().is_err());
        assert!(batch.row().number(1).text("a").number(3).number(4).end().is_err());
        assert!(batch.row().flag(true).text("a").number(3).end().is_err());
        assert!(batch.row().number(None).text("a").number(3).end().is_err());
        assert_eq!(batch.rows(), 1);
    }

    #[test]
    fn numbers_too_great_are_held() {
        let mut batch = Batch::for_table(&TABLE);
        batch.row().number(1).text(None).number(i64::MAX).end().unwrap();
        let Cells::Small(values) = &batch.columns[2].cells else { panic!("32 bits") };
        assert_eq!(values, &[i32::MAX]);
    }
}
