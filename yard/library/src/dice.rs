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
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// One of some words; nothing if there are none.
    pub(crate) fn word(&mut self, of: &[&'static str]) -> &'static str {
        self.one(of).copied().unwrap_or_default()
    }

    /// One of some things, the first ones much more often.
    pub(crate) fn early<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let (a, b) = (self.below(of.len()), self.below(of.len()));
        of.get(a * b / of.len().max(1))
    }

    /// Another order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}
