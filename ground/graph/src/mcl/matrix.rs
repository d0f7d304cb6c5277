//! The matrix of the flow: where does it go from each class of pages?
//!
//! Rule: columns are classes of twins; an entry is the share of the flow from any page of the column's class that goes to
//! all pages of the row's class together, so columns sum up to 1 and the square of the matrix is the flow of two steps.
//! A column also keeps the *gap* between what stays on the page itself and what goes to each of its twins.
//! The first matrix: weights of edges, a loop as heavy as the heaviest of them on every page, columns divided by their sums.
//! Source: van Dongen, Graph Clustering by Flow Simulation, 2000; loops as the program mcl (22-282) adds them.
//! Cost: 8 bytes an entry. Entries lie in pieces that are never moved while a matrix grows, so it needs no second place.
//! Not guaranteed: all links of a page with more than [`Matrix::start`] is told to take. A page with that many equal links gives to each
//! less than can survive a round, and what comes back over them is about the same over a sample of them.

use super::twins::{Twins, loop_weight};
use crate::Weighted;

/// A share of the flow of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// The class it goes to.
    pub(super) row: u32,
    /// How much goes to all pages of that class together.
    pub(super) value: f32,
}

/// Where a column lies, and what is known about it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Column {
    piece: u32,
    start: u32,
    length: u32,
    /// What stays on a page of this class, less what goes to each of its twins.
    pub(super) gap: f32,
    /// How far it is from even flow to all its pages.
    pub(super) chaos: f32,
    /// Whether it is another than a round before.
    pub(super) changed: bool,
}

impl Column {
    /// What is known about a column that has no place yet.
    pub(super) fn new(gap: f32, chaos: f32, changed: bool) -> Column {
        Column { gap, chaos, changed, ..Column::default() }
    }
}

/// Entries of a piece: 8 MB.
const PIECE: usize = 1 << 20;

/// Columns as they are made, in any order, by one thread.
#[derive(Default)]
pub(super) struct Pieces {
    pieces: Vec<Vec<Entry>>,
    columns: Vec<(u32, Column)>,
}

impl Pieces {
    /// Adds a column; of what is known about it all but the place is taken over.
    pub(super) fn push(&mut self, column: u32, known: Column, entries: &[Entry]) {
        if self.pieces.last().is_none_or(|piece| piece.len() + entries.len() > PIECE.max(entries.len())) {
            // Grows as it is filled: small graphs need no 8 MB.
            self.pieces.push(Vec::new());
        }
        let piece = self.pieces.len() - 1;
        let start = self.pieces[piece].len() as u32;
        self.pieces[piece].extend_from_slice(entries);
        let place = Column { piece: piece as u32, start, length: entries.len() as u32, ..known };
        self.columns.push((column, place));
    }
}

/// A square matrix of columns.
pub(super) struct Matrix {
    pieces: Vec<Vec<Entry>>,
    columns: Vec<Column>,
}

impl Matrix {
    /// Puts together what threads have made; every column is in one of them.
    pub(super) fn from_pieces(count: usize, made: Vec<Pieces>) -> Matrix {
        let mut matrix = Matrix { pieces: Vec::new(), columns: vec![Column::default(); count] };
        for part in made {
            let before = matrix.pieces.len() as u32;
            matrix.pieces.extend(part.pieces);
            for (column, place) in part.columns {
                matrix.columns[column as usize] = Column { piece: place.piece + before, ..place };
            }
        }
        matrix
    }

    /// The first matrix. Of a column with more entries than `most` the greatest are taken, of equal ones a sample.
    pub(super) fn start(graph: &Weighted, twins: &Twins, most: usize) -> Matrix {
        let mut made = Pieces::default();
        let mut entries: Vec<Entry> = Vec::new();
        for class in 0..twins.count() as u32 {
            // Twins have equal columns: one of them speaks for all.
            let node = twins.members(class)[0];
            let (targets, weights) = graph.neighbours(node);
            let own = f64::from(loop_weight(weights));
            let sum = weights.iter().map(|&weight| f64::from(weight)).sum::<f64>() + own;
            let mut row: Vec<(u32, f64)> = vec![(class, own / sum)];
            let shares = weights.iter().map(|&weight| f64::from(weight) / sum);
            row.extend(targets.iter().map(|&to| twins.class_of[to as usize]).zip(shares));
            row.sort_by_key(|entry| entry.0);
            entries.clear();
            for run in row.chunk_by(|a, b| a.0 == b.0) {
                entries.push(Entry { row: run[0].0, value: run.iter().map(|entry| entry.1).sum::<f64>() as f32 });
            }
            let left = if entries.len() > most { thin(&mut entries, class, most, twins) } else { 1.0 };
            let linked = targets.iter().any(|&to| twins.class_of[to as usize] == class);
            // Twins that are linked are so by the weight of their loops.
            let gap = if linked { 0.0 } else { (own / sum / left) as f32 };
            made.push(class, Column::new(gap, f32::INFINITY, true), &entries);
        }
        Matrix::from_pieces(twins.count(), vec![made])
    }

    /// How many columns there are.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// The entries of a column, in order of their rows.
    #[inline]
    pub(super) fn entries(&self, column: u32) -> &[Entry] {
        let place = &self.columns[column as usize];
        &self.pieces[place.piece as usize][place.start as usize..(place.start + place.length) as usize]
    }

    /// What is known about a column.
    pub(super) fn column(&self, column: u32) -> &Column {
        &self.columns[column as usize]
    }

    /// What is known about all columns.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Is the column, and everything it is made of, as it was a round before? Then it stays as it is.
    pub(super) fn at_rest(&self, column: u32) -> bool {
        !self.columns[column as usize].changed
            && self.entries(column).iter().all(|entry| !self.columns[entry.row as usize].changed)
    }
}

/// Takes the greatest entries of a column, the loop among them, and makes them sum up to 1 again. Returns what they summed up to
/// before.
fn thin(entries: &mut Vec<Entry>, class: u32, most: usize, twins: &Twins) -> f64 {
    let a_page = |entry: &Entry| entry.value / twins.size(entry.row) as f32;
    // Equal ones in an order that has nothing to do with their numbers: neighbors in number are often alike.
    let scrambled = |entry: &Entry| entry.row.wrapping_add(1).wrapping_mul(0x9E37_79B1);
    entries.sort_unstable_by(|a, b| {
        let loops_first = (b.row == class).cmp(&(a.row == class));
        loops_first.then(a_page(b).total_cmp(&a_page(a))).then(scrambled(a).cmp(&scrambled(b)))
    });
    entries.truncate(most.max(1));
    entries.sort_unstable_by_key(|entry| entry.row);
    let sum: f64 = entries.iter().map(|entry| f64::from(entry.value)).sum();
    for entry in entries {
        entry.value = (f64::from(entry.value) / sum) as f32;
    }
    sum
}
