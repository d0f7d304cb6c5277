//! How works are put on shelves: journals with volumes and issues, books with chapters.
//!
//! A journal keeps to one subfield where the subfield is large enough, else to one field; one article in eight stands in a
//! journal for everything. So neighbours in an issue mostly share a subject, as they do in life, and not always.

use std::collections::{BTreeMap, HashSet};

use crate::dice::Dice;
use crate::work::{Subject, Work};

#[derive(Clone, Debug)]
pub(crate) struct Journal {
    pub(crate) name: String,
    /// Which template it is set in.
    pub(crate) template: usize,
    /// The field or subfield it is about; nothing if it takes everything.
    pub(crate) about: String,
    /// Its issues, oldest first.
    pub(crate) issues: Vec<Issue>,
}

/// An issue of a journal.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    /// The number of its volume.
    pub(crate) volume: usize,
    /// Its number within the volume.
    pub(crate) number: usize,
    pub(crate) year: usize,
    /// Places of its articles in the list of articles, in order.
    pub(crate) articles: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) title: String,
    /// Which template it is set in.
    pub(crate) template: usize,
    pub(crate) year: usize,
    /// Its labels: those of its first chapter.
    pub(crate) subject: Subject,
    /// Places of its chapters in the list of chapters, in order.
    pub(crate) chapters: Vec<usize>,
}

/// The year of the newest issues.
const THIS_YEAR: usize = 2025;
/// Issues of a volume.
const ISSUES: usize = 4;
/// One article in so many stands in a journal for everything.
const GENERAL: usize = 8;

const JOURNALS: [&str; 14] = [
    "Journal of {}",
    "{} Letters",
    "Annals of {}",
    "International Journal of {}",
    "{} Review",
    "Advances in {}",
    "European Journal of {}",
    "{} Today",
    "Archives of {}",
    "{} Reports",
    "Open {}",
    "Frontiers of {}",
    "Asian Journal of {}",
    "Studies in {}",
];
const GENERALS: [&str; 8] = [
    "Transactions of the Academy",
    "Proceedings of the Learned Society",
    "Knowledge",
    "Open Research",
    "The Universal Review",
    "Bulletin of the National Academy",
    "Comptes rendus",
    "Communications",
];
const BOOKS: [&str; 12] = [
    "Handbook of {}",
    "{}: An Introduction",
    "Readings in {}",
    "{}: Theory and Practice",
    "Essays on {}",
    "The Companion to {}",
    "Principles of {}",
    "{} in the Modern World",
    "Contributions to {}",
    "Foundations of {}",
    "{}: A Survey",
    "Lectures on {}",
];

/// Puts articles into journals. `templates` are the templates that may be used.
pub(crate) fn journals(articles: &[Work], templates: &[usize], seed: u64) -> Vec<Journal> {
    let mut dice = Dice::new(seed, "journals");
    let size = (articles.len() / 85).max(24);
    let (mut fields, mut general) = (BTreeMap::<&str, BTreeMap<&str, Vec<usize>>>::new(), Vec::new());
    for (n, work) in articles.iter().enumerate() {
        if dice.below(GENERAL) == 0 {
            general.push(n);
        } else {
            fields.entry(&work.subject.field).or_default().entry(&work.subject.subfield).or_default().push(n);
        }
    }
    let mut piles: Vec<(String, Vec<usize>)> = Vec::new();
    for (field, subfields) in fields {
        let mut rest = Vec::new();
        for (subfield, pile) in subfields {
            if pile.len() >= size / 2 {
                piles.push((subfield.to_owned(), pile));
            } else {
                rest.extend(pile);
            }
        }
        if rest.len() >= size / 4 {
            piles.push((field.to_owned(), rest));
        } else {
            general.extend(rest);
        }
    }
    piles.push((String::new(), general));
    let (mut out, mut names, turn) = (Vec::new(), HashSet::new(), dice.below(templates.len()));
    for (about, mut pile) in piles {
        dice.shuffle(&mut pile);
        let share = pile.len().div_ceil(pile.len().div_ceil(size).max(1)).max(1);
        for part in pile.chunks(share) {
            let patterns: &[&str] = if about.is_empty() { &GENERALS } else { &JOURNALS };
            let name = coin(patterns, &about, &mut names, &mut dice);
            // In turn, so that every template sets about as much.
            let template = templates.get((out.len() + turn) % templates.len().max(1)).copied().unwrap_or_default();
            out.push(Journal { name, template, about: about.clone(), issues: issues(part, &mut dice) });
        }
    }
    out
}

