//! Pages about one work: articles, books, chapters.

use crate::catalogue::Item;
use crate::dice::Dice;
use crate::library::{Library, Page, Role};
use crate::sheet::Sheet;
use crate::templates::Template;
use crate::view::{Anchor, ArticleView, BookView, Person};
use crate::work::{Work, sentences};

impl Library {
    pub(super) fn article(&self, s: &mut Sheet, page: &Page, template: &dyn Template, n: usize, dice: &mut Dice) {
        let work = &self.articles[n];
        let (j, i, at) = self.stands[n];
        let (journal, issue) = (&self.journals[j], &self.journals[j].issues[i]);
        let w = template.facts().words;
        let issue_name = format!("{} {}, {} {} ({})", w.volume, issue.volume, w.issue, issue.number, issue.year);
        let issue_anchor = self.anchor(Role::Issue(j, i), &issue_name).unwrap_or_else(|| here(page));
        let journal_anchor = self.anchor(Role::Journal(j), &journal.name).unwrap_or_else(|| here(page));
        let mut crumbs = self.journal_crumbs(template, j);
        crumbs.push(issue_anchor.clone());
        let place = self.place(template, &work.title, crumbs, dice);
        let neighbour = |at: usize, text: &str| {
            issue.articles.get(at).and_then(|article| self.anchor(Role::Article(*article), text))
        };
        let first = self.first_page(n);
        let keyword = |word: &String| Person {
            name: word.clone(),
            href: self.catalogue.query(word).and_then(|q| self.path(Role::Query(q, 0))).map(str::to_owned),
            mark: None,
        };
        // Short communications have keywords only, where the publisher prints any.
        let short = template.facts().keywords && dice.chance(4);
        let view = ArticleView {
            title: &work.title,
            authors: self.people(&work.authors),
            affiliations: &work.affiliations,
            summary: if short { "" } else { &work.summary },
            keywords: work.keywords.iter().map(keyword).collect(),
            language: &work.language,
            journal: journal_anchor,
            issue: issue_anchor,
            volume: issue.volume,
            number: issue.number,
            year: issue.year,
            date: format!("{}-{:02}-{:02}", issue.year, issue.number * 3 - dice.below(3), dice.between(1, 28)),
            pages: (first, first + dice.between(3, 10)),
            doi: format!("10.5555/{}.{}.{}", journal.name.len() + j * 10, issue.year, 1000 + n),
            pdf: format!("/download/{}.pdf", 1000 + n),
            previous: if at > 0 { neighbour(at - 1, w.previous) } else { None },
            next: neighbour(at + 1, w.next),
            related: self.related(Item::Article(n), dice),
            subject: self.to_subject(&work.subject),
            text: self.text(work, dice),
            references: self.references(work, dice),
        };
        template.article(s, &place, &view);
    }

    pub(super) fn book(&self, s: &mut Sheet, _page: &Page, template: &dyn Template, n: usize, dice: &mut Dice) {
        let book = &self.books[n];
        let w = template.facts().words;
        let crumbs = [(Role::Home, w.home), (Role::Books(n / crate::library::INDEX), w.books)];
        let crumbs = crumbs.iter().filter_map(|(role, text)| self.anchor(*role, text)).collect();
        let place = self.place(template, &book.title, crumbs, dice);
        let chapters: Vec<&Work> = book.chapters.iter().map(|c| &self.chapters[*c]).collect();
        let editors: Vec<_> = chapters.iter().filter_map(|work| work.authors.first().cloned()).take(2).collect();
        let mut related = Vec::new();
        for _ in 0..dice.between(3, 5) {
            // Books are sorted by subject, so neighbours are of a kind; one in four is from anywhere.
            let other =
                if dice.chance(75) { n.saturating_sub(4) + dice.below(9) } else { dice.below(self.books.len()) };
            let to =
                self.books.get(other).filter(|_| other != n).and_then(|b| self.anchor(Role::Book(other), &b.title));
            related.extend(to.filter(|to| !related.iter().any(|r: &Anchor| r.href == to.href)));
        }
        let first: Vec<&str> = chapters.iter().take(3).map(|work| work.title.as_str()).collect();
        let about = format!(
            "This volume brings together {} contributions on {} by leading scholars. Among its subjects are {}. It is meant \
             for students and researchers in {} alike.",
            chapters.len(),
            book.subject.topic,
            first.join("; "),
            book.subject.subfield
        );
        let mut authors = self.people(&editors);
        for author in &mut authors {
            author.mark = None;
        }
        let view = BookView {
            title: &book.title,
            authors,
            affiliations: &[],
            part_of: None,
            year: book.year,
            isbn: isbn(n),
            doi: format!("10.5555/b{}", 7000 + n),
            pages: (1, book.chapters.len() * 23 + 12),
            contents: book.chapters.iter().filter_map(|c| self.to_work(Item::Chapter(*c))).collect(),
            about: dice.chance(70).then_some(about),
            previous: None,
            next: None,
            related,
            subject: self.to_subject(&book.subject),
        };
        template.book(s, &place, &view);
    }

