//! The list at work: which line speaks of this URL?
//!
//! Cost: one look-up for single pages, and a binary search for the longest folder. Where two lines are the same text, the later
//! holds.

use std::collections::HashMap;

use super::{Prefix, Standing};
use crate::starts::Starts;

/// A list that can be asked about URLs.
#[derive(Clone, Debug)]
pub struct Matcher {
    singles: HashMap<String, (usize, Standing)>,
    folders: Starts<(usize, Standing)>,
}

/// Makes a list ready to be asked, as a scope is.
pub fn apply(list: &[Prefix]) -> Matcher {
    let of = |single: bool| {
        let lines = list.iter().enumerate().filter(move |(_, line)| line.single == single);
        lines.map(|(number, line)| (line.text.clone(), (number, line.verdict)))
    };
    Matcher { singles: of(true).collect(), folders: Starts::new(of(false)) }
}

impl Matcher {
    /// The number of the line that decides about a URL; nothing if none does.
    pub fn line(&self, address: &str) -> Option<usize> {
        self.find(address).map(|(number, _)| number)
    }

    /// Where a URL stands; out if the list does not speak of it.
    pub fn standing(&self, address: &str) -> Standing {
        self.find(address).map_or(Standing::Out, |(_, verdict)| verdict)
    }

    fn find(&self, address: &str) -> Option<(usize, Standing)> {
        let single = self.singles.get(address);
        single.or_else(|| self.folders.longest(address).map(|(_, line)| line)).copied()
    }
}
