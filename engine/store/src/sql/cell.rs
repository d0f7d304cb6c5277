//! Rows of an answer, and what stands in them.

use std::borrow::Cow;

use rusqlite::types::ValueRef;

use super::damaged;
use crate::StoreError;

/// What stands in one place of a row, lent.
#[derive(Clone, Debug)]
pub(crate) enum Cell<'a> {
    Null,
    Int(i64),
    /// A number with a fraction.
    Real(f64),
    Text(Cow<'a, str>),
    Bytes(&'a [u8]),
}

/// A row of an answer.
pub(crate) enum SqlRow<'a> {
    /// Of a SQLite file.
    Sqlite(&'a rusqlite::Row<'a>),
    /// Of a PostgreSQL server.
    Postgres(&'a tokio_postgres::Row),
}

impl SqlRow<'_> {
    /// What stands in a place, as what it should be.
    pub(crate) fn get<T: Column>(&self, at: usize) -> Result<T, StoreError> {
        T::from_cell(self.cell(at)?)
            .ok_or_else(|| StoreError::Damaged(format!("column {at} of a row is not what it should be")))
    }

    /// What stands in a place.
    pub(crate) fn cell(&self, at: usize) -> Result<Cell<'_>, StoreError> {
        match self {
            SqlRow::Sqlite(row) => Ok(match row.get_ref(at)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(number) => Cell::Int(number),
                ValueRef::Real(number) => Cell::Real(number),
                ValueRef::Text(bytes) => {
                    Cell::Text(Cow::Borrowed(std::str::from_utf8(bytes).map_err(|_| damaged("a text is not UTF-8"))?))
                }
                ValueRef::Blob(bytes) => Cell::Bytes(bytes),
            }),
            SqlRow::Postgres(row) => row.try_get(at).map_err(|error| StoreError::Damaged(error.to_string())),
        }
    }
}

/// What a cell can be read as. Nothing if it holds something else.
pub(crate) trait Column: Sized {
    fn from_cell(cell: Cell<'_>) -> Option<Self>;
}

impl Column for i64 {
    fn from_cell(cell: Cell<'_>) -> Option<i64> {
        if let Cell::Int(number) = cell { Some(number) } else { None }
    }
}

macro_rules! whole {
    ($($number:ty),*) => { $(
        impl Column for $number {
            fn from_cell(cell: Cell<'_>) -> Option<$number> {
                i64::from_cell(cell)?.try_into().ok()
            }
        }
    )* };
}

whole!(i32, u32, u16, u8);

impl Column for bool {
    fn from_cell(cell: Cell<'_>) -> Option<bool> {
        i64::from_cell(cell).map(|number| number != 0)
    }
}

impl Column for f64 {
    fn from_cell(cell: Cell<'_>) -> Option<f64> {
        match cell {
            Cell::Real(number) => Some(number),
            Cell::Int(number) => Some(number as f64),
            _ => None,
        }
    }
}

impl Column for String {
    fn from_cell(cell: Cell<'_>) -> Option<String> {
        if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None }
    }
}

impl Column for Vec<u8> {
    fn from_cell(cell: Cell<'_>) -> Option<Vec<u8>> {
        if let Cell::Bytes(bytes) = cell { Some(bytes.to_vec()) } else { None }
    }
}

impl<const N: usize> Column for [u8; N] {
    fn from_cell(cell: Cell<'_>) -> Option<[u8; N]> {
        if let Cell::Bytes(bytes) = cell { bytes.try_into().ok() } else { None }
    }
}

impl<T: Column> Column for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Option<Option<T>> {
        if let Cell::Null = cell { Some(None) } else { T::from_cell(cell).map(Some) }
    }
}
