//! From a page's number to its markup and the truth about it.

mod lists;
mod prose;
mod works;

use groma_model::PageType;
use groma_testweb::prose::mix;

use crate::catalogue::Item;
use crate::dice::Dice;
use crate::library::{INFO, Library, Page, Role};
use crate::sheet::{Blocks, Link, Sheet};
use crate::templates::Template;
use crate::view::{Anchor, Person, Place};
use crate::work::Subject;

/// A page as it is served, and what is true of it.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub html: String,
    /// What the page is.
    pub page_type: PageType,
    /// What it is about, in one word: `article`, `chapter`, `issue`, `search`...
    pub role: &'static str,
    /// The labels of the work it is about.
    pub subject: Option<Subject>,
    /// The texts of its content blocks.
    pub blocks: Blocks,
    /// Its links, in document order.
    pub links: Vec<Link>,
    /// The number of its template.
    pub template: usize,
    /// What the source calls the work.
    pub source: Option<String>,
    /// Whether the work was derived from others.
    pub derived: bool,
}

impl Role {
    /// The word of the truth file.
    fn name(self) -> &'static str {
        match self {
            Role::Home => "home",
            Role::Subjects => "subjects",
            Role::Subject(_) => "subject",
            Role::Journals(_) => "journals",
            Role::Books(_) => "books",
            Role::Journal(_) => "journal",
            Role::Volume(..) => "volume",
            Role::Issue(..) => "issue",
            Role::Article(_) => "article",
            Role::Book(_) => "book",
            Role::Chapter(_) => "chapter",
            Role::Author(_) => "author",
            Role::Searches(_) => "searches",
            Role::Query(..) => "search",
            Role::Info(_) => "info",
            Role::News(_) => "news",
            Role::Ad(_) => "advertising",
        }
    }

    /// What a page about it is.
    pub(crate) fn page_type(self) -> PageType {
        match self {
            Role::Article(_) => PageType::Article,
            Role::Book(_) | Role::Chapter(_) => PageType::Book,
            Role::Home | Role::Info(_) | Role::News(_) | Role::Ad(_) => PageType::Other,
            _ => PageType::List,
        }
    }
}

impl Library {
    /// Renders a page by its number; nothing if there is no such page.
    pub fn render(&self, number: usize) -> Option<Rendered> {
        let page = self.pages.get(number)?;
        let template = *self.templates.get(page.template)?;
        let mut sheet = Sheet::new(mix(self.settings.seed, page.template as u64));
        let mut dice = Dice::new(self.settings.seed, &page.path);
        match page.role {
            Role::Article(n) => self.article(&mut sheet, page, template, n, &mut dice),
            Role::Book(n) => self.book(&mut sheet, page, template, n, &mut dice),
            Role::Chapter(n) => self.chapter(&mut sheet, page, template, n, &mut dice),
            Role::Home | Role::Info(_) | Role::News(_) | Role::Ad(_) => {
                self.prose(&mut sheet, page, template, &mut dice);
            }
            _ => self.list(&mut sheet, page, template, &mut dice),
        }
        let work = match page.role {
            Role::Article(n) => Some(&self.articles[n]),
            Role::Chapter(n) => Some(&self.chapters[n]),
            _ => None,
        };
        let subject = match page.role {
            Role::Book(n) => Some(self.books[n].subject.clone()),
            _ => work.map(|work| work.subject.clone()),
        };
        Some(Rendered {
            html: sheet.html,
            page_type: page.role.page_type(),
            role: page.role.name(),
            subject,
            blocks: sheet.blocks,
            links: sheet.links,
            template: page.template,
            source: work.map(|work| work.id.clone()),
            derived: work.is_some_and(|work| work.derived),
        })
    }

