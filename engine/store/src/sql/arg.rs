//! Parameters of a statement: borrowed, and of a known type also when there is no value, since PostgreSQL wants to know.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// A parameter of a statement, borrowed; without a value it is NULL.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg<'a> {
    /// A whole number, a flag (0 or 1), a code.
    Int(Option<i64>),
    /// A number with a fraction.
    Real(Option<f64>),
    Text(Option<&'a str>),
    Bytes(Option<&'a [u8]>),
}

/// A list of parameters.
macro_rules! args {
    ($($value:expr),* $(,)?) => { [$($crate::sql::Arg::from($value)),*] };
}

pub(crate) use args;

macro_rules! whole {
    ($($number:ty),*) => { $(
        impl From<$number> for Arg<'_> {
            fn from(number: $number) -> Self {
                Arg::Int(Some(number.into()))
            }
        }
    )* };
}

whole!(i64, i32, u32, u16, u8, bool);

impl From<Option<i64>> for Arg<'_> {
    fn from(number: Option<i64>) -> Self {
        Arg::Int(number)
    }
}

impl From<f64> for Arg<'_> {
    fn from(number: f64) -> Self {
        Arg::Real(Some(number))
    }
}

/// The most rows that are wanted.
impl From<usize> for Arg<'_> {
    fn from(most: usize) -> Self {
        Arg::Int(Some(i64::try_from(most).unwrap_or(i64::MAX)))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Arg::Text(Some(text))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Self {
        Arg::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Arg<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Arg::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Arg::Bytes(Some(bytes))
    }
}

impl<'a> From<&'a Vec<u8>> for Arg<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Arg::Bytes(Some(bytes))
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Arg<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Arg::Bytes(Some(bytes))
    }
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match *self {
            Arg::Int(number) => number.map(ValueRef::Integer),
            Arg::Real(number) => number.map(ValueRef::Real),
            Arg::Text(text) => text.map(|text| ValueRef::Text(text.as_bytes())),
            Arg::Bytes(bytes) => bytes.map(ValueRef::Blob),
        };
        Ok(ToSqlOutput::Borrowed(value.unwrap_or(ValueRef::Null)))
    }
}
