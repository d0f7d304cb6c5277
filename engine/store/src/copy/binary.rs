//! Rows as PostgreSQL's `COPY ... (FORMAT binary)` takes them.
//!
//! ```text
//! head    PGCOPY \n \377 \r \n \0, flags (4 bytes), length of what else there is (4 bytes)
//! row     number of fields (2 bytes), fields
//! field   length in bytes (4 bytes, -1: NULL) and as many bytes
//! end     -1 (2 bytes)
//! ```
//!
//! Each cell is written as the type of its column asks for; what does not fit there is an error, not another value. Cost: a copy of the
//! bytes.

use bytes::{BufMut, BytesMut};
use tokio_postgres::types::Type;

use crate::StoreError;
use crate::postgres::driver::stored_text;
use crate::sql::Cell;

/// What stands at the beginning.
const HEAD: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What stands at the end.
const END: i16 = -1;

/// Rows on their way to a server, in the binary form of `COPY`.
pub(super) struct BinaryRows {
    out: BytesMut,
    types: Vec<Type>,
}

impl BinaryRows {
    /// No rows yet; their columns are of these types.
    pub(super) fn with_types(types: Vec<Type>) -> BinaryRows {
        let mut out = BytesMut::new();
        out.extend_from_slice(HEAD);
        BinaryRows { out, types }
    }

    pub(super) fn push<'a, 'b: 'a>(&mut self, cells: impl Iterator<Item = &'a Cell<'b>>) -> Result<(), StoreError> {
        self.out.put_i16(i16::try_from(self.types.len()).unwrap_or(i16::MAX));
        let mut count = 0;
        for (cell, ty) in cells.zip(&self.types) {
            put(&mut self.out, cell, ty)?;
            count += 1;
        }
        if count == self.types.len() { Ok(()) } else { Err(misfit("a row is too short")) }
    }

    /// Bytes that wait to be sent.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// What waits, to be sent.
    pub(super) fn take(&mut self) -> bytes::Bytes {
        self.out.split().freeze()
    }

    pub(super) fn end(&mut self) {
        self.out.put_i16(END);
    }
}

fn put(out: &mut BytesMut, cell: &Cell<'_>, ty: &Type) -> Result<(), StoreError> {
    match (cell, ty) {
        (Cell::Null, _) => out.put_i32(-1),
        (Cell::Int(number), &Type::INT8) => field(out, &number.to_be_bytes())?,
        (Cell::Int(number), &Type::INT4) => field(out, &fitting::<i32>(*number)?.to_be_bytes())?,
        (Cell::Int(number), &Type::INT2) => field(out, &fitting::<i16>(*number)?.to_be_bytes())?,
        (Cell::Int(number @ 0..=1), &Type::BOOL) => field(out, &[fitting::<u8>(*number)?])?,
        (Cell::Real(number), &Type::FLOAT8) => field(out, &number.to_bits().to_be_bytes())?,
        (Cell::Text(text), &Type::TEXT) => field(out, stored_text(text).as_bytes())?,
        (Cell::Bytes(bytes), &Type::BYTEA) => field(out, bytes)?,
        (Cell::Bytes(bytes), &Type::UUID) if bytes.len() == 16 => field(out, bytes)?,
        _ => return Err(misfit("what stands in a row is of another kind than its column")),
    }
    Ok(())
}

fn field(out: &mut BytesMut, bytes: &[u8]) -> Result<(), StoreError> {
    let length = i32::try_from(bytes.len()).map_err(|_| misfit("a value has more than 2 GB"))?;
    out.put_i32(length);
    out.extend_from_slice(bytes);
    Ok(())
}

fn fitting<T: TryFrom<i64>>(number: i64) -> Result<T, StoreError> {
    T::try_from(number).map_err(|_| misfit("a number is too large for its column"))
}

fn misfit(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn a_row_is_written_as_the_server_reads_it() {
        let mut rows = BinaryRows::with_types(vec![Type::INT2, Type::TEXT, Type::BOOL, Type::BYTEA]);
        let cells = [Cell::Int(7), Cell::Text(Cow::Borrowed("a\0")), Cell::Int(1), Cell::Null];
        rows.push(cells.iter()).unwrap();
        rows.end();
        let bytes = rows.take();
        let mut expected = HEAD.to_vec();
        expected.extend([0, 4, 0, 0, 0, 2, 0, 7, 0, 0, 0, 6]);
        expected.extend("a\u{10ffff}0".as_bytes());
        expected.extend([0, 0, 0, 1, 1, 255, 255, 255, 255, 255, 255]);
        assert_eq!(&bytes[..], expected);
        assert_eq!(rows.len(), 0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (cell, ty) in [
            (Cell::Int(40_000), Type::INT2),
            (Cell::Int(1 << 40), Type::INT4),
            (Cell::Int(2), Type::BOOL),
            (Cell::Bytes(b"short"), Type::UUID),
            (Cell::Text(Cow::Borrowed("7")), Type::INT8),
            (Cell::Int(7), Type::TEXT),
        ] {
            let mut rows = BinaryRows::with_types(vec![ty]);
            assert!(matches!(rows.push([cell].iter()), Err(StoreError::Damaged(_))));
        }
        assert!(BinaryRows::with_types(vec![Type::INT8, Type::INT8]).push([Cell::Int(1)].iter()).is_err());
    }
}