fn issues(articles: &[usize], dice: &mut Dice) -> Vec<Issue> {
    let mut parts = Vec::new();
    let mut rest = articles;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(dice.between(9, 14).min(rest.len()));
        parts.push(part.to_vec());
        rest = after;
    }
    let volumes = parts.len().div_ceil(ISSUES);
    let first = dice.between(1, 90);
    let issue = |(n, articles): (usize, Vec<usize>)| {
        let volume = n / ISSUES;
        Issue { volume: first + volume, number: n % ISSUES + 1, year: THIS_YEAR + 1 + volume - volumes, articles }
    };
    parts.into_iter().enumerate().map(issue).collect()
}

/// The sizes of books that fill exactly so many pages, a page for each book and for each chapter.
pub(crate) fn sizes(pages: usize, seed: u64) -> Vec<usize> {
    let mut dice = Dice::new(seed, "sizes of books");
    let (mut out, mut left) = (Vec::new(), pages);
    while left >= 2 {
        let size = dice.between(4, 9).min(left - 1);
        out.push(size);
        left -= size + 1;
    }
    // One page left over is one more chapter.
    if let (1, Some(last)) = (left, out.last_mut()) {
        *last += 1;
    }
    out
}

/// Puts chapters, which must be sorted by subject, into books of these sizes.
pub(crate) fn books(chapters: &[Work], sizes: &[usize], templates: &[usize], seed: u64) -> Vec<Book> {
    let mut dice = Dice::new(seed, "books");
    let (mut out, mut names, mut next, turn) = (Vec::new(), HashSet::new(), 0, dice.below(templates.len()));
    for size in sizes {
        let places: Vec<usize> = (next..(next + size).min(chapters.len())).collect();
        next += size;
        let Some(first) = places.first().and_then(|n| chapters.get(*n)) else { break };
        let subject = first.subject.clone();
        let about = if dice.chance(50) { &subject.topic } else { &subject.subfield };
        out.push(Book {
            title: coin(&BOOKS, about, &mut names, &mut dice),
            template: templates.get((out.len() + turn) % templates.len().max(1)).copied().unwrap_or_default(),
            year: dice.between(1995, THIS_YEAR),
            subject,
            chapters: places,
        });
    }
    out
}

/// A name nobody has yet.
fn coin(patterns: &[&str], about: &str, taken: &mut HashSet<String>, dice: &mut Dice) -> String {
    let begin = dice.below(patterns.len());
    for turn in 0.. {
        let pattern = patterns.get((begin + turn) % patterns.len()).copied().unwrap_or("{}");
        let mut name = pattern.replace("{}", about);
        if turn >= patterns.len() {
            name = format!("{name}, Series {}", turn / patterns.len() + 1);
        }
        if taken.insert(name.clone()) {
            return name;
        }
    }
    about.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_fill_their_pages_exactly() {
        for pages in [2, 3, 10, 97, 3000] {
            assert_eq!(sizes(pages, 7).iter().map(|size| size + 1).sum::<usize>(), pages);
        }
    }

    #[test]
    fn every_article_stands_in_one_issue() {
        let articles: Vec<Work> =
            crate::invented::works(3, 900).into_iter().filter(|w| w.kind == crate::work::WorkKind::Article).collect();
        let journals = journals(&articles, &[0, 1, 2], 3);
        let mut places: Vec<usize> = journals.iter().flat_map(|j| &j.issues).flat_map(|i| i.articles.clone()).collect();
        places.sort_unstable();
        assert_eq!(places, (0..articles.len()).collect::<Vec<_>>());
        assert!(journals.iter().any(|j| j.about.is_empty()) && journals.iter().any(|j| !j.about.is_empty()));
    }
}
