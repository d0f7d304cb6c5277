//! A column of many rows as one parameter: PostgreSQL's binary arrays, written as the rows are walked.
//!
//! ```text
//! array    dimensions (1), has nulls (0 or 1), type of the elements, how many, first index (1), elements
//! element  length in bytes and as many bytes; length -1 is NULL
//! ```
//!
//! `INSERT ... SELECT ... FROM unnest($1, $2, ...)` takes any number of rows in one statement that is prepared once. Nothing is
//! borrowed and nothing is made for each value: a column is a vector of bytes that goes to the server as it is, and goes again when the
//! connection was lost. Cost: a copy of the bytes.

use std::error::Error;

use bytes::BytesMut;
use groma_model::Fp;
use tokio_postgres::types::{IsNull, Kind, ToSql, Type, to_sql_checked};

use crate::postgres::driver::stored_text;

/// The values of one column on their way to the server, as an array.
#[derive(Clone, Debug)]
pub(super) struct Column {
    element: Type,
    count: i32,
    nulls: bool,
    bytes: Vec<u8>,
}

impl Column {
    /// An empty column of this type.
    pub(super) fn with_type(element: Type) -> Column {
        Column { element, count: 0, nulls: false, bytes: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) {
        // A value of 2 GB is beyond every limit of ours; the server refuses a parameter of one already.
        self.bytes.extend_from_slice(&i32::try_from(bytes.len()).unwrap_or(i32::MAX).to_be_bytes());
        self.bytes.extend_from_slice(bytes);
        self.count += 1;
    }

    pub(super) fn push<V: Value>(&mut self, value: V) {
        value.put(self);
    }

    /// Is there no row in it?
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// What can stand in a column. The type of the column has to fit: the server refuses what does not.
pub(super) trait Value {
    fn put(self, to: &mut Column);
}

impl Value for i64 {
    fn put(self, to: &mut Column) {
        to.put(&self.to_be_bytes());
    }
}

/// Numbers without a sign stand in `int8`.
impl Value for u32 {
    fn put(self, to: &mut Column) {
        i64::from(self).put(to);
    }
}

/// What needs all 64 bits is kept with its bits as they are.
impl Value for u64 {
    fn put(self, to: &mut Column) {
        to.put(&self.to_be_bytes());
    }
}

/// Kept as `int4`: `int2` has a sign.
impl Value for u16 {
    fn put(self, to: &mut Column) {
        to.put(&i32::from(self).to_be_bytes());
    }
}

/// Codes stand in `int2`.
impl Value for u8 {
    fn put(self, to: &mut Column) {
        to.put(&i16::from(self).to_be_bytes());
    }
}

impl Value for bool {
    fn put(self, to: &mut Column) {
        to.put(&[u8::from(self)]);
    }
}

impl Value for Fp {
    fn put(self, to: &mut Column) {
        to.put(&self.to_bytes());
    }
}

impl Value for &str {
    fn put(self, to: &mut Column) {
        to.put(stored_text(self).as_bytes());
    }
}

impl Value for &[u8] {
    fn put(self, to: &mut Column) {
        to.put(self);
    }
}

impl<V: Value> Value for Option<V> {
    fn put(self, to: &mut Column) {
        match self {
            Some(value) => value.put(to),
            None => {
                to.bytes.extend_from_slice(&(-1i32).to_be_bytes());
                to.nulls = true;
                to.count += 1;
            }
        }
    }
}

impl ToSql for Column {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let head = [1, i32::from(self.nulls), self.element.oid() as i32, self.count, 1];
        out.reserve(self.bytes.len() + 20);
        for number in head {
            out.extend_from_slice(&number.to_be_bytes());
        }
        out.extend_from_slice(&self.bytes);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(ty.kind(), Kind::Array(_))
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_is_written_as_the_server_reads_it() {
        let mut column = Column::with_type(Type::INT8);
        column.push(7u32);
        column.push(None::<u32>);
        let mut out = BytesMut::new();
        column.to_sql(&Type::INT8_ARRAY, &mut out).unwrap();
        let words: Vec<i32> = out.chunks(4).map(|c| i32::from_be_bytes(c.try_into().unwrap())).collect();
        assert_eq!(words, [1, 1, 20, 2, 1, 8, 0, 7, -1]);
        assert!(!column.is_empty());
    }
}
