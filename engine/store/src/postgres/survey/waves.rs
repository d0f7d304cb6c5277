//! A list of changes cut into waves: within a wave every key occurs once, so that one statement can apply all of it.
//!
//! ```text
//! wave  the longest run of changes with different keys, of at most ROWS changes and about BYTES bytes
//! ```
//!
//! Changes of one key have to be applied one after the other, and PostgreSQL refuses to change a row twice in a statement. Waves are
//! applied in order, so what comes of it is what applying one change after the other would give. Cost: linear; in practice there is one
//! wave.

use std::collections::HashSet;
use std::hash::Hash;

/// Most changes of a wave.
const ROWS: usize = 20_000;
/// Bytes after which a wave is full: a statement is in memory as a whole, here and at the server.
const BYTES: usize = 8 << 20;

/// Cuts a list. `key`: what must not occur twice; `weight`: bytes, roughly.
pub(super) fn waves<'a, T, K: Hash + Eq>(
    items: &'a [T],
    key: impl Fn(&'a T) -> K,
    weight: impl Fn(&T) -> usize,
) -> Vec<&'a [T]> {
    let mut waves = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    let mut seen = HashSet::with_capacity(items.len().min(ROWS));
    for (at, item) in items.iter().enumerate() {
        let twice = !seen.insert(key(item));
        if twice || at - start >= ROWS || bytes >= BYTES {
            waves.push(&items[start..at]);
            (start, bytes) = (at, 0);
            seen.clear();
            seen.insert(key(item));
        }
        bytes += weight(item);
    }
    if start < items.len() {
        waves.push(&items[start..]);
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(items: &[u32], weight: usize) -> Vec<usize> {
        let waves = waves(items, |item| *item, |_| weight);
        assert_eq!(waves.concat(), items);
        waves.iter().map(|wave| wave.len()).collect()
    }

    #[test]
    fn a_wave_ends_before_a_key_comes_again() {
        assert_eq!(lengths(&[], 1), [0; 0]);
        assert_eq!(lengths(&[1, 2, 3], 1), [3]);
        assert_eq!(lengths(&[1, 2, 1, 2, 3, 3], 1), [2, 3, 1]);
        assert_eq!(lengths(&[5, 5, 5], 1), [1, 1, 1]);
    }

    #[test]
    fn a_wave_is_not_larger_than_it_may_be() {
        assert_eq!(lengths(&(0..50_000).collect::<Vec<_>>(), 1), [20_000, 20_000, 10_000]);
        assert_eq!(lengths(&[1, 2, 3, 4, 5], 5 << 20), [2, 2, 1]);
    }
}
