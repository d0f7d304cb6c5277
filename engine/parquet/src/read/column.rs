//! Numbers out of a column, a step at a time. Decoding is done where a panic of the library becomes an error.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::basic::{ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

/// What stands in a row of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// NULL.
    Empty,
    Whole(i64),
    Real(f64),
}

/// Whether a column holds plain numbers in one list: no dates, no decimals, nothing nested.
pub(crate) fn is_numbers(column: &ColumnDescriptor) -> bool {
    use parquet::basic::Type;
    let physical = matches!(column.physical_type(), Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE);
    let logical = matches!(column.logical_type_ref(), None | Some(LogicalType::Integer { .. }));
    use ConvertedType as C;
    let converted = matches!(
        column.converted_type(),
        C::NONE | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 | C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64
    );
    physical && logical && converted && column.max_rep_level() == 0
}

/// A column of a group.
pub(crate) struct NumberColumn {
    reader: ColumnReader,
    /// The level of a value that is there; 0 if all are.
    full: i16,
    /// A whole number of 32 bits is without sign.
    unsigned: bool,
    levels: Vec<i16>,
}

impl NumberColumn {
    pub(crate) fn new(reader: ColumnReader, column: &ColumnDescriptor) -> NumberColumn {
        let unsigned = column.converted_type() == ConvertedType::UINT_32;
        NumberColumn { reader, full: column.max_def_level(), unsigned, levels: Vec::new() }
    }

    /// Reads up to so many rows, in place of what `cells` held.
    pub(crate) fn read(&mut self, most: usize, cells: &mut Vec<Cell>) -> Result<(), String> {
        cells.clear();
        let unsigned = self.unsigned;
        let whole = |value: i32| Cell::Whole(if unsigned { i64::from(value as u32) } else { i64::from(value) });
        let (levels, full) = (&mut self.levels, self.full);
        let read = caught(|| match &mut self.reader {
            ColumnReader::Int32ColumnReader(reader) => step(reader, most, levels, full, cells, whole),
            ColumnReader::Int64ColumnReader(reader) => step(reader, most, levels, full, cells, Cell::Whole),
            ColumnReader::FloatColumnReader(reader) => {
                step(reader, most, levels, full, cells, |value| Cell::Real(f64::from(value)))
            }
            ColumnReader::DoubleColumnReader(reader) => step(reader, most, levels, full, cells, Cell::Real),
            _ => Err(ParquetError::General("no column of numbers".to_owned())),
        });
        read?;
        if cells.is_empty() && most > 0 { Err("a column ends before its rows do".to_owned()) } else { Ok(()) }
    }
}

fn step<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    most: usize,
    levels: &mut Vec<i16>,
    full: i16,
    cells: &mut Vec<Cell>,
    cell: impl Fn(T::T) -> Cell,
) -> Result<(), ParquetError>
where
    T::T: Copy,
{
    levels.clear();
    let mut values = Vec::with_capacity(most);
    // A page may hold no row; then the next does.
    while cells.is_empty() {
        let given = if full > 0 { Some(&mut *levels) } else { None };
        let (rows, ..) = reader.read_records(most, given, None, &mut values)?;
        if rows == 0 {
            break;
        }
        if full == 0 {
            cells.extend(values.iter().map(|value| cell(*value)));
        } else {
            let mut values = values.iter();
            let lost = || ParquetError::General("fewer values than their levels say".to_owned());
            for level in levels.iter() {
                let full = *level == full;
                cells.push(if full { cell(*values.next().ok_or_else(lost)?) } else { Cell::Empty });
            }
        }
    }
    Ok(())
}

/// Lets the library work; what it says, and what it panics with, as text.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    // Whatever is half done is thrown away with the error.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err("the file is damaged: its values cannot be unpacked".to_owned()),
    }
}
