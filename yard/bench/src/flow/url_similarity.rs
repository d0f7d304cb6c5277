//! How alike are two URLs? The paper's similarity, for capacities to measure with.
//!
//! Formula: exp(-d^2 / (2 sigma^2)), d being the edit distance of the URLs as lists of tokens (maximal runs without / : ? = & #);
//! sigma 1.66 is what random pairs of debdocs have as standard deviation.
//! Cost: the product of the lengths for each pair.

use std::collections::HashMap;

const SIGMA: f64 = 1.66;

/// URLs as lists of numbered tokens.
pub(crate) struct Addresses(Vec<Vec<u32>>);

impl Addresses {
    /// One URL a line.
    pub(crate) fn read(lines: &str) -> Addresses {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut read = Vec::new();
        for line in lines.lines() {
            let tokens = line.split(['/', ':', '?', '=', '&', '#']).filter(|token| !token.is_empty());
            let number = |token| {
                let next = numbers.len() as u32;
                *numbers.entry(token).or_insert(next)
            };
            read.push(tokens.map(number).collect());
        }
        Addresses(read)
    }

    /// The least number of tokens to insert, drop or replace on the way from one to the other; all, if one is not there.
    pub(crate) fn edits(&self, one: u32, other: u32) -> u32 {
        let of = |address: u32| self.0.get(address as usize).map_or(&[][..], Vec::as_slice);
        edits(of(one), of(other))
    }

    /// From 0 to 1, which means the same; 0 for what is not there.
    pub(super) fn similarity(&self, one: u32, other: u32) -> f64 {
        let (Some(one), Some(other)) = (self.0.get(one as usize), self.0.get(other as usize)) else { return 0.0 };
        let distance = f64::from(edits(one, other));
        (-distance * distance / (2.0 * SIGMA * SIGMA)).exp()
    }
}

/// The least number of tokens to insert, drop or replace.
fn edits(one: &[u32], other: &[u32]) -> u32 {
    let mut row: Vec<u32> = (0..=other.len() as u32).collect();
    for (line, token) in (1u32..).zip(one) {
        let mut corner = row[0];
        row[0] = line;
        for (at, against) in other.iter().enumerate() {
            let replaced = corner + u32::from(token != against);
            corner = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_by_tokens() {
        let addresses = Addresses::read("https://a.org/x/y\nhttps://a.org/x/z?q=1\nhttps://a.org/x/y\n\nhttp://b/y");
        let distance = |one: usize, other: usize| edits(&addresses.0[one], &addresses.0[other]);
        assert_eq!([distance(0, 1), distance(0, 2), distance(0, 3), distance(0, 4), distance(1, 0)], [3, 0, 4, 3, 3]);
        assert_eq!(addresses.similarity(0, 2), 1.0);
        assert!((addresses.similarity(0, 1) - (-9.0f64 / (2.0 * SIGMA * SIGMA)).exp()).abs() < 1e-15);
        assert_eq!(addresses.similarity(0, 99), 0.0);
    }
}
