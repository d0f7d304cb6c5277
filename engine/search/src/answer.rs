//! What is asked and what is answered.

use std::sync::Arc;

use groma_model::PageId;
use serde::Serialize;

/// How much a word counts by where it stands, and how much the rank of the page does.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Word in the title.
    pub title: f32,
    /// Word in a heading.
    pub heading: f32,
    /// In the text of links that point at the page.
    pub anchor: f32,
    /// In the description and the keywords.
    pub summary: f32,
    /// In paragraphs, lists, tables, image texts.
    pub body: f32,
    /// Word in the URL.
    pub address: f32,
    /// How much the rank of the page counts; 0: not at all.
    pub rank: f32,
}

/// A search query, and which hits are wanted.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// As typed.
    pub text: &'a str,
    /// Hits to pass over.
    pub first: usize,
    /// Hits wanted at most.
    pub most: usize,
    /// Whether hits are counted by type, language and site.
    pub facets: bool,
    pub weights: &'a Weights,
    /// Only pages that are marked here, by their number; nothing: all.
    pub within: Option<Arc<[bool]>>,
}

/// A piece of text, marked or not. Plain text, as hostile as the page it is from: whoever shows it escapes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    pub text: String,
    /// It was asked for.
    pub hit: bool,
}

/// A page that answers, or a record of a database behind a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Its number in the survey; of a record, that of the form's page, if it is in the survey.
    #[serde(skip)]
    pub page: Option<PageId>,
    /// Its URL. Of a record: where it is shown by itself, else the answer of the form that brought it, where that can be asked
    /// for by a URL, else the form.
    pub url: String,
    /// Its title; where it has none, what stands for one. Of a record: the value it is called by.
    pub title: String,
    /// The title in pieces.
    #[serde(skip)]
    pub title_pieces: Vec<Piece>,
    /// How well it answers.
    pub score: f32,
    /// Where the words stand, in pieces.
    #[serde(skip)]
    pub snippet: Vec<Piece>,
    /// "page" or "record".
    pub kind: &'static str,
    /// Of a record: the page people use to ask its database. Empty for pages.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub form: String,
    /// Of a record: what its database is called. Empty for pages.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub database: String,
    /// Media type; empty for records.
    pub media_type: String,
    /// Language; empty if unknown.
    pub language: String,
    /// Last changed, in seconds since 1970 (by the server's word, or when we saw it change); 0 if unknown.
    pub date: i64,
    /// Scheme, name and port; of a record, those of its form.
    pub site: String,
    /// The URL of the branch of the map it stands in; empty for the root and for loose pages.
    pub section: String,
}

/// How often one value occurs among all hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FacetCount {
    /// What to write behind `in:`, `type:`, `lang:` or `site:` to see only these.
    pub value: String,
    /// Name shown to people.
    pub label: String,
    pub count: u64,
}

/// Counts over all hits, most first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    /// By branch of the map.
    pub sections: Vec<FacetCount>,
    pub types: Vec<FacetCount>,
    pub languages: Vec<FacetCount>,
    pub sites: Vec<FacetCount>,
}

/// Something the asker should know about how the question was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "note", content = "about")]
pub enum Note {
    /// No page has all the words: these have some of them.
    SomeWords,
    /// There is no such section; it was passed over.
    NoSuchSection(String),
    /// This could not be read as a date; it was passed over.
    NoDate(String),
    /// There is nothing to look for in the question.
    NothingAsked,
    /// Only a part of the question was used: it is too long.
    TooLong,
    /// So many records of databases, or values of those known by values only, are not in the index: there was no room for them.
    LeftOut(u64),
}

/// The hits of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// How many pages and records answer.
    pub total: u64,
    /// There are records in the index, so they count in the total.
    pub mixed: bool,
    /// Those asked for, best first.
    pub hits: Vec<Hit>,
    /// Counts, if asked for.
    pub facets: Option<Facets>,
    /// A question that would find more, if this one finds little and a word of it is rare or unknown.
    pub did_you_mean: Option<String>,
    /// What the asker should know.
    pub notes: Vec<Note>,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { title: 4.0, heading: 2.0, anchor: 3.0, summary: 1.5, body: 1.0, address: 1.0, rank: 0.3 }
    }
}
