//! How much of a text changed.
//!
//! ```text
//! difference(A, B) = 100 * (1 - 2 |A ∩ B| / (|A| + |B|))        A, B: the words of the two texts, as multisets
//! ```
//!
//! Dice's measure on words: O(words), blind to order, so a page that was only rearranged has difference 0.

use std::collections::HashMap;

/// The difference of two texts in per cent, rounded up; 0 only if they have the same words.
pub(crate) fn per_cent(old: &[&str], new: &[&str]) -> u8 {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    let (mut before, mut after) = (0u64, 0u64);
    for word in old.iter().flat_map(|t| t.split_whitespace()) {
        *counts.entry(word).or_default() += 1;
        before += 1;
    }
    let mut common = 0u64;
    for word in new.iter().flat_map(|t| t.split_whitespace()) {
        after += 1;
        if let Some(left) = counts.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    let all = before + after;
    if all == 0 {
        return 0;
    }
    let different = all - 2 * common;
    (different * 100).div_ceil(all).min(100) as u8
}

#[cfg(test)]
mod tests {
    use super::per_cent;

    #[test]
    fn difference_counts_words() {
        assert_eq!(per_cent(&["a b c d"], &["a b", "c d"]), 0);
        assert_eq!(per_cent(&["a b c d"], &["a b c e"]), 25);
        assert_eq!(per_cent(&["a b"], &["c d"]), 100);
        assert_eq!(per_cent(&[], &["x"]), 100);
        assert_eq!(per_cent(&[], &[]), 0);
        assert_eq!(per_cent(&[&"w ".repeat(1000)], &[&"w ".repeat(1001)]), 1);
    }
}
