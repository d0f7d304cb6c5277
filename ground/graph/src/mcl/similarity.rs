//! Which columns are alike? Those that are made of the same columns are made side by side.
//!
//! Rule: columns are sorted by the least scrambled number of their rows, then by that of a second scramble. Two columns agree in either with
//! the probability |A and B| / |A or B| of their sets of rows.
//! Source: Broder, On the Resemblance and Containment of Documents, 1997 (min-wise hashing).
//! Cost: O(entries + columns log columns). Not guaranteed: that neighbors in the order are the most alike; nothing but time
//! hangs on it.

use rayon::prelude::*;

use super::matrix::Matrix;

/// The columns in an order in which those that are alike are near each other.
pub(super) fn by_similarity(matrix: &Matrix, columns: &[u32]) -> Vec<u32> {
    let mut keyed: Vec<(u32, u32, u32)> = columns
        .iter()
        .map(|&column| {
            let rows = matrix.entries(column).iter().map(|entry| entry.row.wrapping_add(1));
            let least = |(one, other): (u32, u32), row: u32| {
                (one.min(scramble(row, 0x9E37_79B1)), other.min(scramble(row, 0x85EB_CA6B)))
            };
            let (one, other) = rows.fold((u32::MAX, u32::MAX), least);
            (one, other, column)
        })
        .collect();
    keyed.par_sort_unstable();
    keyed.into_iter().map(|(_, _, column)| column).collect()
}

/// A number that tells nothing of the one it was made from, and different for different factors.
fn scramble(number: u32, factor: u32) -> u32 {
    let mixed = number.wrapping_mul(factor);
    (mixed ^ (mixed >> 15)).wrapping_mul(0xC2B2_AE35)
}
