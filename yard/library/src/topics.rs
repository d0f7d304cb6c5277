//! Topics a crawl can be sent after: labels, how much there is of them, and words they are recognised by.
//!
//! The words of a label are its own and the keywords that are typical of its articles: weight of a keyword = articles with
//! the label that have it x ln(articles / articles that have it). They are what a person who knows the subject would type;
//! they are made from the whole library, not from what a crawl has seen. Cost: linear in articles times keywords.

use std::collections::HashMap;

use crate::Library;
use crate::catalogue::Item;

/// A label and what there is of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicRow {
    /// `field`, `subfield` or `topic`.
    pub level: &'static str,
    pub label: String,
    /// Articles with the label.
    pub articles: usize,
    /// Books and chapters with the label.
    pub books: usize,
    /// Keywords typical of it, the most typical first.
    pub words: Vec<String>,
}

impl Library {
    /// All labels with at least so many articles: fields, then subfields, then topics, each with the most articles first.
    pub fn topics(&self, fewest: usize, words: usize) -> Vec<TopicRow> {
        let mut spread: HashMap<&str, usize> = HashMap::new();
        for keyword in self.articles.iter().flat_map(|work| &work.keywords) {
            *spread.entry(keyword).or_default() += 1;
        }
        let mut books: HashMap<&str, usize> = HashMap::new();
        for subject in self.books.iter().map(|book| &book.subject) {
            for label in [&subject.field, &subject.subfield, &subject.topic] {
                *books.entry(label).or_default() += 1;
            }
        }
        let mut levels: HashMap<&str, &'static str> = HashMap::new();
        for subject in self.articles.iter().map(|work| &work.subject) {
            // A label that stands on two levels is told by the wider one, as it is judged.
            levels.entry(&subject.topic).or_insert("topic");
            if levels.get(subject.subfield.as_str()) != Some(&"field") {
                levels.insert(&subject.subfield, "subfield");
            }
            levels.insert(&subject.field, "field");
        }
        let mut out = Vec::new();
        for (label, level) in levels {
            let items = self.catalogue.labelled(label);
            let articles: Vec<usize> =
                items.iter().filter_map(|item| if let Item::Article(n) = item { Some(*n) } else { None }).collect();
            if articles.len() < fewest.max(1) {
                continue;
            }
            let mut own: HashMap<&str, usize> = HashMap::new();
            for keyword in articles.iter().flat_map(|n| &self.articles[*n].keywords) {
                *own.entry(keyword).or_default() += 1;
            }
            let all = self.articles.len() as f64;
            let weight = |word: &str, count: usize| count as f64 * (all / spread[word] as f64).ln();
            let mut own: Vec<(&str, f64)> = own.into_iter().map(|(word, count)| (word, weight(word, count))).collect();
            own.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
            out.push(TopicRow {
                level,
                label: label.to_owned(),
                articles: articles.len(),
                books: items.len() - articles.len() + books.get(label).copied().unwrap_or(0),
                words: own.into_iter().take(words).map(|(word, _)| word.to_owned()).collect(),
            });
        }
        let place =
            |row: &TopicRow| (["field", "subfield", "topic"].iter().position(|l| *l == row.level), row.articles);
        out.sort_by(|a, b| {
            let ((x, n), (y, m)) = (place(a), place(b));
            x.cmp(&y).then(m.cmp(&n)).then_with(|| a.label.cmp(&b.label))
        });
        out
    }
}
