//! URLs as lists of tokens, and how far two of them are apart.
//!
//! ```text
//! tokens(URL)  the maximal runs without / : ? = & #
//! ed(a, b)         insertions, deletions and replacements of whole tokens that lead from one list to the other, at least
//! ```
//!
//! Source: paper 2, section 2.4.1. Every token is a number, so a comparison of tokens is one of numbers. What two URLs
//! share at both ends costs one comparison a token; the rest is Levenshtein's table, of which only the band that can still give a
//! distance of at most `most` is filled in: O(most * tokens). Not guaranteed: a distance above `most`, which is told as
//! `most + 1`; tokens of a URL beyond the first [`LONGEST`], which are left out.

use std::collections::HashMap;

/// Tokens of an address that count. An address of more is made by a machine, for machines.
pub const LONGEST: usize = 128;

/// What home pages are called, without an ending.
const HOMES: [&str; 4] = ["", "index", "default", "home"];

/// The tokens of many URLs, each distinct token kept once.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    numbers: HashMap<Box<str>, u32>,
    /// The lists, one after the other.
    all: Vec<u32>,
    /// Where each list ends.
    ends: Vec<u32>,
    /// How many tokens of each name the host.
    hosts: Vec<u8>,
    /// Whether each is the home of a folder by its name.
    homes: Vec<bool>,
}

impl Tokens {
    pub fn new() -> Tokens {
        Tokens::default()
    }

    /// Takes a URL; the first is number 0, the next 1, and so on.
    pub fn push(&mut self, address: &str) -> u32 {
        for token in split(address).take(LONGEST) {
            let number = match self.numbers.get(token) {
                Some(&number) => number,
                None => {
                    let number = self.numbers.len() as u32;
                    self.numbers.insert(token.into(), number);
                    number
                }
            };
            self.all.push(number);
        }
        self.ends.push(self.all.len() as u32);
        self.hosts.push(split(host(address)).count().min(LONGEST) as u8);
        self.homes.push(is_home(address));
        self.ends.len() as u32 - 1
    }

    /// How many URLs there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no URL was added yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tokens of a URL, as numbers; none if there is no such URL.
    pub fn url_tokens(&self, address: u32) -> &[u32] {
        let Some(&end) = self.ends.get(address as usize) else { return &[] };
        let start = if address == 0 { 0 } else { self.ends[address as usize - 1] };
        &self.all[start as usize..end as usize]
    }

    /// How many of its tokens name the host of an address: scheme, name, port.
    pub fn of_host(&self, address: u32) -> usize {
        self.hosts.get(address as usize).map_or(0, |&tokens| usize::from(tokens))
    }

    /// Is a URL the home of a folder by its name: `.../`, `.../index.html`?
    pub fn is_home(&self, address: u32) -> bool {
        self.homes.get(address as usize).copied().unwrap_or(false)
    }

    /// How far two URLs are apart, up to `most`; `most + 1` if farther.
    pub fn distance(&self, a: u32, b: u32, most: u32) -> u32 {
        distance(self.url_tokens(a), self.url_tokens(b), most)
    }
}

/// A URL up to its path.
fn host(address: &str) -> &str {
    let from = address.find("://").map_or(0, |at| at + 3);
    let length = address[from..].find(['/', '?', '#']).unwrap_or(address.len() - from);
    &address[..from + length]
}

fn is_home(address: &str) -> bool {
    let path = address[host(address).len()..].split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    HOMES.iter().any(|home| stem.eq_ignore_ascii_case(home))
}

/// The tokens of a URL.
pub fn split(address: &str) -> impl Iterator<Item = &str> {
    address.split(['/', ':', '?', '=', '&', '#']).filter(|token| !token.is_empty())
}

/// The edit distance of two lists, up to `most`; `most + 1` if it is greater.
pub fn distance(a: &[u32], b: &[u32], most: u32) -> u32 {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let apart = match short {
        [] => long.len() as u32,
        // One token against some: all but one are inserted, and that one is kept if it occurs.
        [one] => long.len() as u32 - u32::from(long.contains(one)),
        _ => banded(short, long, most),
    };
    apart.min(most.saturating_add(1))
}

