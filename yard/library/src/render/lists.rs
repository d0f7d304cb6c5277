//! Pages about many: issues, volumes, journals, subjects, authors, searches, and the lists of all of those.

use crate::catalogue::{Catalogue, Item, RESULTS};
use crate::dice::Dice;
use crate::library::{INDEX, Library, Page, Role};
use crate::sheet::Sheet;
use crate::templates::Template;
use crate::view::{Anchor, Entry, ListView};

/// Entries of one kind on a subject's or an author's page.
const MOST: usize = 30;

impl Library {
    pub(super) fn list(&self, s: &mut Sheet, page: &Page, template: &dyn Template, dice: &mut Dice) {
        let w = template.facts().words;
        let mut crumbs = self.crumbs_of(template, page);
        let view = match page.role {
            Role::Subjects => {
                let entry = |n: usize| {
                    let subject = &self.catalogue.subjects[n];
                    self.entry(Role::Subject(n), &subject.name, &format!("{} works", subject.items.len()))
                };
                let entries = (0..self.catalogue.subjects.len()).filter_map(entry).collect();
                plain(w.subjects, "All subjects with works in the library.", entries)
            }
            Role::Subject(n) => self.subject(n, template, dice),
            Role::Journals(n) => {
                let entry = |j: usize| {
                    let journal = &self.journals[j];
                    self.entry(Role::Journal(j), &journal.name, &journal.about)
                };
                let last = self.journals.len().min((n + 1) * INDEX);
                let view = plain(w.journals, "", (n * INDEX..last).filter_map(entry).collect());
                self.turning(view, n, Role::Journals)
            }
            Role::Books(n) => {
                let entry = |b: usize| {
                    let book = &self.books[b];
                    self.entry(Role::Book(b), &book.title, &format!("{} · {}", book.year, book.subject.field))
                };
                let last = self.books.len().min((n + 1) * INDEX);
                let view = plain(w.books, "", (n * INDEX..last).filter_map(entry).collect());
                self.turning(view, n, Role::Books)
            }
            Role::Searches(n) => {
                let entry = |q: usize| {
                    let query = &self.catalogue.queries[q];
                    self.entry(Role::Query(q, 0), &query.name, &format!("{} results", query.items.len()))
                };
                let last = self.catalogue.queries.len().min((n + 1) * INDEX);
                let intro = "Frequent searches in the library.";
                let view = plain(w.search, intro, (n * INDEX..last).filter_map(entry).collect());
                self.turning(view, n, Role::Searches)
            }
            Role::Journal(j) => self.journal(j, template),
            Role::Volume(j, volume) => {
                crumbs = self.journal_crumbs(template, j);
                self.volume(j, volume, template)
            }
            Role::Issue(j, i) => {
                crumbs = self.journal_crumbs(template, j);
                self.issue(j, i, template)
            }
            Role::Author(n) => {
                let person = &self.catalogue.people[n];
                let entries = person.items.iter().take(MOST).filter_map(|item| self.work_entry(*item)).collect();
                plain(&person.name, &format!("{} works by this author", person.items.len().min(MOST)), entries)
            }
            Role::Query(n, number) => {
                let query = &self.catalogue.queries[n];
                let part = query.items.iter().skip(number * RESULTS).take(RESULTS);
                let entries = part.filter_map(|item| self.work_entry(*item)).collect();
                let heading = format!("{}: {}", w.search, query.name);
                let intro =
                    format!("{} results, page {} of {}", query.items.len(), number + 1, Catalogue::pages_of(query));
                self.turning(plain(&heading, &intro, entries), number, |page| Role::Query(n, page))
            }
            // The others are no lists; whoever asks gets an empty one.
            _ => plain("", "", Vec::new()),
        };
        let place = self.place(template, &view.heading, crumbs, dice);
        template.list(s, &place, &view);
    }

    fn subject(&self, n: usize, template: &dyn Template, dice: &mut Dice) -> ListView {
        let (w, subject) = (template.facts().words, &self.catalogue.subjects[n]);
        let journals = self.journals.iter().enumerate().filter(|(_, j)| j.about == subject.name);
        let journals = journals.filter_map(|(j, journal)| self.entry(Role::Journal(j), &journal.name, "")).collect();
        let mut items = subject.items.clone();
        dice.shuffle(&mut items);
        let articles = items.iter().filter(|item| matches!(item, Item::Article(_))).take(MOST);
        let articles = articles.filter_map(|item| self.work_entry(*item)).collect();
        let books = self.books.iter().enumerate().filter(|(_, book)| book.subject.has(&subject.name)).take(MOST);
        let books =
            books.filter_map(|(b, book)| self.entry(Role::Book(b), &book.title, &book.year.to_string())).collect();
        let groups =
            vec![(w.journals.to_owned(), journals), (w.full_text.to_owned(), articles), (w.books.to_owned(), books)];
        let groups = groups.into_iter().filter(|(_, entries): &(String, Vec<Entry>)| !entries.is_empty()).collect();
        ListView { groups, ..plain(&subject.name, "", Vec::new()) }
    }

