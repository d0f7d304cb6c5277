//! What leads across the shelves: who wrote what, which works have a keyword, which subjects have a page.

use std::collections::{BTreeMap, HashMap};

use crate::work::Work;

/// A work by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Item {
    /// In the list of articles.
    Article(usize),
    /// In the list of chapters.
    Chapter(usize),
}

/// A name or a word, and the works that have it.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    pub(crate) name: String,
    pub(crate) items: Vec<Item>,
}

/// Results on one page of a search.
pub(crate) const RESULTS: usize = 20;
/// A search shows so many pages at most.
const MOST_PAGES: usize = 4;

/// Ways across the library beside its shelves: people, searches, subjects.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    /// Authors with a page: those with the most works.
    pub(crate) people: Vec<Listing>,
    /// Searches that have been asked before, so that there are links to them: words with the most works.
    pub(crate) queries: Vec<Listing>,
    /// Works by label: topic, subfield and field.
    pub(crate) by_label: HashMap<String, Vec<Item>>,
    /// Fields and large subfields, which have a page.
    pub(crate) subjects: Vec<Listing>,
    person: HashMap<String, usize>,
    query: HashMap<String, usize>,
    subject: HashMap<String, usize>,
}

impl Catalogue {
    /// Works by label and by subject; at most so many subfields get a page.
    pub(crate) fn new(articles: &[Work], chapters: &[Work], most_subfields: usize) -> Catalogue {
        let mut out = Catalogue::default();
        let (mut fields, mut subfields) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
        for (item, work) in items(articles, chapters) {
            let subject = &work.subject;
            for label in [&subject.topic, &subject.subfield, &subject.field] {
                let list = out.by_label.entry(label.clone()).or_default();
                // One label may be topic and subfield at once.
                if list.last() != Some(&item) {
                    list.push(item);
                }
            }
            *fields.entry(&subject.field).or_default() += 1;
            *subfields.entry(&subject.subfield).or_default() += 1;
        }
        let mut large: Vec<(&str, usize)> =
            subfields.into_iter().filter(|(name, _)| !fields.contains_key(name)).collect();
        large.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        large.truncate(most_subfields);
        for name in fields.keys().copied().chain(large.iter().map(|(name, _)| *name)) {
            out.subject.insert(name.to_owned(), out.subjects.len());
            let items = out.by_label.get(name).cloned().unwrap_or_default();
            out.subjects.push(Listing { name: name.to_owned(), items });
        }
        out
    }

    /// Gives so many pages to authors and searches, half and half as far as there are any.
    pub(crate) fn fill(&mut self, articles: &[Work], chapters: &[Work], pages: usize) {
        let (mut names, mut words) = (BTreeMap::<&str, Vec<Item>>::new(), BTreeMap::<&str, Vec<Item>>::new());
        for (item, work) in items(articles, chapters) {
            for author in &work.authors {
                names.entry(&author.name).or_default().push(item);
            }
            for keyword in &work.keywords {
                words.entry(keyword).or_default().push(item);
            }
        }
        let mut authors = most_first(names);
        let mut queries = most_first(words);
        let available = queries.iter().map(Catalogue::pages_of).sum::<usize>();
        authors.truncate((pages / 2).max(pages.saturating_sub(available)));
        let mut left = pages.saturating_sub(authors.len());
        queries.retain_mut(|query| {
            // A search that does not fit whole shows less.
            query.items.truncate(left.min(MOST_PAGES) * RESULTS);
            left -= Catalogue::pages_of(query);
            !query.items.is_empty()
        });
        self.person = authors.iter().enumerate().map(|(n, a)| (a.name.clone(), n)).collect();
        self.query = queries.iter().enumerate().map(|(n, q)| (q.name.clone(), n)).collect();
        (self.people, self.queries) = (authors, queries);
    }

    /// How many pages a search has.
    pub(crate) fn pages_of(query: &Listing) -> usize {
        query.items.len().div_ceil(RESULTS).min(MOST_PAGES)
    }

    /// The place of an author who has a page.
    pub(crate) fn person(&self, name: &str) -> Option<usize> {
        self.person.get(name).copied()
    }

    /// The place of a word that has a search.
    pub(crate) fn query(&self, word: &str) -> Option<usize> {
        self.query.get(word).copied()
    }

    /// The place of a label that has a page.
    pub(crate) fn subject(&self, label: &str) -> Option<usize> {
        self.subject.get(label).copied()
    }

    /// The works with a label.
    pub(crate) fn labelled(&self, label: &str) -> &[Item] {
        self.by_label.get(label).map_or(&[], Vec::as_slice)
    }
}

fn items<'a>(articles: &'a [Work], chapters: &'a [Work]) -> impl Iterator<Item = (Item, &'a Work)> {
    let chapters = chapters.iter().enumerate().map(|(n, work)| (Item::Chapter(n), work));
    articles.iter().enumerate().map(|(n, work)| (Item::Article(n), work)).chain(chapters)
}

/// Those with at least two works, most works first.
fn most_first(found: BTreeMap<&str, Vec<Item>>) -> Vec<Listing> {
    let listing = |(name, items): (&str, Vec<Item>)| Listing { name: name.to_owned(), items };
    let mut out: Vec<Listing> = found.into_iter().filter(|(_, items)| items.len() >= 2).map(listing).collect();
    out.sort_by(|a, b| b.items.len().cmp(&a.items.len()).then_with(|| a.name.cmp(&b.name)));
    out
}
