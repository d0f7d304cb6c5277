//! The library: works on shelves, and a page for everything that has an address.
//!
//! Of `pages` pages 55 % are about articles, 30 % about books and their chapters, and 15 % are lists and others: shelves
//! take what they need of the 15 %, author pages and searches share the rest. A site too small for its shelves has a few
//! pages more than it was asked for. Works beyond those of the source are [derived](crate::kin).
//! Cost: linear in works and pages; pages are rendered when they are asked for.

use std::collections::{HashMap, HashSet};

use crate::catalogue::{Catalogue, Item};
use crate::kin;
use crate::shelf::{self, Book, Journal};
use crate::templates::{self, FIRST_HELD_OUT, Paths, Template};
use crate::work::{Work, WorkKind, slug};

/// Which templates a library uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Those for development.
    #[default]
    Development,
    /// Those that are held out.
    HeldOut,
    /// Those for development, and those held out.
    All,
    /// Those for practice, which belong to none of the others.
    Practice,
}

impl Split {
    /// The word people see; of a template number.
    pub fn name_of(template: usize) -> &'static str {
        match template {
            n if n < FIRST_HELD_OUT => "development",
            n if n < templates::first_practice() => "held-out",
            _ => "practice",
        }
    }
}

/// What decides about a library, besides the works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number everything is made from.
    pub seed: u64,
    /// How many pages it should have.
    pub pages: usize,
    /// Which templates are used.
    pub split: Split,
    /// If not empty, only works of these fields are taken.
    pub fields: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 1, pages: 20_000, split: Split::All, fields: Vec::new() }
    }
}

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Home,
    Subjects,
    Subject(usize),
    Journals(usize),
    Books(usize),
    Journal(usize),
    /// A journal and the number of a volume.
    Volume(usize, usize),
    /// A journal and the place of an issue.
    Issue(usize, usize),
    Article(usize),
    Book(usize),
    Chapter(usize),
    Author(usize),
    Searches(usize),
    /// A search and one of its pages, from 0.
    Query(usize, usize),
    Info(usize),
    News(usize),
    Ad(usize),
}

/// A page of the library.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) role: Role,
    pub(crate) template: usize,
}

/// Entries on a page of journals, books or searches.
pub(crate) const INDEX: usize = 60;
/// Pages about the library itself.
pub(crate) const INFO: [&str; 8] =
    ["about", "help", "contact", "terms", "privacy", "advertise", "alerts", "for-authors"];

/// A generated library: journals, books, and their pages.
pub struct Library {
    pub(crate) settings: Settings,
    pub(crate) articles: Vec<Work>,
    pub(crate) chapters: Vec<Work>,
    pub(crate) journals: Vec<Journal>,
    pub(crate) books: Vec<Book>,
    pub(crate) catalogue: Catalogue,
    pub(crate) templates: Vec<&'static dyn Template>,
    pub(crate) pages: Vec<Page>,
    /// Of each article its journal, the place of its issue, and its place in the issue.
    pub(crate) stands: Vec<(usize, usize, usize)>,
    /// Of each chapter its book and its place in it.
    pub(crate) bound: Vec<(usize, usize)>,
    pub(crate) news: usize,
    pub(crate) ads: usize,
    by_path: HashMap<String, usize>,
    by_role: HashMap<Role, usize>,
}

