//! A round: two steps of flow, pruned and inflated column by column.
//!
//! Formula: column j of M M is the sum over k of M(k, j) times column k of M. Columns are made sixteen at a time, chosen alike: for every k that
//! one of them needs, column k is read once and added to all of them, sixteen numbers times one. Sums run over
//! k in ascending order, so the result hangs neither on which of them came together nor on threads.
//! A class of twins has two values of its own, what stays on a page and what goes to each twin; see [`twins`](super::twins).
//! Columns at rest are not made again: if neither a column nor any it is made of changed in the last round, it would come out the same.
//! Source: column-wise sparse product, Gustavson 1978; making columns side by side is own.
//! Cost: at most the sum over all entries (k, j) of the length of column k, divided by up to sixteen where columns are alike; 8 bytes an entry,
//! and 128 bytes a class and thread for sums.
//! Not guaranteed: a speed-up where no two columns are alike.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Settings;
use super::matrix::{Column, Entry, Matrix, Pieces};
use super::pruning::{Fate, Item, Pruner, SELF, Tally, fate};
use super::similarity::by_similarity;
use super::twins::Twins;

/// Columns that are made side by side.
pub(super) const LANES: usize = 16;

/// Rows whose being in use is noted together.
const STRIPE: usize = 32;

/// One number for each of the columns that are made side by side; never across two lines of the cache.
#[derive(Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Lanes([f32; LANES]);

/// Nothing in any of them.
const NOTHING: Lanes = Lanes([0.0; LANES]);

/// Numbers for all rows, of which few are not zero.
struct Sheet {
    rows: Vec<Lanes>,
    in_use: Vec<bool>,
    stripes: Vec<u32>,
}

impl Sheet {
    fn new(count: usize) -> Sheet {
        let stripes = count.div_ceil(STRIPE);
        Sheet { rows: vec![NOTHING; stripes * STRIPE], in_use: vec![false; stripes], stripes: Vec::new() }
    }

    #[inline]
    fn at(&mut self, row: u32) -> &mut Lanes {
        let stripe = row as usize / STRIPE;
        if !self.in_use[stripe] {
            self.in_use[stripe] = true;
            self.stripes.push(stripe as u32);
        }
        &mut self.rows[row as usize]
    }

    /// Adds a column so often to each of those that are made. What is the work of a round happens here: numbers that the
    /// compiler can keep in registers, four at a time on any x86-64.
    fn add(&mut self, entries: &[Entry], shares: Lanes) {
        let (rows, in_use) = (self.rows.as_mut_slice(), self.in_use.as_mut_slice());
        for entry in entries {
            let stripe = entry.row as usize / STRIPE;
            if !in_use[stripe] {
                in_use[stripe] = true;
                self.stripes.push(stripe as u32);
            }
            let sums = &mut rows[entry.row as usize];
            sums.0 = std::array::from_fn(|lane| sums.0[lane] + entry.value * shares.0[lane]);
        }
    }

    /// From here on [`used`](Sheet::used) goes up.
    fn sort(&mut self) {
        self.stripes.sort_unstable();
    }

    /// Stripes with rows that may not be zero, and their first rows.
    fn used(&self) -> impl Iterator<Item = (u32, &[Lanes])> {
        self.stripes.iter().map(|&stripe| {
            let first = stripe as usize * STRIPE;
            (first as u32, &self.rows[first..first + STRIPE])
        })
    }

    fn clear(&mut self) {
        for stripe in self.stripes.drain(..) {
            let first = stripe as usize * STRIPE;
            self.rows[first..first + STRIPE].fill(NOTHING);
            self.in_use[stripe as usize] = false;
        }
    }
}

/// What is the same for all columns of a round.
pub(super) struct Round<'a> {
    pub(super) matrix: &'a Matrix,
    /// Pages of each class, and one divided by that; filled up to whole stripes.
    pub(super) sizes: &'a [u32],
    pub(super) parts: &'a [f32],
    pub(super) settings: &'a Settings,
}

/// The sizes of all classes and their inverses, filled up to whole stripes.
pub(super) fn sizes(twins: &Twins) -> (Vec<u32>, Vec<f32>) {
    let whole = twins.count().div_ceil(STRIPE) * STRIPE;
    let mut sizes: Vec<u32> = (0..twins.count() as u32).map(|class| twins.size(class)).collect();
    sizes.resize(whole, 1);
    let parts = sizes.iter().map(|&size| 1.0 / size as f32).collect();
    (sizes, parts)
}

impl Round<'_> {
    /// The next matrix, made on so many threads.
    pub(super) fn make(&self, threads: usize) -> Matrix {
        let count = self.matrix.count();
        let (resting, moving): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|&column| self.matrix.at_rest(column));
        let mut kept = Pieces::default();
        for column in resting {
            kept.push(column, *self.matrix.column(column), self.matrix.entries(column));
        }
        let order = by_similarity(self.matrix, &moving);
        let groups: Vec<&[u32]> = order.chunks(LANES).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut bench = Bench::new(self, count);
            while let Some(columns) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                bench.make(columns);
            }
            bench.made
        };
        let threads = threads.clamp(1, groups.len().max(1));
        let mut made = if threads == 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
                let own = work();
                let joined = others.into_iter().map(|other| match other.join() {
                    Ok(pieces) => pieces,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
                std::iter::once(own).chain(joined).collect()
            })
        };
        made.push(kept);
        Matrix::from_pieces(count, made)
    }
}

/// Where a thread makes its columns.
struct Bench<'a> {
    round: &'a Round<'a>,
    /// Column k is to be added so often to each of the columns that are made.
    shares: Sheet,
    /// The columns that are made.
    sums: Sheet,
    /// Rows that are not below the cutoff in all of them.
    heads: Vec<u32>,
    pruner: Pruner,
    column: Vec<Entry>,
    made: Pieces,
}

