//! Columns out of all Parquet files of a folder and of the folders in it.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::{Column, ColumnRequest, Kind};
use crate::GraphEngineError;

/// Rows read at once.
const STEP: usize = 8192;

/// Folders within folders that are looked into: `links/part=07/` is one.
const DEEP: usize = 4;

/// Reads these columns of every `*.parquet` below a folder (or of one file), in the order of the files' names. More rows than `most` are an error; so
/// is a folder without files, or a file without one of the columns.
pub fn read(path: &str, wanted: &[ColumnRequest<'_>], most: u64) -> Result<Vec<Column>, GraphEngineError> {
    let mut whole: Vec<Column> = wanted.iter().map(|wanted| Column::new(wanted.kind)).collect();
    each(path, wanted, most, &mut |columns| {
        for (whole, column) in whole.iter_mut().zip(columns) {
            whole.append(column);
        }
    })?;
    Ok(whole)
}

/// As [`read`], a group of rows at a time: only one is in memory. Whoever is shown the columns may take what is in them.
pub fn each(
    path: &str,
    wanted: &[ColumnRequest<'_>],
    most: u64,
    visit: &mut dyn FnMut(&mut [Column]),
) -> Result<(), GraphEngineError> {
    let mut files = Vec::new();
    let start = Path::new(path.strip_prefix("file://").unwrap_or(path));
    list(start, DEEP, &mut files)
        .map_err(|error| GraphEngineError::Table { path: path.to_owned(), why: error.to_string() })?;
    if files.is_empty() {
        return Err(GraphEngineError::Table {
            path: path.to_owned(),
            why: "there are no Parquet files here".to_owned(),
        });
    }
    let mut left = most;
    for file in files {
        let failed = |why: String| GraphEngineError::File { path: file.clone(), why };
        // The library trusts what a file says of itself in more than one place.
        match catch_unwind(AssertUnwindSafe(|| read_file(&file, wanted, &mut left, visit))) {
            Ok(Ok(())) => {}
            Ok(Err(why)) => return Err(failed(why)),
            Err(_) => return Err(failed("the file is damaged".to_owned())),
        }
    }
    Ok(())
}

/// Parquet files, sorted by their paths. What begins with `_` or `.` is of whoever wrote the folder.
fn list(path: &Path, deep: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(['_', '.']) {
            continue;
        }
        if entry.is_dir() {
            if deep > 0 {
                list(&entry, deep - 1, files)?;
            }
        } else if name.ends_with(".parquet") {
            files.push(entry);
        }
    }
    Ok(())
}

fn read_file(
    path: &Path,
    wanted: &[ColumnRequest<'_>],
    left: &mut u64,
    visit: &mut dyn FnMut(&mut [Column]),
) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let reader = SerializedFileReader::new(file).map_err(said)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut places = Vec::new();
    for wanted in wanted {
        // Nested columns have paths of several parts: they are not ours.
        let place = schema.columns().iter().position(|column| column.path().parts() == [wanted.name]);
        if place.is_none() && !wanted.optional {
            return Err(format!("there is no column `{}`", wanted.name));
        }
        if let Some(column) = place.and_then(|place| schema.columns().get(place)) {
            let fits = match wanted.kind {
                Kind::Whole => matches!(column.physical_type(), Physical::INT32 | Physical::INT64),
                Kind::Real => matches!(
                    column.physical_type(),
                    Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE
                ),
                Kind::Flag => column.physical_type() == Physical::BOOLEAN,
                Kind::Text => column.physical_type() == Physical::BYTE_ARRAY,
            };
            if !fits || column.max_rep_level() > 0 {
                return Err(format!("column `{}` does not hold what it must ({:?})", wanted.name, wanted.kind));
            }
        }
        places.push(place);
    }
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(said)?;
        let mut columns: Vec<Column> = wanted.iter().map(|wanted| Column::new(wanted.kind)).collect();
        let mut rows = 0;
        for ((place, wanted), column) in places.iter().zip(wanted).zip(columns.iter_mut()) {
            if let Some(place) = place {
                fill(group.as_ref(), *place, column, *left)
                    .map_err(|why| format!("column `{}`: {why}", wanted.name))?;
                rows = rows.max(column.len());
            }
        }
        for (place, column) in places.iter().zip(columns.iter_mut()) {
            if place.is_none() {
                column.pad(rows);
            } else if column.len() != rows {
                return Err("its columns are of different lengths".to_owned());
            }
        }
        *left = left.saturating_sub(rows as u64);
        visit(&mut columns);
    }
    Ok(())
}

fn fill(group: &dyn RowGroupReader, place: usize, column: &mut Column, most: u64) -> Result<(), String> {
    let reader = group.get_column_reader(place).map_err(said)?;
    match (reader, column) {
        (ColumnReader::Int64ColumnReader(reader), Column::Whole(out)) => drain(reader, out, most, |value| Ok(*value)),
        (ColumnReader::Int32ColumnReader(reader), Column::Whole(out)) => {
            drain(reader, out, most, |value| Ok(i64::from(*value)))
        }
        (ColumnReader::DoubleColumnReader(reader), Column::Real(out)) => drain(reader, out, most, |value| Ok(*value)),
        (ColumnReader::FloatColumnReader(reader), Column::Real(out)) => {
            drain(reader, out, most, |value| Ok(f64::from(*value)))
        }
        (ColumnReader::Int64ColumnReader(reader), Column::Real(out)) => {
            drain(reader, out, most, |value| Ok(*value as f64))
        }
        (ColumnReader::Int32ColumnReader(reader), Column::Real(out)) => {
            drain(reader, out, most, |value| Ok(f64::from(*value)))
        }
        (ColumnReader::BoolColumnReader(reader), Column::Flag(out)) => drain(reader, out, most, |value| Ok(*value)),
        (ColumnReader::ByteArrayColumnReader(reader), Column::Text(out)) => drain(reader, out, most, |value| {
            value.as_utf8().map(str::to_owned).map_err(|_| "a text is not UTF-8".to_owned())
        }),
        _ => Err("it does not hold what it must".to_owned()),
    }
}

/// Reads a column to its end.
fn drain<T: DataType, V>(
    mut reader: ColumnReaderImpl<T>,
    out: &mut Vec<Option<V>>,
    most: u64,
    value_of: impl Fn(&T::T) -> Result<V, String>,
) -> Result<(), String> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    loop {
        values.clear();
        levels.clear();
        let (records, read, _) = reader.read_records(STEP, Some(&mut levels), None, &mut values).map_err(said)?;
        if records == 0 {
            return Ok(());
        }
        if out.len() as u64 + records as u64 > most {
            return Err(format!("there are more rows than can be ({most} were left to read)"));
        }
        if levels.is_empty() || read == records {
            for value in &values {
                out.push(Some(value_of(value)?));
            }
        } else {
            let full = levels.iter().copied().max().unwrap_or_default();
            let mut values = values.iter();
            for level in &levels {
                let value = if *level == full && read > 0 { values.next() } else { None };
                out.push(value.map(&value_of).transpose()?);
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn said(error: ParquetError) -> String {
    error.to_string()
}