impl Library {
    /// Builds a library out of works; without any, out of [invented](crate::invented) ones.
    pub fn build(works: &[Work], settings: &Settings) -> Library {
        let taken = |work: &&Work| settings.fields.is_empty() || settings.fields.contains(&work.subject.field);
        let mut works: Vec<Work> = works.iter().filter(taken).cloned().collect();
        if works.is_empty() {
            works = crate::invented::works(settings.seed, 600);
        }
        let (pages, seed) = (settings.pages.max(60), settings.seed);
        let templates = templates::all();
        let practice = templates::first_practice();
        let may: Vec<usize> = match settings.split {
            Split::Development => 0..FIRST_HELD_OUT,
            Split::HeldOut => FIRST_HELD_OUT..practice,
            Split::All => 0..practice,
            Split::Practice => practice..templates.len(),
        }
        .collect();
        let (of_articles, of_books) = (pages * 55 / 100, pages * 30 / 100);
        let others = pages - of_articles - of_books;
        let articles = kin::enough(&works, WorkKind::Article, of_articles, seed);
        let sizes = shelf::sizes(of_books, seed);
        let mut chapters = kin::enough(&works, WorkKind::Chapter, sizes.iter().sum(), seed);
        chapters.sort_by(|a, b| a.subject.cmp(&b.subject));
        let journals = shelf::journals(&articles, &may, seed);
        let books = shelf::books(&chapters, &sizes, &may, seed);
        let catalogue = Catalogue::new(&articles, &chapters, others / 10);

        let mut stands = vec![(0, 0, 0); articles.len()];
        for (j, journal) in journals.iter().enumerate() {
            for (i, issue) in journal.issues.iter().enumerate() {
                for (at, article) in issue.articles.iter().enumerate() {
                    stands[*article] = (j, i, at);
                }
            }
        }
        let mut bound = vec![(0, 0); chapters.len()];
        for (b, book) in books.iter().enumerate() {
            for (at, chapter) in book.chapters.iter().enumerate() {
                bound[*chapter] = (b, at);
            }
        }
        let mut library = Library {
            settings: settings.clone(),
            articles,
            chapters,
            journals,
            books,
            catalogue,
            templates,
            pages: Vec::with_capacity(pages),
            stands,
            bound,
            news: 3 + pages / 1000,
            ads: (4 + pages / 2500).min(14),
            by_path: HashMap::new(),
            by_role: HashMap::new(),
        };
        let portal = may.get((seed % may.len().max(1) as u64) as usize).copied().unwrap_or_default();
        library.lay_out(portal, pages);
        library
    }

    /// Gives every page its address.
    fn lay_out(&mut self, portal: usize, pages: usize) {
        self.add("/", Role::Home, portal);
        self.add("/subjects", Role::Subjects, portal);
        for n in 0..self.catalogue.subjects.len() {
            let path = format!("/subject/{}", slug(&self.catalogue.subjects[n].name, 60));
            self.add(&path, Role::Subject(n), portal);
        }
        for n in 0..self.journals.len().div_ceil(INDEX) {
            self.add(&numbered("/journals", n), Role::Journals(n), portal);
        }
        for n in 0..self.books.len().div_ceil(INDEX) {
            self.add(&numbered("/books", n), Role::Books(n), portal);
        }
        for (n, name) in INFO.iter().enumerate() {
            self.add(&format!("/{name}"), Role::Info(n), portal);
        }
        for n in 0..self.news {
            self.add(&format!("/news/{}", n + 1), Role::News(n), portal);
        }
        for n in 0..self.ads {
            self.add(&format!("/promo/{}", 300 + n * 17), Role::Ad(n), portal);
        }
        self.shelve();
        // One page for the list of searches is certain; with many searches it needs more, which come off their number.
        let left = pages.saturating_sub(self.pages.len() + 1);
        let left = left - left / (2 * INDEX);
        let (articles, chapters) = (std::mem::take(&mut self.articles), std::mem::take(&mut self.chapters));
        self.catalogue.fill(&articles, &chapters, left);
        (self.articles, self.chapters) = (articles, chapters);
        for n in 0..self.catalogue.queries.len().div_ceil(INDEX).max(1) {
            self.add(&numbered("/search", n), Role::Searches(n), portal);
        }
        for n in 0..self.catalogue.queries.len() {
            let query = &self.catalogue.queries[n];
            let (word, of) = (slug(&query.name, 60).replace('-', "+"), Catalogue::pages_of(query));
            for page in 0..of {
                let more = if page == 0 { String::new() } else { format!("&page={}", page + 1) };
                self.add(&format!("/search?q={word}{more}"), Role::Query(n, page), portal);
            }
        }
        for n in 0..self.catalogue.people.len() {
            let path = format!("/author/{}", slug(&self.catalogue.people[n].name, 60));
            self.add(&path, Role::Author(n), portal);
        }
    }