    /// What stands around the content of a page.
    fn place<'a>(&'a self, template: &'a dyn Template, bar: &str, crumbs: Vec<Anchor>, dice: &mut Dice) -> Place<'a> {
        let facts = template.facts();
        let w = facts.words;
        let portal = [
            (Role::Home, w.home),
            (Role::Journals(0), w.journals),
            (Role::Books(0), w.books),
            (Role::Subjects, w.subjects),
            (Role::Searches(0), w.search),
        ];
        let menu = portal.iter().filter_map(|(role, text)| self.anchor(*role, text)).collect();
        let info = |of: &[usize]| -> Vec<Anchor> {
            of.iter().filter_map(|n| self.anchor(Role::Info(*n), &prose::info_title(INFO[*n]))).collect()
        };
        let mut ads = Vec::new();
        for _ in 0..dice.between(2, 3) {
            // Advertising sells services and books of any topic.
            let ad = if dice.chance(50) {
                let n = dice.below(self.ads);
                self.anchor(Role::Ad(n), prose::SLOGANS[n % prose::SLOGANS.len()])
            } else {
                let n = dice.below(self.books.len());
                self.books.get(n).and_then(|book| self.anchor(Role::Book(n), &book.title))
            };
            ads.extend(ad);
        }
        Place {
            publisher: facts.publisher,
            words: w,
            bar: format!("{bar} | {}", facts.publisher),
            menu,
            crumbs,
            foot: info(&[0, 1, 2, 7]),
            legal: info(&[3, 4]),
            ads,
        }
    }

    /// A link to the page about something, if there is one.
    fn anchor(&self, role: Role, text: &str) -> Option<Anchor> {
        self.path(role).map(|path| Anchor { href: path.to_owned(), text: text.to_owned() })
    }

    /// A link to a work, its title as the text.
    fn to_work(&self, item: Item) -> Option<Anchor> {
        let role = match item {
            Item::Article(n) => Role::Article(n),
            Item::Chapter(n) => Role::Chapter(n),
        };
        self.anchor(role, &self.work(item).title)
    }

    /// The most narrow subject that has a page.
    fn to_subject(&self, subject: &Subject) -> Option<Anchor> {
        let label = [&subject.subfield, &subject.field].into_iter();
        label
            .filter_map(|label| self.catalogue.subject(label).and_then(|n| self.anchor(Role::Subject(n), label)))
            .next()
    }

    /// Works a reader may like: four in five of the same subject, the others of any.
    fn related(&self, own: Item, dice: &mut Dice) -> Vec<Anchor> {
        let subject = &self.work(own).subject;
        let mut items: Vec<Item> = Vec::new();
        for _ in 0..dice.between(4, 7) {
            let narrow = self.catalogue.labelled(&subject.topic);
            let pool =
                if narrow.len() > 4 && dice.chance(60) { narrow } else { self.catalogue.labelled(&subject.subfield) };
            let item = if dice.chance(80) {
                dice.one(pool).copied()
            } else if dice.chance(65) {
                Some(Item::Article(dice.below(self.articles.len())))
            } else {
                Some(Item::Chapter(dice.below(self.chapters.len())))
            };
            items.extend(item.filter(|item| *item != own && !items.contains(item)));
        }
        items.into_iter().filter_map(|item| self.to_work(item)).collect()
    }

    fn people(&self, authors: &[crate::work::Author]) -> Vec<Person> {
        let person = |author: &crate::work::Author| Person {
            name: author.name.clone(),
            href: self.catalogue.person(&author.name).and_then(|n| self.path(Role::Author(n))).map(str::to_owned),
            mark: author.affiliation.map(|at| at + 1),
        };
        authors.iter().map(person).collect()
    }

    /// The way down to a page of a journal.
    fn journal_crumbs(&self, template: &dyn Template, journal: usize) -> Vec<Anchor> {
        let w = template.facts().words;
        let way = [(Role::Home, w.home), (Role::Journals(0), w.journals)];
        let mut out: Vec<Anchor> = way.iter().filter_map(|(role, text)| self.anchor(*role, text)).collect();
        out.extend(self.anchor(Role::Journal(journal), &self.journals[journal].name));
        out
    }

    fn crumbs_of(&self, template: &dyn Template, page: &Page) -> Vec<Anchor> {
        let w = template.facts().words;
        match page.role {
            Role::Home => Vec::new(),
            Role::Query(..) => [(Role::Home, w.home), (Role::Searches(0), w.search)]
                .iter()
                .filter_map(|(role, text)| self.anchor(*role, text))
                .collect(),
            Role::Subject(_) => [(Role::Home, w.home), (Role::Subjects, w.subjects)]
                .iter()
                .filter_map(|(role, text)| self.anchor(*role, text))
                .collect(),
            _ => self.anchor(Role::Home, w.home).into_iter().collect(),
        }
    }
}
