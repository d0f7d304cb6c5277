//! What columns a table has: their names, types, and whether they may be empty; and how each is packed.
//!
//! Numbers are signed 64-bit and texts are UTF-8, because every reader has those: unsigned and fixed-length types are refused or
//! turned round by some. Numbers of pages are packed as differences (DELTA_BINARY_PACKED), texts that recur by a dictionary.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::tables::manifest::FORMAT;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number of a page: packed as differences.
    Number,
    /// Any other whole number, 64 bits.
    Long,
    /// A whole number of 32 bits.
    Small,
    Flag,
    Real,
    /// A moment: microseconds since 1970, UTC.
    Moment,
    /// One of few words of ours.
    Word,
    /// A text that may recur.
    Text,
    /// A text that does not recur: no dictionary is tried.
    Own,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether a row may have nothing there.
    pub(crate) optional: bool,
}

/// A column that every row fills.
pub(crate) const fn always(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, optional: false }
}

/// A column that may be empty.
pub(crate) const fn maybe(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, optional: true }
}

#[derive(Debug)]
pub(crate) struct Table {
    /// Its name: that of its folder and the beginning of those of its files.
    pub(crate) name: &'static str,
    /// Its columns, in order.
    pub(crate) columns: &'static [Column],
}

impl Table {
    /// As the library wants it.
    pub(crate) fn schema(&self) -> Result<TypePtr, ParquetError> {
        let fields = self.columns.iter().map(|column| column.field().map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Arc::new(Type::group_type_builder(self.name).with_fields(fields).build()?))
    }

    /// How it is packed.
    pub(crate) fn properties(&self) -> WriterProperties {
        // What columns are in and which format they follow stands in every file: files travel alone.
        let note = |key: &str, value: String| KeyValue::new(format!("groma.{key}"), value);
        let notes = vec![note("table", self.name.to_owned()), note("format", FORMAT.to_string())];
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("groma version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Least and greatest of each group are what readers skip by; more costs time and nobody asks for it.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_statistics_truncate_length(Some(64))
            .set_offset_index_disabled(true)
            .set_key_value_metadata(Some(notes));
        for column in self.columns {
            let path = ColumnPath::from(column.name);
            match column.kind {
                Kind::Number | Kind::Moment => {
                    properties = properties
                        .set_column_dictionary_enabled(path.clone(), false)
                        .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
                }
                Kind::Own | Kind::Real | Kind::Flag => {
                    properties = properties.set_column_dictionary_enabled(path, false)
                }
                Kind::Long | Kind::Small | Kind::Word | Kind::Text => {}
            }
        }
        properties.build()
    }
}

impl Column {
    fn field(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            Kind::Number | Kind::Long => (Physical::INT64, None),
            Kind::Small => (Physical::INT32, None),
            Kind::Flag => (Physical::BOOLEAN, None),
            Kind::Real => (Physical::DOUBLE, None),
            Kind::Moment => {
                let unit = parquet::basic::TimeUnit::MICROS;
                (Physical::INT64, Some(LogicalType::timestamp(true, unit)))
            }
            Kind::Word | Kind::Text | Kind::Own => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if self.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(self.name, physical).with_logical_type(logical).with_repetition(repetition).build()
    }
}