    fn journal(&self, j: usize, template: &dyn Template) -> ListView {
        let (w, journal) = (template.facts().words, &self.journals[j]);
        let mut groups = Vec::new();
        if let Some(newest) = journal.issues.len().checked_sub(1) {
            let articles = journal.issues[newest].articles.iter().take(5);
            let entries = articles.filter_map(|a| self.work_entry(Item::Article(*a))).collect();
            groups.push((issue_name(w.volume, w.issue, &journal.issues[newest]), entries));
        }
        let volumes = journal.issues.iter().rev().filter(|issue| issue.number == 1);
        let volume = |issue: &crate::shelf::Issue| {
            let name = format!("{} {}", w.volume, issue.volume);
            self.entry(Role::Volume(j, issue.volume), &name, &issue.year.to_string())
        };
        groups.push((w.all_issues.to_owned(), volumes.filter_map(volume).collect()));
        let intro = if journal.about.is_empty() {
            "A journal for all fields of knowledge.".to_owned()
        } else {
            format!("A peer-reviewed journal of {}.", journal.about)
        };
        ListView { groups, ..plain(&journal.name, &intro, Vec::new()) }
    }

    fn volume(&self, j: usize, volume: usize, template: &dyn Template) -> ListView {
        let (w, journal) = (template.facts().words, &self.journals[j]);
        let issues = journal.issues.iter().enumerate().filter(|(_, issue)| issue.volume == volume);
        let entry = |(i, issue): (usize, &crate::shelf::Issue)| {
            let detail = format!("{} · {} articles", issue.year, issue.articles.len());
            self.entry(Role::Issue(j, i), &format!("{} {}", w.issue, issue.number), &detail)
        };
        let heading = format!("{}, {} {volume}", journal.name, w.volume);
        let turn = |volume: usize| self.anchor(Role::Volume(j, volume), &format!("{} {volume}", w.volume));
        ListView {
            previous: volume.checked_sub(1).and_then(turn),
            next: turn(volume + 1),
            ..plain(&heading, "", issues.filter_map(entry).collect())
        }
    }

    fn issue(&self, j: usize, i: usize, template: &dyn Template) -> ListView {
        let (w, journal) = (template.facts().words, &self.journals[j]);
        let issue = &journal.issues[i];
        let entries = issue.articles.iter().filter_map(|a| self.work_entry(Item::Article(*a))).collect();
        let heading = format!("{} – {}", journal.name, issue_name(w.volume, w.issue, issue));
        let turn = |i: usize| {
            journal
                .issues
                .get(i)
                .and_then(|issue| self.anchor(Role::Issue(j, i), &issue_name(w.volume, w.issue, issue)))
        };
        ListView {
            groups: vec![(w.contents.to_owned(), entries)],
            previous: i.checked_sub(1).and_then(turn),
            next: turn(i + 1),
            ..plain(&heading, "", Vec::new())
        }
    }

    fn entry(&self, role: Role, title: &str, detail: &str) -> Option<Entry> {
        let href = self.path(role)?.to_owned();
        let (title, detail) = (title.to_owned(), detail.to_owned());
        Some(Entry { href, title, by: String::new(), detail, snippet: String::new(), pdf: None })
    }

    fn work_entry(&self, item: Item) -> Option<Entry> {
        let Anchor { href, text } = self.to_work(item)?;
        let work = self.work(item);
        let names: Vec<&str> = work.authors.iter().map(|a| a.name.as_str()).collect();
        let (detail, pdf) = match item {
            Item::Article(n) => {
                let (j, i, _) = self.stands[n];
                let (journal, issue, first) = (&self.journals[j], &self.journals[j].issues[i], self.first_page(n));
                let detail = format!("{} {}({}), {first} ({})", journal.name, issue.volume, issue.number, issue.year);
                (detail, Some(format!("/download/{}.pdf", 1000 + n)))
            }
            Item::Chapter(n) => {
                let book = &self.books[self.bound[n].0];
                (format!("{} ({})", book.title, book.year), None)
            }
        };
        let snippet: Vec<&str> = work.summary.split(' ').take(40).collect();
        Some(Entry { href, title: text, by: names.join(", "), detail, snippet: snippet.join(" "), pdf })
    }

    /// A list in pages, with links to the neighbours.
    fn turning(&self, view: ListView, page: usize, role: impl Fn(usize) -> Role) -> ListView {
        let turn = |page: usize, sign: &str| self.anchor(role(page), &format!("{} {sign}", page + 1));
        ListView { previous: page.checked_sub(1).and_then(|p| turn(p, "«")), next: turn(page + 1, "»"), ..view }
    }
}

fn plain(heading: &str, intro: &str, entries: Vec<Entry>) -> ListView {
    let groups = if entries.is_empty() { Vec::new() } else { vec![(String::new(), entries)] };
    ListView { heading: heading.to_owned(), intro: intro.to_owned(), groups, previous: None, next: None }
}

fn issue_name(volume: &str, number: &str, issue: &crate::shelf::Issue) -> String {
    format!("{volume} {}, {number} {} ({})", issue.volume, issue.number, issue.year)
}
