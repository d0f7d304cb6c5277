//! The terms of a text and how often each occurs.

/// A text without its order: terms in ascending order, each with its number of times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bag {
    terms: Vec<(u32, u32)>,
}

impl Bag {
    /// Counts how often each term occurs.
    pub fn from_terms(mut terms: Vec<u32>) -> Bag {
        terms.sort_unstable();
        let mut counted: Vec<(u32, u32)> = Vec::new();
        for term in terms {
            match counted.last_mut() {
                Some((last, times)) if *last == term => *times += 1,
                _ => counted.push((term, 1)),
            }
        }
        Bag { terms: counted }
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its terms, each with its number of times.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.terms.iter().copied()
    }

    /// Does it have this term?
    pub fn has(&self, term: u32) -> bool {
        self.terms.binary_search_by_key(&term, |(of, _)| *of).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted() {
        let bag = Bag::from_terms(vec![3, 1, 3]);
        assert_eq!(bag.iter().collect::<Vec<_>>(), [(1, 1), (3, 2)]);
        assert!(bag.has(3) && !bag.has(2) && !bag.is_empty());
    }
}
