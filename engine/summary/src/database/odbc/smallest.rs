//! Which values come first? Distinct texts in the order of their octets, as many as an attribute may have, in bounded memory.
//!
//! A tree that drops its largest value when it has too much. Cost: a comparison per level of the tree for each row; memory: the
//! limit of an attribute's octets and about 80 octets beside each value.

use std::collections::BTreeSet;

use crate::reader::ColumnLimit;

/// The smallest of the values that came.
#[derive(Debug)]
pub(super) struct Smallest {
    values: BTreeSet<Box<str>>,
    /// Octets of all of them, each with a line end.
    octets: u64,
    wanted: ColumnLimit,
}

impl Smallest {
    pub(super) fn new(wanted: ColumnLimit) -> Smallest {
        Smallest { values: BTreeSet::new(), octets: 0, wanted }
    }

    /// A value came. What is empty or white space only is none.
    pub(super) fn push(&mut self, value: &str) {
        if value.trim().is_empty() || (self.is_full() && self.values.last().is_some_and(|last| value >= &**last)) {
            return;
        }
        if self.values.insert(value.into()) {
            self.octets += self.weight(value);
        }
        while self.can_spare_last() {
            if let Some(last) = self.values.pop_last() {
                self.octets -= self.weight(&last);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.values.len() as u64 >= self.wanted.rows || self.octets.saturating_sub(1) > self.wanted.octets
    }

    /// Whether there is enough without the largest. More than the limit of octets is kept, so that whoever counts sees that there is more.
    fn can_spare_last(&self) -> bool {
        let Some(last) = self.values.last() else { return false };
        self.values.len() as u64 > self.wanted.rows
            || (self.octets - self.weight(last)).saturating_sub(1) > self.wanted.octets
    }

    /// Octets of what is written of a value: one letter more is asked for than is kept, which shows that there are more.
    fn weight(&self, value: &str) -> u64 {
        let kept = usize::try_from(self.wanted.letters.saturating_sub(1)).unwrap_or(usize::MAX);
        let end = if value.len() > kept { value.char_indices().nth(kept).map(|(at, _)| at) } else { None };
        end.unwrap_or(value.len()) as u64 + 1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|value| &**value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rows: u64, octets: u64, values: &[&str]) -> Vec<String> {
        let mut smallest = Smallest::new(ColumnLimit { rows, letters: 11, octets });
        values.iter().for_each(|value| smallest.push(value));
        smallest.iter().map(str::to_owned).collect()
    }

    #[test]
    fn the_first_by_octets_are_kept_once() {
        let values = ["b", "\u{fc}", "a", "", " ", "B", "a", "c"];
        assert_eq!(kept(10, 100, &values), ["B", "a", "b", "c", "\u{fc}"]);
        assert_eq!(kept(3, 100, &values), ["B", "a", "b"]);
        // Ten letters are written of the first: 10 and a line end, 2 and a line end, and the third is more than 14.
        assert_eq!(
            kept(10, 13, &["aaaaaaaaaaaaa", "bb", "cc", "dd"]),
            ["aaaaaaaaaaa", "bb", "cc"]
                .map(|v| { if v.len() > 2 { "aaaaaaaaaaaaa".to_owned() } else { v.to_owned() } })
        );
        assert_eq!(kept(10, 12, &["dd", "cc", "aaaaaaaaaaaaa", "bb"]), ["aaaaaaaaaaaaa", "bb"]);
    }

    #[test]
    fn whatever_the_order_the_same_stay_and_memory_is_bounded() {
        let mut numbers: Vec<u32> = (0..5_000).map(|n| n * 7_919 % 5_000).collect();
        let mut smallest = Smallest::new(ColumnLimit { rows: 100, letters: 11, octets: 1 << 20 });
        for number in &numbers {
            smallest.push(&format!("{number:05}"));
            assert!(smallest.values.len() <= 100);
        }
        numbers.sort_unstable();
        let first: Vec<String> = numbers[..100].iter().map(|number| format!("{number:05}")).collect();
        assert_eq!(smallest.iter().collect::<Vec<_>>(), first);
    }
}
