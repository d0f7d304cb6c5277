//! How are all pages of one answer visited, and no more? A queue of pages, each asked for once.
//!
//! It ends when no page is left, when so many were visited, or at a page whose records were all seen before: servers that show the last
//! page again for every number beyond would be endless otherwise. [`Navigator::ended`] says which, because only the first is
//! a whole answer. Cost: a hash for each page and record.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use groma_model::Request;
use serde::Serialize;

use super::Answer;
use crate::form;

/// Why a walk is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// All pages were visited.
    Whole,
    /// A page showed only what was known; its further pages were not asked for.
    Repeated,
    /// So many pages are not asked for.
    Capped,
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The walk over the pages of one answer.
#[derive(Clone, Debug)]
pub struct Navigator {
    known: HashSet<String>,
    records: HashSet<u64>,
    queue: VecDeque<Request>,
    tokens: Vec<String>,
    visited: usize,
    most: usize,
    is_repeated: bool,
    is_capped: bool,
}

impl Navigator {
    /// Begins with the first request, which the caller makes. `tokens` are names of values that change from visit to visit.
    pub fn new(first: &Request, most: usize, tokens: &[String]) -> Navigator {
        Navigator {
            known: HashSet::from([form::key(first, tokens)]),
            records: HashSet::new(),
            queue: VecDeque::new(),
            tokens: tokens.to_vec(),
            visited: 0,
            most: most.max(1),
            is_repeated: false,
            is_capped: false,
        }
    }

    /// Takes in a page. Returns how many of its records (or values, if there are no rows) are new.
    pub fn absorb(&mut self, answer: &Answer) -> usize {
        self.visited += 1;
        let mut new = 0;
        for record in &answer.records {
            new += usize::from(self.records.insert(hash(&record.values)));
        }
        // Without rows the values say whether there is anything new.
        if answer.records.is_empty() {
            let values =
                answer.values.iter().flat_map(|(attribute, values)| values.iter().map(move |value| (attribute, value)));
            new += values.filter(|pair| self.records.insert(hash(pair))).count();
        }
        if self.visited > 1 && new == 0 {
            self.is_repeated |= !answer.next.is_empty();
            return 0;
        }
        // On a later page, the link `1` leads back to where the walk began.
        let one = answer.one.as_ref().filter(|_| self.visited == 1);
        for request in answer.next.iter().chain(one) {
            if self.known.insert(form::key(request, &self.tokens)) {
                if self.visited + self.queue.len() < self.most {
                    self.queue.push_back(request.clone());
                } else {
                    self.is_capped = true;
                }
            }
        }
        new
    }

    /// The next page to ask for.
    pub fn step(&mut self) -> Option<Request> {
        self.queue.pop_front()
    }

    /// Pages taken in.
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// Why the walk is over; nothing if it is not.
    pub fn ended(&self) -> Option<Ended> {
        if !self.queue.is_empty() {
            None
        } else if self.is_capped {
            Some(Ended::Capped)
        } else if self.is_repeated {
            Some(Ended::Repeated)
        } else {
            Some(Ended::Whole)
        }
    }
}