impl<'a> Bench<'a> {
    fn new(round: &'a Round<'a>, count: usize) -> Bench<'a> {
        Bench {
            round,
            shares: Sheet::new(count),
            sums: Sheet::new(count),
            heads: Vec::new(),
            pruner: Pruner::default(),
            column: Vec::new(),
            made: Pieces::default(),
        }
    }

    /// Makes some columns, at most as many as there are lanes.
    fn make(&mut self, columns: &[u32]) {
        self.multiply(columns);
        let mut own = [[Item { row: SELF, value: 0.0, pages: 0 }; 2]; LANES];
        for ((lane, &class), own) in columns.iter().enumerate().zip(&mut own) {
            *own = self.take_own(lane, class);
        }
        let mut tallies = self.tally();
        for (lane, &class) in columns.iter().enumerate() {
            let cutoff = self.round.settings.cutoff as f32;
            for item in own[lane].iter().filter(|item| item.value > 0.0) {
                tallies[lane].add(item, cutoff);
            }
            self.finish(lane, class, &own[lane], &tallies[lane]);
        }
        self.sums.clear();
    }

    fn multiply(&mut self, columns: &[u32]) {
        let matrix = self.round.matrix;
        for (lane, &column) in columns.iter().enumerate() {
            for entry in matrix.entries(column) {
                self.shares.at(entry.row).0[lane] = entry.value;
            }
        }
        self.shares.sort();
        for (first, rows) in self.shares.used() {
            for (row, shares) in (first..).zip(rows) {
                if *shares != NOTHING {
                    self.sums.add(matrix.entries(row), *shares);
                }
            }
        }
        self.shares.clear();
        self.sums.sort();
    }

    /// Takes the flow to the column's own class out of the sums, if that has more than one page: what stays on a page and
    /// what goes to its twins are two values.
    fn take_own(&mut self, lane: usize, class: u32) -> [Item; 2] {
        let twins = self.round.sizes[class as usize] - 1;
        if twins == 0 {
            return [Item { row: SELF, value: 0.0, pages: 0 }; 2];
        }
        let sum = std::mem::take(&mut self.sums.rows[class as usize].0[lane]);
        let gap = self.round.matrix.column(class).gap;
        let gap = gap * gap;
        let each = ((sum - gap) * self.round.parts[class as usize]).max(0.0);
        [Item { row: class, value: each, pages: twins }, Item { row: SELF, value: each + gap, pages: 1 }]
    }

    /// Looks over all sums at once, and notes the rows of which something will stay.
    fn tally(&mut self) -> [Tally; LANES] {
        let cutoff = self.round.settings.cutoff as f32;
        let mut tallies = [Tally::default(); LANES];
        self.heads.clear();
        for (first, rows) in self.sums.used() {
            let (mut flow, mut pages, mut squares) = ([0.0f32; LANES], [0u32; LANES], [0.0f32; LANES]);
            let mut greatest = [0.0f32; LANES];
            let from = first as usize;
            let classes = self.round.sizes[from..from + STRIPE].iter().zip(&self.round.parts[from..from + STRIPE]);
            for ((row, Lanes(sums)), (&size, &part)) in (first..).zip(rows).zip(classes) {
                let mut any = false;
                for lane in 0..LANES {
                    let value = sums[lane] * part;
                    let stays = value >= cutoff;
                    any |= stays;
                    flow[lane] += if stays { sums[lane] } else { 0.0 };
                    pages[lane] += if stays { size } else { 0 };
                    squares[lane] += sums[lane] * value;
                    greatest[lane] = if value > greatest[lane] { value } else { greatest[lane] };
                }
                if any {
                    self.heads.push(row);
                }
            }
            for (lane, tally) in tallies.iter_mut().enumerate() {
                tally.flow += f64::from(flow[lane]);
                tally.pages += u64::from(pages[lane]);
                tally.squares += f64::from(squares[lane]);
                tally.greatest = tally.greatest.max(greatest[lane]);
            }
        }
        tallies
    }

    /// Prunes and inflates a column and puts it down.
    fn finish(&mut self, lane: usize, class: u32, own: &[Item; 2], tally: &Tally) {
        let settings = self.round.settings;
        let fate = fate(tally, settings);
        let least = if matches!(fate, Fate::Recover(_)) { f32::MIN_POSITIVE } else { settings.cutoff as f32 };
        let least = least.max(f32::MIN_POSITIVE);
        let items = &mut self.pruner.items;
        items.clear();
        let (sizes, parts) = (self.round.sizes, self.round.parts);
        let mut take = |row: u32, sums: &Lanes| {
            let value = sums.0[lane] * parts[row as usize];
            if value >= least {
                items.push(Item { row, value, pages: sizes[row as usize] });
            }
        };
        if matches!(fate, Fate::Recover(_)) {
            for (first, rows) in self.sums.used() {
                (first..).zip(rows).for_each(|(row, sums)| take(row, sums));
            }
        } else {
            self.heads.iter().for_each(|&row| take(row, &self.sums.rows[row as usize]));
        }
        items.extend(own.iter().filter(|item| item.value >= least && item.pages > 0));
        self.pruner.prune(fate, settings);
        let (gap, pages) = self.pruner.inflate(class, settings, &mut self.column);
        let chaos = (f64::from(tally.greatest) - tally.squares) * pages as f64;
        let before = self.round.matrix.column(class);
        let changed = before.gap.to_bits() != gap.to_bits() && self.round.sizes[class as usize] > 1
            || self.round.matrix.entries(class) != self.column;
        let known = Column::new(gap, chaos as f32, changed);
        self.made.push(class, known, &self.column);
    }
}