    /// Gives journals, issues, articles, books and chapters their addresses, after their publishers' patterns.
    fn shelve(&mut self) {
        let mut codes = HashSet::new();
        for j in 0..self.journals.len() {
            let journal = self.journals[j].clone();
            let paths = self.paths(journal.template);
            let code = code(&journal.name, &mut codes);
            let mut spot = Spot { code: &code, ..Spot::default() };
            self.add(&spot.fill(paths.journal), Role::Journal(j), journal.template);
            for (i, issue) in journal.issues.iter().enumerate() {
                (spot.volume, spot.number, spot.year) = (issue.volume, issue.number, issue.year);
                if issue.number == 1 {
                    self.add(&spot.fill(paths.volume), Role::Volume(j, issue.volume), journal.template);
                }
                self.add(&spot.fill(paths.issue), Role::Issue(j, i), journal.template);
                for article in &issue.articles {
                    let title = self.articles[*article].title.clone();
                    let page = self.first_page(*article);
                    let spot = Spot { own: 1_040_000 + article * 13, page, title: &title, ..spot };
                    self.add(&spot.fill(paths.article), Role::Article(*article), journal.template);
                }
            }
        }
        for b in 0..self.books.len() {
            let book = self.books[b].clone();
            let paths = self.paths(book.template);
            let code = code(&book.title, &mut codes);
            let spot =
                Spot { code: &code, own: 700_000 + b * 29, year: book.year, title: &book.title, ..Spot::default() };
            self.add(&spot.fill(paths.book), Role::Book(b), book.template);
            for (n, chapter) in book.chapters.iter().enumerate() {
                let title = self.chapters[*chapter].title.clone();
                let spot = Spot { own: 9_300_000 + chapter * 7, number: n + 1, title: &title, ..spot };
                self.add(&spot.fill(paths.chapter), Role::Chapter(*chapter), book.template);
            }
        }
    }

    fn paths(&self, template: usize) -> &'static Paths {
        &self.templates[template].facts().paths
    }

    /// The first page of an article within its volume: eleven printed pages each.
    pub(crate) fn first_page(&self, article: usize) -> usize {
        let (j, i, at) = self.stands[article];
        let issues = &self.journals[j].issues;
        let before: usize =
            issues[..i].iter().rev().take_while(|o| o.volume == issues[i].volume).map(|o| o.articles.len()).sum();
        (before + at) * 11 + 1
    }

    fn add(&mut self, path: &str, role: Role, template: usize) {
        let mut own = path.to_owned();
        let mut turn = 1;
        while self.by_path.contains_key(&own) {
            turn += 1;
            own = format!("{path}-{turn}");
        }
        self.by_path.insert(own.clone(), self.pages.len());
        self.by_role.insert(role, self.pages.len());
        self.pages.push(Page { path: own, role, template });
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none; there is always a home page.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The paths of all pages, the home page first.
    pub fn paths_of_pages(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().map(|page| page.path.as_str())
    }

    /// The number of the page at a path (with its query).
    pub fn find(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The path of the page about something, if there is one.
    pub(crate) fn path(&self, role: Role) -> Option<&str> {
        self.by_role.get(&role).map(|n| self.pages[*n].path.as_str())
    }

    /// The work an item names.
    pub(crate) fn work(&self, item: Item) -> &Work {
        match item {
            Item::Article(n) => &self.articles[n],
            Item::Chapter(n) => &self.chapters[n],
        }
    }
}

/// What a pattern of an address is filled with.
#[derive(Clone, Copy, Default)]
struct Spot<'a> {
    code: &'a str,
    own: usize,
    volume: usize,
    number: usize,
    page: usize,
    year: usize,
    title: &'a str,
}

impl Spot<'_> {
    fn fill(&self, pattern: &str) -> String {
        let mut out = pattern.replace("{j}", self.code).replace("{n}", &self.own.to_string());
        for (name, number) in [("{v}", self.volume), ("{i}", self.number), ("{p}", self.page), ("{y}", self.year)] {
            out = out.replace(name, &number.to_string());
        }
        if out.contains("{s}") { out.replace("{s}", &slug(self.title, 60)) } else { out }
    }
}

/// The letters words begin with, and a number if another has them.
fn code(name: &str, taken: &mut HashSet<String>) -> String {
    let letters: String = name.split(' ').filter_map(|w| w.chars().next()).filter(char::is_ascii_alphabetic).collect();
    let letters = letters.to_ascii_lowercase();
    let mut out = if letters.len() < 2 { format!("{letters}r") } else { letters.clone() };
    let mut turn = 1;
    while !taken.insert(out.clone()) {
        turn += 1;
        out = format!("{letters}{turn}");
    }
    out
}

fn numbered(path: &str, page: usize) -> String {
    if page == 0 { path.to_owned() } else { format!("{path}/{}", page + 1) }
}
