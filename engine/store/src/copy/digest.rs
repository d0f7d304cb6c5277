//! Are two tables the same, whatever database each is in?
//!
//! ```text
//! row     its cells one after the other: what it is (1 byte), how long it is (8 bytes, texts and bytes only), what is in it
//! digest  how many rows, and the sum of the 128-bit fingerprints (XXH3, Yann Collet 2019) of all rows, modulo 2^128
//! ```
//!
//! A table is a set of rows, each with its key in it: the sum does not depend on the order in which they come, so neither side has to sort
//! by a rule the other does not have (a server orders texts with U+0000 in them otherwise than a file). Marks are numbers 0 and
//! 1 here, fingerprints are bytes.
//!
//! Cost: one pass over the bytes; memory: one row. Not guaranteed: it finds what goes wrong by chance (two different tables agree once in
//! 2^128), not what somebody has calculated to agree.

use groma_model::Fp;

use crate::sql::Cell;

/// What a table amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) rows: u64,
    /// Bytes of what stands in the rows.
    pub(super) bytes: u64,
    pub(super) sum: u128,
}

/// Makes a digest, row by row.
#[derive(Default)]
pub(super) struct Digesting {
    digest: Digest,
    row: Vec<u8>,
}

impl Digesting {
    pub(super) fn add(&mut self, cells: &[Cell<'_>]) {
        self.row.clear();
        for cell in cells {
            self.cell(cell);
        }
        self.digest.rows += 1;
        self.digest.bytes += self.row.len() as u64;
        self.digest.sum = self.digest.sum.wrapping_add(Fp::hash_bytes(&self.row).0);
    }

    fn cell(&mut self, cell: &Cell<'_>) {
        match cell {
            Cell::Null => self.row.push(0),
            Cell::Int(number) => self.fixed(1, number.to_be_bytes()),
            // A file does not tell the two zeros apart.
            Cell::Real(number) => self.fixed(2, (number + 0.0).to_bits().to_be_bytes()),
            Cell::Text(text) => self.long(3, text.as_bytes()),
            Cell::Bytes(bytes) => self.long(4, bytes),
        }
    }

    fn fixed(&mut self, what: u8, bytes: [u8; 8]) {
        self.row.push(what);
        self.row.extend_from_slice(&bytes);
    }

    fn long(&mut self, what: u8, bytes: &[u8]) {
        self.fixed(what, (bytes.len() as u64).to_be_bytes());
        self.row.extend_from_slice(bytes);
    }

    /// What it amounts to so far.
    pub(super) fn digest(&self) -> Digest {
        self.digest
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn digest(rows: &[&[Cell<'_>]]) -> Digest {
        let mut made = Digesting::default();
        rows.iter().for_each(|row| made.add(row));
        made.digest()
    }

    fn text(text: &str) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(text))
    }

    #[test]
    fn order_does_not_count_and_everything_else_does() {
        let (a, b): ([Cell<'_>; 2], [Cell<'_>; 2]) = ([Cell::Int(1), text("ab")], [Cell::Int(2), text("c")]);
        assert_eq!(digest(&[&a, &b]), digest(&[&b, &a]));
        let others: [&[&[Cell<'_>]]; 7] = [
            &[&a],
            &[&a, &a],
            &[&[Cell::Int(1), text("c")], &[Cell::Int(2), text("ab")]],
            &[&a, &[Cell::Int(2), Cell::Bytes(b"c")]],
            &[&a, &[Cell::Int(2), Cell::Null]],
            &[&a, &[Cell::Real(2.0), text("c")]],
            &[&a, &[Cell::Int(2), text("c\0")]],
        ];
        for other in others {
            assert_ne!(digest(other), digest(&[&a, &b]), "{other:?}");
        }
    }

    #[test]
    fn what_stands_in_one_cell_cannot_move_to_the_next() {
        assert_ne!(digest(&[&[text("ab"), text("c")]]), digest(&[&[text("a"), text("bc")]]));
        assert_ne!(digest(&[&[text(""), Cell::Null]]), digest(&[&[Cell::Null, text("")]]));
        assert_eq!(digest(&[&[Cell::Real(0.0)]]), digest(&[&[Cell::Real(-0.0)]]));
    }
}
