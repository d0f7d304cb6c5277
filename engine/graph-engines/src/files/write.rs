//! Columns into one Parquet file of a folder.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::Column;
use crate::GraphEngineError;

/// Rows of a group.
const GROUP: usize = 1 << 20;

/// Replaces a folder by one with these columns. It is made under another name first: it is whole or not there. Returns the rows.
pub fn write(folder: &str, columns: &[(&str, Column)]) -> Result<u64, GraphEngineError> {
    let folder = Path::new(folder.strip_prefix("file://").unwrap_or(folder));
    let failed = |why: String| GraphEngineError::File { path: folder.to_owned(), why };
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if columns.iter().any(|(_, column)| column.len() != rows) {
        return Err(failed("columns of different lengths cannot be a table".to_owned()));
    }
    let mut fresh = folder.as_os_str().to_owned();
    fresh.push(".partial");
    let fresh = Path::new(&fresh);
    let outcome = (|| -> std::io::Result<()> {
        if fresh.exists() {
            fs::remove_dir_all(fresh)?;
        }
        fs::create_dir_all(fresh)?;
        put(&fresh.join("part-0000.parquet"), columns, rows)?;
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::rename(fresh, folder)
    })();
    outcome.map_err(|error| failed(error.to_string()))?;
    Ok(rows as u64)
}

fn put(path: &Path, columns: &[(&str, Column)], rows: usize) -> Result<(), ParquetError> {
    let fields = columns.iter().map(|(name, column)| field(name, column).map(Arc::new)).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = SerializedFileWriter::new(BufWriter::new(File::create(path)?), schema, Arc::new(properties))?;
    let mut first = 0;
    while first < rows || (rows == 0 && first == 0) {
        let end = (first + GROUP).min(rows);
        let mut group = writer.next_row_group()?;
        for (_, column) in columns {
            put_column(&mut group, column, first, end)?;
        }
        group.close()?;
        first = end.max(1);
    }
    writer.close()?;
    Ok(())
}

fn field(name: &str, column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column {
        Column::Whole(_) => (Physical::INT64, None),
        Column::Real(_) => (Physical::DOUBLE, None),
        Column::Flag(_) => (Physical::BOOLEAN, None),
        Column::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

fn put_column(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<File>>,
    column: &Column,
    first: usize,
    end: usize,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    match (writer.untyped(), column) {
        (ColumnWriter::Int64ColumnWriter(writer), Column::Whole(values)) => {
            let (levels, full) = levels(&values[first..end], |value| *value);
            writer.write_batch(&full, Some(&levels), None)?;
        }
        (ColumnWriter::DoubleColumnWriter(writer), Column::Real(values)) => {
            let (levels, full) = levels(&values[first..end], |value| *value);
            writer.write_batch(&full, Some(&levels), None)?;
        }
        (ColumnWriter::BoolColumnWriter(writer), Column::Flag(values)) => {
            let (levels, full) = levels(&values[first..end], |value| *value);
            writer.write_batch(&full, Some(&levels), None)?;
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Column::Text(values)) => {
            let (levels, full) = levels(&values[first..end], |value| ByteArray::from(value.as_str()));
            writer.write_batch(&full, Some(&levels), None)?;
        }
        _ => return Err(ParquetError::General("a column of another kind".to_owned())),
    }
    writer.close()
}

/// Which rows have something, and what.
fn levels<V, W>(values: &[Option<V>], value_of: impl Fn(&V) -> W) -> (Vec<i16>, Vec<W>) {
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    (levels, values.iter().flatten().map(value_of).collect())
}
