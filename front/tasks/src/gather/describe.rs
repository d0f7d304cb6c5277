//! How is this database asked and read? The description of a gathering, as lines that can be fixed: what its last run used, what
//! the user gave, what the page says of itself, or a proposal from the answers that are kept.

use std::borrow::Cow;

use groma_gather::Description;
use groma_gather::answer::as_page;
use groma_gather::form::{self, Form};
use groma_hel::{Bounds, Tree};
use groma_model::Reason;
use groma_page::charset;
use groma_store::StoreError;
use groma_store::gathers::{AnswerRow, GatherId, GatherRow, Gathers};
use groma_url::Url;

/// Keys of what was asked for before the first question to the form.
const BEFORE: [&str; 5] = ["start in a browser", "start", "form again", "config", "summarizer"];

/// An answer that is kept and can be read as a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its place among all answers, from 0.
    pub place: u32,
    /// What makes it this question and no other.
    pub key: String,
    /// The question, for people.
    pub about: String,
    /// It came before the first question: the form itself, or a file about it.
    pub before: bool,
}

/// The first answers of a gathering that are pages, up to so many.
pub fn pages(gathers: &mut Gathers, id: GatherId, most: usize) -> Result<Vec<Page>, StoreError> {
    let answers = gathers.answers(id, 0, most)?;
    let page = |(place, answer): (usize, AnswerRow)| {
        let is_read = |kind: &str| kind.is_empty() || kind.contains("html") || kind.contains("json");
        let is_page = answer.reason == Reason::Fetched && is_read(&answer.media_type);
        let before = BEFORE.contains(&answer.key.as_str());
        is_page.then_some(Page { place: place as u32, key: answer.key, about: answer.about, before })
    };
    Ok(answers.into_iter().enumerate().filter_map(page).collect())
}

/// The description of a gathering: what its last run used, else what was given, else what can be proposed; empty if nothing can.
pub fn described(gathers: &mut Gathers, row: &GatherRow) -> Result<String, StoreError> {
    let word = |text: &str, key: &str| {
        let said: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        said[key].as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
    };
    if let Some(known) = word(&row.report, "description").or_else(|| word(&row.asked, "description")) {
        return Ok(known);
    }
    let start = match gathers.answer(row.id, BEFORE[0])? {
        Some(built) => Some(built),
        None => gathers.answer(row.id, BEFORE[1])?,
    };
    let Some(start) = start else { return Ok(String::new()) };
    let tree = tree_of(&start);
    if let Some(own) = Description::of_page(&tree) {
        return Ok(own.to_string());
    }
    let forms = forms_of(&start, &tree);
    let Some(form) = forms.iter().max_by_key(|form| (form.looks().search, form.looks().score)) else {
        return Ok(String::new());
    };
    let mut answers = Vec::new();
    for page in pages(gathers, row.id, 20)?.into_iter().filter(|page| !page.before).take(2) {
        answers.extend(gathers.answer(row.id, &page.key)?.map(|answer| tree_of(&answer)));
    }
    Ok(answers.first().map_or_else(String::new, |first| Description::propose(form, first, answers.get(1)).to_string()))
}

/// An answer as text.
fn text_of(answer: &AnswerRow) -> (Cow<'_, str>, &'static str) {
    let label = Some(answer.charset.as_str()).filter(|charset| !charset.is_empty());
    let (text, encoding) = charset::decode(&answer.body, label);
    (text, encoding.name())
}

/// An answer as a tree.
pub(super) fn tree_of(answer: &AnswerRow) -> Tree {
    Tree::parse(&as_page(&text_of(answer).0), &Bounds::default())
}

/// The URL and the character set of an answer; nothing if it has no URL.
pub(super) fn place_of(answer: &AnswerRow) -> Option<(Url, &'static str)> {
    Some((Url::parse(&answer.address).ok()?, text_of(answer).1))
}

/// The forms of an answer.
pub(super) fn forms_of(answer: &AnswerRow, tree: &Tree) -> Vec<Form> {
    place_of(answer).map_or_else(Vec::new, |(page, charset)| form::forms(tree, &page, charset))
}