/// The table, row by row, within `most` of the diagonal. Both lists are shorter than [`LONGEST`] or cut there.
fn banded(short: &[u32], long: &[u32], most: u32) -> u32 {
    let (short, long) = (&short[..short.len().min(LONGEST)], &long[..long.len().min(LONGEST)]);
    if (long.len() - short.len()) as u32 > most {
        return most.saturating_add(1);
    }
    let band = (most as usize).min(LONGEST);
    let beyond = u32::MAX / 2;
    let mut row = [0u32; LONGEST + 1];
    for (at, cell) in row.iter_mut().enumerate() {
        *cell = at as u32;
    }
    for (i, token) in long.iter().enumerate() {
        let (first, last) = ((i + 1).saturating_sub(band), (i + 1 + band).min(short.len()));
        let mut corner = if first == 0 { row[0] } else { row[first - 1] };
        let mut left = if first == 0 { i as u32 + 1 } else { beyond };
        if first == 0 {
            row[0] = left;
        } else {
            row[first - 1] = beyond;
        }
        // The cell at the right edge of the band was never above anything.
        if last == i + 1 + band {
            row[last] = beyond;
        }
        let mut least = left;
        for j in first.max(1)..=last {
            let above = row[j];
            let cell = (corner + u32::from(short[j - 1] != *token)).min(above + 1).min(left + 1);
            (corner, row[j], left) = (above, cell, cell);
            least = least.min(cell);
        }
        if least > most {
            return most.saturating_add(1);
        }
    }
    row[short.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_falls_into_the_tokens_between_its_marks() {
        let tokens: Vec<&str> = split("https://a.example:80/b//c.html?x=1&y=#d").collect();
        assert_eq!(tokens, ["https", "a.example", "80", "b", "c.html", "x", "1", "y", "d"]);
        assert_eq!(split("").count(), 0);
        let mut tokens = Tokens::new();
        for (address, of_host) in
            [("https://a:80/b?x=1", 3), ("http://a", 2), ("http://a?b/c", 2), ("nonsense/x", 1), ("", 0)]
        {
            let number = tokens.push(address);
            assert_eq!(tokens.of_host(number), of_host, "{address}");
        }
        for (address, home) in [
            ("http://a", true),
            ("http://a/b/", true),
            ("http://a/b/Index.en.html?x=/y", true),
            ("http://a/b/indexes.html", false),
            ("http://a/b", false),
        ] {
            let number = tokens.push(address);
            assert_eq!(tokens.is_home(number), home, "{address}");
        }
    }

    #[test]
    fn pages_of_one_folder_are_one_apart_and_of_two_folders_two() {
        let mut tokens = Tokens::new();
        let a = tokens.push("http://h/a/x.html");
        let b = tokens.push("http://h/a/y.html");
        let c = tokens.push("http://h/b/y.html");
        let d = tokens.push("http://h/a/b/x.html");
        assert_eq!(tokens.distance(a, b, 9), 1);
        assert_eq!(tokens.distance(a, c, 9), 2);
        assert_eq!(tokens.distance(a, d, 9), 1);
        assert_eq!(tokens.distance(a, a, 9), 0);
        assert_eq!(tokens.distance(a, c, 1), 2);
        assert_eq!(tokens.distance(a, 99, 9), 4);
    }

    /// Levenshtein distance by the whole table, as textbooks have it.
    fn textbook(a: &[u32], b: &[u32]) -> u32 {
        let mut above: Vec<u32> = (0..=b.len() as u32).collect();
        for (i, x) in a.iter().enumerate() {
            let mut row = vec![i as u32 + 1];
            for (j, y) in b.iter().enumerate() {
                row.push((above[j] + u32::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1));
            }
            above = row;
        }
        above[b.len()]
    }

    proptest! {
        #[test]
        fn the_band_gives_what_the_whole_table_gives(
            a in proptest::collection::vec(0u32..4, 0..20),
            b in proptest::collection::vec(0u32..4, 0..20),
            most in 0u32..25,
        ) {
            prop_assert_eq!(distance(&a, &b, most), textbook(&a, &b).min(most + 1));
            prop_assert_eq!(distance(&b, &a, most), distance(&a, &b, most));
        }
    }
}
