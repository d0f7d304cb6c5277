//! A table whose columns nobody knows beforehand: texts, numbers, and lists of them, one file, written row by row.
//!
//! Every column may be empty; a list is the three levels that Parquet asks for (`LIST`, `list`, `element`), so that every reader knows it:
//!
//! ```text
//! definition level   0 nothing   1 a value, or a list without values   2 a value of a list
//! repetition level   0 a new row   1 a further value of the list
//! ```
//!
//! Rows wait in memory until they are a group of [`GROUP`] bytes or [`ROWS`] rows; memory is twice that.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use crate::error::TableError;

/// Bytes of values at which a group is written.
const GROUP: usize = 16 << 20;
/// Rows at which it is.
const ROWS: usize = 1 << 17;

/// What a user named, with the type of what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueColumn {
    pub name: String,
    /// Numbers (doubles); else texts.
    pub is_number: bool,
    /// A row has any number of values.
    pub is_list: bool,
}

#[derive(Default)]
struct ValueBuffer {
    texts: Vec<ByteArray>,
    numbers: Vec<f64>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

/// A table of values on its way out.
pub struct ValueTable<'w> {
    out: &'w mut dyn Write,
    columns: Vec<ValueColumn>,
    buffers: Vec<ValueBuffer>,
    writer: SerializedFileWriter<Shared>,
    made: Shared,
    rows: usize,
    bytes: usize,
}

/// What the library has written and nobody has passed on yet: it wants a writer of its own that goes to other threads.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failed(error: impl Into<ParquetError>) -> TableError {
    TableError::Write(error.into().to_string())
}

impl<'w> ValueTable<'w> {
    /// Begins a table.
    pub fn begin(columns: Vec<ValueColumn>, out: &'w mut dyn Write) -> Result<ValueTable<'w>, TableError> {
        let schema = schema(&columns).map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("groma version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_truncate_length(Some(64))
            .build();
        let made = Shared::default();
        let writer = SerializedFileWriter::new(made.clone(), schema, properties.into()).map_err(failed)?;
        let buffers = columns.iter().map(|_| ValueBuffer::default()).collect();
        Ok(ValueTable { out, columns, buffers, writer, made, rows: 0, bytes: 0 })
    }

    /// Puts the values of one column of the row: texts or numbers, as the column has them; one, unless it is a list. Each column is put once.
    pub fn put(&mut self, index: usize, texts: &[&str], numbers: &[f64]) {
        let (Some(column), Some(buffer)) = (self.columns.get(index), self.buffers.get_mut(index)) else { return };
        let most = if column.is_list { usize::MAX } else { 1 };
        let count = if column.is_number {
            buffer.numbers.extend(numbers.iter().take(most));
            numbers.len().min(most)
        } else {
            buffer.texts.extend(texts.iter().take(most).map(|text| ByteArray::from(*text)));
            texts.len().min(most)
        };
        self.bytes += texts.iter().map(|text| text.len() + 32).sum::<usize>() + numbers.len() * 8 + 4;
        let full = if column.is_list { 2 } else { 1 };
        for nth in 0..count.max(1) {
            buffer.definition.push(if count == 0 { 0 } else { full });
            buffer.repetition.push(i16::from(nth > 0));
        }
    }

    /// The row is whole.
    pub fn end_row(&mut self) -> Result<(), TableError> {
        self.rows += 1;
        if self.bytes >= GROUP || self.rows >= ROWS { self.group() } else { Ok(()) }
    }

    fn group(&mut self) -> Result<(), TableError> {
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for (column, buffer) in self.columns.iter().zip(&mut self.buffers) {
            let buffer = std::mem::take(buffer);
            let repetition = column.is_list.then_some(buffer.repetition.as_slice());
            let missing = || TableError::Write(format!("there is no column {}", column.name));
            let mut to = group.next_column().map_err(failed)?.ok_or_else(missing)?;
            match to.untyped() {
                ColumnWriter::DoubleColumnWriter(to) => {
                    to.write_batch(&buffer.numbers, Some(&buffer.definition), repetition).map_err(failed)?
                }
                ColumnWriter::ByteArrayColumnWriter(to) => {
                    to.write_batch(&buffer.texts, Some(&buffer.definition), repetition).map_err(failed)?
                }
                _ => return Err(missing()),
            };
            to.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        self.pass_on()
    }

    fn pass_on(&mut self) -> Result<(), TableError> {
        let written = self.out.write_all(&self.made.take());
        written.map_err(|error| TableError::Write(error.to_string()))
    }

    /// Writes what waits, and the end of the file.
    pub fn end(mut self: Box<Self>) -> Result<(), TableError> {
        if self.rows > 0 {
            self.group()?;
        }
        self.writer.finish().map_err(failed)?;
        self.pass_on()
    }
}

fn schema(columns: &[ValueColumn]) -> Result<TypePtr, ParquetError> {
    let leaf = |name: &str, column: &ValueColumn, repetition: Repetition| {
        let physical = if column.is_number { Physical::DOUBLE } else { Physical::BYTE_ARRAY };
        let logical = (!column.is_number).then_some(LogicalType::String);
        Type::primitive_type_builder(name, physical).with_repetition(repetition).with_logical_type(logical).build()
    };
    let field = |column: &ValueColumn| {
        if !column.is_list {
            return leaf(&column.name, column, Repetition::OPTIONAL).map(Arc::new);
        }
        let element = leaf("element", column, Repetition::REQUIRED)?;
        let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let list = list.with_fields(vec![Arc::new(element)]).build()?;
        let outer = Type::group_type_builder(&column.name).with_repetition(Repetition::OPTIONAL);
        let outer = outer.with_logical_type(Some(LogicalType::List)).with_fields(vec![Arc::new(list)]);
        outer.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("values").with_fields(fields).build()?))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    #[test]
    fn another_reader_reads_the_rows() {
        let column = |name: &str, is_number, is_list| ValueColumn { name: name.to_owned(), is_number, is_list };
        let columns = vec![
            column("url", false, false),
            column("price", true, false),
            column("tags", false, true),
            column("counts", true, true),
        ];
        let mut file = Vec::new();
        let mut table = Box::new(ValueTable::begin(columns, &mut file).unwrap());
        for (url, price, tags, counts) in
            [("a", &[1.5][..], &["x", "y"][..], &[][..]), ("b", &[], &[], &[1.0, 2.0]), ("c", &[2.0], &["z"], &[3.0])]
        {
            table.put(0, &[url], &[]);
            table.put(1, &[], price);
            table.put(2, tags, &[]);
            table.put(3, &[], counts);
            table.end_row().unwrap();
        }
        table.end().unwrap();
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(
            rows,
            [
                r#"{url: "a", price: 1.5, tags: ["x", "y"], counts: null}"#,
                r#"{url: "b", price: null, tags: null, counts: [1.0, 2.0]}"#,
                r#"{url: "c", price: 2.0, tags: ["z"], counts: [3.0]}"#,
            ]
        );
    }
}
