//! What a template is given to set: everything is decided, only the markup is its own.

use crate::words::Words;

/// A link to be written.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) href: String,
    pub(crate) text: String,
}

/// Somebody, or a keyword, with a page about them if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) href: Option<String>,
    /// The number of the affiliation in the list, from 1.
    pub(crate) mark: Option<usize>,
}

/// What every page of a publisher has around its content.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    /// The name of the publisher whose page it is.
    pub(crate) publisher: &'a str,
    /// The words of the publisher's language.
    pub(crate) words: &'a Words,
    /// What stands in the title bar.
    pub(crate) bar: String,
    pub(crate) menu: Vec<Anchor>,
    /// The way down to this page, the page itself left out.
    pub(crate) crumbs: Vec<Anchor>,
    /// The end of the page: more about the site.
    pub(crate) foot: Vec<Anchor>,
    /// Links to terms, privacy and the like.
    pub(crate) legal: Vec<Anchor>,
    /// Links that advertise.
    pub(crate) ads: Vec<Anchor>,
}

/// A page about an article.
#[derive(Debug)]
pub(crate) struct ArticleView<'a> {
    pub(crate) title: &'a str,
    pub(crate) authors: Vec<Person>,
    pub(crate) affiliations: &'a [String],
    /// Empty for short communications.
    pub(crate) summary: &'a str,
    pub(crate) keywords: Vec<Person>,
    pub(crate) language: &'a str,
    pub(crate) journal: Anchor,
    pub(crate) issue: Anchor,
    pub(crate) volume: usize,
    pub(crate) number: usize,
    pub(crate) year: usize,
    pub(crate) date: String,
    pub(crate) pages: (usize, usize),
    pub(crate) doi: String,
    pub(crate) pdf: String,
    pub(crate) previous: Option<Anchor>,
    pub(crate) next: Option<Anchor>,
    pub(crate) related: Vec<Anchor>,
    pub(crate) subject: Option<Anchor>,
    /// Paragraphs of the text itself, for templates that show some of it.
    pub(crate) text: Vec<String>,
    pub(crate) references: Vec<String>,
}

/// A page about a book or a chapter of one.
#[derive(Debug)]
pub(crate) struct BookView<'a> {
    pub(crate) title: &'a str,
    pub(crate) authors: Vec<Person>,
    pub(crate) affiliations: &'a [String],
    /// The book a chapter is of.
    pub(crate) part_of: Option<Anchor>,
    pub(crate) year: usize,
    pub(crate) isbn: String,
    pub(crate) doi: String,
    pub(crate) pages: (usize, usize),
    /// The chapters of a book.
    pub(crate) contents: Vec<Anchor>,
    /// A few sentences of advertising for the book.
    pub(crate) about: Option<String>,
    pub(crate) previous: Option<Anchor>,
    pub(crate) next: Option<Anchor>,
    pub(crate) related: Vec<Anchor>,
    pub(crate) subject: Option<Anchor>,
}

/// An entry of a list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) href: String,
    pub(crate) title: String,
    /// Who wrote it, in one line.
    pub(crate) by: String,
    /// Where it stands, in one line.
    pub(crate) detail: String,
    /// The beginning of its abstract.
    pub(crate) snippet: String,
    pub(crate) pdf: Option<String>,
}

/// A page about many works or many shelves.
#[derive(Debug)]
pub(crate) struct ListView {
    pub(crate) heading: String,
    pub(crate) intro: String,
    /// Groups of entries with their headings, which may be empty.
    pub(crate) groups: Vec<(String, Vec<Entry>)>,
    pub(crate) previous: Option<Anchor>,
    pub(crate) next: Option<Anchor>,
}

/// A page about something else, such as the terms.
#[derive(Debug)]
pub(crate) struct ProseView {
    pub(crate) heading: String,
    pub(crate) paragraphs: Vec<String>,
    /// Groups of links with their headings.
    pub(crate) groups: Vec<(String, Vec<Anchor>)>,
}
