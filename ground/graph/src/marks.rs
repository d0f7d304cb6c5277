//! Which arcs are navigation: one bit each, in the order of the arcs.
//!
//! Words are kept up to the last bit that is set, so that two sets of the same bits are equal and a graph without marks
//! costs nothing.

/// A set of arcs by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// Marks an arc as navigation.
    pub(crate) fn set(&mut self, arc: u64) {
        let word = (arc / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (arc % 64);
    }

    /// Is the arc in the set?
    pub(crate) fn get(&self, arc: u64) -> bool {
        self.words.get((arc / 64) as usize).is_some_and(|word| word >> (arc % 64) & 1 == 1)
    }

    /// Is nothing in the set?
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_kept_apart_and_equal_sets_are_equal() {
        let mut one = Marks::default();
        assert!(one.is_empty() && !one.get(0) && !one.get(u64::MAX));
        let mut other = Marks::default();
        for arc in [0, 63, 64, 200] {
            one.set(arc);
        }
        for arc in [200, 0, 64, 63, 0] {
            other.set(arc);
        }
        assert_eq!(one, other);
        let set: Vec<u64> = (0..300).filter(|&arc| one.get(arc)).collect();
        assert_eq!(set, [0, 63, 64, 200]);
    }
}
