//! How are all pages of one answer visited, and no more? A queue of pages, each asked for once.
//!
//! It ends when no page is left, when so many were visited, or after [`REPEATS`] pages in a row whose records were all seen before:
//! servers that show the last page again for every number beyond would be endless otherwise. One such page is not the end: records that
//! look alike may fill it. [`Navigator::ended`] says which, because only the first is a whole answer. Cost: a hash for each page and record.

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
    /// Pages showed only what was known; their further pages were not asked for.
    Repeated,
    /// So many pages are not asked for.
    Capped,
}

/// What a page brought to a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absorbed {
    /// So many new records (or values, if there are no rows); also a first page without any.
    New(usize),
    /// Nothing new: a page of records that look alike, or one that came before.
    Known,
    /// Nothing new, as it had to be: the link called `1` led back to where the walk began.
    First,
}

/// Pages in a row without anything new, after which there are no more.
const REPEATS: u32 = 2;

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
    /// The link called `1` of the first page.
    one: Option<String>,
    /// It is what was asked for last.
    is_at_one: bool,
    repeats: u32,
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
            one: None,
            is_at_one: false,
            repeats: 0,
            is_repeated: false,
            is_capped: false,
        }
    }

    /// Takes in a page. `keys`: what its records are known by; by their values, if there are none.
    pub fn absorb(&mut self, answer: &Answer, keys: &[u128]) -> Absorbed {
        self.visited += 1;
        let mut new = 0;
        for (nth, record) in answer.records.iter().enumerate() {
            let key = keys.get(nth).map_or_else(|| hash(&record.values), hash);
            new += usize::from(self.records.insert(key));
        }
        // Without rows the values say whether there is anything new.
        if answer.records.is_empty() {
            let values =
                answer.values.iter().flat_map(|(attribute, values)| values.iter().map(move |value| (attribute, value)));
            new += values.filter(|pair| self.records.insert(hash(pair))).count();
        }
        let is_known = self.visited > 1 && new == 0;
        if is_known && self.is_at_one {
            return Absorbed::First;
        }
        self.repeats = if is_known { self.repeats + 1 } else { 0 };
        if self.repeats >= REPEATS {
            self.is_repeated |= !answer.next.is_empty();
            return Absorbed::Known;
        }
        // On a later page, the link `1` leads back to where the walk began.
        let one = answer.one.as_ref().filter(|_| self.visited == 1);
        self.one = self.one.take().or_else(|| one.map(|one| form::key(one, &self.tokens)));
        for request in answer.next.iter().chain(one) {
            if self.known.insert(form::key(request, &self.tokens)) {
                if self.visited + self.queue.len() < self.most {
                    self.queue.push_back(request.clone());
                } else {
                    self.is_capped = true;
                }
            }
        }
        if is_known { Absorbed::Known } else { Absorbed::New(new) }
    }

    /// The next page to ask for.
    pub fn step(&mut self) -> Option<Request> {
        let next = self.queue.pop_front();
        self.at(next)
    }

    /// The farthest page that is known of, and none between.
    pub fn leap(&mut self) -> Option<Request> {
        let is_one = |request: &&Request| Some(form::key(request, &self.tokens)) == self.one;
        let last = self.queue.iter().rposition(|request| !is_one(&request))?;
        let next = self.queue.remove(last);
        self.at(next)
    }

    fn at(&mut self, next: Option<Request>) -> Option<Request> {
        self.is_at_one = next.as_ref().is_some_and(|request| Some(form::key(request, &self.tokens)) == self.one);
        next
    }

    /// Pages of the answer that were read.
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