    pub(super) fn chapter(&self, s: &mut Sheet, page: &Page, template: &dyn Template, n: usize, dice: &mut Dice) {
        let work = &self.chapters[n];
        let (b, at) = self.bound[n];
        let book = &self.books[b];
        let w = template.facts().words;
        let part_of = self.anchor(Role::Book(b), &book.title).unwrap_or_else(|| here(page));
        let crumbs = [(Role::Home, w.home), (Role::Books(b / crate::library::INDEX), w.books)];
        let mut crumbs: Vec<Anchor> = crumbs.iter().filter_map(|(role, text)| self.anchor(*role, text)).collect();
        crumbs.push(part_of.clone());
        let place = self.place(template, &work.title, crumbs, dice);
        let neighbour = |at: usize, text: &str| {
            book.chapters.get(at).and_then(|chapter| self.anchor(Role::Chapter(*chapter), text))
        };
        let view = BookView {
            title: &work.title,
            authors: self.people(&work.authors),
            affiliations: &work.affiliations,
            part_of: Some(part_of),
            year: book.year,
            isbn: isbn(b),
            doi: format!("10.5555/b{}.{}", 7000 + b, at + 1),
            pages: (at * 23 + 1, at * 23 + 21),
            contents: Vec::new(),
            about: None,
            previous: if at > 0 { neighbour(at - 1, w.previous) } else { None },
            next: neighbour(at + 1, w.next),
            related: self.related(Item::Chapter(n), dice),
            subject: self.to_subject(&work.subject),
        };
        template.book(s, &place, &view);
    }

    /// Two paragraphs of what the article itself may say: sentences of others on the subject.
    fn text(&self, work: &Work, dice: &mut Dice) -> Vec<String> {
        let kin = self.catalogue.labelled(&work.subject.subfield);
        let mut out = Vec::new();
        for _ in 0..2 {
            let Some(Item::Article(n)) = dice.one(kin).copied() else { continue };
            let other = &self.articles[n];
            if other.language == work.language && other.summary != work.summary {
                out.push(sentences(&other.summary).into_iter().rev().take(4).collect::<Vec<_>>().join(" "));
            }
        }
        out
    }

    fn references(&self, work: &Work, dice: &mut Dice) -> Vec<String> {
        let kin = self.catalogue.labelled(&work.subject.subfield);
        let mut out: Vec<String> = Vec::new();
        for _ in 0..dice.between(4, 9) {
            let Some(item) = dice.one(kin) else { break };
            let other = self.work(*item);
            let names: Vec<&str> = other.authors.iter().take(3).map(|a| a.name.as_str()).collect();
            let (volume, first) = (dice.between(2, 80), dice.between(1, 900));
            let year = dice.between(1988, 2023);
            let line = format!("{}. {}. {volume}, {first}–{} ({year}).", names.join(", "), other.title, first + 9);
            if other.title != work.title && !out.contains(&line) {
                out.push(line);
            }
        }
        out
    }
}

/// A link to the page itself, for what cannot be missing.
fn here(page: &Page) -> Anchor {
    Anchor { href: page.path.clone(), text: String::new() }
}

fn isbn(book: usize) -> String {
    let digits = format!("978{:09}", 100_000_007 + book * 9973);
    let sum: usize =
        digits.bytes().enumerate().map(|(n, b)| usize::from(b - b'0') * if n % 2 == 0 { 1 } else { 3 }).sum();
    format!("{}-{}-{}", &digits[..3], &digits[3..], (10 - sum % 10) % 10)
}
