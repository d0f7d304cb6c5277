//! Choices made from a number and a word: the same two give the same choices.

use groma_testweb::prose::{hash, mix};

/// A source of choices.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    seed: u64,
    count: u64,
}

impl Dice {
    /// Choices of their own for every purpose, so that one more choice in one place changes nothing in another.
    pub(crate) fn new(seed: u64, purpose: &str) -> Dice {
        Dice { seed: mix(seed, hash(purpose)), count: 0 }
    }

    /// The next pseudo-random number.
    pub(crate) fn roll(&mut self) -> u64 {
        self.count += 1;
        mix(self.seed, self.count)
    }

    /// A number below `n`; 0 if there is none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.roll() % n as u64) as usize }
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True so often in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T], otherwise: T) -> T {
        of.get(self.below(of.len())).copied().unwrap_or(otherwise)
    }

    /// A place in a list, the first ones much more often.
    pub(crate) fn early(&mut self, length: usize) -> usize {
        let (a, b) = (self.below(length), self.below(length));
        a * b / length.max(1)
    }

    /// A number between 0 and 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Another order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}
