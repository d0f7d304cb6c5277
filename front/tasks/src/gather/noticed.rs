//! Databases that a crawl came by: forms whose pages describe them, documents that lead to a summarizer, and other search forms.
//!
//! Nothing is kept for it: forms, META tags and texts of pages are in the store, and go with their pages when these change
//! ([`FormsFound`] says what is looked at). A form that stands on many pages is told once.

use std::collections::HashMap;
use std::fmt;

use groma_chart::{Field, SiteMap};
use groma_model::PageId;
use groma_model::wording::{counted, plain};
use groma_store::{Snapshot, StoreError};
use serde::Serialize;

use super::FormsFound;

/// Pages that are looked at where somebody waits for the answer.
pub const LOOKED: usize = 5_000;

/// How much a database tells of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticedKind {
    /// A DBContent document leads to its summarizer.
    Document,
    /// `DB.*` tags describe its form.
    DescribedForm,
    /// Its form looks like a search.
    SearchForm,
}

impl NoticedKind {
    /// One word for it, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            NoticedKind::Document => "document",
            NoticedKind::DescribedForm => "described-form",
            NoticedKind::SearchForm => "search-form",
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            NoticedKind::Document => ("DBContent document", "DBContent documents"),
            NoticedKind::DescribedForm => ("described form", "described forms"),
            NoticedKind::SearchForm => ("search form", "search forms"),
        }
    }
}

/// A database that a crawl came by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoticedDatabase {
    pub kind: NoticedKind,
    /// The page of its form, or its document.
    pub url: String,
    /// What the page or the database is called.
    pub title: String,
    /// Which form of the page, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<usize>,
    /// Whether the form is sent by POST.
    pub posts: bool,
    /// The number of its page.
    #[serde(skip)]
    pub page: Option<PageId>,
}

/// What a crawl came by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NoticedDatabases {
    /// Those that say most of themselves first.
    pub list: Vec<NoticedDatabase>,
    /// There are pages that were not looked at.
    pub more: bool,
}

impl NoticedDatabases {
    /// Looks through the first pages of a survey.
    pub fn of_survey(store: &mut dyn Snapshot, most: usize) -> Result<NoticedDatabases, StoreError> {
        Ok(NoticedDatabases::from(FormsFound::read_up_to(store, most)?))
    }

    /// What pages are for databases, by their numbers, for a map that shows it; nothing is read for another one.
    pub fn of_map(store: &mut dyn Snapshot, map: &SiteMap<'_>) -> Result<HashMap<u32, &'static str>, StoreError> {
        if !map.shows(Field::Database) {
            return Ok(HashMap::new());
        }
        let all = NoticedDatabases::of_survey(store, LOOKED)?;
        // Of several forms of a page the one that says most of itself comes first.
        let pages = all.list.iter().rev().filter_map(|one| Some((one.page?.0, one.kind.name())));
        Ok(pages.collect())
    }

    /// Looks at one page.
    pub fn of_page(store: &mut dyn Snapshot, page: PageId) -> Result<NoticedDatabases, StoreError> {
        Ok(NoticedDatabases::from(FormsFound::of_page(store, page)?))
    }

    /// How many there are of each kind, in words; empty if there is none.
    pub fn counts(&self) -> String {
        let kinds = [NoticedKind::Document, NoticedKind::DescribedForm, NoticedKind::SearchForm];
        let counts = kinds.into_iter().filter_map(|kind| {
            let count = self.list.iter().filter(|one| one.kind == kind).count() as u64;
            let (one, many) = kind.words();
            (count > 0).then(|| counted(count, one, many))
        });
        let mut all = counts.collect::<Vec<_>>().join(", ");
        if self.more && !all.is_empty() {
            all.push_str(", perhaps more");
        }
        all
    }
}

/// One line: what it is, where, and what it is called.
impl fmt::Display for NoticedDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words().0, plain(&self.url))?;
        if let Some(form) = self.form.filter(|form| *form > 1) {
            write!(f, " (form {form})")?;
        }
        if !self.title.is_empty() {
            write!(f, "  {}", plain(&self.title))?;
        }
        Ok(())
    }
}

impl From<FormsFound> for NoticedDatabases {
    fn from(found: FormsFound) -> NoticedDatabases {
        let documents = found.documents.into_iter().map(|document| NoticedDatabase {
            kind: NoticedKind::Document,
            url: document.address,
            title: document.title,
            form: None,
            posts: false,
            page: Some(document.id),
        });
        let forms = found.forms.into_iter().map(|form| NoticedDatabase {
            kind: if form.described { NoticedKind::DescribedForm } else { NoticedKind::SearchForm },
            url: form.page,
            title: form.title,
            form: Some(form.nth),
            posts: form.posts,
            page: Some(form.id),
        });
        let mut list: Vec<NoticedDatabase> = documents.chain(forms).collect();
        list.sort_by_key(|one| one.kind);
        NoticedDatabases { list, more: found.more }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_told_in_words() {
        let one = |kind, form| NoticedDatabase {
            kind,
            url: "http://a.test/".into(),
            title: "Hotels".into(),
            form,
            posts: false,
            page: None,
        };
        let list = vec![one(NoticedKind::DescribedForm, Some(1)), one(NoticedKind::SearchForm, Some(2))];
        let mut all = NoticedDatabases { list, more: false };
        assert_eq!(all.counts(), "1 described form, 1 search form");
        assert_eq!(all.list[0].to_string(), "described form: http://a.test/  Hotels");
        assert_eq!(all.list[1].to_string(), "search form: http://a.test/ (form 2)  Hotels");
        all.more = true;
        assert!(all.counts().ends_with("perhaps more"));
        assert_eq!(NoticedDatabases { more: true, ..NoticedDatabases::default() }.counts(), "");
    }
}
