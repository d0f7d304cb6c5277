//! What a server remembers of what it was asked: how often each path, how many requests at once.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::faults::Faults;

/// The memory of a server.
#[derive(Default)]
pub(crate) struct Counts {
    book: Mutex<Book>,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
}

#[derive(Default)]
struct Book {
    paths: HashMap<String, u64>,
    total: u64,
    serial: u64,
    faults: Faults,
}

impl Counts {
    fn book<T>(&self, read: impl FnOnce(&mut Book) -> T) -> T {
        // A web that panicked while another thread counted leaves the numbers whole: they are changed in one step.
        read(&mut self.book.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Enters a request; gives how often its path was asked before, its number on the server, and the faults in force.
    pub(crate) fn enter(&self, path: &str) -> (u64, u64, Faults) {
        self.book(|book| {
            let nth = match book.paths.get_mut(path) {
                Some(count) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    book.paths.insert(path.to_owned(), 1);
                    0
                }
            };
            book.total += 1;
            book.serial += 1;
            (nth, book.serial - 1, book.faults)
        })
    }

    /// Marks a request as being answered until the mark is dropped.
    pub(crate) fn flight(&self) -> Flight<'_> {
        let now = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
        self.peak.fetch_max(now, Ordering::Relaxed);
        Flight(self)
    }

    pub(crate) fn paths(&self) -> Vec<(String, u64)> {
        self.book(|book| book.paths.iter().map(|(path, count)| (path.clone(), *count)).collect())
    }

    pub(crate) fn count(&self, path: &str) -> u64 {
        self.book(|book| book.paths.get(path).copied().unwrap_or(0))
    }

    pub(crate) fn total(&self) -> u64 {
        self.book(|book| book.total)
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Forgets the counts. The serial number goes on, so that what was unique stays unique.
    pub(crate) fn reset(&self) {
        self.book(|book| {
            book.paths.clear();
            book.total = 0;
        });
        self.peak.store(self.in_flight.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub(crate) fn set_faults(&self, faults: Faults) {
        self.book(|book| book.faults = faults);
    }

    /// The counts as JSON, for benchmarks in other processes.
    pub(crate) fn json(&self) -> String {
        let (total, distinct, max, robots) = self.book(|book| {
            let max = book.paths.values().copied().max().unwrap_or(0);
            (book.total, book.paths.len(), max, book.paths.get("/robots.txt").copied().unwrap_or(0))
        });
        let peak = self.peak();
        format!(r#"{{"total":{total},"distinct":{distinct},"max":{max},"robots":{robots},"peak_in_flight":{peak}}}"#)
    }
}

/// A request being answered.
pub(crate) struct Flight<'a>(&'a Counts);

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_flights_are_counted() {
        let counts = Counts::default();
        assert_eq!(counts.enter("/a").0, 0);
        assert_eq!((counts.enter("/a").0, counts.enter("/b").1), (1, 2));
        let (one, two) = (counts.flight(), counts.flight());
        drop((one, two));
        drop(counts.flight());
        assert_eq!((counts.total(), counts.count("/a"), counts.count("/c"), counts.peak()), (3, 2, 0, 2));
        assert_eq!(counts.json(), r#"{"total":3,"distinct":2,"max":2,"robots":0,"peak_in_flight":2}"#);
        counts.reset();
        assert_eq!((counts.total(), counts.count("/a"), counts.peak()), (0, 0, 0));
        assert_eq!(counts.enter("/a").1, 3, "the serial number goes on");
    }
}
