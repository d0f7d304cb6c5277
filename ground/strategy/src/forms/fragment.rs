//! The index fragment of a database: attributes with their distinct values, and records where they are known.
//!
//! A value is kept once for its attribute, in the order in which values were found; a record once, by its digest. What was
//! found since the last look is handed out by [`Fragment::news`]; only digests stay here.
//!
//! Cost: 16 bytes for each record and each value. What is beyond the bounds is left out and told.

use std::collections::HashSet;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Values of all attributes that are kept.
const VALUES: usize = 50_000_000;
/// A longer value is left out.
const VALUE_BYTES: usize = 64 << 10;

/// A record, as attributes and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Attributes and values, in the order of the page.
    pub values: Vec<(String, String)>,
    /// Where it is shown by itself.
    pub link: Option<String>,
    /// The question that brought it, for people.
    pub question: String,
}

impl Record {
    /// A digest of attributes and values.
    pub(super) fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        for (attribute, value) in &self.values {
            for text in [attribute, value] {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text.as_bytes());
            }
        }
        hasher.digest128()
    }
}

/// What was found since the last look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The page people use to ask the database.
    pub form: Option<String>,
    /// What the database is called.
    pub title: Option<String>,
    pub records: Vec<Record>,
    /// Attributes and their new values.
    pub values: Vec<(String, String)>,
}

/// What was found so far, as digests, and what nobody has looked at yet.
#[derive(Debug, Default)]
pub(super) struct Fragment {
    records: HashSet<u128>,
    values: HashSet<u128>,
    news: News,
    /// Something was left out.
    pub(super) cut: bool,
}

impl Fragment {
    /// Where the database is asked, and what it is called.
    pub(super) fn name(&mut self, form: Option<String>, title: Option<String>) {
        self.news.form = form.or(self.news.form.take());
        self.news.title = title.filter(|title| !title.is_empty()).or(self.news.title.take());
    }

    /// A record and its values, known by a digest.
    pub(super) fn add(&mut self, record: Record, digest: u128) {
        if self.records.insert(digest) {
            for (attribute, value) in &record.values {
                self.value(attribute, value);
            }
            self.news.records.push(record);
        }
    }

    /// A value of an attribute.
    pub(super) fn value(&mut self, attribute: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        if value.len() > VALUE_BYTES || self.values.len() >= VALUES {
            self.cut = true;
            return;
        }
        if self.values.insert(xxh3_128(format!("{attribute}\0{value}").as_bytes())) {
            self.news.values.push((attribute.to_owned(), value.to_owned()));
        }
    }

    pub(super) fn records(&self) -> u64 {
        self.records.len() as u64
    }

    pub(super) fn values(&self) -> u64 {
        self.values.len() as u64
    }

    /// What was found since the last look.
    pub(super) fn news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pairs: &[(&str, &str)]) -> Record {
        let values = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Record { values, ..Record::default() }
    }

    #[test]
    fn values_and_records_come_once() {
        let mut fragment = Fragment::default();
        fragment.add(record(&[("name", "x"), ("place", "p")]), 1);
        fragment.add(record(&[("name", "x"), ("place", "p")]), 1);
        fragment.add(record(&[("name", "y"), ("place", "p")]), 2);
        fragment.value("name", "x");
        let news = fragment.news();
        assert_eq!(news.records.len(), 2);
        let values: Vec<_> = news.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(values, [("name", "x"), ("place", "p"), ("name", "y")]);
        assert_eq!(fragment.news(), News::default());
        // Borders between names and values count.
        assert_ne!(record(&[("a", "bc")]).digest(), record(&[("ab", "c")]).digest());
    }
}
